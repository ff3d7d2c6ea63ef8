/** The moves of the game: a list with verdicts, a graph, and navigation to earlier moves. */

import { button, element, make, press } from './dom.js';
import { drawGraph, EDGE } from './graph.js';
import { Grid } from './grid.js';
import { pair, percent } from './words.js';

/** @type {Review} */
const NOTHING_PLAYED = { verdicts: [], wins: [], moves: 0, proved: 0, guesses: 0, avoidable: 0, luck: 1, best_luck: 1 };

export class Moves {
  /** @type {Step[]} entry i is move i + 1 */
  entries = [];
  /** @type {(Verdict | null | undefined)[]} */
  verdicts = [];
  /** @type {Map<number, Win>} by step */
  wins = new Map();
  /** @type {Review | null} */
  review = null;
  /** @type {(review: Review | null) => void} */
  onReview = () => {};
  /** Called when a win chance has arrived. */
  onWin = () => {};
  /** @type {(move: number) => void} called when the player goes to a move */
  onVisit = () => {};
  #game = '';
  #drawn = 0;
  /** @type {number | null} the step that was requested but has not arrived yet */
  #wanted = null;
  #judging = '';
  /** Counts the reviews, so that late answers to an older one are recognised. */
  #turn = 0;
  /** @type {HTMLElement[]} */
  #rows = [];

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    app.on('view', () => this.#follow());
    app.on('past', () => this.refresh());
    app.on('position', () => this.refresh());
    press('judge', () => this.judge());
    element('move-list').addEventListener('click', (event) => this.#clicked(event));
    this.#listenGraph();
    new ResizeObserver(() => this.refresh()).observe(element('graph'));
  }

  /** Number of steps that come before the first move, such as the first click. */
  get #offset() {
    return this.app.view?.offset ?? 0;
  }

  /** The step in view. */
  get at() {
    const position = this.app.positions.play;
    return position.source === 'past' ? Number(position.fields.at) : this.app.view?.step ?? 0;
  }

