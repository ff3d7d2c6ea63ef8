/**
 * The workbench: what the parts of the page share. One game, one current position for each tab,
 * and one way to ask about the position that is in view.
 */

import { Grid } from './grid.js';
import { openCarrier } from './transport.js';
import { sentence } from './words.js';

/** @type {Place} */
const NOWHERE = { source: 'drawn', fields: {}, grid: new Grid([]), mines: null, last: null, title: '', follows: false };

/** A carrier that is open says so with this number. */
const OPEN = 1;
/** Milliseconds between two tries to connect again, at most. */
const LONGEST_PAUSE = 5000;

/** Positions that follow each other faster than this, in milliseconds, are not asked about. */
const FLYING = 120;

export class Bench {
  /** @type {View | null} */
  view = null;
  /** @type {Hello | null} */
  hello = null;
  /** @type {Record<string, any>} */
  settings = {};
  /** @type {Tab} */
  tab = 'play';
  /** @type {Record<Tab, Place>} */
  places = { play: NOWHERE, learn: NOWHERE, analyse: NOWHERE, race: NOWHERE };
  /** When the view came, for the clock. */
  viewed = 0;
  /** @type {Map<Change, Set<() => void>>} */
  #watchers = new Map();
  /** When the position changed, and how long the one before stood. */
  #changed = 0;
  #pace = Infinity;

  constructor() {
    this.wire = new Wire(() => openCarrier(sessionStorage.getItem('game') ?? ''), {
      push: (message) => this.#push(message),
      lost: () => this.#lost(),
    });
  }

  /** The current position. */
  get place() {
    return this.places[this.tab];
  }

  /**
   * Be told of a change.
   * @param {Change} change
   * @param {() => void} act
   */
  on(change, act) {
    const known = this.#watchers.get(change) ?? new Set();
    this.#watchers.set(change, known.add(act));
  }

