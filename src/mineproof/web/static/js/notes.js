/** Question marks: the player's notes on unopened cells. They stay in this browser tab; the service never receives them. */

const NAME = 'question-marks';

/** @param {View} view */
const gameOf = ({ key, seed }) => `${key}/${seed}`;

/**
 * Return the indices of the cells with a question mark. They need two moves each, so a restarted game has none.
 * @param {View} view
 * @returns {Set<number>}
 */
export function readNotes(view) {
  if (view.steps - view.offset < 2) sessionStorage.removeItem(NAME);
  const [game, ...cells] = JSON.parse(sessionStorage.getItem(NAME) ?? '[]');
  return new Set(game === gameOf(view) ? cells : []);
}

/**
 * @param {View} view
 * @param {Set<number>} notes
 */
export function storeNotes(view, notes) {
  sessionStorage.setItem(NAME, JSON.stringify([gameOf(view), ...notes]));
}
