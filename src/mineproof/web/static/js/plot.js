/** Small plots of trends: points, a line, and a band if the points have intervals. */

import { drawn } from './graph.js';
import { make } from './dom.js';

const WIDE = 300;
const HIGH = 100;

/**
 * Return a plot with its title and its last value.
 * @param {Plot} plot
 */
export function drawPlot(plot) {
  const { points } = plot;
  const last = points[points.length - 1];
  const caption = `${plot.title}${last === undefined ? '' : `: latest ${plot.write(last.value)}`}`;
  const area = make('div', { class: 'area' });
  area.append(points.length === 0 ? make('p', { class: 'note' }, 'No games without help yet.') : drawPoints(plot));
  return make('figure', { class: 'plot' }, make('figcaption', {}, caption), area);
}

/** @param {Plot} plot */
function drawPoints(plot) {
  const { points } = plot;
  const all = points.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]);
  const from = plot.from ?? 0;
  const to = Math.max(plot.to ?? 0, ...all, from + 1e-9);
  const x = (/** @type {number} */ i) => 6 + (points.length === 1 ? 0.5 : i / (points.length - 1)) * (WIDE - 12);
  const y = (/** @type {number} */ value) => 6 + (1 - (value - from) / (to - from)) * (HIGH - 12);
  const at = (/** @type {number} */ value, /** @type {number} */ i) => `${x(i).toFixed(1)} ${y(value).toFixed(1)}`;
  const band = points.some(({ low }) => low !== undefined)
    ? [drawn('path', { d: `M${points.map(({ high, value }, i) => at(high ?? value, i)).join('L')}L${points.map(({ low, value }, i) => at(low ?? value, i)).reverse().join('L')}Z`, fill: 'var(--accent)', opacity: 0.15 })]
    : [];
  const line = plot.line === false ? [] : [drawn('path', { d: `M${points.map(({ value }, i) => at(value, i)).join('L')}`, fill: 'none', stroke: 'var(--accent)', 'stroke-width': 1.5 })];
  const dots = points.length > 120 ? [] : points.map(({ value }, i) => drawn('circle', { cx: x(i), cy: y(value), r: 2, fill: 'var(--accent)' }));
  const scale = [[from, HIGH - 8], [to, 17]].map(([value, height]) => drawn('text', { x: WIDE - 4, y: height, 'text-anchor': 'end', 'font-size': 9, fill: 'var(--dim)' }, document.createTextNode(plot.write(value))));
  return drawn('svg', { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': plot.title },
    drawn('line', { x1: 0, x2: WIDE, y1: HIGH - 5, y2: HIGH - 5, stroke: 'var(--line)' }), ...band, ...line, ...dots, ...scale);
}
