/** The keyboard shortcuts. The help dialog shows the same table. */

/** @type {[string, string, string][]} key, command, description */
export const KEYS = [
  ['Arrow keys', '', 'move the cursor (hold Shift to move five cells); after a click or outside the board: ← → step through the moves of a game, an agent or a race'],
  ['Enter', 'open', 'open the cell, or chord on a number; Space does the same, also under the mouse'],
  ['F', 'mark', 'flag the cell under the mouse, or at the cursor'],
  ['C', 'chord', 'chord on the number under the mouse, or at the cursor: open its other neighbours once it has all its flags'],
  ['N', 'new', 'new game'],
  ['R', 'again', 'restart the same board'],
  ['U', 'undo', 'undo, even after an explosion (also Ctrl+Z)'],
  ['Y', 'redo', 'redo (also Ctrl+Y)'],
  ['P', 'pause', 'pause and hide the board'],
  ['H', 'hint', 'hint; press again for more'],
  ['W', 'why', 'explain the cell under the mouse, or at the cursor'],
  ['G', 'guess', 'ask whether you may guess'],
  ['M', 'risks', 'show or hide the risks'],
  ['B', 'best', 'show or hide the best moves'],
  ['A', 'step', 'let the agent make one move'],
  ['Shift+A', 'autoplay', 'start or stop the agent'],
  ['I', 'knowledge', 'show or hide what the agent knows'],
  [',', 'back', 'go back one move'],
  ['.', 'forward', 'go forward one move'],
  ['[', 'mistake-back', 'after the game: the previous mistake'],
  [']', 'mistake-on', 'after the game: the next mistake'],
  ['+', 'larger', 'zoom in'],
  ['-', 'smaller', 'zoom out'],
  ['0', 'fit', 'show the whole board'],
  ['L', 'large', 'large text, for a projector'],
  ['?', 'help', 'show this help'],
  ['Escape', 'stop', 'stop the agent, or go back to the game'],
];

/** @type {Record<string, string>} */
const BY_KEY = Object.fromEntries(
  KEYS.filter(([, command]) => command).map(([key, command]) => [key.toLowerCase(), command]),
);
BY_KEY[' '] = 'open';
BY_KEY['='] = 'larger';

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * Return the command of a key; null if it has none.
 * @param {Press} event
 */
export function commandOf(event) {
  const key = event.key.toLowerCase();
  if ((event.ctrlKey || event.metaKey) && !event.altKey) return (key === 'z' && (event.shiftKey ? 'redo' : 'undo')) || (key === 'y' && 'redo') || null;
  if (event.altKey) return null;
  if (event.shiftKey && key.length === 1 && key >= 'a' && key <= 'z') {
    return BY_KEY[`shift+${key}`] ?? null;
  }
  return BY_KEY[key] ?? null;
}

/**
 * Return the cell that a key moves the cursor to; null if the key does not move it.
 * @param {Press} event
 * @param {[number, number]} from
 * @param {{rows: number, columns: number}} board
 * @returns {[number, number] | null}
 */
export function cursorAfter(event, from, board) {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.key === 'Home') return [from[0], 0];
  if (event.key === 'End') return [from[0], board.columns - 1];
  if (event.key === 'PageUp') return [0, from[1]];
  if (event.key === 'PageDown') return [board.rows - 1, from[1]];
  const step = STEPS[event.key];
  if (step === undefined) return null;
  const times = event.shiftKey ? 5 : 1;
  const limit = (/** @type {number} */ v, /** @type {number} */ most) => Math.max(0, Math.min(most - 1, v));
  return [limit(from[0] + step[0] * times, board.rows), limit(from[1] + step[1] * times, board.columns)];
}
