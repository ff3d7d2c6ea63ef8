/** A graph of the game: the win chance as a line, the risks taken as points. */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Return a new SVG element.
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...Node} children
 */
export function drawn(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** @type {Record<string, string>} */
const COLOURS = { proved: 'var(--safe)', 'best guess': 'var(--guess)', 'avoidable risk': 'var(--danger)', reckless: 'var(--conflict)' };

/** The room for the sign of a mistake at the edges, in pixels. */
export const EDGE = 10;

/**
 * Draw the graph of a game.
 * @param {HTMLElement} host
 * @param {number} steps
 * @param {number} at the step in view
 * @param {WinPoint[]} wins in order
 * @param {RiskPoint[]} risks
 */
export function drawGraph(host, steps, at, wins, risks) {
  const wide = host.clientWidth || 300;
  const high = host.clientHeight || 54;
  const x = (/** @type {number} */ step) => EDGE + (step / Math.max(1, steps)) * (wide - 2 * EDGE);
  const y = (/** @type {number} */ value) => EDGE + (1 - value) * (high - EDGE - 2);
  const line = wins.map(({ step, win }, i) => `${i === 0 ? 'M' : 'L'}${x(step).toFixed(1)} ${y(win).toFixed(1)}`).join('');
  const area = wins.length > 1 ? `${line}L${x(wins[wins.length - 1].step).toFixed(1)} ${y(0)}L${x(wins[0].step).toFixed(1)} ${y(0)}Z` : '';
  const points = risks.filter(({ kind }) => kind !== 'proved').map(({ step, risk, kind, glyph }) => {
    const colour = COLOURS[kind] ?? 'var(--dim)';
    const mark = kind === 'best guess' ? [] : [drawn('text', { x: x(step), y: y(risk), class: 'sign' }, document.createTextNode(glyph))];
    return drawn('g', {}, drawn('line', { x1: x(step), x2: x(step), y1: y(0), y2: y(risk), stroke: colour, 'stroke-width': 2, opacity: 0.55 }),
      drawn('circle', { cx: x(step), cy: y(risk), r: mark.length > 0 ? '.6rem' : 3, fill: colour }), ...mark);
  });
  host.replaceChildren(drawn('svg', { viewBox: `0 0 ${wide} ${high}`, 'aria-hidden': 'true' },
    ...[0, 0.5, 1].map((value) => drawn('line', { x1: 0, x2: wide, y1: y(value), y2: y(value), stroke: 'var(--line)' })),
    drawn('path', { d: area, fill: 'var(--accent)', opacity: 0.14 }),
    drawn('line', { x1: x(at), x2: x(at), y1: 0, y2: high, stroke: 'var(--dim)', 'stroke-dasharray': '2 3' }),
    drawn('path', { class: 'wins', d: line, fill: 'none', stroke: 'var(--accent)', 'stroke-width': 2, 'stroke-linejoin': 'round' }),
    ...points));
}
