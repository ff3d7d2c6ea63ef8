/** Drawings on top of the cells: proved cells, best moves, highlighted clues, cursor and rulers. */

import { drawFlag, drawMine, FONT } from './paint.js';

/** @param {Ground} ground @param {Overlays} overlays @param {Pointed} touch */
export function drawOverlays(ground, overlays, touch) {
  const { palette } = ground;
  for (const cell of overlays.dimmed ?? []) wash(ground, cell, palette.page, 0.4);
  if (touch.hover !== null) wash(ground, touch.hover, palette.ink, 0.09);
  for (const cell of touch.pressed) sunk(ground, cell);
  for (const cell of overlays.lit ?? []) wash(ground, cell, palette.accent, 0.32);
  for (const link of overlays.links ?? []) drawLink(ground, link);
  for (const cell of overlays.mined ?? []) drawMined(ground, cell);
  for (const cell of overlays.flags ?? []) drawFlag(ground.context, palette, square(ground, cell));
  for (const cell of overlays.safe ?? []) drawSafe(ground, cell);
  if (overlays.last) outline(ground, overlays.last, palette.dim, 0.05, []);
  (overlays.best ?? []).forEach(({ cell, sure }, rank) => drawBest(ground, cell, sure, rank));
  for (const cell of overlays.clues ?? []) outline(ground, cell, palette.accent, 0.08, []);
  for (const cell of overlays.conflict ?? []) drawConflict(ground, cell);
  for (const cell of overlays.targets ?? []) drawTarget(ground, cell);
  for (const cell of overlays.asked ?? []) outline(ground, cell, palette.guess, 0.12, [0.2, 0.1]);
  for (const { cell, number } of overlays.numbers ?? []) drawNumber(ground, cell, number);
  if (touch.cursor !== null) drawCursor(ground, touch.cursor);
  for (const played of overlays.played ?? []) drawPlayed(ground, played);
}

/**
 * Draw an edge of the clue graph: a line from a clue to a cell that it counts. Neighbouring clues differ in colour.
 * @param {Ground} ground
 * @param {{clue: Cell, cell: Cell}} link
 */
function drawLink(ground, { clue, cell }) {
  const { context, palette, at } = ground;
  const [from, to] = [clue, cell].map((one) => [at.x + (one[1] + 0.5) * at.size, at.y + (one[0] + 0.5) * at.size]);
  const near = 0.36 / Math.hypot(cell[0] - clue[0], cell[1] - clue[1]);
  const colour = [palette.accent, palette.n6, palette.n4, palette.guess][(clue[0] % 2) * 2 + (clue[1] % 2)];
  [context.strokeStyle, context.fillStyle, context.lineWidth] = [colour, colour, Math.max(1, at.size * 0.06)];
  context.beginPath();
  context.moveTo(from[0] + near * (to[0] - from[0]), from[1] + near * (to[1] - from[1]));
  context.lineTo(to[0], to[1]);
  context.stroke();
  context.beginPath();
  context.arc(to[0], to[1], at.size * 0.1, 0, 7);
  context.fill();
}

/**
 * Draw the number of a step of a proof on a corner of a clue. Small cells have no room for it.
 * @param {Ground} ground
 * @param {Cell} cell
 * @param {number} number
 */