  /** The step that the list highlights: the one in view, or the mistake that is explained. */
  get #listed() {
    return this.app.positions.play.listed ?? this.at;
  }

  // ---- following the game

  async #follow() {
    const { view } = this.app;
    if (view === null) return;
    const game = `${view.key} ${view.seed} ${view.id?.split(':')[0] ?? ''}`;
    if (game !== this.#game || view.step === 0) this.#forget(game);
    const length = view.steps - view.offset;
    if (length !== this.entries.length || this.#differs()) await this.#catchUp(length);
    this.refresh();
    if (view.end !== null) {
      this.judge();
      return;
    }
    if (this.#judging !== this.#now) this.#stopJudging(); // after an undo, the same end is reviewed again
    this.#setReview(null);
  }

  /** Return whether the last move of the game differs from the one in the list. */
  #differs() {
    const { view } = this.app;
    const last = view === null || view.moves < 1 ? null : this.entries[view.moves - 1];
    return last !== null && view?.last != null
      && (last.cell[0] !== view.last.cell[0] || last.cell[1] !== view.last.cell[1] || last.action !== view.last.action);
  }

  /** @param {string} game */
  #forget(game) {
    this.#game = game;
    this.entries = [];
    this.verdicts = [];
    this.wins.clear();
    this.#stopJudging();
    this.#setReview(null);
  }

  /** @param {Review | null} review */
  #setReview(review) {
    this.review = review;
    this.onReview(review);
  }

  /** @param {number} length */
  async #catchUp(length) {
    const { view } = this.app;
    if (view === null) return;
    if (length === this.entries.length + 1 && view.moves === length && view.last !== null) {
      this.entries.push(view.last);
      return;
    }
    const answer = length === 0 ? { moves: [] } : await this.app.ask('moves');
    if (answer === null || view !== this.app.view) return;
    const old = this.entries;
    this.entries = answer.moves;
    const same = old.findIndex((step, i) => !sameMove(step, this.entries[i]));
    if (same >= 0) this.#cut(same);
  }

  /**
   * Drop the verdicts and win chances of moves that were undone and replaced.
   * @param {number} from
   */
  #cut(from) {
    this.verdicts.length = Math.min(this.verdicts.length, from);
    for (const step of [...this.wins.keys()]) if (step > from + this.#offset) this.wins.delete(step);
  }

  // ---- verdicts

  /** Review every move of the game. */
  async judge() {
    const { view } = this.app;
    if (view === null) return;
    if (view.moves === 0) {
      this.#setReview(view.end === null ? null : NOTHING_PLAYED);
      return;
    }
    if (this.#now === this.#judging) return;
    this.#stopJudging();
    this.#judging = this.#now;
    const turn = this.#turn;
    button('judge').textContent = 'Reviewing…';
    const answer = await this.app.ask('review', { wins: false }, (part) => turn === this.#turn && this.#part(part));
    button('judge').textContent = 'Review moves';
    if (turn !== this.#turn) return;
    if (answer === null) {
      this.#stopJudging();
      return;
    }
    this.#take(0, answer.review.verdicts);
    this.#setReview(answer.review);
    // Win chances take longer, so they follow one by one.
    const more = await this.app.ask('review', { slot: 'wins' }, (part) => {
      if (turn === this.#turn && part.win?.[1]) this.noteWin(part.win[0] + this.#offset, part.win[1]);
    });
    if (more !== null && turn === this.#turn) this.#takeWins(more.review.wins);
  }

  /** What a review would be about now: a game at one of its steps. */
  get #now() {
    return `${this.#game} ${this.app.view?.step} ${this.app.view?.state}`;
  }

  /** Ignore the answers of a review that is under way. */
  #stopJudging() {
    this.#judging = '';
    this.#turn += 1;
  }

  /** @param {{done: number, of: number, verdicts: (Verdict | null)[]}} part */
  #part(part) {
    button('judge').textContent = `Reviewing ${part.done} of ${part.of}`;
    this.#take(part.done - part.verdicts.length, part.verdicts);
  }

  /**
   * @param {number} from
   * @param {(Verdict | null)[]} verdicts
   */
  #take(from, verdicts) {
    verdicts.forEach((verdict, i) => {
      this.verdicts[from + i] = verdict;
    });
    this.refresh();
  }

  /** @param {(Win | null)[]} wins */
  #takeWins(wins) {
    wins.forEach((win, i) => {
      if (win !== null) this.wins.set(i + this.#offset, win);
    });
    this.onWin();
    this.refresh();
  }

  /**
   * Store the verdict on one move.
   * @param {Verdict} verdict
   */
  note(verdict) {
    this.verdicts[verdict.number - 1] = verdict;
    this.refresh();
  }

  /**
   * Store the win chance at a step.
   * @param {number} step
   * @param {Win} win
   */
  noteWin(step, win) {
    if (this.wins.get(step)?.chosen === undefined) this.wins.set(step, win); // a review also knows the move made
    this.onWin();
    this.refresh();
  }

  /** Return the numbers of the moves that took an avoidable risk. */
  avoidable() {
    return this.verdicts.flatMap((verdict, i) => (verdict && ['avoidable risk', 'reckless'].includes(verdict.kind) ? [i + 1] : []));
  }

  // ---- going back and forth

  /**
   * Show the game after a number of steps.
   * @param {number} step
   * @param {number} listed the step that the list highlights
   */
  async goTo(step, listed = step) {
    const { app } = this;
    const { view } = app;
    if (view === null || app.tab !== 'play') return;
    const wanted = Math.max(0, Math.min(view.steps, step));
    this.#wanted = wanted;
    if (wanted === view.step) {
      this.#wanted = null;
      app.toNow();
      return;
    }
    const answer = await app.ask('position', { step: wanted });
    if (this.#wanted !== wanted) return;
    this.#wanted = null;
    if (answer === null || app.view !== view) return;
    const number = wanted - view.offset;
    app.put('play', {
      source: 'past', fields: { at: wanted }, grid: new Grid(answer.cells), mines: view.rules.mines,
      last: this.entries[number - 1]?.cell ?? null, move: this.entries[number - 1] ?? null, follows: false, over: answer.over,
      title: number < 1 ? 'the start of the game' : `move ${number} of ${this.entries.length}`, listed,
    });
    app.tell('past');
    this.onVisit(number);
  }

  /** @param {number} by */
  step(by) {
    return this.goTo((this.#wanted ?? this.at) + by);
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const row = event.target instanceof Element ? event.target.closest('li') : null;
    if (row?.dataset.step !== undefined) this.goTo(Number(row.dataset.step));
  }

  #listenGraph() {
    const graph = element('graph');
    const drag = (/** @type {PointerEvent} */ event) => {
      const box = graph.getBoundingClientRect();
      const share = Math.max(0, Math.min(1, (event.clientX - box.x - EDGE) / (box.width - 2 * EDGE)));
      this.goTo(Math.round(share * (this.app.view?.steps ?? 0)));
    };
    graph.addEventListener('pointerdown', (event) => {
      graph.setPointerCapture(event.pointerId);
      if (event.pointerType !== 'touch') drag(event); // a finger may only be scrolling
    });
    graph.addEventListener('pointerup', drag);
    graph.addEventListener('pointermove', (event) => {
      if (graph.hasPointerCapture(event.pointerId)) drag(event);
    });
    graph.addEventListener('keydown', (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -1e9, End: 1e9 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      this.step(by);
    });
  }

  // ---- drawing

  /** Redraw in the next frame. */
  refresh() {
    if (this.#drawn !== 0) return;
    this.#drawn = requestAnimationFrame(() => {
      this.#drawn = 0;
      this.#draw();
    });
  }

  #draw() {
    const { view } = this.app;
    if (view === null || this.app.tab !== 'play') return;
    const wins = [...this.wins].flatMap(([step, { win }]) => (win === null ? [] : [{ step, win }])).sort((a, b) => a.step - b.step);
    const risks = this.verdicts.flatMap((verdict, i) => (verdict ? [{ step: i + 1 + view.offset, risk: verdict.risk, kind: verdict.kind, glyph: verdict.glyph }] : []));
    const graph = element('graph');
    drawGraph(graph, view.steps, this.at, wins, risks);
    graph.setAttribute('aria-valuemax', String(view.steps));
    graph.setAttribute('aria-valuenow', String(this.at));
    graph.setAttribute('aria-valuetext', `move ${this.at - view.offset} of ${view.steps - view.offset}`);
    button('judge').hidden = view.moves === 0 || (view.end !== null && this.review !== null);
    this.#drawList();
  }

  #drawList() {
    const offset = this.#offset;
    const list = element('move-list');
    const count = this.entries.length + offset;
    while (this.#rows.length > count) this.#rows.pop()?.remove();
    for (let i = 0; i < count; i += 1) {
      const row = this.#rows[i] ?? make('li', { 'data-step': String(i + 1) });
      if (i >= this.#rows.length) {
        this.#rows.push(row);
        list.append(row);
      }
      this.#fill(row, i + 1);
    }
    const on = this.#rows[this.#listed - 1];
    if (on !== undefined) keepInView(list, on);
  }

  /**
   * @param {HTMLElement} row
   * @param {number} step
   */
  #fill(row, step) {
    const number = step - this.#offset;
    const move = number < 1 ? null : this.entries[number - 1];
    const verdict = number < 1 ? null : this.verdicts[number - 1];
    row.classList.toggle('on', step === this.#listed);
    row.classList.toggle('undone', step > (this.app.view?.step ?? 0));
    const words = move === null ? '' : { open: '', mark: ' flag', unmark: ' flag removed' }[move.action] ?? ` ${move.action}`;
    const side = verdict ? verdictText(verdict) : '';
    const seen = `${move?.cell}${words}${side}`;
    if (row.dataset.seen === seen) return;
    row.dataset.seen = seen;
    const dot = make('span', { class: 'dot', ...(verdict ? { 'data-kind': verdict.kind } : {}) });
    const name = move === null ? 'first click' : `${pair(move.cell)}${words}`;
    row.replaceChildren(make('span', { class: 'number' }, number < 1 ? '' : String(number)), dot, name, make('span', { class: 'side' }, side));
  }
}

/** @param {Verdict} verdict */
function verdictText(verdict) {
  if (verdict.kind === 'proved') return 'proved';
  const kind = verdict.kind === 'avoidable risk' ? 'avoidable' : verdict.kind;
  return `${kind} ${percent(verdict.risk)}`;
}

/**
 * @param {Step} one
 * @param {Step | undefined} other
 */
function sameMove(one, other) {
  return other !== undefined && one.action === other.action && one.cell[0] === other.cell[0] && one.cell[1] === other.cell[1];
}

/**
 * Scroll a list, and nothing else, until a row is visible.
 * @param {HTMLElement} list
 * @param {HTMLElement} row
 */
function keepInView(list, row) {
  const top = row.offsetTop - list.offsetTop;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + row.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + row.offsetHeight - list.clientHeight;
}
