/** The position of the board in the window: cell size and offset. Pure arithmetic. */

export const SMALLEST = 6;
export const LARGEST = 128;
const COMFORTABLE = 52;
/** Space around the board, in pixels. */
export const MARGIN = 6;

/**
 * Return a camera that shows the whole board, or as much of it as possible with cells at least `least` pixels wide.
 * @param {Size} board
 * @param {Room} window
 * @param {number} least the smallest allowed cell size
 * @param {number} most the largest allowed cell size
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
 * Return the largest cell size that looks good. It grows with the screen, and is larger for small boards.
 * @param {Room} window
 * @param {Size} board
 */
function comfortable(window, board) {
  const small = board.rows <= 6 ? 1.4 : 1;
  return Math.min(LARGEST, Math.round(small * Math.max(COMFORTABLE, window.height * 0.07)));
}

/**
 * Return the camera moved back into the window: centred if the board is smaller, without gaps if it is larger.
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
 * Return the camera zoomed by a factor around a point, which stays where it is.
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
 * Return a cell size rounded to whole device pixels, so that clicks match what is drawn.
 * @param {number} size
 * @param {number} ratio device pixels per CSS pixel
 * @param {(value: number) => number} round
 */
export function snap(size, ratio, round = Math.round) {
  return Math.max(1, round(size * ratio)) / ratio;
}

/**
 * Return the camera moved by an offset.
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
 * Return the cell under a point; null outside the board.
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
 * Return the first and last visible row and column.
 * @param {Camera} camera
 * @param {Size} board
 * @param {Room} window
 */
export function visible(camera, board, window) {
  const line = (/** @type {number} */ v, /** @type {number} */ count) =>
    Math.min(count - 1, Math.max(0, Math.floor(v / camera.size)));
  return {
    top: line(-camera.y, board.rows),
    bottom: line(window.height - camera.y, board.rows),
    left: line(-camera.x, board.columns),
    right: line(window.width - camera.x, board.columns),
  };
}

/**
 * Return the camera moved just far enough to show a cell.
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
 * Return the camera with a cell in the middle, as far as the edges of the board allow.
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
 * Return whether the whole board is visible.
 * @param {Camera} camera
 * @param {Size} board
 * @param {Room} window
 */
export function showsAll(camera, board, window) {
  const wide = board.columns * camera.size + 2 * MARGIN;
  const high = board.rows * camera.size + 2 * MARGIN;
  return wide <= window.width && high <= window.height;
}