function drawNumber(ground, cell, number) {
  const { context, palette } = ground;
  const { x, y, size } = square(ground, cell);
  if (size < 18 * ground.ratio) return;
  const down = Math.max(size * 0.08, size * 0.24 - 5 * ground.ratio); // above the first row there is little room
  context.fillStyle = palette.accent;
  context.beginPath();
  context.arc(x + size * 0.92, y + down, size * 0.24, 0, 7);
  context.fill();
  context.fillStyle = palette.panel;
  context.font = `700 ${Math.round(size * 0.32)}px ${FONT}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(String(number), x + size * 0.92, y + down + size * 0.02);
}

/**
 * Draw the cell that a proof is about: a ring, and a tick on a disc.
 * @param {Ground} ground
 * @param {Cell} cell
 */
function drawTarget(ground, cell) {
  const { context, palette } = ground;
  const { x, y, size } = square(ground, cell);
  outline(ground, cell, palette.safe, 0.12, []);
  context.fillStyle = palette.safe;
  context.beginPath();
  context.arc(x + size / 2, y + size / 2, size * 0.27, 0, 7);
  context.fill();
  context.strokeStyle = palette.page;
  context.lineWidth = Math.max(1, size * 0.08);
  context.lineCap = 'round';
  context.beginPath();
  context.moveTo(x + size * 0.39, y + size * 0.51);
  context.lineTo(x + size * 0.47, y + size * 0.6);
  context.lineTo(x + size * 0.62, y + size * 0.41);
  context.stroke();
}

/**
 * Draw the cell that the player opened by mistake: its mine if it had one, a ring, and a badge with the glyph on a corner.
 * @param {Ground} ground
 * @param {Played} played
 */
function drawPlayed(ground, { cell, glyph, mine }) {
  const { context, palette } = ground;
  const { x, y, size } = square(ground, cell);
  const { width, height } = context.canvas;
  const [right, low] = [Math.min(x + size * 0.92, width - size * 0.37), Math.min(y + size * 0.92, height - size * 0.37)];
  if (mine) {
    context.fillStyle = palette.boom;
    trace(ground, cell, ground.ratio);
    context.fill();
    drawMine(context, palette, { x, y, size });
  }
  const colour = glyph === '??' ? palette.conflict : glyph === '?!' ? palette.guess : palette.danger;
  outline(ground, cell, colour, 0.1, []);
  context.fillStyle = palette.page;
  context.beginPath();
  context.arc(right, low, size * 0.37, 0, 7);
  context.fill();
  context.fillStyle = colour;
  context.beginPath();
  context.arc(right, low, size * 0.32, 0, 7);
  context.fill();
  context.fillStyle = palette.page;
  context.font = `700 ${Math.round(size * 0.36)}px ${FONT}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(glyph, right, low + size * 0.02);
}

/**
 * Return the corner and the size of a cell on the canvas.
 * @param {Ground} ground
 * @param {Cell} cell
 */
function square({ at }, cell) {
  return { x: at.x + cell[1] * at.size, y: at.y + cell[0] * at.size, size: at.size };
}

/** @param {Ground} ground @param {Cell} cell @param {number} inset */
function trace(ground, cell, inset) {
  const { x, y, size } = square(ground, cell);
  ground.context.beginPath();
  ground.context.roundRect(x + inset, y + inset, size - 2 * inset, size - 2 * inset, size > 10 ? size * 0.15 : 0);
}

/** @param {Ground} ground @param {Cell} cell @param {string} colour @param {number} alpha */
function wash(ground, cell, colour, alpha) {
  const { context } = ground;
  context.save();
  context.globalAlpha = alpha;
  context.fillStyle = colour;
  trace(ground, cell, ground.ratio);
  context.fill();
  context.restore();
}

/**
 * Draw a pressed cell, which looks open while it is held.
 * @param {Ground} ground
 * @param {Cell} cell
 */
function sunk(ground, cell) {
  ground.context.fillStyle = ground.palette.open;
  trace(ground, cell, ground.ratio);
  ground.context.fill();
}

/**
 * @param {Ground} ground
 * @param {Cell} cell
 * @param {string} colour
 * @param {number} width as a share of the cell
 * @param {number[]} dash as shares of the cell
 */
function outline(ground, cell, colour, width, dash) {
  const { context, at } = ground;
  const line = Math.max(1.5 * ground.ratio, at.size * width);
  context.save();
  context.strokeStyle = colour;
  context.lineWidth = line;
  context.setLineDash(dash.map((share) => share * at.size));
  trace(ground, cell, line / 2);
  context.stroke();
  context.restore();
}

/**
 * Draw the sign for proved safe: a ring with a dot.
 * @param {Ground} ground
 * @param {Cell} cell
 */
function drawSafe(ground, cell) {
  const { context, palette } = ground;
  const { x, y, size } = square(ground, cell);
  outline(ground, cell, palette.safe, 0.06, []);
  context.fillStyle = palette.safe;
  context.beginPath();
  context.arc(x + size / 2, y + size / 2, size * 0.12, 0, 7);
  context.fill();
}

