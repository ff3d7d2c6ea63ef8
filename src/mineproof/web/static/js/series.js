/** A series of races: many boards, the win rates as curves, and the boards on which the agents differ. */

import { drawCurves, DASHES } from './curves.js';
import { button, element, input, make, press, select } from './dom.js';
import { drawn } from './graph.js';
import { readPalette } from './paint.js';
import { Player } from './player.js';
import { lossText, SeriesTape, timesText } from './seriestape.js';
import { count, pair, percent } from './words.js';

/** Maximum number of listed boards on which the agents differ. */
const MOST_CARDS = 60;
/** The side of a cell of a small board, in pixels of its canvas. */
const SMALL_CELL = 8;

export class Series {
  /** @type {Record<string, any>} */
  #fields = {};
  /** The boards in the list, so that it is only drawn again when it changes. */
  #listed = '';

  /**
   * @param {App} app
   * @param {Race} race
   */
  constructor(app, race) {
    this.app = app;
    this.race = race;
    this.player = new Player(app, { play: 'series-play', round: 'series-round', count: 'series-count' }, () => 21,
      { begin: () => this.#show(), show: () => this.#show() }, 'series', () => new SeriesTape());
    for (const mode of ['single', 'series']) press(`race-${mode}`, () => app.setMode('race', mode));
    press('series-start', () => this.start());
    press('series-stop', () => this.player.stop());
    press('series-back', () => this.player.step(-1));
    press('series-on', () => this.player.step(1));
    for (const change of /** @type {const} */ (['tab', 'mode'])) app.on(change, () => this.#enter());
    new ResizeObserver(() => this.#draw()).observe(element('curves'));
    this.#title();
  }

  #enter() {
    const { tab, modes } = this.app;
    for (const mode of ['single', 'series']) button(`race-${mode}`).setAttribute('aria-pressed', String(modes.race === mode));
    if (tab !== 'race' || modes.race !== 'series') this.player.playing = false;
    else this.refresh();
  }

  /** Start a series with the chosen agents. */
  start() {
    const agents = this.race.agents();
    if (agents === null) return;
    const [level, seed] = [select('race-level').value, input('race-seed').value.trim()];
    if (level === 'same') {
      this.app.say('A series deals many boards, so it can’t use only this board. Choose a level.', 'warn');
      return;
    }
    this.#begin({ agents, level, start: select('race-start-rule').value, ...(seed === '' ? {} : { seed }) }, Number(select('series-boards-count').value), true);
  }

  /**
   * @param {Record<string, any>} fields
   * @param {number} boards
   * @param {boolean} plays
   */
  #begin(fields, boards, plays) {
    this.#fields = fields;
    this.app.say('The agents are playing…');
    return this.player.start({ ...fields, boards }, plays);
  }

  /**
   * Play a series again and stop at a board.
   * @param {Record<string, any>} fields
   * @param {number} boards
   * @param {number} step
   */
  open(fields, boards, step) {
    select('series-boards-count').value = String(boards);
    this.#begin(fields, boards, false);
    return this.player.arriveAt(step);
  }

  /** Draw everything again, in the current colours and sizes. */
  refresh() {
    this.#listed = '';
    this.#show();
  }

  #show() {
    const { tape } = this.player;
    this.#title();
    button('series-stop').disabled = tape === null || tape.done;
    if (tape === null || this.app.tab !== 'race' || this.app.modes.race !== 'series') return;
    this.#draw();
    this.#standings(tape);
    this.#cards(tape);
    const names = tape.names.join(', ');
    this.app.status(tape.done && tape.at === tape.rounds ? `${names}: ${count(tape.rounds, 'board')}.` : `${names}: board ${tape.at} of ${tape.wanted}.`);
  }

  #title() {
    const { tape } = this.player;
    const [boards, level] = [tape?.wanted || Number(select('series-boards-count').value), this.#fields.level ?? ''];
    element('series-title').textContent = tape === null ? 'Win rates on the same boards' : `Win rate on the same ${boards.toLocaleString('en')} ${level} boards`;
  }

  #draw() {
    if (this.player.tape !== null && this.player.tape.wanted > 0) drawCurves(element('curves'), this.player.tape);
  }

