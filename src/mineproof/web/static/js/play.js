/** The Play tab: what a click, a tap or a key does in the game. */

import { button, press } from './dom.js';
import { primaryAction } from './grid.js';
import { storeNotes } from './notes.js';
import { closeSheet } from './sheet.js';
import { playSound } from './sound.js';
import { sentence } from './words.js';

/**
 * @param {App} app
 * @param {Boards} boards
 * @param {Asker} why
 */
export function setUpPlay(app, boards, why) {
  let flagging = false;
  /** @type {Cell | null} the cell of the last move */
  let moved = null;

  const act = async (/** @type {string} */ name, /** @type {Cell} */ cell) => {
    if (!app.playing) {
      explainNoMove(app);
      return;
    }
    moved = cell;
    const before = app.view?.hits ?? 0;
    if (await app.command(name, { cell })) playSound(app, name, before);
    boards.announce(moved);
  };
  const cycle = (/** @type {Cell} */ cell) => {
    const change = app.playing && app.settings.questionMarks === true ? nextNote(app, boards.main.grid, cell) : 'mark';
    if (change !== null) {
      act(change, cell);
      return;
    }
    boards.main.refresh();
    boards.announce(cell);
  };
  const tap = (/** @type {Cell} */ cell) => {
    if (why.armed() || app.position.source === 'past') {
      why.ask(cell);
      return;
    }
    const letter = boards.main.grid.at(...cell);
    closeSheet();
    const proved = letter === 'H' && boards.main.overlays.targets?.some((one) => `${one}` === `${cell}`);
    if (flagging && !proved && 'HF'.includes(letter)) {
      cycle(cell);
      return;
    }
    const action = primaryAction(letter);
    if (action === 'chord' && app.settings.chording === false) return;
    if (action !== null) act(action, cell);
    else if (!app.playing) explainNoMove(app);
    else if (letter === 'F') app.say('This cell is flagged. Remove the flag to open it.', 'warn');
  };
  const mark = (/** @type {Cell} */ cell) => {
    const letter = boards.main.grid.at(...cell);
    if (flagging && letter === 'H' && matchMedia('(pointer: coarse)').matches) act('open', cell);
    else if ('HF'.includes(letter)) cycle(cell);
  };
  const chord = (/** @type {Cell} */ cell) => act('chord', cell);

  boards.handle('play', { tap, mark, chord, presses: (cell) => sinking(app, boards, cell) });
  const choose = (/** @type {boolean} */ flag) => {
    flagging = flag;
    button('tap-open').setAttribute('aria-pressed', String(!flag));
    button('tap-mark').setAttribute('aria-pressed', String(flag));
  };
  app.on('view', () => requestAnimationFrame(() => {
    if (app.tab !== 'play' || app.view?.step !== 0 || app.position.source !== 'game' || boards.main.whole) return;
    app.status(`${sentence(app.view.text)}. Drag the board to see all of it.`);
  }));
  press('tap-open', () => choose(false));
  press('tap-mark', () => choose(true));
  press('undo', () => app.command('undo'));
  press('pause', () => pause(app));
  press('resume', () => pause(app));
  press('to-now', () => app.toNow());
  press('from-here', () => playFrom(app, false));
  press('from-fresh', () => playFrom(app, true));
  press('now', () => app.toNow()); // next to the moves, because on a phone the sheet covers the other button
  return {
    tap, mark, chord,
    undo: () => app.command('undo'),
    redo: () => app.command('redo'),
    pause: () => pause(app),
  };
}

/**
 * Replace a flag by a question mark, or remove a question mark. Return the move to make, or null for none.
 * @param {App} app
 * @param {Grid} grid
 * @param {Cell} cell
 */
function nextNote({ view }, grid, cell) {
  const index = grid.index(cell);
  const drawn = grid.drawn(index);
  if (view === null || drawn === 'H') return 'mark';
  if (drawn === 'F') grid.notes.add(index); // it appears when the flag is gone
  else grid.notes.delete(index);
  storeNotes(view, grid.notes);
  return drawn === 'F' ? 'mark' : null;
}

/**
 * Return the cells that look pressed while the mouse button is held on a cell.
 * @param {App} app
 * @param {Boards} boards
 * @param {Cell} cell
 * @returns {Cell[]}
 */
function sinking(app, boards, cell) {
  if (!app.playing || app.view?.state === 'paused') return [];
  const { grid } = boards.main;
  const closed = (/** @type {Cell} */ [row, column]) => grid.at(row, column) === 'H';
  if (closed(cell)) return [cell];
  return primaryAction(grid.at(...cell)) === 'chord' ? grid.around(cell).filter(closed) : [];
}

/** @param {App} app */
function pause(app) {
  if (app.view === null || app.view.end !== null) return;
  app.command('pause', { on: app.view.state !== 'paused' });
}

/**
 * Explain why no move can be made.
 * @param {App} app
 */
function explainNoMove(app) {
  if (app.position.source === 'past') app.say('This is a past move. Press “Back to game” to continue playing.', 'warn');
  else if (app.view?.end) app.say('The game is over. Press N for a new game or U to undo.', 'warn');
}

/**
 * Continue from the move in view, on the same board or with new mines that fit the open cells.
 * @param {App} app
 * @param {boolean} fresh
 */
async function playFrom(app, fresh) {
  const { at } = app.positions.play.fields;
  if (at !== undefined && await app.command('play_from', { at, fresh }) && fresh) app.say('The mines were dealt again, and fit the open numbers.');
}
