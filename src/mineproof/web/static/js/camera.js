/** Where the board lies in the window: cell size and offset. Pure arithmetic. */

export const SMALLEST = 6;
export const LARGEST = 128;
const COMFORTABLE = 52;
/** Room around the board. */
export const MARGIN = 6;

/**
 * Show the whole board, or as much of it as leaves the cells large enough to hit.
 * @param {Size} board
 * @param {Room} window
 * @param {number} least the smallest cell that can be hit
 * @param {number} most the largest cell that looks well
 * @returns {Camera}
 */
export function fit(board, window, least = SMALLEST, most = comfortable(window, board)) {
  const side = Math.min(
    (window.width - 2 * MARGIN) / board.columns,
    (window.height - 2 * MARGIN) / board.rows,
  );
  const size = Math.max(SMALLEST, least, Math.min(most, Math.floor(side)));
  return clamp({ x: 0, y: 0, size }, board, window);
}

/**
 * Give the largest cell that looks well: it grows with the screen, and small boards have larger ones.
 * @param {Room} window
 * @param {Size} board
 */
function comfortable(window, board) {
  const small = board.rows <= 6 ? 1.4 : 1;
  return Math.min(LARGEST, Math.round(small * Math.max(COMFORTABLE, window.height * 0.07)));
}

/**
 * Keep the board in the window: centred where it is smaller, without a gap where it is larger.
 * @param {Camera} camera
 * @param {Size} board
 * @param {Room} window
 * @returns {Camera}
 */
export function clamp(camera, board, window) {
  return {
    x: clampAxis(camera.x, board.columns * camera.size, window.width),
    y: window.top && board.rows * camera.size + 2 * MARGIN <= window.height
      ? MARGIN : clampAxis(camera.y, board.rows * camera.size, window.height),
    size: camera.size,
  };
}

/** @param {number} offset @param {number} length @param {number} room */
function clampAxis(offset, length, room) {
  if (length + 2 * MARGIN <= room) return (room - length) / 2;
  return Math.min(MARGIN, Math.max(room - length - MARGIN, offset));
}

/**
 * Change the size and keep the point under the fingers or the mouse where it is.
 * @param {Camera} camera
 * @param {number} factor
 * @param {number} x
 * @param {number} y
 * @param {Size} board
 * @param {Room} window
 * @returns {Camera}
 */
export function zoom(camera, factor, x, y, board, window) {
  const size = Math.min(LARGEST, Math.max(SMALLEST, camera.size * factor));
  const ratio = size / camera.size;
  return clamp({ x: x - (x - camera.x) * ratio, y: y - (y - camera.y) * ratio, size }, board, window);
}

/**
 * Round a cell's side to whole device pixels, so that what is drawn is what is hit.
 * @param {number} size
 * @param {number} ratio device pixels for a CSS pixel
 * @param {(value: number) => number} round
 */
export function snap(size, ratio, round = Math.round) {
  return Math.max(1, round(size * ratio)) / ratio;
}

/**
 * Move the board.
 * @param {Camera} camera
 * @param {number} dx
 * @param {number} dy
 * @param {Size} board
 * @param {Room} window
 */
export function pan(camera, dx, dy, board, window) {
  return clamp({ ...camera, x: camera.x + dx, y: camera.y + dy }, board, window);
}

/**
 * Give the cell under a point; null beside the board.
 * @param {Camera} camera
 * @param {number} x
 * @param {number} y
 * @param {Size} board
 * @returns {[number, number] | null}
 */
export function cellAt(camera, x, y, board) {
  const row = Math.floor((y - camera.y) / camera.size);
  const column = Math.floor((x - camera.x) / camera.size);
  const inside = row >= 0 && column >= 0 && row < board.rows && column < board.columns;
  return inside ? [row, column] : null;
}

/**
 * Give the rows and columns that can be seen: first and last of each.
 * @param {Camera} camera
 * @param {Size} board
 * @param {Room} window
 */
export function visible(camera, board, window) {
  const place = (/** @type {number} */ v, /** @type {number} */ most) =>
    Math.min(most - 1, Math.max(0, Math.floor(v / camera.size)));
  return {
    top: place(-camera.y, board.rows),
    bottom: place(window.height - camera.y, board.rows),
    left: place(-camera.x, board.columns),
    right: place(window.width - camera.x, board.columns),
  };
}

/**
 * Move the board so far that a cell can be seen.
 * @param {Camera} camera
 * @param {[number, number]} cell
 * @param {Size} board
 * @param {Room} window
 */
export function reveal(camera, cell, board, window) {
  const shift = (/** @type {number} */ start, /** @type {number} */ room) => {
    if (start < 0) return -start;
    return start + camera.size > room ? room - start - camera.size : 0;
  };
  const dx = shift(camera.x + cell[1] * camera.size, window.width);
  const dy = shift(camera.y + cell[0] * camera.size, window.height);
  return pan(camera, dx, dy, board, window);
}

/**
 * Put a cell into the middle as far as the board allows it.
 * @param {Camera} camera
 * @param {[number, number]} cell
 * @param {Size} board
 * @param {Room} window
 */
export function centre(camera, cell, board, window) {
  const x = window.width / 2 - (cell[1] + 0.5) * camera.size;
  const y = window.height / 2 - (cell[0] + 0.5) * camera.size;
  return clamp({ x, y, size: camera.size }, board, window);
}

/**
 * Say whether all of the board can be seen.
 * @param {Camera} camera
 * @param {Size} board
 * @param {Room} window
 */
export function showsAll(camera, board, window) {
  const wide = board.columns * camera.size + 2 * MARGIN;
  const high = board.rows * camera.size + 2 * MARGIN;
  return wide <= window.width && high <= window.height;
}
