/** Numbers and cells in words, the same everywhere. */

/**
 * Write a chance with one decimal: the one style of numbers.
 * @param {number | null | undefined} chance
 */
export function percent(chance) {
  if (chance === null || chance === undefined) return 'unknown';
  if (chance > 0 && chance < 0.0005) return 'below 0.1 %';
  if (chance < 1 && chance > 0.9995) return 'above 99.9 %';
  return `${(100 * chance).toFixed(1)} %`;
}

/**
 * Write a chance so that small ones can still be told apart.
 * @param {number} chance
 */
export function chanceText(chance) {
  if (chance >= 0.01) return percent(chance);
  return chance === 0 ? '0 %' : `1 in ${Math.round(1 / chance).toLocaleString('en')}`;
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
 * Name a cell for the ear: row, column.
 * @param {Cell | number[]} cell
 */
export function cellText(cell) {
  return `row ${cell[0]}, column ${cell[1]}`;
}

/**
 * Name a cell as the proofs do.
 * @param {Cell | number[]} cell
 */
export function pair(cell) {
  return `(${cell[0]}, ${cell[1]})`;
}

/**
 * Put the first letter up.
 * @param {string} text
 */
export function sentence(text) {
  return text === '' ? '' : text[0].toUpperCase() + text.slice(1);
}

/**
 * Write percents in the one style there is, whoever wrote the text: "75.9 %".
 * @param {string} text
 */
export function spaced(text) {
  return text.replace(/(\d)%/g, '$1 %');
}

/**
 * Count things: "1 move", "2 moves".
 * @param {number} number
 * @param {string} noun
 * @param {string} plural
 */
export function count(number, noun, plural = `${noun}s`) {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`;
}

/**
 * Say what a slider's place means: moves a second, the last place is "as fast as possible".
 * @param {number} place 1 to 21
 * @param {string} noun
 */
export function speedText(place, noun = 'move') {
  return place > 20 ? 'as fast as possible' : `${count(place, noun)} a second`;
}

/**
 * Give the pause between two moves in milliseconds.
 * @param {number} place 1 to 21
 */
export function speedPause(place) {
  return place > 20 ? 0 : 1000 / place;
}

const LEVELS = ['beginner', 'intermediate', 'expert'];

/**
 * Name a kind of game for people: a level where the buttons of the page deal it so.
 * @param {string} name a level, or the start of a game's id
 * @param {Hello['levels']} levels
 */
export function gameName(name, levels) {
  const [, size, rest = ''] = /^(\d+x\d+\/\d+)(?::opening)?(.*)$/.exec(name) ?? [];
  const level = LEVELS.find((one) => levels[one] && size === `${levels[one].rows}x${levels[one].columns}/${levels[one].mines}`);
  if (level !== undefined && rest === '') return sentence(level);
  return LEVELS.includes(name) ? `${sentence(name)} (one safe cell)` : sentence(name);
}
