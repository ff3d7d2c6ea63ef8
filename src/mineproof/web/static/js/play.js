/** The Play tab: what a click, a tap or a key does in the game. */

import { button, press } from './dom.js';
import { primaryAction } from './grid.js';
import { playSound } from './sound.js';

/**
 * @param {Bench} bench
 * @param {Stage} stage
 * @param {Asker} why
 */
export function setUpPlay(bench, stage, why) {
  let flagging = false;
  /** @type {Cell | null} the cell of the last move */
  let moved = null;

  const act = async (/** @type {string} */ name, /** @type {Cell} */ cell) => {
    if (!bench.playing) {
      explainNoMove(bench);
      return;
    }
    moved = cell;
    const before = bench.view?.hits ?? 0;
    if (await bench.command(name, { cell })) playSound(bench, name, before);
    stage.announce(moved);
  };
  const tap = (/** @type {Cell} */ cell) => {
    if (why.armed() || bench.place.source === 'past') {
      why.ask(cell);
      return;
    }
    const action = flagging && 'HF'.includes(stage.main.grid.at(...cell)) ? 'mark' : primaryAction(stage.main.grid.at(...cell));
    if (action !== null) act(action, cell);
    else if (!bench.playing) explainNoMove(bench);
  };
  const mark = (/** @type {Cell} */ cell) => {
    const letter = stage.main.grid.at(...cell);
    if ('HF'.includes(letter)) act(flagging && letter === 'H' && matchMedia('(pointer: coarse)').matches ? 'open' : 'mark', cell);
  };
  const chord = (/** @type {Cell} */ cell) => act('chord', cell);

  stage.handle('play', { tap, mark, chord, presses: (cell) => sinking(bench, stage, cell) });
  const choose = (/** @type {boolean} */ flag) => {
    flagging = flag;
    button('tap-open').setAttribute('aria-pressed', String(!flag));
    button('tap-mark').setAttribute('aria-pressed', String(flag));
  };
  press('tap-open', () => choose(false));
  press('tap-mark', () => choose(true));
  press('undo', () => bench.command('undo'));
  press('pause', () => pause(bench));
  press('resume', () => pause(bench));
  press('to-now', () => bench.toNow());
  press('from-here', () => playFrom(bench, false));
  press('from-fresh', () => playFrom(bench, true));
  press('now', () => bench.toNow()); // next to the moves, because on a phone the sheet covers the other button
  return {
    tap, mark, chord,
    undo: () => bench.command('undo'),
    redo: () => bench.command('redo'),
    pause: () => pause(bench),
  };
}

/**
 * Return the cells that look pressed while the mouse button is held on a cell.
 * @param {Bench} bench
 * @param {Stage} stage
 * @param {Cell} cell
 * @returns {Cell[]}
 */
function sinking(bench, stage, cell) {
  if (!bench.playing || bench.view?.state === 'paused') return [];
  const { grid } = stage.main;
  const closed = (/** @type {Cell} */ [row, column]) => grid.at(row, column) === 'H';
  if (closed(cell)) return [cell];
  return primaryAction(grid.at(...cell)) === 'chord' ? grid.around(cell).filter(closed) : [];
}

/** @param {Bench} bench */
function pause(bench) {
  if (bench.view === null || bench.view.end !== null) return;
  bench.command('pause', { on: bench.view.state !== 'paused' });
}

/**
 * Explain why no move can be made.
 * @param {Bench} bench
 */
function explainNoMove(bench) {
  if (bench.place.source === 'past') bench.say('This is a past move. Press “Back to game” to continue playing.', 'warn');
  else if (bench.view?.end) bench.say('The game is over. Press N for a new game or U to undo.', 'warn');
}

/**
 * Continue from the move in view, on the same board or with new mines that fit the open cells.
 * @param {Bench} bench
 * @param {boolean} fresh
 */
function playFrom(bench, fresh) {
  const { at } = bench.places.play.fields;
  if (at !== undefined) bench.command('play_from', { at, fresh });
}
