/** The panel with the win chance, the risks and the best moves of the position in view. */

import { button, element, press } from './dom.js';
import { candidateRows } from './advice.js';
import { asCells } from './grid.js';
import { heatColour, levelOf, LEVELS } from './heat.js';
import { readPalette } from './paint.js';
import { percent } from './words.js';

const BEST = 4;

export class Chances {
  /** @type {(step: number, win: Win) => void} */
  onWin = () => {};

  /**
   * @param {App} app
   * @param {Boards} boards
   * @param {(cell: Cell) => void} why
   */
  constructor(app, boards, why) {
    this.app = app;
    this.boards = boards;
    this.why = why;
    press('live-win', () => {
      app.remember({ liveWin: app.settings.liveWin !== true });
      this.update();
    });
    press('risks', () => this.toggle('risks'));
    press('best', () => this.toggle('best'));
    app.on('position', () => {
      this.#pressed();
      this.update();
    });
    app.on('settings', () => this.#pressed());
    app.on('tab', () => this.#pressed());
  }

  /**
   * Return whether the risks or the best moves are switched on in this tab.
   * @param {'risks' | 'best'} name
   * @returns {boolean}
   */
  shows(name) {
    return this.app.settings[`${name}-${this.app.tab}`] ?? (this.app.tab === 'analyse' || (name === 'risks' && this.app.position.source === 'demo'));
  }

  /** @param {'risks' | 'best'} name */
  toggle(name) {
    this.app.remember({ [`${name}-${this.app.tab}`]: !this.shows(name) });
    this.update();
  }

  #pressed() {
    button('live-win').setAttribute('aria-pressed', String(this.app.settings.liveWin === true));
    for (const name of /** @type {const} */ (['risks', 'best'])) button(name).setAttribute('aria-pressed', String(this.shows(name)));
  }

  /** Update the panel for the position in view. */
  update() {
    const { app } = this;
    this.#pressed();
    if (app.tab !== 'analyse') element('facts').textContent = '';
    if (app.tab === 'analyse') return; // the analysis itself updates this panel
    const live = app.position.source !== 'game' || app.settings.liveWin === true || this.shows('best');
    const { closed } = app;
    if (closed === null && live) this.#askWin();
    else this.showWin(null, closed === null ? 'hidden while you play' : closed.note);
    if (closed === null && this.shows('risks')) this.#askRisks();
    else this.showRisks(null);
  }

  /** Whether the game in view can be won by logic, which the win chance does not take into account. */
  get #needsNoGuess() {
    return this.app.tab === 'play' && this.app.view?.rules.start === 'no-guess';
  }

  async #askWin() {
    const { app } = this;
    const asked = app.position;
    const found = /** @type {WinChances | null} */ (await app.about('win_chances', {}, { quiet: true }));
    if (asked !== app.position) return;
    this.showWin(found);
    if (found !== null && asked.source === 'game' && app.view !== null) this.onWin(app.view.step, found);
    if (found !== null && asked.source === 'past') this.onWin(asked.fields.at, found);
  }

  async #askRisks() {
    const asked = this.app.position;
    const risks = /** @type {Risks | null} */ (await this.app.about('risks', {}, { quiet: true }));
    if (asked === this.app.position) this.showRisks(this.shows('risks') ? risks : null);
  }

  /**
   * @param {WinChances | null} found
   * @param {string} note
   */
  showWin(found, note = 'unknown for this position') {
    const win = found?.win ?? null;
    element('win').textContent = win === null ? '–' : percent(win);
    element('win-note').textContent = win === null ? note : `${found?.exact ? 'exact' : 'estimated'}, ${this.#needsNoGuess ? 'for a random board; yours needs no guess' : 'with best play'}`;
    element('win-bar').style.width = `${100 * (win ?? 0)}%`;
    const ended = this.app.tab === 'play' && this.app.view?.end; // the sheet is called by its result
    if (!ended) element('sheet-text').textContent = win === null ? 'Advice and moves' : `Win chance ${percent(win)}`;
    this.#showBest(found);
  }

  /** @param {WinChances | null} found */
  #showBest(found) {
    const sure = (found?.moves ?? []).filter(({ risk }) => risk === 0);
    const moves = this.shows('best') && found !== null ? (sure.length > 0 ? sure : found.moves).slice(0, BEST) : [];
    element('best-moves').hidden = moves.length === 0;
    element('best-moves').replaceChildren(...candidateRows(moves, this.boards, this.why));
    this.boards.highlights.set('best', moves.length === 0 ? null : { best: moves.map(({ cell, risk }) => ({ cell, sure: risk === 0 })) });
  }

  /** @param {Risks | null} risks */
  showRisks(risks) {
    element('legend').hidden = risks === null;
    if (risks === null) {
      this.boards.highlights.set('risks', null);
      return;
    }
    const { grid } = this.app.position;
    const frontier = new Set(asCells(risks.frontier, grid).map((cell) => grid.index(cell)));
    const risk = risks.risk.map((value, index) => (frontier.has(index) ? value : null));
    const mines = this.app.position.source === 'demo' ? 'flags' : 'mined'; // the player's own flags must not look like proofs
    this.boards.highlights.set('risks', { risk, safe: asCells(risks.safe, grid), [mines]: asCells(risks.mined, grid) });
    element('interior').textContent = risks.interior === null
      ? 'Every unopened cell touches a clue.'
      : `Cells that touch no clue: ${percent(risks.interior)} each.`;
    drawLegend();
  }
}

/** Draw the scale of the heat map: the colours, and the dashes with the same meaning. */
function drawLegend() {
  const canvas = element('legend').querySelector('canvas');
  const context = canvas?.getContext('2d');
  if (!canvas || !context || canvas.clientWidth === 0) return;
  const ratio = window.devicePixelRatio || 1;
  canvas.width = canvas.clientWidth * ratio;
  canvas.height = canvas.clientHeight * ratio;
  const palette = readPalette();
  const wide = canvas.width / 100;
  for (let i = 0; i < 100; i += 1) {
    context.fillStyle = heatColour((i + 0.5) / 100, [palette.heat0, palette.heat1, palette.heat2]);
    context.fillRect(Math.floor(i * wide), 0, Math.ceil(wide) + 1, canvas.height * 0.42);
  }
  context.fillStyle = palette.dim;
  const letter = parseFloat(getComputedStyle(document.documentElement).fontSize) * 0.8;
  context.font = `${Math.round(letter * ratio)}px system-ui, sans-serif`;
  context.textBaseline = 'bottom';
  for (const most of LEVELS.slice(1, 5)) {
    context.textAlign = 'center';
    context.fillText(`${100 * most}\u00a0%`, most * canvas.width, canvas.height);
  }
  drawScalePips(context, palette['heat-ink'], canvas, ratio);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} colour
 * @param {HTMLCanvasElement} canvas
 * @param {number} ratio
 */
function drawScalePips(context, colour, canvas, ratio) {
  context.fillStyle = colour;
  const edges = LEVELS.slice(0, 6);
  for (let level = 1; level <= 5; level += 1) {
    const middle = ((edges[level - 1] + edges[level]) / 2) * canvas.width;
    const count = levelOf(edges[level]);
    for (let i = 0; i < count; i += 1) {
      context.fillRect(middle + (i - count / 2) * 5 * ratio, canvas.height * 0.25, 3 * ratio, 2 * ratio);
    }
  }
}

/** Redraw the legend in the current colours. */
export function recolourLegend() {
  if (!element('legend').hidden) drawLegend();
}
