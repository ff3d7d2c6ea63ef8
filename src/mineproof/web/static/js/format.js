/** Numbers and cells in words, the same everywhere. */

/** @typedef {import('./types.js').Cell} Cell */

/**
 * Write a risk with one decimal.
 * @param {number | null | undefined} risk
 */
export function percent(risk) {
  if (risk === null || risk === undefined) return 'unknown';
  if (risk > 0 && risk < 0.0005) return 'below 0.1 %';
  if (risk < 1 && risk > 0.9995) return 'above 99.9 %';
  return `${(100 * risk).toFixed(1)} %`;
}

/**
 * Write a time as minutes and seconds.
 * @param {number} seconds
 */
export function clockText(seconds) {
  const whole = Math.floor(seconds);
  const minutes = Math.floor(whole / 60);
  const rest = String(whole % 60).padStart(2, '0');
  return minutes < 60
    ? `${minutes}:${rest}`
    : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`;
}

/**
 * Write the time of a result.
 * @param {number} seconds
 */
export function timeText(seconds) {
  return seconds < 100 ? `${seconds.toFixed(1)} s` : clockText(seconds);
}

/**
 * Name a cell as everywhere: row, column.
 * @param {Cell | number[]} cell
 */
export function cellText(cell) {
  return `row ${cell[0]}, column ${cell[1]}`;
}

/**
 * Put the first letter up.
 * @param {string} text
 */
export function sentence(text) {
  return text === '' ? '' : text[0].toUpperCase() + text.slice(1);
}

/**
 * Say what a slider's place means: moves a second, the last place is "as fast as possible".
 * @param {number} place 0 to 21
 */
export function speedText(place) {
  if (place === 0) return 'standing still';
  if (place > 20) return 'as fast as possible';
  return place === 1 ? '1 move a second' : `${place} moves a second`;
}

/**
 * Give the pause between two moves in milliseconds; null where nothing moves.
 * @param {number} place 0 to 21
 */
export function speedPause(place) {
  if (place === 0) return null;
  return place > 20 ? 0 : 1000 / place;
}

/**
 * Write a chance so that small ones can still be told apart.
 * @param {number} chance
 */
export function chanceText(chance) {
  if (chance >= 0.01) return percent(chance);
  return chance === 0 ? '0 %' : `1 in ${Math.round(1 / chance).toLocaleString('en')}`;
}
