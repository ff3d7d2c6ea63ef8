import assert from 'node:assert/strict';
import test from 'node:test';

import { Gestures, LONG_PRESS } from '../../src/mineproof/web/static/js/gesture.js';

/** Return gestures that record their actions, and timers that the test fires itself. */
function setUp() {
  const log = [];
  const note = (name) => (...values) => log.push([name, ...values]);
  const actions = Object.fromEntries(['tap', 'mark', 'chord', 'drag', 'pinch'].map((name) => [name, note(name)]));
  const pressed = [];
  actions.press = (at) => pressed.push(at === null ? null : [at.x, at.y]);
  // Cells of 10 pixels.
  actions.stays = (from, to) => Math.floor(from.x / 10) === Math.floor(to.x / 10) && Math.floor(from.y / 10) === Math.floor(to.y / 10);
  const timers = new Map();
  let last = 0;
  const gestures = new Gestures(actions, {
    set(act, time) {
      assert.equal(time, LONG_PRESS);
      last += 1;
      timers.set(last, act);
      return last;
    },
    clear: (timer) => timers.delete(timer),
  });
  const late = () => [...timers.values()].forEach((act) => act());
  return { gestures, log, late, pressed };
}

const finger = (id, x, y) => ({ id, x, y, button: 0, kind: 'touch' });
const mouse = (button, x, y) => ({ id: 1, x, y, button, kind: 'mouse' });

test('a left click is a tap at the point where it started', () => {
  const { gestures, log } = setUp();
  gestures.down(mouse(0, 10, 10));
  gestures.move(mouse(-1, 12, 13));
  gestures.up(mouse(0, 12, 13));
  assert.deepEqual(log, [['tap', 10, 10]]);
});

test('the right button flags and the middle one chords immediately', () => {
  const { gestures, log } = setUp();
  gestures.down(mouse(2, 5, 6));
  gestures.up(mouse(2, 5, 6));
  gestures.down(mouse(1, 7, 8));
  gestures.up(mouse(1, 7, 8));
  assert.deepEqual(log, [['mark', 5, 6], ['chord', 7, 8]]);
});

test('a drag pans and does not tap', () => {
  const { gestures, log } = setUp();
  gestures.down(mouse(0, 0, 0));
  gestures.move(mouse(-1, 20, 0));
  gestures.move(mouse(-1, 25, 5));
  gestures.up(mouse(0, 25, 5));
  assert.deepEqual(log, [['drag', 20, 0], ['drag', 5, 5]]);
});

test('a touch opens, and a long press only flags', () => {
  const { gestures, log, late } = setUp();
  gestures.down(finger(1, 5, 5));
  gestures.up(finger(1, 5, 5));
  late();
  assert.deepEqual(log, [['tap', 5, 5]]);
  gestures.down(finger(2, 6, 6));
  late();
  gestures.up(finger(2, 6, 6));
  assert.deepEqual(log.slice(1), [['mark', 6, 6]]);
});

test('a drag with a finger is not a long press', () => {
  const { gestures, log, late } = setUp();
  gestures.down(finger(1, 0, 0));
  gestures.move(finger(1, 30, 0));
  late();
  gestures.up(finger(1, 30, 0));
  assert.deepEqual(log, [['drag', 30, 0]]);
});

test('two fingers zoom around the point between them and do not tap', () => {
  const { gestures, log, late } = setUp();
  gestures.down(finger(1, 0, 0));
  gestures.down(finger(2, 100, 0));
  gestures.move(finger(2, 200, 0));
  late();
  gestures.up(finger(2, 200, 0));
  gestures.up(finger(1, 0, 0));
  assert.deepEqual(log, [['pinch', 2, 100, 0, 50, 0]]);
});

test('a cancelled pointer has no effect', () => {
  const { gestures, log, late } = setUp();
  gestures.down(finger(1, 5, 5));
  gestures.cancel(1);
  late();
  gestures.up(finger(1, 5, 5));
  assert.deepEqual(log, []);
});

test('a cell looks pressed only while it is held', () => {
  const { gestures, pressed } = setUp();
  gestures.down(mouse(0, 15, 15));
  assert.deepEqual(pressed, [[15, 15]]);
  gestures.up(mouse(0, 15, 15));
  assert.equal(pressed.at(-1), null);
});
