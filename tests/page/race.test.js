import assert from 'node:assert/strict';
import test from 'node:test';

import { heatColour, levelOf, mix, riskDigits } from '../../src/mineproof/web/static/js/heat.js';
import { RaceTape } from '../../src/mineproof/web/static/js/racetape.js';
import { SeriesTape, lossText } from '../../src/mineproof/web/static/js/seriestape.js';
import { bestColumns } from '../../src/mineproof/web/static/js/lanes.js';

const turn = (changes, more = {}) => ({ changes, moves: 1, guesses: 0, result: null, fault: '', ...more });

function tape() {
  const made = new RaceTape();
  made.take({ cells: ['1H', 'HH'], agents: ['basic', 'exact'] });
  made.take({ frame: [turn([[1, '1']]), turn([[3, '1']])] });
  made.take({ frame: [turn([[2, 'M']], { moves: 2, guesses: 1, result: 'loss' }), turn([[1, '1']], { moves: 2 })] });
  made.take({ frame: [null, turn([[2, 'F']], { moves: 3, result: 'win' })] });
  return made;
}

test('a race can go forward, back and to any round', () => {
  const race = tape();
  race.go(1);
  assert.deepEqual(race.grid(0).text(), ['11', 'HH']);
  race.go(3);
  assert.deepEqual(race.grid(0).text(), ['11', 'MH']);
  assert.deepEqual(race.grid(1).text(), ['11', 'F1']);
  assert.equal(race.racers[0].guesses, 1);
  race.go(1);
  assert.deepEqual(race.grid(1).text(), ['1H', 'H1']);
  race.go(99);
  assert.equal(race.at, 3);
});

test('mines are shown only for agents that have finished', () => {
  const race = tape();
  race.finish({ mines: [2] });
  race.go(2);
  assert.deepEqual(race.grid(0).text(), ['11', 'MH']);
  assert.deepEqual(race.grid(1).text(), ['11', 'H1']);
});

test('the summary says who has finished and who is still thinking', () => {
  const race = tape();
  race.go(2);
  assert.equal(race.summary(), 'Lost: basic');
  race.go(3);
  assert.equal(race.summary(), 'Won: exact; lost: basic');
  const open = new RaceTape();
  open.take({ cells: ['H'], agents: ['slow'] });
  assert.equal(open.summary(), 'slow is thinking');
});

test('each risk has a level for its pattern', () => {
  assert.deepEqual([0, 0.001, 0.1, 0.2, 0.5, 0.6, 0.99, 1].map(levelOf), [0, 1, 1, 2, 3, 4, 5, 6]);
});

test('colours range from low to high, and digits never claim a proof', () => {
  assert.equal(mix('#000000', '#ffffff', 0.5), '#808080');
  const colours = ['#ffffff', '#ff8800', '#880000'];
  assert.equal(heatColour(0, colours), '#ffffff');
  assert.equal(heatColour(0.5, colours), '#ff8800');
  assert.equal(heatColour(1, colours), '#880000');
  assert.deepEqual([0.001, 0.01, 0.196, 0.99, 0.9999].map(riskDigits), ['<1', '1', '20', '99', '>99']);
});

test('lanes are arranged to make cells large', () => {
  assert.equal(bestColumns(2, 1000, 600, 16, 16), 2);
  assert.equal(bestColumns(3, 1300, 500, 9, 9), 3);
  assert.equal(bestColumns(4, 950, 600, 16, 30), 2);
  assert.equal(bestColumns(3, 370, 600, 9, 9), 1);
});

test('a refused board of a series is neither a loss nor a failure', () => {
  const tape = new SeriesTape();
  tape.take({ agents: ['picky', 'exact'], boards: 2, seed: '1' });
  for (const result of ['refused', 'failed']) tape.take({ ends: [{ result, fault: 'why' }, { result: 'win', fault: '' }], best: [1, 0] });
  tape.go(2);
  assert.deepEqual(tape.differing().map(({ board }) => board.ends[0].result), ['failed']);
  assert.deepEqual(lossText({ result: 'failed', fault: 'no answer' }), ['Failed', 'no answer']);
});
