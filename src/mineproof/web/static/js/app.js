/**
 * The state that all modules of the page share: the game, the current position of each tab, and
 * the connection for asking the service about the position in view.
 */

import { Connection, ServiceError } from './connection.js';
import { Grid } from './grid.js';
import { readNotes } from './notes.js';
import { openCarrier } from './transport.js';
import { sentence } from './words.js';

/** @type {Position} */
export const NOWHERE = { source: 'drawn', fields: {}, grid: new Grid([]), mines: null, last: null, title: '', follows: false, over: false };

/** If positions change faster than this (in milliseconds), automatic questions wait until they stop changing. */
const FLYING = 120;

export class App {
  /** @type {View | null} */
  view = null;
  /** @type {Hello | null} */
  hello = null;
  /** @type {Record<string, any>} */
  settings = {};
  /** @type {Tab} */
  tab = 'play';
  /** @type {Record<Tab, Position>} */
  positions = { play: NOWHERE, learn: NOWHERE, analyse: NOWHERE, race: NOWHERE };
  /** @type {Partial<Record<Tab, string>>} what a tab with several modes shows */
  modes = { learn: 'lessons', race: 'single' };
  /** @type {number | null} the time of the replay in seconds; null if none is running */
  replayed = null;
  /** @type {Record<string, any>} settings that the player changed before the service has started */
  #early = {};
  /** When the view arrived, for the clock. */
  viewed = 0;
  /** @type {Map<Change, Set<() => void>>} */
  #watchers = new Map();
  /** When the position last changed, and how long the previous one was in view. */
  #changed = 0;
  #pace = Infinity;

  constructor() {
    this.connection = new Connection(() => openCarrier(sessionStorage.getItem('game') ?? ''), {
      push: (message) => this.#push(message),
      lost: (tries) => this.#lost(tries),
    });
  }

  /** The current position. */
  get position() {
    return this.positions[this.tab];
  }

  /**
   * Call a function after every change of one kind.
   * @param {Change} change
   * @param {() => void} act
   */
  on(change, act) {
    const known = this.#watchers.get(change) ?? new Set();
    this.#watchers.set(change, known.add(act));
  }

