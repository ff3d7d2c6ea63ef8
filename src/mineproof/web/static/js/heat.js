/** The colours and patterns of risks. The pattern shows the level without any colour. */

/** The highest risk of each level, from proved safe to proved mine. */
export const LEVELS = [0, 0.1, 0.25, 0.5, 0.75, 0.999999999, 1];

/**
 * Return the level of a risk, from 0 (proved safe) to 6 (proved mine).
 * @param {number} risk
 */
export function levelOf(risk) {
  const found = LEVELS.findIndex((most) => risk <= most);
  return found < 0 ? LEVELS.length - 1 : found;
}

/**
 * Return the percentage to write in a cell: a whole number, `<1` or `>99`.
 * @param {number} risk
 */
export function riskDigits(risk) {
  return risk < 0.01 ? '<1' : risk > 0.99 ? '>99' : String(Math.round(100 * risk));
}

/**
 * Return a mixture of two `#rrggbb` colours.
 * @param {string} from
 * @param {string} to
 * @param {number} share of the second colour
 */
export function mix(from, to, share) {
  const part = (/** @type {string} */ text, /** @type {number} */ at) => parseInt(text.slice(at, at + 2), 16);
  const mixed = [1, 3, 5].map((at) => Math.round(part(from, at) * (1 - share) + part(to, at) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * Return the colour of a risk. The scale gets steadily darker or lighter, so that it works with
 * every kind of colour blindness.
 * @param {number} risk
 * @param {[string, string, string]} colours low, middle, high
 */
export function heatColour(risk, colours) {
  return risk <= 0.5
    ? mix(colours[0], colours[1], risk * 2)
    : mix(colours[1], colours[2], risk * 2 - 1);
}

/**
 * Draw the pattern of a level: one to five short dashes at the lower edge of a cell, below the
 * digits.
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
