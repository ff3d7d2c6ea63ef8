/** How the lanes of a race stand. Pure arithmetic. */

/** Room in a lane for its name and its last move, in pixels. */
const LANE_TEXT = 110;
const NARROW = 600;

/**
 * Give how many lanes stand beside each other, so that cells get as large as they can.
 * @param {number} lanes
 * @param {number} width
 * @param {number} height
 * @param {number} rows
 * @param {number} columns
 */
export function bestColumns(lanes, width, height, rows, columns) {
  if (width < NARROW) return 1;
  const cell = (/** @type {number} */ beside) => {
    const high = height / Math.ceil(lanes / beside) - LANE_TEXT;
    return Math.min(high / rows, (width / beside - 50) / columns);
  };
  const all = Array.from({ length: lanes }, (_, i) => i + 1);
  return all.reduce((best, next) => (cell(next) > cell(best) ? next : best));
}
