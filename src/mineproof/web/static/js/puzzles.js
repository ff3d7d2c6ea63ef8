/** Puzzles in the Learn tab: a rating, a streak, a run against the clock, and missed positions that come back. */

import { button, element, make, press } from './dom.js';
import { drawn } from './graph.js';
import { Grid, readPosition } from './grid.js';
import { openSheet } from './sheet.js';
import { count, pair, percent } from './words.js';

const RUN_SECONDS = 180;
/** Number of puzzles of one kind to practise after those from the player's own games. */
const PRACTICE = 5;
/** Number of ratings that the curve shows, and of dots for the answers in a run. */
const MOST_RATINGS = 30;
const MOST_DOTS = 20;
/** @type {Record<string, string>} what a puzzle of each kind asks for */
const QUESTIONS = {
  'one-clue': 'One clue proves a cell safe.',
  pattern: 'A pattern of two clues proves a cell safe.',
  subset: 'Two overlapping clues prove a cell safe.',
  'several-clues': 'Three or more clues prove a cell safe.',
  cases: 'A contradiction proves a cell safe.',
  'mine-count': 'The mine count proves a cell safe.',
};

export class Puzzles {
  /** @type {Drill[]} positions from the player's own games, which come first */
  #own = [];
  /** @type {(string | null)[]} the kinds of the next puzzles, if the player practises one */
  #kinds = [];
  /** @type {Drill | null} */
  #puzzle = null;
  #answered = false;
  /** @type {{left: number, solved: number, missed: number, trail: boolean[]} | null} the run against the clock */
  #run = null;