  /** @param {SeriesTape} tape */
  #standings(tape) {
    const { now } = tape;
    element('standings-title').textContent = `After ${count(tape.at, 'board')}`;
    element('standings-rows').replaceChildren(...(now === undefined ? [] : tape.names.map((name, i) => standing(name, i, now))));
    element('paired').hidden = now === undefined;
    element('series-verdict').textContent = tape.verdict();
    if (now === undefined) return;
    const [first, second] = now.best;
    const either = now.only[0] + now.only[1];
    const name = (/** @type {number} */ racer) => make('strong', { class: `racer-${racer}` }, tape.names[racer]);
    element('paired-count').replaceChildren(make('span', { class: `racer-${first}` }, String(now.only[0])), make('small', {}, ' to '), make('span', { class: `racer-${second}` }, String(now.only[1])));
    element('paired-words').replaceChildren(`Only one of the two best agents won on ${count(either, 'board')}. `, name(first), ` won ${now.only[0]} of them, `, name(second), ` ${now.only[1]}.`);
    element('paired-coin').textContent = either === 0 ? '' : `A fair coin splits ${count(either, 'board')} at least that unevenly ${timesText(now.chance)}.`;
  }

  /** @param {SeriesTape} tape */
  #cards(tape) {
    const differing = tape.differing();
    const listed = `${tape.now?.best} ${differing.length}`;
    if (listed === this.#listed) return;
    this.#listed = listed;
    const palette = readPalette();
    element('series-differ').textContent = `Where the two best differ: ${count(differing.length, 'board')}`;
    element('series-boards').replaceChildren(...differing.slice(0, MOST_CARDS).map(({ board, loser }) => {
      const end = board.ends[loser];
      const lines = lossText(end).map((text, i) => make('span', i === 1 ? { class: 'note' } : {}, text));
      const card = make('button', {}, smallBoard(end, palette), make('strong', {}, `Board ${board.board} `, make('span', { class: `racer-${loser}` }, `✗ ${tape.names[loser]}`)), ...lines);
      card.addEventListener('click', () => this.#lookInto(board, loser));
      return make('li', {}, card);
    }));
  }

  /**
   * Show a board as a race, just before the loser's last move, with what the loser believed.
   * @param {SeriesBoard} board
   * @param {number} loser
   */
  async #lookInto(board, loser) {
    const { race } = this;
    const end = board.ends[loser];
    const name = this.#fields.agents[loser];
    this.player.playing = false;
    this.app.setMode('race', 'single');
    this.app.say(`Opening board ${board.board}…`);
    await race.lookInto({ ...this.#fields, seed: board.seed }, loser, Math.max(0, (end.round ?? 1) - 1));
    const lines = lossText(end).map((text) => make('p', { class: 'said' }, `${text}.`));
    const where = end.cell === undefined ? '' : `${name} opens ${pair(end.cell)} next, a mine.`;
    race.advice.say(`Board ${board.board}: ${name}`, make('p', { class: 'said' }, where), ...lines);
    if (end.cell !== undefined) race.boards.highlights.set('answer', { asked: [end.cell] });
  }
}

/**
 * Return an agent's row: its line, its name, its win rate with the interval, and its wins.
 * @param {string} name
 * @param {number} racer
 * @param {SeriesBoard} now
 */
function standing(name, racer, now) {
  const [rate, low, high] = now.rates[racer];
  const line = drawn('svg', { viewBox: '0 0 30 8', 'aria-hidden': 'true' }, drawn('line', { x1: 0, x2: 30, y1: 4, y2: 4, stroke: 'currentColor', 'stroke-width': 4, 'stroke-dasharray': DASHES[racer] }));
  return make('li', { class: `racer-${racer}` }, line, make('strong', { title: name }, name), make('strong', {}, now.played[racer] > 0 ? percent(rate) : 'Refused'),
    make('span', { class: 'note' }, `${now.wins[racer]} of ${now.played[racer]}`), make('span', { class: 'note' }, `${(100 * low).toFixed(1)} to ${percent(high)}`));
}

/**
 * Return a picture of a final board: dots for numbers, and a ring around the mine that was opened.
 * @param {SeriesEnd} end
 * @param {Palette} palette
 */
function smallBoard({ cells = [], cell }, palette) {
  const canvas = /** @type {HTMLCanvasElement} */ (make('canvas', { 'aria-hidden': 'true' }));
  const edge = SMALL_CELL; // room for a ring at the edge
  [canvas.width, canvas.height] = [(cells[0]?.length ?? 1) * SMALL_CELL + 2 * edge, Math.max(1, cells.length) * SMALL_CELL + 2 * edge];
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
  context.translate(edge, edge);
  const disc = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ radius) => {
    context.beginPath();
    context.arc((x + 0.5) * SMALL_CELL, (y + 0.5) * SMALL_CELL, radius, 0, 2 * Math.PI);
  };
  cells.forEach((row, y) => [...row].forEach((letter, x) => {
    const closed = 'HF'.includes(letter);
    context.fillStyle = closed ? palette.closed : palette.open;
    context.fillRect(x * SMALL_CELL, y * SMALL_CELL, SMALL_CELL - 1, SMALL_CELL - 1);
    if (closed || letter === '0' || letter === '-') return;
    context.fillStyle = letter === 'M' ? palette.conflict : palette[`n${letter}`];
    disc(x, y, letter === 'M' ? SMALL_CELL / 2 : SMALL_CELL / 4);
    context.fill();
  }));
  if (cell !== undefined) {
    context.strokeStyle = palette.conflict;
    context.lineWidth = 2;
    disc(cell[1], cell[0], 1.3 * SMALL_CELL);
    context.stroke();
  }
  return canvas;
}
