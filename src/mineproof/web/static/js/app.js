/** What the parts of the page share: the wire, the game as it is shown, messages and defaults. */

import { BoardView } from './boardview.js';
import { byId, element } from './dom.js';
import { clockText, sentence } from './format.js';
import { Grid } from './model.js';
import { Refused, Wire } from './wire.js';

/**
 * @typedef {import('./types.js').View} View
 * @typedef {import('./types.js').Hello} Hello
 * @typedef {import('./types.js').Cell} Cell
 */

export class App {
  /** @type {View | null} */
  view = null;
  /** @type {Hello | null} */
  hello = null;
  /** @type {number | null} the step of the timeline that is shown instead of the game */
  replay = null;
  /** @type {Record<string, any>} */
  settings = {};
  #clockFrom = 0;
  /** @type {Set<(change: 'view' | 'replay' | 'hello') => void>} */
  #watchers = new Set();

  /** @param {import('./boardview.js').Handlers} handlers */
  constructor(handlers) {
    this.board = new BoardView(byId('board', HTMLCanvasElement), handlers);
    this.wire = new Wire(() => this.#address(), {
      push: (message) => this.#push(message),
      lost: () => this.#lost(),
    });
    setInterval(() => this.#tick(), 200);
  }

  /**
   * Be told of every change of what is shown.
   * @param {(change: 'view' | 'replay' | 'hello') => void} watcher
   */
  watch(watcher) {
    this.#watchers.add(watcher);
  }

  /** @param {'view' | 'replay' | 'hello'} change */
  changed(change) {
    for (const watcher of this.#watchers) watcher(change);
  }

  /**
   * Tell the game to do something and show what came of it; says what is wrong.
   * @param {string} name
   * @param {Record<string, any>} fields
   * @returns {Promise<boolean>} whether it was done
   */
  async command(name, fields = {}) {
    const answer = await this.ask(name, fields);
    if (answer === null) return false;
    if (answer.view !== undefined) this.show(answer.view);
    return true;
  }

  /**
   * Ask the server something; null and a message where it refuses.
   * @param {string} name
   * @param {Record<string, any>} fields
   * @param {(part: any) => void} [part]
   */
  async ask(name, fields = {}, part = undefined) {
    try {
      return await this.wire.ask(name, fields, part);
    } catch (error) {
      this.complain(error);
      return null;
    }
  }

  /** @param {unknown} error */
  complain(error) {
    if (!(error instanceof Refused)) throw error;
    if (!error.cancelled) this.say(sentence(error.message), 'error');
  }

  /**
   * Show the game as it is now.
   * @param {View} view
   */
  show(view) {
    const before = this.view;
    this.view = view;
    this.#clockFrom = performance.now();
    if (before !== null && (before.id !== view.id || before.step !== view.step)) this.replay = null;
    if (before !== null && (before.seed !== view.seed || view.step === 0)) {
      Object.assign(this.board.overlays, { clues: [], targets: [] });
    }
    const { style } = document.documentElement;
    style.setProperty('--ratio', String(view.rules.rows / view.rules.columns));
    style.setProperty('--rows', String(view.rules.rows));
    if (this.replay === null) {
      const paused = view.state === 'paused';
      const cells = paused ? view.cells.map((row) => row.replace(/[^HF]/g, 'H')) : view.cells;
      this.board.show(new Grid(cells, view.end?.mines ?? []));
      this.board.overlays.last = paused ? null : view.last?.cell ?? null;
    }
    this.changed('view');
    document.documentElement.dataset.state = view.state;
  }

  /** Whether somebody can move now. */
  get playing() {
    return this.view !== null && this.view.end === null && this.replay === null;
  }

  /**
   * Say something below the board.
   * @param {string} text
   * @param {string} kind `error`, `good`, `warn` or `note`
   */
  say(text, kind = 'note') {
    const place = element('message');
    place.textContent = text;
    place.dataset.kind = kind;
  }

  /**
   * Remember a default.
   * @param {Record<string, any>} values
   */
  remember(values) {
    Object.assign(this.settings, values);
    this.wire.ask('settings', { values }).catch(() => {});
  }

  #address() {
    const key = sessionStorage.getItem('game') ?? '';
    const base = new URL('socket', location.href);
    base.protocol = 'ws:';
    base.searchParams.set('game', key);
    return base.href;
  }

  /** @param {Record<string, any>} message */
  #push(message) {
    if (message.push === 'hello') this.#greet(/** @type {Hello} */ (/** @type {unknown} */ (message)));
    else if (message.push === 'view') this.show(message.view);
    else if (message.push === 'review') this.onReview(message.id, message.review);
    else if (message.push === 'refused') this.say(sentence(message.error), 'error');
  }

  /** @param {Hello} hello */
  #greet(hello) {
    const again = this.hello !== null;
    this.hello = hello;
    this.settings = hello.settings;
    this.keep(hello.key);
    this.changed('hello');
    this.show(hello.view);
    if (again) this.say('Connected again.', 'good');
    if (hello.position !== '') this.onPosition(hello.position);
    document.documentElement.dataset.ready = 'yes';
  }

  /**
   * Keep the key of the game that this tab shows.
   * @param {string} key
   */
  keep(key) {
    sessionStorage.setItem('game', key);
  }

  #lost() {
    document.documentElement.dataset.ready = 'no';
    this.say('No connection to the server. Trying again …', 'error');
  }

  #tick() {
    if (this.view === null) return;
    const running = this.view.clock_runs ? (performance.now() - this.#clockFrom) / 1000 : 0;
    element('clock').textContent = clockText(this.view.seconds + running);
  }

  /** @type {(position: string) => void} */
  onPosition = () => {};
  /** @type {(id: string, review: import('./types.js').Review) => void} */
  onReview = () => {};
}
