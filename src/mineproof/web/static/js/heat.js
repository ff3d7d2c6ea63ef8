/** Risks as colour and pattern: each level can be told without colour. */

/** @typedef {{level: number, words: string}} Level */

/** @type {{most: number, words: string}[]} */
export const LEVELS = [
  { most: 0, words: 'proved safe' },
  { most: 0.1, words: 'up to 10 %' },
  { most: 0.25, words: 'up to 25 %' },
  { most: 0.5, words: 'up to 50 %' },
  { most: 0.75, words: 'up to 75 %' },
  { most: 0.999999999, words: 'above' },
  { most: 1, words: 'proved mine' },
];

/**
 * Give the level of a risk, from 0 (proved safe) to 6 (proved mine).
 * @param {number} risk
 */
export function levelOf(risk) {
  const found = LEVELS.findIndex((level) => risk <= level.most);
  return found < 0 ? LEVELS.length - 1 : found;
}

/**
 * Mix two colours `#rrggbb`.
 * @param {string} from
 * @param {string} to
 * @param {number} share of the second
 */
export function mix(from, to, share) {
  const part = (/** @type {string} */ text, /** @type {number} */ at) => parseInt(text.slice(at, at + 2), 16);
  const mixed = [1, 3, 5].map((at) => Math.round(part(from, at) * (1 - share) + part(to, at) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * Give the colour of a risk: one for proved safe, then from low over middle to high. Each of
 * these differs from the next in lightness, so that no kind of colour blindness mixes them up.
 * @param {number} risk
 * @param {[string, string, string, string]} colours safe, low, middle, high
 */
export function heatColour(risk, colours) {
  if (risk === 0) return colours[0];
  return risk <= 0.5
    ? mix(colours[1], colours[2], risk * 2)
    : mix(colours[2], colours[3], risk * 2 - 1);
}

/**
 * Draw the pattern of a level into a cell: nothing, then more and more lines.
 * @param {CanvasRenderingContext2D} context
 * @param {number} level
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
export function drawPattern(context, level, x, y, size) {
  const lines = [0, 0, 1, 2, 3, 4, 0][level];
  context.beginPath();
  for (let i = 1; i <= lines; i += 1) {
    const at = (2 * size * i) / (lines + 1);
    context.moveTo(x + Math.max(0, at - size), y + Math.min(size, at));
    context.lineTo(x + Math.min(size, at), y + Math.max(0, at - size));
  }
  context.stroke();
}
