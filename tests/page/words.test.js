import assert from 'node:assert/strict';
import test from 'node:test';

import { commandOf, cursorAfter, KEYS } from '../../src/mineproof/web/static/js/keys.js';
import { announce, Grid, positionText, primaryAction, readPosition } from '../../src/mineproof/web/static/js/grid.js';
import * as words from '../../src/mineproof/web/static/js/words.js';

const press = (key, more = {}) => ({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more });

test('risks have one decimal and never round to a certainty', () => {
  assert.equal(words.percent(0.125), '12.5\u00a0%');
  assert.equal(words.percent(0), '0.0\u00a0%');
  assert.equal(words.percent(1), '100.0\u00a0%');
  assert.equal(words.percent(0.0001), 'below 0.1\u00a0%');
  assert.equal(words.percent(0.9999), 'above 99.9\u00a0%');
  assert.equal(words.percent(null), 'unknown');
});

test('times and chances', () => {
  assert.equal(words.clockText(65.9), '1:05');
  assert.equal(words.clockText(3661), '1:01:01');
  assert.equal(words.timeText(12.34), '12.3\u00a0s');
  assert.equal(words.chanceText(0.25), '25.0\u00a0%');
  assert.equal(words.chanceText(0.0005), '1 in 2,000');
  assert.equal(words.chanceText(0), '0\u00a0%');
});

test('speeds range up to as fast as possible', () => {
  assert.equal(words.speedPause(20), 50);
  assert.equal(words.speedPause(21), 0);
  assert.equal(words.speedText(1), '1 move per second');
  assert.equal(words.speedText(6, 'round'), '6 rounds per second');
  assert.equal(words.speedText(21), 'as fast as possible');
});

test('counts use the singular and the plural', () => {
  assert.equal(words.count(1, 'move'), '1 move');
  assert.equal(words.count(0, 'guess', 'guesses'), '0 guesses');
});

test('each key has one command, and Shift selects another', () => {
  assert.equal(commandOf(press('f')), 'mark');
  assert.equal(commandOf(press('F', { shiftKey: true })), null);
  assert.equal(commandOf(press('A', { shiftKey: true })), 'autoplay');
  assert.equal(commandOf(press('r', { ctrlKey: true })), null);
  assert.equal(commandOf(press('q')), null);
  const keys = KEYS.map(([key]) => key);
  assert.equal(new Set(keys).size, keys.length);
});

test('the cursor stays on the board', () => {
  const board = { rows: 9, columns: 9 };
  assert.deepEqual(cursorAfter(press('ArrowUp'), [0, 4], board), [0, 4]);
  assert.deepEqual(cursorAfter(press('ArrowRight', { shiftKey: true }), [2, 6], board), [2, 8]);
  assert.deepEqual(cursorAfter(press('End'), [2, 6], board), [2, 8]);
  assert.equal(cursorAfter(press('x'), [0, 0], board), null);
});

test('the end of a game shows mines and wrong flags', () => {
  const grid = new Grid(['HF', 'FM'], [0, 1, 3]);
  assert.deepEqual(grid.text(), ['mF', 'xM']);
  assert.equal(announce(grid, [1, 0]), 'row 1, column 0: wrong flag');
  assert.equal(announce(new Grid(['H3']), [0, 0], 0.5), 'row 0, column 0: unopened, risk 50.0\u00a0%');
  assert.equal(announce(new Grid(['H3']), [0, 1]), 'row 0, column 1: clue 3');
});

test('a tap opens unopened cells and chords numbers', () => {
  assert.deepEqual(['H', '3', '0', 'F', 'M', '-'].map(primaryAction), ['open', 'chord', null, null, null, null]);
});

test('a position survives conversion to text and back', () => {
  const text = positionText(['1H', 'F-'], 2);
  assert.equal(text, '2x2x2\n1H\nF-\n');
  assert.deepEqual(readPosition(text), { rows: ['1H', 'F-'], mines: '2' });
  assert.deepEqual(readPosition('2x1x?\n.?'), { rows: ['HM'], mines: '?' });
  for (const bad of ['', '2x2x2\n1H', '2x1x1\n1H1', '2x1x1\n9H', 'hello']) assert.equal(readPosition(bad), null);
});

test('standard games are named by their level', () => {
  const levels = { easy: { rows: 9, columns: 9, mines: 10 }, beginner: { rows: 9, columns: 9, mines: 10 } };
  assert.equal(words.gameName('9x9/10', levels), 'Beginner');
  assert.equal(words.gameName('9x9/10:opening', levels), 'Beginner');
  assert.equal(words.gameName('9x9/10:no-guess', levels), 'Beginner, no-guess');
  assert.equal(words.gameName('beginner', levels), 'Beginner (one safe cell)');
  assert.equal(words.gameName('9x9/10:opening:mark', levels), '9x9/10:opening:mark');
});

test('a text that is too long is cut after a sentence or a word', () => {
  assert.equal(words.shortened('One. Two three.', 20), 'One. Two three.');
  assert.equal(words.shortened('One. Two three.', 10), 'One.');
  assert.equal(words.shortened('Two three, four', 12), 'Two three…');
});
