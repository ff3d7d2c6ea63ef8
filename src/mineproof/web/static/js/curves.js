/** The curves of a series: win rates with their bands, and the agents' names at the ends. */

import { drawn } from './graph.js';
import { percent } from './words.js';

/** The board at which the curves begin. Before it, they only show noise. */
export const FIRST_BOARD = 20;
/** Line styles, so that curves differ not only in colour. */
export const DASHES = ['', '9 5', '2 4', '12 4 2 4'];
/** The longest name at the end of a curve. */
const LONGEST_NAME = 16;

/**
 * Draw the curves up to the board in view.
 * @param {HTMLElement} host
 * @param {SeriesTape} tape
 */
export function drawCurves(host, tape) {
  const [wide, high] = [host.clientWidth, host.clientHeight];
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  if (wide === 0 || high === 0) return;
  const edge = { left: 3.4 * rem, right: wide - Math.min(10 * rem, wide * 0.38), top: rem, bottom: high - 2 * rem };
  const shown = tape.boards.slice(FIRST_BOARD - 1, tape.at);
  const most = Math.max(0.2, ...shown.flatMap(({ rates }) => rates.map((rate) => rate[2])));
  const ceiling = Math.min(1, Math.ceil(most * 5) / 5);
  const x = (/** @type {number} */ board) => edge.left + (board / tape.wanted) * (edge.right - edge.left);
  const y = (/** @type {number} */ rate) => edge.bottom - (rate / ceiling) * (edge.bottom - edge.top);
  host.replaceChildren(drawn('svg', { role: 'img', 'aria-label': describe(tape) },
    ...axes(x, y, edge, ceiling, tape.wanted),
    ...(shown.length > 0 ? [] : [drawn('text', { x: (edge.left + edge.right) / 2, y: high / 2, 'text-anchor': 'middle' }, document.createTextNode(`The curves begin at board ${FIRST_BOARD}.`))]),
    ...(shown.length > 0 ? tape.names.map((_, i) => curve(shown, i, x, y)) : []),
    ...(shown.length > 0 ? ends(tape, shown[shown.length - 1], x, y, edge, rem) : [])));
}

/** @param {SeriesTape} tape */
function describe({ names, now }) {
  return now === undefined ? 'Win rates' : names.map((name, i) => `${name} ${percent(now.rates[i][0])}`).join(', ');
}

/**
 * @param {(board: number) => number} x
 * @param {(rate: number) => number} y
 * @param {Record<string, number>} edge
 * @param {number} ceiling
 * @param {number} boards
 */
function axes(x, y, edge, ceiling, boards) {
  const text = (/** @type {string} */ words, /** @type {Record<string, string | number>} */ at) => drawn('text', at, document.createTextNode(words));
  const rates = Array.from({ length: Math.round(ceiling * 5) + 1 }, (_, i) => i / 5);
  const parts = edge.right - edge.left < 400 ? [0, 0.4, 1] : [0, 0.2, 0.4, 0.6, 0.8, 1];
  const ticks = parts.map((part) => Math.round(part * boards));
  return [
    ...rates.map((rate) => drawn('line', { x1: edge.left, x2: edge.right, y1: y(rate), y2: y(rate), stroke: 'var(--line)' })),
    ...rates.map((rate) => text(`${Math.round(100 * rate)}\u00a0%`, { x: edge.left - 8, y: y(rate) + 5, 'text-anchor': 'end' })),
    ...ticks.map((board, i) => text(i === ticks.length - 1 ? `${board} boards` : String(board), { x: x(board), y: edge.bottom + (edge.top * 1.4), 'text-anchor': 'middle' })),
  ];
}

/**
 * @param {SeriesBoard[]} shown
 * @param {number} racer
 * @param {(board: number) => number} x
 * @param {(rate: number) => number} y
 */
function curve(shown, racer, x, y) {
  const at = (/** @type {SeriesBoard} */ { board, rates }, /** @type {number} */ which) => `${x(board).toFixed(1)} ${y(rates[racer][which]).toFixed(1)}`;
  const band = `M${shown.map((one) => at(one, 2)).join('L')}L${shown.map((one) => at(one, 1)).reverse().join('L')}Z`;
  return drawn('g', { class: `racer-${racer}` },
    drawn('path', { d: band, fill: 'currentColor', opacity: 0.16 }),
    drawn('path', { d: `M${shown.map((one) => at(one, 0)).join('L')}`, fill: 'none', stroke: 'currentColor', 'stroke-width': 3, 'stroke-dasharray': DASHES[racer], 'stroke-linejoin': 'round' }));
}

/**
 * Return the names at the ends of the curves, moved apart if they would overlap.
 * @param {SeriesTape} tape
 * @param {SeriesBoard} last
 * @param {(board: number) => number} x
 * @param {(rate: number) => number} y
 * @param {Record<string, number>} edge
 * @param {number} rem
 */
function ends(tape, last, x, y, edge, rem) {
  const gap = 2.7 * rem;
  const order = tape.names.map((_, i) => i).sort((a, b) => last.rates[b][0] - last.rates[a][0]);
  const heights = order.map((i) => y(last.rates[i][0]));
  heights.forEach((height, i) => { if (i > 0) heights[i] = Math.max(height, heights[i - 1] + gap); });
  const over = Math.max(0, (heights[heights.length - 1] ?? 0) + rem - edge.bottom);
  for (let i = heights.length - 1, limit = edge.bottom - rem; i >= 0 && over > 0; limit = heights[i] - gap, i -= 1) heights[i] = Math.min(heights[i], limit);
  return order.map((racer, i) => {
    const name = tape.names[racer];
    const words = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
    const label = (/** @type {string} */ text, /** @type {number} */ down) => drawn('text', { x: x(last.board) + 12, y: heights[i] + down }, document.createTextNode(text));
    return drawn('g', { class: `end racer-${racer}` }, drawn('circle', { cx: x(last.board), cy: y(last.rates[racer][0]), r: 5, fill: 'currentColor' }),
      label(words, -0.15 * rem), label(percent(last.rates[racer][0]), 1.05 * rem));
  });
}