  /** @param {Change} change */
  tell(change) {
    for (const act of this.#watchers.get(change) ?? []) act();
  }

  /**
   * Make a position the current one of a tab.
   * @param {Tab} tab
   * @param {Place} place
   */
  put(tab, place) {
    this.places[tab] = place;
    this.#pace = performance.now() - this.#changed;
    this.#changed = performance.now();
    if (tab === this.tab) this.tell('place');
  }

  /** @param {Tab} tab */
  goTo(tab) {
    if (tab === this.tab) return;
    this.tab = tab;
    this.tell('tab');
    this.tell('place');
  }

  // ---- asking

  /**
   * Ask the service something; null and a message where it refuses.
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

  /**
   * Ask about the current position. Null where it refuses, and where another position has
   * come into view meanwhile: an answer never speaks of a board that is not there.
   * @param {string} name
   * @param {Record<string, any>} fields
   * @param {{quiet?: boolean}} how whether a refusal is said
   */
  async about(name, fields = {}, { quiet = false } = {}) {
    const asked = this.place;
    if (quiet && !(await this.#rests(asked))) return null;
    try {
      const answer = await this.wire.ask(name, { ...asked.fields, ...fields });
      return asked === this.place ? answer[name] ?? null : null;
    } catch (error) {
      if (!quiet && asked === this.place) this.complain(error);
      return null;
    }
  }

  /**
   * Wait until positions stop flying by; nobody asked about each of them.
   * @param {Place} place
   */
  async #rests(place) {
    if (this.#pace < FLYING) await new Promise((done) => setTimeout(done, FLYING));
    return place === this.place;
  }

  /**
   * Tell the game to do something and show what came of it.
   * @param {string} name
   * @param {Record<string, any>} fields
   * @returns {Promise<boolean>} whether it was done
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
    if (!(error instanceof Refused)) throw error;
    if (!error.cancelled) this.say(error.message, 'error');
  }

  /**
   * Say something in the line below the board; the status line takes this over.
   * @type {(text: string, kind?: 'note' | 'good' | 'warn' | 'error') => void}
   */
  say = () => {};

  // ---- the game

  /**
   * Take in the game as it is now.
   * @param {View} view
   */
  show(view) {
    const before = this.view;
    this.view = view;
    this.viewed = performance.now();
    document.documentElement.dataset.state = view.state;
    const moved = before === null || before.key !== view.key || before.id !== view.id || before.step !== view.step
      || before.state !== view.state;
    if (moved || this.places.play.source === 'game') this.toNow(before !== null && before.seed === view.seed);
    this.tell('view');
  }

  /**
   * Show the game as it stands.
   * @param {boolean} follows whether the board is the one that was in view
   */
  toNow(follows = true) {
    const { view } = this;
    if (view === null) return;
    const paused = view.state === 'paused';
    const cells = paused ? view.cells.map((row) => row.replace(/[^H]/g, 'H')) : view.cells;
    this.put('play', {
      source: 'game', fields: {}, grid: new Grid(cells, view.end?.mines ?? []), mines: view.rules.mines,
      last: paused ? null : view.last?.cell ?? null, title: 'the game as it stands', follows,
    });
    this.tell('past');
  }

  /** Whether somebody can move now. */
  get playing() {
    return this.view !== null && this.view.end === null && this.places.play.source === 'game';
  }

  /** Whether a game would be lost if another one began. */
  get underWay() {
    return this.view !== null && this.view.end === null && this.view.step > 0 && this.view.state !== 'ready';
  }

  /**
   * Remember settings.
   * @param {Record<string, any>} values
   */
  remember(values) {
    Object.assign(this.settings, values);
    this.tell('settings');
    this.wire.ask('settings', { values }).catch(() => {});
  }

  /**
   * Keep the key of the game that this tab shows.
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
    this.settings = hello.settings;
    this.keep(hello.key);
    this.tell('hello');
    this.tell('settings');
    this.show(hello.view);
    if (again) this.say('Connected again.', 'good');
    document.documentElement.dataset.ready = hello.loading ? 'soon' : 'yes';
  }

  #lost() {
    document.documentElement.dataset.ready = 'no';
    this.say('The connection broke off. Trying again …', 'error');
  }
}

/** An answer that says what is wrong. */
export class Refused extends Error {
  /** @param {Message} answer */
  constructor(answer) {
    super(answer.words ?? sentence(answer.error));
    this.cancelled = answer.cancelled === true;
    /** @type {[number, number][]} */
    this.conflict = answer.conflict ?? [];
  }
}

/** Questions and answers over a carrier, and a new try when it breaks off. */
export class Wire {
  /** @type {Carrier | null} */
  #carrier = null;
  /** @type {Map<number, Waiting>} */
  #open = new Map();
  #number = 0;
  #tries = 0;

  /**
   * @param {() => Carrier} open
   * @param {Listener} listener
   */
  constructor(open, listener) {
    this.open = open;
    this.listener = listener;
  }

  /** Connect, and again when the connection breaks off. */
  connect() {
    const carrier = this.open();
    this.#carrier = carrier;
    carrier.addEventListener('message', (event) => this.#read(JSON.parse(event.data)));
    carrier.addEventListener('close', () => this.#closed());
  }

  /**
   * Ask the service something.
   * @param {string} name
   * @param {Message} fields
   * @param {(part: any) => void} [part] called with each part of an answer that comes in parts
   * @returns {Promise<Message> & {number: number}}
   */
  ask(name, fields = {}, part = undefined) {
    this.#number += 1;
    const number = this.#number;
    const promise = new Promise((done, fail) => {
      if (this.#carrier === null || this.#carrier.readyState !== OPEN) {
        fail(new Refused({ error: 'there is no connection just now' }));
        return;
      }
      this.#open.set(number, { done, fail, part });
      this.#carrier.send(JSON.stringify({ ...fields, do: name, n: number }));
    });
    return Object.assign(promise, { number });
  }

  /**
   * Take a question back.
   * @param {number} question
   */
  cancel(question) {
    if (this.#open.has(question)) this.ask('cancel', { question }).catch(() => {});
  }

  /** @param {Message} message */
  #read(message) {
    if (message.push !== undefined) {
      this.#tries = 0;
      this.listener.push(message);
      return;
    }
    const question = this.#open.get(message.n);
    if (question === undefined) return;
    if (message.part !== undefined) {
      question.part?.(message.part);
      return;
    }
    this.#open.delete(message.n);
    if (message.error === undefined) question.done(message);
    else question.fail(new Refused(message));
  }

  #closed() {
    for (const question of this.#open.values()) {
      question.fail(new Refused({ error: 'the connection broke off', cancelled: true }));
    }
    this.#open.clear();
    this.listener.lost();
    this.#tries += 1;
    setTimeout(() => this.connect(), Math.min(LONGEST_PAUSE, 200 * 2 ** this.#tries));
  }
}
