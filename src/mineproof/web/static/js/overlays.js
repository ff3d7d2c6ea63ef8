/** What is drawn over the cells: risks in numbers, proved cells, clues to look at, the cursor. */

/**
 * @typedef {import('./types.js').Cell} Cell
 * @typedef {import('./camera.js').Camera} Camera
 * @typedef {import('./model.js').Grid} Grid
 * @typedef {{risk?: (number | null)[] | null, safe?: number[], mined?: number[], clues?: Cell[],
 *   targets?: Cell[], conflict?: Cell[], last?: Cell | null}} Overlays
 */

const NUMBERS_FROM = 29;

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{grid: Grid, overlays: Overlays}} view
 * @param {Record<string, string>} palette
 * @param {Camera} at in device pixels
 * @param {number} ratio device pixels for a CSS pixel
 * @param {Cell | null} cursor
 */
export function drawOverlays(context, view, palette, at, ratio, cursor) {
  const { grid, overlays } = view;
  if (overlays.risk && at.size >= NUMBERS_FROM * ratio) drawRisks(context, view, palette, at);
  // Over a heat map, which has marks of its own, the agent's go into a corner.
  const small = overlays.risk ? 0.5 : 1;
  for (const index of overlays.safe ?? []) drawSafe(context, corner(cellOf(index, grid), at, small), palette);
  for (const index of overlays.mined ?? []) drawMined(context, corner(cellOf(index, grid), at, small), palette);
  if (overlays.last) outline(context, overlays.last, palette.last, at, 0.06, false);
  for (const cell of overlays.clues ?? []) outline(context, cell, palette.clue, at, 0.11, false);
  for (const cell of overlays.conflict ?? []) outline(context, cell, palette.conflict, at, 0.13, true);
  for (const cell of overlays.targets ?? []) outline(context, cell, palette.target, at, 0.13, true);
  if (cursor !== null) drawCursor(context, cursor, palette, at, ratio);
}

/**
 * @param {number} index
 * @param {Grid} grid
 * @returns {Cell}
 */
function cellOf(index, grid) {
  return [Math.floor(index / grid.columns), index % grid.columns];
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{grid: Grid, overlays: Overlays}} view
 * @param {Record<string, string>} palette
 * @param {Camera} at
 */
function drawRisks(context, view, palette, at) {
  const { grid } = view;
  const risk = view.overlays.risk ?? [];
  context.fillStyle = palette['heat-ink'];
  context.font = `600 ${Math.round(at.size * 0.31)}px system-ui, sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (let index = 0; index < risk.length; index += 1) {
    const value = risk[index];
    if (value === null || grid.letters[index] !== 'H') continue;
    const [row, column] = cellOf(index, grid);
    const x = at.x + (column + 0.5) * at.size;
    const y = at.y + (row + 0.53) * at.size;
    if (x < 0 || y < 0 || x > context.canvas.width || y > context.canvas.height) continue;
    if (value > 0 && value < 1) context.fillText((100 * value).toFixed(1), x, y);
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Cell} cell
 * @param {string} colour
 * @param {Camera} at
 * @param {number} width as a share of the cell
 * @param {boolean} dashed
 */
function outline(context, cell, colour, at, width, dashed) {
  const line = Math.max(2, Math.round(at.size * width));
  context.save();
  context.strokeStyle = colour;
  context.lineWidth = line;
  if (dashed) context.setLineDash([at.size * 0.3, at.size * 0.12]);
  context.strokeRect(
    at.x + cell[1] * at.size + line / 2,
    at.y + cell[0] * at.size + line / 2,
    at.size - line,
    at.size - line,
  );
  context.restore();
}

/**
 * Give the square of a cell, or of its lower right corner.
 * @param {Cell} cell
 * @param {Camera} at
 * @param {number} share of the cell's side
 * @returns {Camera}
 */
function corner(cell, at, share) {
  const size = at.size * share;
  return { x: at.x + (cell[1] + 1) * at.size - size, y: at.y + (cell[0] + 1) * at.size - size, size };
}

/**
 * A tick: this cell is proved safe.
 * @param {CanvasRenderingContext2D} context
 * @param {Camera} box
 * @param {Record<string, string>} palette
 */
function drawSafe(context, { x, y, size }, palette) {
  context.strokeStyle = palette['safe-ink'];
  context.lineWidth = Math.max(1.5, size * 0.11);
  context.lineCap = 'round';
  context.beginPath();
  context.moveTo(x + size * 0.26, y + size * 0.52);
  context.lineTo(x + size * 0.44, y + size * 0.7);
  context.lineTo(x + size * 0.76, y + size * 0.3);
  context.stroke();
}

/**
 * A filled diamond: this cell is proved to be a mine.
 * @param {CanvasRenderingContext2D} context
 * @param {Camera} box
 * @param {Record<string, string>} palette
 */
function drawMined(context, { x, y, size }, palette) {
  const middle = [x + size / 2, y + size / 2];
  const half = size * 0.26;
  context.fillStyle = palette['mined-ink'];
  context.beginPath();
  context.moveTo(middle[0], middle[1] - half);
  context.lineTo(middle[0] + half, middle[1]);
  context.lineTo(middle[0], middle[1] + half);
  context.lineTo(middle[0] - half, middle[1]);
  context.fill();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Cell} cell
 * @param {Record<string, string>} palette
 * @param {Camera} at
 * @param {number} ratio
 */
function drawCursor(context, cell, palette, at, ratio) {
  const x = at.x + cell[1] * at.size;
  const y = at.y + cell[0] * at.size;
  const line = 2 * ratio;
  context.lineWidth = line;
  context.strokeStyle = palette.page;
  context.strokeRect(x + line, y + line, at.size - 2 * line, at.size - 2 * line);
  context.strokeStyle = palette.cursor;
  context.strokeRect(x, y, at.size, at.size);
}
