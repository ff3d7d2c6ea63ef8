/** The arrangement of the lanes of a race. Pure arithmetic. */

/** Height in a lane for its name and its last move, in pixels. */
const LANE_TEXT = 110;
/** Below this width, in pixels, lanes are stacked. */
const NARROW = 600;

/**
 * Return the number of lanes per row that makes the cells largest.
 * @param {number} lanes
 * @param {number} width
 * @param {number} height
 * @param {number} rows
 * @param {number} columns
 */
export function bestColumns(lanes, width, height, rows, columns) {
  if (width < NARROW) return 1;
  const cell = (/** @type {number} */ perRow) => {
    const high = height / Math.ceil(lanes / perRow) - LANE_TEXT;
    return Math.min(high / rows, (width / perRow - 50) / columns);
  };
  const all = Array.from({ length: lanes }, (_, i) => i + 1);
  return all.reduce((best, next) => (cell(next) > cell(best) ? next : best));
}