/**
 * Draw the sign for a proved mine: a diamond.
 * @param {Ground} ground
 * @param {Cell} cell
 */
function drawMined(ground, cell) {
  const { context, palette } = ground;
  const { x, y, size } = square(ground, cell);
  const half = size * 0.21;
  context.fillStyle = palette.danger;
  context.beginPath();
  context.moveTo(x + size / 2, y + size / 2 - half);
  context.lineTo(x + size / 2 + half, y + size / 2);
  context.lineTo(x + size / 2, y + size / 2 + half);
  context.lineTo(x + size / 2 - half, y + size / 2);
  context.fill();
}

/**
 * Draw a best move: a ring with its rank, dashed if it is a guess. The first one is bold.
 * @param {Ground} ground
 * @param {Cell} cell
 * @param {boolean} sure
 * @param {number} rank
 */
function drawBest(ground, cell, sure, rank) {
  const { context, palette } = ground;
  const { x, y, size } = square(ground, cell);
  const colour = sure ? palette.safe : palette.guess;
  outline(ground, cell, colour, rank === 0 ? 0.11 : 0.06, sure ? [] : [0.2, 0.1]);
  if (size < 20 * ground.ratio) return;
  context.fillStyle = colour;
  context.beginPath();
  context.arc(x + size * 0.84, y + size * 0.16, size * 0.2, 0, 7);
  context.fill();
  context.fillStyle = palette.page;
  context.font = `700 ${Math.round(size * 0.3)}px ${FONT}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(String(rank + 1), x + size * 0.84, y + size * 0.175);
}

/** @param {Ground} ground @param {Cell} cell */
function drawConflict(ground, cell) {
  wash(ground, cell, ground.palette.conflict, 0.22);
  outline(ground, cell, ground.palette.conflict, 0.1, [0.25, 0.12]);
}

/** @param {Ground} ground @param {Cell} cell */
function drawCursor(ground, cell) {
  const { context, palette, ratio } = ground;
  const { x, y, size } = square(ground, cell);
  context.lineWidth = 2 * ratio;
  context.strokeStyle = palette.page;
  context.strokeRect(x + 2 * ratio, y + 2 * ratio, size - 4 * ratio, size - 4 * ratio);
  context.strokeStyle = palette.cursor;
  context.strokeRect(x, y, size, size);
}

/**
 * Draw the numbers of the visible rows and columns, next to the board or at the edge of the window.
 * @param {Ground} ground
 * @param {{top: number, bottom: number, left: number, right: number}} range
 * @param {{left: number, top: number}} strip the space for the numbers, in device pixels
 * @param {Cell | null} marked the cell whose row and column are highlighted
 */
export function drawRulers(ground, range, strip, marked) {
  const { context, palette, at, ratio } = ground;
  const least = document.documentElement.hasAttribute('data-large') ? 17 : 9.5;
  const every = at.size < 1.35 * least * ratio ? 5 : 1;
  const left = Math.max(strip.left, at.x);
  const top = Math.max(strip.top, at.y);
  context.fillStyle = palette.page; // over cells, but not over badges that stand out from the first row
  if (at.x < left) context.fillRect(0, 0, left, context.canvas.height);
  if (at.y < top) context.fillRect(0, 0, context.canvas.width, top);
  context.font = `${Math.round(Math.min(17, Math.max(least, (at.size / ratio) * 0.3)) * ratio)}px ${FONT}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (let row = range.top; row <= range.bottom; row += 1) {
    const y = at.y + (row + 0.5) * at.size;
    if (row % every !== 0 || y < top) continue;
    context.fillStyle = marked !== null && marked[0] === row ? palette.accent : palette.dim;
    context.fillText(String(row), left - strip.left / 2, y);
  }
  for (let column = range.left; column <= range.right; column += 1) {
    const x = at.x + (column + 0.5) * at.size;
    if (column % every !== 0 || x < left) continue;
    context.fillStyle = marked !== null && marked[1] === column ? palette.accent : palette.dim;
    context.fillText(String(column), x, top - strip.top / 2);
  }
}