  /**
   * @param {App} app
   * @param {Advice} advice
   */
  constructor(app, advice) {
    this.app = app;
    this.advice = advice;
    press('puzzle-next', () => this.next());
    press('puzzle-show', () => this.#show());
    press('puzzle-run', () => (this.#run === null ? this.#startRun() : this.#endRun()));
    setInterval(() => this.#tick(), 1000);
    document.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !this.#answered || !this.inView || document.querySelector('dialog[open]') || event.target instanceof HTMLButtonElement) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      this.next();
    }, true);
  }

  get inView() {
    return this.app.tab === 'learn' && this.app.modes.learn === 'puzzles';
  }

  /**
   * Start with positions from the player's own games, then continue with one kind of reasoning.
   * @param {Drill[]} drills
   * @param {string | null} kind
   */
  practise(drills, kind) {
    this.#own = [...drills];
    this.#kinds = Array(PRACTICE).fill(kind);
    this.#puzzle = null;
  }

  /** Show the puzzle again, or open the first one. */
  show() {
    if (this.#puzzle === null) this.next();
    else this.#put(this.#puzzle);
  }

  async next() {
    const own = this.#own.shift();
    const kind = own ? null : this.#kinds.pop() ?? null;
    const puzzle = own ?? (await this.app.ask('drill', { kind }))?.drill;
    if (puzzle === undefined) return;
    this.#puzzle = puzzle;
    if (puzzle.score) this.#score(puzzle.score);
    const left = this.#own.length > 0 ? ` (${this.#own.length} more to come)` : '';
    const origin = own ? `From your own games${left}. Proved mines are flagged.` : kind ? 'It is like those you missed. Proved mines are flagged.' : puzzle.again ? 'You missed this one before.' : '';
    element('puzzle-text').textContent = `${QUESTIONS[puzzle.kind]} ${origin}`;
    if (this.inView) this.#put(puzzle);
  }

  /** @param {Drill} puzzle */
  #put(puzzle) {
    const read = readPosition(puzzle.position);
    if (read === null) return;
    this.#answered = false;
    this.#drawRun();
    element('puzzle-answer').textContent = '';
    element('puzzle').removeAttribute('data-answered');
    this.app.put('learn', {
      source: 'lesson', fields: { at: puzzle.position }, grid: new Grid(read.rows), mines: Number(read.mines), last: null,
      title: 'puzzle', follows: false, over: false,
    });
    const flagged = read.rows.join('').split('F').length - 1;
    this.app.say(`Open a cell that must be safe. ${count(Number(read.mines), 'mine')}, ${flagged} flagged.`);
  }

  // ---- answers

  /** @param {Cell} cell */
  async tap(cell) {
    const puzzle = this.#puzzle;
    if (puzzle === null) return;
    if (this.#answered || this.app.position.grid.at(...cell) !== 'H') {
      if (this.#answered) this.advice.why(cell);
      return;
    }
    this.#answered = true;
    const right = puzzle.answers.some(([row, column]) => row === cell[0] && column === cell[1]);
    const why = await this.app.about('why', { cell: right ? cell : puzzle.cell });
    const risk = right ? 0 : (await this.app.about('why', { cell }))?.risk ?? null;
    if (why !== null) this.advice.showWhy(why);
    if (!right) this.advice.boards.highlights.set('played', { played: [{ cell, glyph: '✗' }] });
    const words = right ? `Solved: ${pair(cell)} is safe.` : `You opened ${pair(cell)}. ${risk === 1 ? 'It is a mine.' : `It could be a mine: ${percent(risk)}.`} ${pair(puzzle.cell)} is safe.`;
    await this.#grade(puzzle, right, words);
  }

  async #show() {
    const puzzle = this.#puzzle;
    if (puzzle === null || this.#answered) return;
    this.#answered = true;
    await this.advice.why(puzzle.cell);
    await this.#grade(puzzle, false, `${pair(puzzle.cell)} is safe.`);
  }

  /**
   * @param {Drill} puzzle
   * @param {boolean} right
   * @param {string} words
   */
  async #grade(puzzle, right, words) {
    this.#run?.trail.push(right);
    if (this.#run !== null) this.#run[right ? 'solved' : 'missed'] += 1;
    const done = await this.app.ask('drill_done', { kind: puzzle.kind, right, position: puzzle.position });
    const back = done?.back ? ` It comes back ${done.back === 1 ? 'tomorrow' : `in ${done.back} days`}.` : '';
    element('puzzle-answer').textContent = `${words}${back}`;
    element('puzzle').setAttribute('data-answered', '');
    this.app.say(`${words}${back}`, right ? 'good' : 'warn');
    if (done !== null) {
      this.app.remember({ ratings: [...this.#ratings, Math.round(done.score.rating)].slice(-MOST_RATINGS) });
      this.#score(done.score);
    }
    this.#drawRun();
    openSheet();
  }

  /** @param {Score} score */
  #score(score) {
    const change = Math.round(score.change ?? 0);
    element('puzzle-rating').textContent = Math.round(score.rating).toLocaleString('en');
    element('puzzle-change').textContent = change === 0 ? '' : change > 0 ? `+${change}` : `−${-change}`;
    element('puzzle-streak').textContent = String(score.streak);
    element('puzzle-best').textContent = `best ${score.best}`;
    element('puzzle-change').classList.toggle('down', change < 0);
    element('puzzle-curve').replaceChildren(...curveOf(this.#ratings));
  }

  /** @returns {number[]} the player's latest ratings */
  get #ratings() {
    return this.app.settings.ratings ?? [];
  }

  // ---- the run against the clock

  #startRun() {
    this.#run = { left: RUN_SECONDS, solved: 0, missed: 0, trail: [] };
    this.#drawRun();
    this.next();
  }

  #tick() {
    // The clock stops while the player reads an answer.
    if (this.#run === null || !this.inView || this.#answered) return;
    this.#run.left -= 1;
    if (this.#run.left > 0) this.#drawRun();
    else this.#endRun();
  }

  #endRun() {
    const run = this.#run;
    if (run === null) return;
    this.#run = null;
    const best = Number(this.app.settings.bestRun ?? 0);
    if (run.solved > best) this.app.remember({ bestRun: run.solved });
    this.#drawRun();
    this.app.say(`The run is over: ${run.solved} solved, ${run.missed} missed. ${run.solved > best ? 'That is your best.' : `Your best is ${best}.`}`, 'good');
  }

  #drawRun() {
    const run = this.#run;
    button('puzzle-run').textContent = run === null ? 'Three-minute run' : 'End run';
    const clock = run === null ? '' : `${Math.floor(run.left / 60)}:${String(run.left % 60).padStart(2, '0')}`;
    button('puzzle-show').disabled = this.#answered;
    element('puzzle-clock').replaceChildren(...(run === null ? [] : [make('b', { class: 'large' }, clock),
      make('span', {}, ` ${count(run.solved, 'puzzle')} solved, ${run.missed} missed${this.#answered ? '. The clock is stopped.' : ''}`),
      make('progress', { max: String(RUN_SECONDS), value: String(run.left), 'aria-hidden': 'true' }),
      make('p', { class: 'trail', 'aria-hidden': 'true' }, ...run.trail.slice(-MOST_DOTS).map((right) => make('i', right ? {} : { class: 'missed' })))]));
  }
}

/**
 * Return a curve of the latest ratings, if there are several.
 * @param {number[]} ratings
 */
function curveOf(ratings) {
  if (ratings.length < 2) return [];
  const [low, high] = [Math.min(...ratings), Math.max(...ratings) + 1];
  const path = ratings.map((rating, i) => `${i === 0 ? 'M' : 'L'}${(100 * i) / (ratings.length - 1)} ${20 - (16 * (rating - low)) / (high - low)}`).join('');
  return [drawn('svg', { viewBox: '0 0 100 24', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    drawn('path', { d: path, fill: 'none', stroke: 'var(--accent)', 'stroke-width': 2, 'vector-effect': 'non-scaling-stroke' }))];
}
