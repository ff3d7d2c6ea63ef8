/**
 * The connection between the page and its service on a static site: a worker behind the interface
 * of a web socket. Until the worker has started, the page shows its last board, or an empty one,
 * and moves wait in a queue.
 */

import { BUILT } from './built.js';

const LAST = 'mineproof-last';
/** Milliseconds between two pings to the worker, and unanswered pings after which it counts as dead. */
const [LOOK, DEAD] = [3000, 4];
/** The progress from which on the worker starts Python, which can keep it from answering for long. */
const STARTING = 0.85;
/** Commands that change a game. They must never be applied to another game. */
const DEEDS = ['open', 'chord', 'mark', 'undo', 'redo', 'restart', 'stop', 'pause', 'agent_move'];

class WorkerCarrier extends EventTarget {
  readyState = 1;
  /** @type {string[] | null} messages that wait for the worker; null once it has started */
  #waiting = [];
  /** The first message, if it came before the page listened. */
  #early = /** @type {string | null} */ (null);
  #listened = false;
  #unanswered = 0;
  #timer = 0;

  /**
   * @param {string} key
   * @param {Record<string, any> | null} shown the greeting that the page shows until the worker has started
   */
  constructor(key, shown) {
    super();
    this.key = key;
    this.shown = shown;
    this.worker = this.#start(shown === null);
  }

  /** @param {boolean} again whether an earlier worker died */
  #start(again) {
    const worker = new Worker(new URL('games.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => this.#read(data);
    worker.onerror = () => this.#close();
    worker.postMessage({ key: this.key, again });
    return worker;
  }

  /** Replace a worker that stopped while it loaded, as happens in Firefox. Commands keep waiting. */
  #restart() {
    this.#watch(null);
    this.worker.terminate();
    this.worker = this.#start(true);
  }

  /** Start to deliver messages, after the caller has added its listeners. */
  open() {
    setTimeout(() => {
      this.#listened = true;
      if (this.#early !== null) this.#welcome(this.#early);
      else if (this.shown !== null) this.#give(JSON.stringify(this.shown));
    });
    return this;
  }

  /** @param {string} text */
  send(text) {
    if (this.#waiting !== null) {
      this.#waiting.push(text);
      if (DEEDS.includes(JSON.parse(text).do)) showProgress(bar.value, ': your move is waiting');
    } else this.worker.postMessage({ text });
  }

  /** @param {any} data */
  #read(data) {
    this.#unanswered = 0;
    if (data.text !== undefined) {
      if (!this.#listened) this.#early = data.text;
      else if (this.#waiting !== null) this.#welcome(data.text);
      else this.#give(data.text);
    } else if (data.progress !== undefined) this.#loaded(data.progress);
    else if (data.ready) this.#begin(data.problem);
    else if (data.died) this.#close();
    else if (data.failed) showFailure(data.failed);
  }

  /**
   * Deliver the first message, then send the commands that waited for it.
   * @param {string} text
   */
  #welcome(text) {
    const waiting = this.#waiting ?? [];
    const { view } = JSON.parse(text);
    const same = this.shown === null || sameGame(this.shown.view, view);
    const dropped = same ? [] : view.step === 0 ? DEEDS : [...DEEDS, 'new'];
    this.#waiting = null;
    this.#give(text);
    for (const one of waiting) {
      const { n, do: name } = JSON.parse(one);
      if (!dropped.includes(name)) this.send(one);
      else this.#give(JSON.stringify({ n, error: 'cancelled', cancelled: true }));
    }
  }

  /** @param {string} text */
  #give(text) {
    if (text.includes('"view":')) note(text);
    this.dispatchEvent(new MessageEvent('message', { data: text }));
  }

  /** @param {number} share */
  #loaded(share) {
    showProgress(share);
    if (share >= STARTING) this.#watch(null);
    else if (this.#timer === 0) this.#watch(() => this.#restart());
  }

  /** @param {string} problem */
  #begin(problem) {
    hideProgress(problem);
    this.#watch(() => this.#close());
    dispatchEvent(new Event('mineproof-ready'));
  }

  /**
   * Ping the worker from now on. Pings are counted, not seconds: a computer that sleeps sends none.
   * @param {(() => void) | null} ended called when the worker counts as dead; null to send no pings
   */
  #watch(ended) {
    clearInterval(this.#timer);
    this.#timer = this.#unanswered = 0;
    if (ended === null) return;
    this.#timer = setInterval(() => {
      if (this.#unanswered === DEAD) ended();
      else this.worker.postMessage({ ping: this.#unanswered += 1 });
    }, LOOK);
  }

  #close() {
    if (this.readyState !== 1) return;
    this.readyState = 3;
    this.#watch(null);
    this.worker.terminate();
    this.dispatchEvent(new Event('close'));
  }
}

/**
 * Return whether commands for the board in view can be applied to the real game.
 * @param {View} shown
 * @param {View} real
 */
function sameGame(shown, real) {
  const isNew = shown.step === 0 && real.step === 0;
  return (isNew || shown.key === real.key) && shown.step === real.step && JSON.stringify(shown.rules) === JSON.stringify(real.rules);
}

// ---- the board before the worker has started

/** The latest messages with a view and with settings, which are parsed only when the page closes. */
let [latest, greeting] = ['', ''];

/** @param {string} text */
function note(text) {
  latest = text;
  if (text.startsWith('{"push":"hello"')) greeting = text;
}

function keepLast() {
  if (greeting === '') return;
  const settings = globalThis.mineproof?.app.settings ?? JSON.parse(greeting).settings;
  const { view } = JSON.parse(latest);
  if (!Array.isArray(view?.cells)) return;
  try {
    localStorage.setItem(LAST, JSON.stringify({ version: BUILT.version, view: { ...view, clock_runs: false }, settings }));
  } catch {
    // no space, or not allowed: the next visit starts with an empty board
  }
}

function lastShown() {
  try {
    const last = JSON.parse(localStorage.getItem(LAST) ?? '');
    if (last.version === BUILT.version && Array.isArray(last.view.cells)) return { ...BUILT.hello, view: last.view, settings: last.settings, key: last.view.key };
  } catch {
    // nothing stored, or not readable
  }
  return BUILT.hello;
}

addEventListener('pagehide', keepLast);
addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') keepLast();
});

// ---- progress

const loading = /** @type {HTMLElement} */ (document.getElementById('loading'));
const [bar, words] = [/** @type {HTMLProgressElement} */ (loading.querySelector('progress')), /** @type {HTMLElement} */ (loading.querySelector('span'))];

let also = '';

/**
 * @param {number} share
 * @param {string} more text to add from now on
 */
function showProgress(share, more = also) {
  also = more;
  bar.value = share;
  words.textContent = (share < 0.8 ? `Loading ${Math.round(100 * share)}\u00a0%` : 'Starting') + more;
}

/** @param {string} problem */
function hideProgress(problem) {
  loading.hidden = true;
  if (problem !== '') globalThis.mineproof?.app.say(problem, 'warn');
}

/** @param {string} why */
function showFailure(why) {
  bar.hidden = true;
  words.textContent = `This page couldn’t start: ${why}`;
}

// ---- the connection

// Start the worker now, long before the rest of the page has loaded and needs it.
/** @type {WorkerCarrier | null} */
let started = new WorkerCarrier(sessionStorage.getItem('game') ?? '', lastShown());

globalThis.openSiteCarrier = (key) => {
  const carrier = started ?? new WorkerCarrier(key, null);
  started = null;
  Object.assign(globalThis, { mineproofCarrier: carrier }); // for tests, which stop its worker
  return carrier.open();
};
