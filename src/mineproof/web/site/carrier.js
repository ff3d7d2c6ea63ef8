/**
 * The way from the page to its service where there is no server: a worker that looks like a web
 * socket. Until it is there the page shows the board it showed last, or an empty one; what is
 * done meanwhile is kept and done then.
 */

import { BUILT } from './built.js';

const LAST = 'mineproof-last';
/** Milliseconds between two looks at whether the worker still lives, and after which it does not. */
const [LOOK, DEAD] = [3000, 12_000];
/** What is done to a game: it must not be done to another one. */
const DEEDS = ['open', 'chord', 'mark', 'undo', 'redo', 'restart', 'stop', 'pause', 'agent_move'];

class WorkerCarrier extends EventTarget {
  readyState = 1;
  /** @type {string[] | null} what waits for the worker */
  #waiting = [];
  /** The first message, where it came before anybody listened. */
  #early = /** @type {string | null} */ (null);
  #listened = false;
  #heard = Date.now();
  #timer = 0;

  /**
   * @param {string} key
   * @param {Record<string, any> | null} shown what the page shows until the worker is there
   */
  constructor(key, shown) {
    super();
    this.shown = shown;
    this.worker = new Worker(new URL('games.js', import.meta.url), { type: 'module' });
    this.worker.onmessage = ({ data }) => this.#read(data);
    this.worker.onerror = () => this.#close();
    this.worker.postMessage({ key, again: shown === null });
  }

  /** Begin to give messages: somebody listens in a moment. Until then the worker may be there. */
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
      if (DEEDS.includes(JSON.parse(text).do)) showProgress(bar.value, ': your move waits');
    } else this.worker.postMessage({ text });
  }

  /** @param {any} data */
  #read(data) {
    this.#heard = Date.now();
    if (data.text !== undefined) {
      if (!this.#listened) this.#early = data.text;
      else if (this.#waiting !== null) this.#welcome(data.text);
      else this.#give(data.text);
    } else if (data.progress !== undefined) showProgress(data.progress);
    else if (data.ready) this.#watch(data.problem);
    else if (data.died) this.#close();
    else if (data.failed) showFailure(data.failed);
  }

  /**
   * Take in the first message, then what was done before it came.
   * @param {string} text
   */
  #welcome(text) {
    const waiting = this.#waiting ?? [];
    const same = this.shown === null || sameGame(this.shown.view, JSON.parse(text).view);
    this.#waiting = null;
    this.#give(text);
    for (const one of waiting) {
      const { n, do: name } = JSON.parse(one);
      if (same || !DEEDS.includes(name)) this.send(one);
      else this.#give(JSON.stringify({ n, error: 'cancelled', cancelled: true }));
    }
  }

  /** @param {string} text */
  #give(text) {
    if (text.includes('"view":')) note(text);
    this.dispatchEvent(new MessageEvent('message', { data: text }));
  }

  /** @param {string} problem */
  #watch(problem) {
    hideProgress(problem);
    this.#timer = setInterval(() => {
      if (Date.now() - this.#heard > DEAD) this.#close();
      else this.worker.postMessage({ ping: Date.now() });
    }, LOOK);
    dispatchEvent(new Event('mineproof-ready'));
  }

  #close() {
    if (this.readyState !== 1) return;
    this.readyState = 3;
    clearInterval(this.#timer);
    this.worker.terminate();
    this.dispatchEvent(new Event('close'));
  }
}

/**
 * Whether what is done to the one can be done to the other.
 * @param {View} shown
 * @param {View} real
 */
function sameGame(shown, real) {
  const isNew = shown.step === 0 && real.step === 0;
  return (isNew || shown.key === real.key) && shown.step === real.step && JSON.stringify(shown.rules) === JSON.stringify(real.rules);
}

// ---- what the page shows before the worker is there

/** The latest texts with a view and with settings, read only when the page goes. */
let [latest, greeting] = ['', ''];

/** @param {string} text */
function note(text) {
  latest = text;
  if (text.startsWith('{"push":"hello"')) greeting = text;
}

function keepLast() {
  if (greeting === '') return;
  const settings = globalThis.mineproof?.bench.settings ?? JSON.parse(greeting).settings;
  const { view } = JSON.parse(latest);
  if (!Array.isArray(view?.cells)) return;
  try {
    localStorage.setItem(LAST, JSON.stringify({ version: BUILT.version, view: { ...view, clock_runs: false }, settings }));
  } catch {
    // no room, or not allowed: the next visit begins with an empty board
  }
}

function lastShown() {
  try {
    const last = JSON.parse(localStorage.getItem(LAST) ?? '');
    if (last.version === BUILT.version && Array.isArray(last.view.cells)) return { ...BUILT.hello, view: last.view, settings: last.settings, key: last.view.key };
  } catch {
    // nothing, or nothing that can be read
  }
  return BUILT.hello;
}

addEventListener('pagehide', keepLast);
addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') keepLast();
});

// ---- progress

const place = /** @type {HTMLElement} */ (document.getElementById('loading'));
const [bar, words] = [/** @type {HTMLProgressElement} */ (place.querySelector('progress')), /** @type {HTMLElement} */ (place.querySelector('span'))];

let also = '';

/**
 * @param {number} share
 * @param {string} more what else is to be said from now on
 */
function showProgress(share, more = also) {
  also = more;
  bar.value = share;
  words.textContent = (share < 0.8 ? `Loading ${Math.round(100 * share)} %` : 'Starting') + more;
}

/** @param {string} problem */
function hideProgress(problem) {
  place.hidden = true;
  if (problem !== '') globalThis.mineproof?.bench.say(problem, 'warn');
}

/** @param {string} why */
function showFailure(why) {
  bar.hidden = true;
  words.textContent = `This page could not start: ${why}`;
}

// ---- the way itself

// The worker starts now, long before the rest of the page is there and asks for it.
/** @type {WorkerCarrier | null} */
let started = new WorkerCarrier(sessionStorage.getItem('game') ?? '', lastShown());

globalThis.openSiteCarrier = (key) => {
  const carrier = started ?? new WorkerCarrier(key, null);
  started = null;
  Object.assign(globalThis, { mineproofCarrier: carrier }); // for tests, which end its worker
  return carrier.open();
};
