import assert from 'node:assert/strict';
import test from 'node:test';

import * as camera from '../../src/mineproof/web/static/js/camera.js';

const WINDOW = { width: 800, height: 600 };
const EXPERT = { rows: 16, columns: 30 };
const HUGE = { rows: 100, columns: 100 };

test('a board that fits is centred and entirely visible', () => {
  const at = camera.fit(EXPERT, WINDOW);
  assert.ok(camera.showsAll(at, EXPERT, WINDOW));
  assert.equal(at.x * 2 + 30 * at.size, 800);
  assert.equal(at.y * 2 + 16 * at.size, 600);
});

test('cells never become smaller than the minimum', () => {
  const at = camera.fit(HUGE, WINDOW, 17);
  assert.equal(at.size, 17);
  assert.ok(!camera.showsAll(at, HUGE, WINDOW));
});

test('panning stops at the edges of the board', () => {
  const at = camera.fit(HUGE, WINDOW, 17);
  assert.equal(camera.pan(at, 9999, 9999, HUGE, WINDOW).x, camera.MARGIN);
  const end = camera.pan(at, -9999, -9999, HUGE, WINDOW);
  assert.equal(end.x + 100 * 17 + camera.MARGIN, 800);
});

test('zooming keeps the same cell under the pointer', () => {
  const at = camera.centre(camera.fit(HUGE, WINDOW, 17), [50, 50], HUGE, WINDOW);
  const before = camera.cellAt(at, 300, 200, HUGE);
  const after = camera.zoom(at, 1.5, 300, 200, HUGE, WINDOW);
  assert.deepEqual(camera.cellAt(after, 300, 200, HUGE), before);
  assert.equal(camera.zoom(at, 1e9, 0, 0, HUGE, WINDOW).size, camera.LARGEST);
  assert.equal(camera.zoom(at, 1e-9, 0, 0, HUGE, WINDOW).size, camera.SMALLEST);
});

test('cell sizes are whole device pixels', () => {
  assert.equal(camera.snap(17.4, 1), 17);
  assert.equal(camera.snap(29, 1.5), 44 / 1.5);
  assert.equal(camera.snap(29, 1.5, Math.floor), 43 / 1.5);
  assert.equal(camera.snap(0.1, 1), 1);
});

test('a point outside the board has no cell', () => {
  const at = { x: 10, y: 20, size: 30 };
  assert.equal(camera.cellAt(at, 9, 25, EXPERT), null);
  assert.equal(camera.cellAt(at, 15, 20 + 16 * 30, EXPERT), null);
  assert.deepEqual(camera.cellAt(at, 10, 20, EXPERT), [0, 0]);
  assert.deepEqual(camera.cellAt(at, 10 + 29 * 30, 20 + 15 * 30, EXPERT), [15, 29]);
});

test('only cells in the window are visible', () => {
  const range = camera.visible({ x: -170, y: -340, size: 17 }, HUGE, WINDOW);
  assert.deepEqual(range, { top: 20, bottom: 55, left: 10, right: 57 });
});

test('a hidden cell is revealed with the shortest possible pan', () => {
  const at = { x: 0, y: 0, size: 30 };
  const far = camera.reveal(at, [99, 99], HUGE, WINDOW);
  assert.deepEqual(camera.cellAt(far, 799 - camera.MARGIN, 599 - camera.MARGIN, HUGE), [99, 99]);
  const near = camera.reveal(at, [3, 4], HUGE, WINDOW);
  assert.deepEqual([near.x, near.y], [0, 0]);
});
