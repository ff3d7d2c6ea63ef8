/** The Race tab: two to four agents play the same board, move by move. You can ask about each lane. */

import { AgentPicker } from './agentpicker.js';
import { NOWHERE } from './app.js';
import { BoardView } from './boardview.js';
import { change, element, fit, input, make, press, refit, select } from './dom.js';
import { positionText } from './grid.js';
import { bestColumns } from './lanes.js';
import { Player } from './player.js';
import { RaceTape } from './racetape.js';
import { closeSheet, sheetIsUsed } from './sheet.js';
import { count, pair, percent, sentence, speedText } from './words.js';

const MOST = 4;

export class Race {
  /** @type {Lane[]} */
  lanes = [];
  #lane = 0;

  /**
   * @param {App} app
   * @param {Boards} boards
   * @param {Advice} advice
   */
  constructor(app, boards, advice) {
    this.app = app;
    this.boards = boards;
    this.advice = advice;
    this.pickers = Array.from({ length: MOST }, (_, i) => new AgentPicker(`Agent ${i + 1}`, () => this.#remember(), i > 1));
    element('racer-list').append(...this.pickers.map(({ element: made }) => made));
    this.player = new Player(app, { play: 'race-play', round: 'race-round', count: 'race-count' },
      () => Number(input('race-speed').value), { begin: () => this.#begin(), show: () => this.show() }, 'race', () => new RaceTape());
    press('race-start', () => this.start());
    input('race-speed').addEventListener('input', () => this.#showSpeed());
    change('race-speed', () => app.remember({ raceSpeed: Number(input('race-speed').value) }));
    app.on('hello', () => this.#greet());
    for (const change of /** @type {const} */ (['tab', 'mode'])) app.on(change, () => this.#tab());
  }

  #greet() {
    const { app } = this;
    const agents = app.hello?.agents ?? [];
    const ids = agents.map(({ id }) => id);
    const first = ['basic', 'sentences', ids.includes('champion') ? 'champion' : ids[ids.length - 1], ''];
    const remembered = app.settings.racers ?? first;
    this.pickers.forEach((picker, i) => picker.fill(agents, remembered[i] ?? ''));
    input('race-speed').value = String(app.settings.raceSpeed ?? 6);
    this.#showSpeed();
    this.#empty();
  }

  #showSpeed() {
    element('race-speed-text').textContent = speedText(Number(input('race-speed').value), 'round');
  }

  #remember() {
    this.app.remember({ racers: this.pickers.map(({ value }) => value) });
  }

  #empty() {
    const start = make('button', { class: 'main' }, 'Start race');
    start.addEventListener('click', () => this.start());
    element('lanes').replaceChildren(make('div', { class: 'empty' }, make('p', {}, `Agents play the same board, move by move. Choose them under Racers, ${sheetIsUsed() ? 'in the panel below' : 'beside the board'}.`), start));
  }

  /** Return the chosen agents, or null if there are fewer than two. */
  agents() {
    const agents = this.pickers.map(({ value }) => value).filter((name) => name !== '');
    if (agents.length < 2) {
      this.app.say('Choose at least two agents.', 'warn');
      return null;
    }
    this.#remember();
    closeSheet(); // on a phone, show the race
    return agents;
  }

  /**
   * Show the board of a series on which an agent lost, just before its last move.
   * @param {Record<string, any>} fields
   * @param {number} lane
   * @param {number} round
   */
  async lookInto(fields, lane, round) {
    this.player.start(fields, false);
    if (await this.player.arriveAt(round)) this.choose(lane);
  }

  /** The number of the lane in view. */
  get lane() {
    return this.#lane;
  }

  /**
   * Set the agents and the board in the side panel.
   * @param {Record<string, any>} fields
   */
  fill({ agents, level, start, seed }) {
    this.pickers.forEach((picker, i) => picker.fill(this.app.hello?.agents ?? [], agents[i] ?? ''));
    select('race-level').value = level;
    select('race-start-rule').value = start;
    input('race-seed').value = seed;
  }

  /** Start a race with the chosen agents and board. */
  start() {
    const agents = this.agents();
    if (agents === null) return;
    this.app.say(select('race-level').value === 'same' ? 'The agents solve the board of your game, and show its mines…' : 'Starting the race…');
    const seed = input('race-seed').value.trim();
    const level = select('race-level').value;
    const board = level === 'same' ? { same: true } : { level, start: select('race-start-rule').value, ...(seed === '' ? {} : { seed }) };
    this.player.start({ agents, ...board }, true);
  }

  #begin() {
    const { tape } = this.player;
    if (tape === null) {
      this.lanes = [];
      this.#empty();
      this.app.put('race', NOWHERE);
      return;
    }
    this.lanes = tape.names.map((name, lane) => this.#makeLane(name, lane));
    const [rows, columns] = [tape.start.length, tape.start[0].length];
    const best = bestColumns(this.lanes.length, element('field').clientWidth, element('field').clientHeight, rows, columns);
    element('lanes').style.gridTemplateColumns = `repeat(${best}, minmax(0, 1fr))`;
    element('lanes').replaceChildren(...this.lanes.map(({ box }) => box));
    this.lanes.forEach((lane, i) => {
      lane.board.handlers = { tap: (cell) => this.#ask(i, cell), hover: () => {} };
    });
    element('sections').scrollTop = 0;
    this.choose(0);
  }

  /**
   * @param {string} name
   * @param {number} lane
   * @returns {Lane}
   */
  #makeLane(name, lane) {
    const [badge, moves, note] = [make('span', { class: 'badge' }, 'ready'), make('span', { class: 'note' }), make('p', { class: 'note' })];
    const choose = make('button', { class: 'choose', 'aria-pressed': 'false' }, 'View');
    const spot = make('div', { class: 'spot' });
    const box = make('article', { class: 'lane', 'aria-label': name }, make('header', {}, make('h2', {}, name), badge, moves, choose), spot, note);
    new ResizeObserver(() => refit(note)).observe(note);
    choose.addEventListener('click', () => this.choose(lane));
    return { box, badge, count: moves, note, choose, board: new BoardView(spot, false) };
  }

  /**
   * Show the position of a lane in the side panel.
   * @param {number} chosen
   */
  choose(chosen) {
    this.#lane = chosen;
    this.boards.highlights.clear();
    this.lanes.forEach((lane, i) => {
      lane.box.classList.toggle('on', i === chosen);
      lane.choose.setAttribute('aria-pressed', String(i === chosen));
      lane.choose.textContent = i === chosen ? 'In view' : 'View';
    });
    this.show();
  }

  /**
   * @param {number} lane
   * @param {Cell} cell
   */
  #ask(lane, cell) {
    this.player.playing = false;
    if (lane !== this.#lane) this.choose(lane);
    else this.player.show();
    this.advice.why(cell);
  }

  /** Show the current round in all lanes. */
  show() {
    const { tape } = this.player;
    if (tape === null || this.lanes.length === 0) return;
    this.lanes.forEach((lane, i) => {
      if (i !== this.#lane || !this.#inView) lane.board.overlays = { last: tape.racers[i].last?.cell ?? null };
      showLane(lane, tape.racers[i]);
      lane.board.show(tape.grid(i));
    });
    if (!this.#inView) return;
    this.#put();
    this.app.status(tape.summary() || `Round ${tape.at} of ${tape.rounds}.`);
  }

  /** Make the chosen lane the current position of the tab. */
  #put() {
    const { tape } = this.player;
    if (tape === null) return;
    const [lane, racer] = [this.lanes[this.#lane], tape.racers[this.#lane]];
    this.boards.current = lane.board;
    this.app.put('race', {
      source: 'lane', fields: { at: positionText(tape.rows(this.#lane), tape.count) }, grid: tape.grid(this.#lane), mines: tape.count, over: tape.isOver(this.#lane),
      last: racer.last?.cell ?? null, move: racer.last, title: `the board of ${racer.name} in round ${tape.at}`, follows: true,
    });
  }

  get #inView() {
    return this.app.tab === 'race' && this.app.modes.race === 'single';
  }

  #tab() {
    if (!this.#inView) this.player.playing = false;
    else if (this.lanes.length > 0) this.show();
  }
}

/**
 * @param {Lane} lane
 * @param {Racer} racer
 */
function showLane(lane, racer) {
  const { last } = racer;
  const guessed = last !== null && last.action === 'open' && last.proved === false;
  const words = { win: 'won', loss: 'lost', stuck: 'stuck' };
  const result = racer.fault ? 'failed' : words[/** @type {keyof typeof words} */ (racer.result ?? '')];
  lane.badge.textContent = result ?? (guessed ? `guess ${percent(last.risk)}` : last === null ? 'ready' : 'proved');
  lane.badge.dataset.kind = racer.fault ? 'fault' : racer.result ?? (guessed ? 'guess' : '');
  lane.count.textContent = `${count(racer.moves, 'move')}, ${count(racer.guesses, 'guess', 'guesses')}`;
  if (last?.false_proofs) lane.count.textContent += `, ${count(last.false_proofs, 'false proof')}`;
  fit(lane.note, racer.fault || (last?.cell ? `${sentence(last.action ?? '')} ${pair(last.cell)}: ${last.reason}` : ''));
}