  /**
   * Call the functions that wait for a change.
   * @param {Change} change
   */
  tell(change) {
    for (const act of this.#watchers.get(change) ?? []) act();
  }

  /**
   * Set the current position of a tab.
   * @param {Tab} tab
   * @param {Position} position
   */
  put(tab, position) {
    this.positions[tab] = position;
    this.#pace = performance.now() - this.#changed;
    this.#changed = performance.now();
    if (tab === this.tab) this.tell('position');
  }

  /** @param {Tab} tab */
  goTo(tab) {
    if (tab === this.tab) return;
    this.tab = tab;
    this.tell('tab');
    this.tell('position');
  }

  /**
   * Choose what a tab with several modes shows.
   * @param {Tab} tab
   * @param {string} mode
   */
  setMode(tab, mode) {
    this.modes[tab] = mode;
    this.tell('mode');
  }

  // ---- asking

  /**
   * Why the current position cannot be analysed, in a few words and as a message; null if it can be.
   * A finished game, lane or replay is never analysed as if it continued.
   * @returns {{note: string, words: string} | null}
   */
  get closed() {
    const { position, view } = this;
    if (this.modes[this.tab] === 'series') return { note: '', words: 'Open a board of the series to ask about it.' };
    if (position.grid.rows === 0) return { note: '', words: 'There is no board yet.' };
    if (position.over) return { note: 'this game is over', words: 'This game is over. Step back to an earlier move to ask about it.' };
    if (position.source !== 'game') return null;
    if (view?.state === 'paused') return { note: '', words: 'The game is paused. Press P to resume.' };
    const untouched = position.grid.letters.every((letter) => letter === 'H' || letter === 'F');
    if (untouched && view?.rules.start !== 'any') return { note: 'open a cell to begin', words: 'Your first click is always safe. Open any cell.' };
    return null;
  }

  /**
   * Ask the service a question. If it reports an error, show the error and return null.
   * @param {string} name
   * @param {Record<string, any>} fields
   * @param {(part: any) => void} [part]
   */
  async ask(name, fields = {}, part = undefined) {
    try {
      return await this.connection.ask(name, fields, part);
    } catch (error) {
      this.complain(error);
      return null;
    }
  }

  /**
   * Ask a question about the current position. Return null if the service reports an error, or if
   * another position has come into view meanwhile.
   * @param {string} name
   * @param {Record<string, any>} fields
   * @param {{quiet?: boolean}} how quiet: do not show errors
   */
  async about(name, fields = {}, { quiet = false } = {}) {
    const asked = this.position;
    if (this.closed !== null) {
      if (!quiet) this.say(this.closed.words, 'warn');
      return null;
    }
    if (quiet && !(await this.#rests(asked))) return null;
    try {
      const answer = await this.connection.ask(name, { ...asked.fields, ...fields });
      return asked === this.position ? answer[name] ?? null : null;
    } catch (error) {
      if (!quiet && asked === this.position) this.complain(error);
      return null;
    }
  }

  /**
   * Wait until positions stop changing quickly. Return whether this one is still in view.
   * @param {Position} position
   */
  async #rests(position) {
    if (this.#pace < FLYING) await new Promise((done) => setTimeout(done, FLYING));
    return position === this.position;
  }

  /**
   * Send a command to the game and show the result.
   * @param {string} name
   * @param {Record<string, any>} fields
   * @returns {Promise<boolean>} whether it succeeded
   */
  async command(name, fields = {}) {
    const answer = await this.ask(name, fields);
    if (answer === null) return false;
    if (answer.key !== undefined) this.keep(answer.key);
    if (answer.view !== undefined) this.show(answer.view);
    return true;
  }

  /** @param {unknown} error */
  complain(error) {
    if (!(error instanceof ServiceError)) throw error;
    if (!error.cancelled) this.say(error.message, 'error');
  }

  /**
   * Describe the position in the line below the board, silently. `setUpStatus` replaces this function.
   * @type {(text: string, kind?: MessageKind) => void}
   */
  status = () => {};

  /**
   * Have screen readers speak a text. `setUpStatus` replaces this function.
   * @type {(text: string) => void}
   */
  speak = () => {};

  /**
   * Tell the player something: show it in the line below the board, and have it spoken.
   * @param {string} text
   * @param {MessageKind} kind
   */
  say(text, kind = 'note') {
    this.status(text, kind);
    this.speak(text);
  }

  // ---- the game

  /**
   * Update the page to a new state of the game.
   * @param {View} view
   */
  show(view) {
    const before = this.view;
    this.view = view;
    this.viewed = performance.now();
    document.documentElement.dataset.state = view.state;
    document.documentElement.dataset.result = view.end?.result ?? '';
    const moved = before === null || before.key !== view.key || before.id !== view.id || before.step !== view.step
      || before.state !== view.state;
    if (moved || this.positions.play.source === 'game') this.toNow(before !== null && before.seed === view.seed);
    this.tell('view');
  }

  /**
   * Show the current position of the game.
   * @param {boolean} follows whether it is the same board as the one in view
   */
  toNow(follows = true) {
    const { view } = this;
    if (view === null) return;
    const paused = view.state === 'paused';
    const cells = paused ? view.cells.map((row) => row.replace(/[^H]/g, 'H')) : view.cells;
    const grid = new Grid(cells, view.end?.mines ?? [], view.end?.result === 'win' && this.settings.flagWins !== false);
    const notes = readNotes(view);
    if (this.settings.questionMarks === true && !paused) grid.notes = notes;
    this.put('play', {
      source: 'game', fields: {}, grid, mines: view.rules.mines,
      last: paused ? null : view.last?.cell ?? null, move: view.last, title: 'the current position', follows, over: view.end !== null,
    });
    this.tell('past');
  }

  /** Whether a move can be made now. */
  get playing() {
    return this.view !== null && this.view.end === null && this.positions.play.source === 'game';
  }

  /** Whether starting another game would abandon one in progress. */
  get inProgress() {
    return this.view !== null && this.view.end === null && this.view.step > 0 && this.view.state !== 'ready';
  }

  /**
   * Change settings and store them.
   * @param {Record<string, any>} values
   */
  remember(values) {
    Object.assign(this.settings, values);
    if (this.hello?.loading) Object.assign(this.#early, values);
    this.tell('settings');
    this.connection.ask('settings', { values }).catch(() => {});
  }

  /**
   * Remember which game this browser tab shows.
   * @param {string} key
   */
  keep(key) {
    sessionStorage.setItem('game', key);
  }

  /** @param {Record<string, any>} message */
  #push(message) {
    if (message.push === 'hello') this.#greet(/** @type {Hello} */ (/** @type {unknown} */ (message)));
    else if (message.push === 'view') this.show(message.view);
    else if (message.push === 'refused') this.say(message.words ?? sentence(message.error), 'error');
  }

  /** @param {Hello} hello */
  #greet(hello) {
    const again = this.hello !== null && !this.hello.loading;
    this.hello = hello;
    this.settings = { ...hello.settings, ...this.#early };
    this.keep(hello.key);
    this.tell('hello');
    this.tell('settings');
    this.show(hello.view);
    if (again) this.say('Reconnected.', 'good');
    document.documentElement.dataset.ready = hello.loading ? 'soon' : 'yes';
  }

  /** @param {number} tries */
  #lost(tries) {
    document.documentElement.dataset.ready = 'no';
    this.say(tries < 4 ? 'Connection lost. Reconnecting…' : 'Mineproof can’t be reached. If you restarted it, open the address that it printed.', 'error');
  }
}
