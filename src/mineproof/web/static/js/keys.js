/** Keys and what they do. One table for all: the page shows it, too. */

/** @type {[string, string, string][]} the key, the command, and what it does in words */
export const KEYS = [
  ['Arrow keys', '', 'on the board: move the cursor (with Shift by five); elsewhere ← → step through the moves'],
  ['Enter', 'open', 'open the cell, or chord an open one'],
  ['F', 'mark', 'mark the cell'],
  ['C', 'chord', 'chord: open around a number that has its marks'],
  ['N', 'new', 'new game (asks while one is under way)'],
  ['R', 'again', 'the same board again'],
  ['U', 'undo', 'undo, also after an explosion'],
  ['Y', 'redo', 'redo'],
  ['P', 'pause', 'pause: the board is covered'],
  ['H', 'hint', 'hint, one step more each time'],
  ['W', 'why', 'why? about the cell under the mouse or at the cursor'],
  ['G', 'guess', 'may I guess?'],
  ['M', 'risks', 'heat map of the risks'],
  ['B', 'best', 'best moves on the board'],
  ['A', 'step', 'one move of the agent'],
  ['Shift+A', 'autoplay', 'let the agent play on'],
  ['I', 'knowledge', 'what the agent knows'],
  [',', 'back', 'one move back'],
  ['.', 'forward', 'one move forward'],
  ['+', 'larger', 'larger cells'],
  ['-', 'smaller', 'smaller cells'],
  ['0', 'fit', 'the whole board'],
  ['?', 'help', 'this table'],
  ['Escape', 'stop', 'stop what runs, back to now'],
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
 * Give the command of a key; null if it has none.
 * @param {Press} event
 */
export function commandOf(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const key = event.key.toLowerCase();
  if (event.shiftKey && key.length === 1 && key >= 'a' && key <= 'z') {
    return BY_KEY[`shift+${key}`] ?? null;
  }
  return BY_KEY[key] ?? null;
}

/**
 * Give where a key moves the cursor to; null if it does not move it.
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
