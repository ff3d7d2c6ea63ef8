/** The demonstration on a first visit: an agent solves an expert board, and its proofs light up step by step. */

import { button, element, make, press, tapWord } from './dom.js';
import { positionText } from './grid.js';
import { RaceTape } from './racetape.js';
import { pair, sentence, thousands } from './words.js';

const BOARD = { agents: ['champion'], level: 'expert', start: 'opening', seed: '7' };
/** Milliseconds between two moves, and for each step of a proof. */
const MOVE = 250;
const STEP = 2700;
/** The number of characters in the longest proof that is explained. */
const LONGEST = 270;
/** The number of proofs that are explained. After the last one, the board stays as it is. */
const PROOFS = 3;
/** The move with which the demonstration begins, and the fewest moves between two proofs. */
const FIRST = 130;
const BETWEEN = 8;
const QUIET_KEYS = ['Tab', 'Shift', 'Control', 'Alt', 'Meta'];

export class Demo {
  #tape = new RaceTape();
  #question = 0;
  #begun = false;
  /** Whether the demonstration runs, or starts when the page has loaded. */
  on = false;

  /**
   * @param {App} app
   * @param {Boards} boards
   * @param {Advice} advice
   */
  constructor(app, boards, advice) {
    this.app = app;
    this.boards = boards;
    this.advice = advice;
    press('demo-skip', () => this.#play());
    press('demo-play', () => this.#play());
    element('board').addEventListener('pointerdown', (event) => this.#interrupt(event), true);
    document.addEventListener('keydown', (event) => this.#key(event), true);
    for (const kind of ['pointerdown', 'click']) document.querySelector('.levels')?.addEventListener(kind, () => this.#end(), true);
    app.on('hello', () => this.#greet());
    for (const change of /** @type {const} */ (['tab', 'settings', 'view'])) app.on(change, () => this.#check());
  }

  /** Start on a first visit: nothing has been remembered yet, and the address asks for nothing else. */
  #greet() {
    const { app } = this;
    if (this.#begun) return;
    const asked = location.hash !== '' || app.hello?.position !== '' || app.hello.view.step !== 0;
    this.on = !asked && Object.keys(app.settings).length === 0;
    this.#begun = this.on && app.hello?.loading !== true;
    if (this.#begun) setTimeout(() => this.#start()); // after the game has been shown
  }

  async #start() {
    this.#check();
    if (!this.on) return;
    const question = this.app.connection.ask('race', BOARD, (part) => this.#tape.take(part));
    this.#question = question.number;
    question.then(({ race }) => this.#tape.finish(race.mines)).catch(() => this.#end());
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (still) await question.catch(() => {});
    for (let shown = 0, next = FIRST + BETWEEN; this.on && shown < (still ? 1 : PROOFS);) {
      if (!(await this.#turn(still || this.#tape.at < FIRST))) return;
      if (this.#tape.at < next) continue;
      if (!(await this.#explain(still))) continue;
      shown += 1;
      next = this.#tape.at + BETWEEN;
    }
  }

  /**
   * Wait for the agent's next move, and show the position before it.
   * @param {boolean} still whether to show nothing yet
   */
  async #turn(still) {
    while (this.on && this.#tape.rounds <= this.#tape.at + 1 && !this.#tape.done) await pause(50);
    if (!this.on || this.#tape.rounds <= this.#tape.at + 1) return false;
    this.#tape.go(this.#tape.at + 1);
    if (still) return true;
    this.#show();
    await pause(MOVE);
    return this.on;
  }

  #show() {
    const tape = this.#tape;
    element('demo-facts').replaceChildren();
    element('demo-bar').style.width = `${tape.done ? (100 * tape.at) / tape.rounds : 0}%`;
    this.app.put('play', {
      source: 'demo', fields: { at: positionText(tape.rows(0), tape.count) }, grid: tape.grid(0), mines: tape.count,
      last: tape.racers[0].last?.cell ?? null, title: this.#title, follows: true, over: false,
    });
  }

  get #title() {
    const { at, done, rounds } = this.#tape;
    return `move ${at}${done ? ` of ${rounds}` : ''}. ${tapWord()} any cell to start your own game`;
  }

  /**
   * Explain the agent's next move, step by step, if its proof is worth it.
   * @param {boolean} still whether to show the whole proof immediately
   */
  async #explain(still) {
    const move = this.#tape.frames[this.#tape.at][0];
    if (!move?.proved || !move.cell) return false;
    const at = positionText(this.#tape.rows(0), this.#tape.count);
    const why = (await this.app.ask('why', { at, cell: move.cell }))?.why;
    if (!this.on || !why || why.proved !== 'safe' || why.steps.length < 2 || why.steps.length > 3 || why.text.length > LONGEST) return false;
    if (still) this.#show();
    this.advice.showWhy(why);
    this.app.status(sentence(`${this.#title}.`));
    this.#count(why.cell, at);
    this.boards.main.cursor = move.cell; // a board that does not fit is centred on it
    if (!still) await this.#light(why);
    return true;
  }

  /**
   * Say in how many layouts a cell is safe.
   * @param {Cell} cell
   * @param {string} at
   */
  async #count(cell, at) {
    const layouts = (await this.app.connection.ask('analysis', { at, seconds: 2 }).catch(() => null))?.analysis.layouts;
    if (!layouts || this.app.position.fields.at !== at) return;
    element('demo-facts').replaceChildren(make('b', { class: 'large' }, thousands(layouts)), ' mine layouts fit the open numbers. ', make('strong', {}, make('span', { class: 'cell' }, pair(cell)), ' is safe in every one of them.'));
  }

  /** @param {Why} why */
  async #light(why) {
    const rows = [...element('advice-body').querySelectorAll('.proof li')];
    const all = this.boards.highlights.layer('lit');
    for (const [i, step] of why.steps.entries()) {
      rows.forEach((row, number) => row.classList.toggle('on', number === i));
      const numbers = all?.numbers?.filter(({ number }) => number <= i + 1);
      this.boards.highlights.set('lit', { clues: step.clues, lit: step.cells, numbers: numbers ?? [] });
      await pause(STEP);
      if (!this.on) return;
    }
    rows.forEach((row) => row.classList.remove('on'));
    this.boards.highlights.set('lit', all);
  }

  // ---- the end

  /** End if something else has come into view. */
  #check() {
    const { app } = this;
    if (!this.on) return;
    if (app.tab !== 'play') this.#play(false);
    else if (app.settings.visited === true || (app.view?.step ?? 0) !== 0) this.#end();
  }

  /**
   * End. The click or key has no other effect, unless it came before the demonstration was in view.
   * @param {Event} event
   */
  #interrupt(event) {
    if (!this.on) return;
    if (this.app.position.source === 'demo') {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
    this.#play();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const pressesButton = event.target instanceof HTMLButtonElement && ['Enter', ' '].includes(event.key);
    if (!QUIET_KEYS.includes(event.key) && !pressesButton) this.#interrupt(event);
  }

  #end() {
    if (!this.on) return;
    this.on = false;
    this.app.connection.cancel(this.#question);
    this.app.remember({ visited: true });
    if (this.app.positions.play.source === 'demo') this.app.toNow(false);
  }

  /**
   * End, and deal the first game: it never needs a guess.
   * @param {boolean} here whether the player stays in the Play tab
   */
  async #play(here = true) {
    if (!this.on) return;
    this.#end();
    const noGuess = this.app.hello?.limits.no_guess === true;
    if (noGuess) this.app.remember({ noGuess: 'beginner' }); // until the player uses the switch
    const dealt = noGuess && await this.app.command('new', { level: 'beginner', start: 'no-guess' });
    if (!here) return;
    if (dealt) this.app.say('Your first game never needs a guess. Open any cell.');
    button('demo-play').blur();
    if (matchMedia('(pointer: fine)').matches) this.boards.main.host.focus({ preventScroll: true });
  }
}

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
