/** How the page writes numbers, times and cells. */

/**
 * Return a chance as text with one decimal, such as "75.9 %". Only certainties read 0.0 % or 100.0 %.
 * `percent` in core/words.py formats chances the same way.
 * @param {number | null | undefined} chance
 */
export function percent(chance) {
  if (chance === null || chance === undefined) return 'unknown';
  if (chance > 0 && chance < 0.0005) return 'below 0.1\u00a0%';
  if (chance < 1 && chance > 0.9995) return 'above 99.9\u00a0%';
  return `${(100 * chance).toFixed(1)}\u00a0%`;
}

/**
 * Return a chance as text: a percentage, or "1 in N" for small chances, because those would all round to 0.
 * @param {number} chance
 */
export function chanceText(chance) {
  if (chance >= 0.01) return percent(chance);
  return chance === 0 ? '0\u00a0%' : `1 in ${Math.round(1 / chance).toLocaleString('en')}`;
}

/**
 * Return a time as minutes and seconds, with hours if needed.
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
 * Return the time of a finished game as text.
 * @param {number} seconds
 */
export function timeText(seconds) {
  return seconds < 100 ? `${seconds.toFixed(1)}\u00a0s` : clockText(seconds);
}

/**
 * Return why a game does not count, to follow its time; empty if it counts.
 * @param {{aided: boolean | null, known: boolean | null}} game
 */
export function helpText({ aided, known }) {
  return aided ? `${known ? '' : ', with help'} (not counted)` : '';
}

/**
 * Return the name of a cell for screen readers.
 * @param {Cell | number[]} cell
 */
export function cellText(cell) {
  return `row ${cell[0]}, column ${cell[1]}`;
}

/**
 * Return the name of a cell as proofs write it: (row, column).
 * @param {Cell | number[]} cell
 */
export function pair(cell) {
  return `(${cell[0]}, ${cell[1]})`;
}

/**
 * Return the text with a capital first letter.
 * @param {string} text
 */
export function sentence(text) {
  return text === '' ? '' : text[0].toUpperCase() + text.slice(1);
}

/**
 * Return a number with its noun: "1 move", "2 moves".
 * @param {number} number
 * @param {string} noun
 * @param {string} plural
 */
export function count(number, noun, plural = `${noun}s`) {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`;
}

/**
 * Return the meaning of a speed slider's value: moves per second, or "as fast as possible" above 20.
 * @param {number} speed 1 to 21
 * @param {string} noun
 */
export function speedText(speed, noun = 'move') {
  return speed > 20 ? 'as fast as possible' : `${count(speed, noun)} per second`;
}

/**
 * Return the pause between two moves in milliseconds.
 * @param {number} speed 1 to 21
 */
export function speedPause(speed) {
  return speed > 20 ? 0 : 1000 / speed;
}

const LEVELS = ['beginner', 'intermediate', 'expert'];

/**
 * Return a name for a kind of game: the level if a button of the page deals exactly that game.
 * @param {string} name a level, or the beginning of a game id
 * @param {Hello['levels']} levels
 */
export function gameName(name, levels) {
  const [, size, rest = ''] = /^(\d+x\d+\/\d+)(?::opening)?(.*)$/.exec(name) ?? [];
  const level = LEVELS.find((one) => levels[one] && size === `${levels[one].rows}x${levels[one].columns}/${levels[one].mines}`);
  if (level !== undefined && rest === '') return sentence(level);
  if (level !== undefined && rest === ':no-guess') return `${sentence(level)}, no-guess`;
  return LEVELS.includes(name) ? `${sentence(name)} (one safe cell)` : sentence(name);
}

/**
 * Return a number with commas between its thousands. The number may be too large for JavaScript.
 * @param {string} digits
 */
export function thousands(digits) {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** Return a random seed, as text. */
export function randomSeed() {
  return String(Math.floor(Math.random() * 2 ** 31));
}

/**
 * Return the first whole sentences of a text that fit a number of characters, or its first words and an ellipsis.
 * @param {string} text
 * @param {number} most
 */
export function shortened(text, most) {
  if (text.length <= most) return text;
  const end = text.lastIndexOf('. ', most - 1);
  return end > 0 ? text.slice(0, end + 1) : `${text.slice(0, text.lastIndexOf(' ', most - 1)).replace(/[,;:.]$/, '')}…`;
}
