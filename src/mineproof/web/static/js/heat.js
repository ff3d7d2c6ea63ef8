/** Risks as colour and pattern: each level can be told without colour. */

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
 * Write a risk into a cell: whole percents, never 0 or 100 where nothing is proved.
 * @param {number} risk
 */
export function riskDigits(risk) {
  return String(Math.min(99, Math.max(1, Math.round(100 * risk))));
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
 * Give the colour of a risk: from low over middle to high, each darker or lighter than the
 * one before, so that no kind of colour blindness mixes them up.
 * @param {number} risk
 * @param {[string, string, string]} colours low, middle, high
 */
export function heatColour(risk, colours) {
  return risk <= 0.5
    ? mix(colours[0], colours[1], risk * 2)
    : mix(colours[1], colours[2], risk * 2 - 1);
}

/**
 * Draw the pattern of a level at the lower edge of a cell: one to five short dashes, clear of
 * the digits.
 * @param {CanvasRenderingContext2D} context
 * @param {number} level
 * @param {number} size
 */
export function drawPips(context, level, size) {
  if (level < 1 || level > 5) return;
  const wide = size * 0.12;
  const apart = size * 0.055;
  const left = (size - level * wide - (level - 1) * apart) / 2;
  for (let i = 0; i < level; i += 1) {
    context.fillRect(Math.round(left + i * (wide + apart)), Math.round(size * 0.8), Math.ceil(wide), Math.max(1, Math.round(size * 0.06)));
  }
}
