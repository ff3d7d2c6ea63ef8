/** What the agent knows: proved cells, the heat map with its legend, and its own lines. */

import { byId, change, element, input, make, select } from './dom.js';
import { sentence } from './format.js';
import { drawPattern, heatColour, LEVELS } from './heat.js';
import { decisionText } from './help.js';
import { readPalette } from './paint.js';
import { Refused } from './wire.js';

/** @typedef {import('./app.js').App} App */

/** @param {App} app */
export function setUpKnowledge(app) {
  let asked = '';
  const group = byId('group-know', HTMLDetailsElement);

  const wanted = () => ({
    heat: input('heat').checked,
    inference: input('inference').checked,
    lines: group.open,
    own: select('heat-kind').value === 'agent',
  });

  const refresh = async () => {
    const { view } = app;
    const want = wanted();
    if (view === null) return;
    const untouched = view.cells.every((row) => /^H*$/.test(row));
    const quiet = untouched || view.state === 'paused' || (view.end !== null && app.replay === null);
    const state = JSON.stringify([view.id, view.step, view.agent, view.cells, app.replay, want]);
    if (state === asked) return;
    asked = state;
    const still = () => asked === state;
    if (!want.heat || quiet) clearHeat(app);
    if (!want.inference || quiet) Object.assign(app.board.overlays, { safe: [], mined: [] });
    app.board.refresh();
    if (quiet) return;
    try {
      if (want.inference || want.lines || (want.heat && want.own)) await showKnowledge(app, want, still);
      if (want.heat && !want.own && still()) await showHeat(app, still);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (still() && !error.cancelled) element('heat-note').textContent = error.message;
    }
  };

  for (const name of ['heat', 'inference']) {
    change(name, () => {
      app.remember({ [name]: input(name).checked });
      refresh();
    });
  }
  change('heat-kind', refresh);
  group.addEventListener('toggle', refresh);
  app.watch((what) => {
    if (what === 'hello') {
      input('heat').checked = app.settings.heat === true;
      input('inference').checked = app.settings.inference === true;
    }
    refresh();
  });
  return {
    drawLegend,
    /** @param {'heat' | 'inference'} name */
    toggle(name) {
      input(name).click();
    },
  };
}

/** @param {App} app */
function clearHeat(app) {
  app.board.overlays.risk = null;
  element('heat-note').textContent = '';
}

/**
 * @param {App} app
 * @param {() => boolean} still whether the answer still fits what is shown
 */
async function showHeat(app, still) {
  const answer = await app.wire.ask('heat', app.replay === null ? {} : { step: app.replay });
  if (!still()) return;
  app.board.overlays.risk = answer.heat.risk;
  element('heat-note').textContent = answer.heat.exact ? 'Exact risks.' : 'Estimated risks: exact ones would take too long.';
  app.board.refresh();
}

/**
 * @param {App} app
 * @param {{heat: boolean, inference: boolean, own: boolean}} want
 * @param {() => boolean} still
 */
async function showKnowledge(app, want, still) {
  const answer = await app.wire.ask('knowledge');
  if (!still() || app.replay !== null) return;
  /** @type {import('./types.js').Knowledge} */
  const known = answer.knowledge;
  const { overlays, grid } = app.board;
  if (want.inference) Object.assign(overlays, { safe: known.safe, mined: known.mined });
  if (want.heat && want.own) {
    overlays.risk = grid.letters.map((_, index) => known.risks[String(index)] ?? null);
    for (const index of known.safe) overlays.risk[index] = 0;
    for (const index of known.mined) overlays.risk[index] = 1;
    element('heat-note').textContent = 'What the agent itself believes; cells without a number it has no idea of.';
  }
  element('knowledge-stats').textContent = known.title === '0 items' ? '' : `${sentence(known.title)}.`;
  element('knowledge-next').textContent = known.next === null ? '' : `Next step: ${decisionText(known.next)}`;
  const more = known.more === 0 ? [] : [`… and ${known.more} more`];
  element('knowledge-lines').replaceChildren(...[...known.lines, ...more].map((line) => make('li', {}, line)));
  app.board.refresh();
}

/** Draw the legend of the heat map: colour and pattern of each level. */
export function drawLegend() {
  const place = element('legend');
  const canvas = document.createElement('canvas');
  const ratio = window.devicePixelRatio || 1;
  const side = 38 * ratio;
  canvas.width = side * LEVELS.length;
  canvas.height = side;
  const context = canvas.getContext('2d');
  if (context === null) return;
  const palette = readPalette();
  LEVELS.forEach((level, index) => {
    const risk = [0, 0.06, 0.18, 0.38, 0.62, 0.88, 1][index];
    context.fillStyle = heatColour(risk, [palette['heat-safe'], palette.heat0, palette.heat1, palette.heat2]);
    context.fillRect(index * side, 0, side - 1, side);
    context.save();
    context.globalAlpha = 0.28;
    context.strokeStyle = palette['heat-ink'];
    context.lineWidth = 2 * ratio;
    context.beginPath();
    context.rect(index * side, 0, side - 1, side);
    context.clip();
    drawPattern(context, index, index * side, 0, side);
    context.restore();
    context.fillStyle = palette['heat-ink'];
    context.font = `600 ${12 * ratio}px system-ui, sans-serif`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillText(['○', '≤10', '≤25', '≤50', '≤75', '<100', '✕'][index], (index + 0.5) * side, side / 2);
  });
  place.replaceChildren(canvas);
  place.setAttribute('aria-label', `Legend of the heat map, from a plain ring to dense lines: ${LEVELS.map(({ words }) => words).join(', ')}`);
}
