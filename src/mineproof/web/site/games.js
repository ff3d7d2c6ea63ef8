/**
 * The worker that holds the games. To the page it looks like a web socket: texts come and go.
 * It alone reads and writes what is kept; other workers answer questions for it.
 */

import { Answerers } from './answerers.js';
import { BUILT } from './built.js';
import { fetchParts, startPython } from './python.js';
import { forgetSnapshot, hasSnapshot, readSnapshot } from './snapshot.js';
import { openStorage } from './storage.js';

/** Milliseconds for which a game is waited for that a closing tab may still hold. */
const HANDOVER = 1000;
/** Milliseconds after which the start is over, and there is time to prepare later ones. */
const SETTLED = 8000;
/** Which questions name a game that another tab may hold. */
const OF_A_GAME = ['open_game', 'forget_game'];

/** @type {any} */
let games = null;
/** @type {Map<string, () => void>} the games that this tab holds, and how to let them go */
const held = new Map();

self.onmessage = async ({ data }) => {
  if (data.ping !== undefined) self.postMessage({ pong: data.ping });
  else if (data.text === undefined) await begin(data.key, data.again);
  else {
    // Python catches its own errors: what comes here is its end, and another worker is wanted.
    await receive(data.text).catch((error) => self.postMessage({ died: String(error) }));
  }
};

/**
 * @param {string} key
 * @param {boolean} again whether another worker died
 */
async function begin(key, again) {
  try {
    if (again) await forgetSnapshot(); // in case it was the reason
    const reading = openStorage((store, name, text) => games?.learn(store, name, text));
    const parts = fetchParts((share) => self.postMessage({ progress: 0.8 * share }));
    const answerers = new Answerers(() => startWorker('answers.js', parts), (number, kind, text) => games.told(number, kind, text));
    const snapshot = await readSnapshot();
    if (snapshot === null) answerers.warmUp(); // both start side by side
    const { BrowserGames } = await startPython(await parts, snapshot);
    self.postMessage({ progress: 0.9 });
    const kept = await reading;
    const host = {
      send: (/** @type {string} */ text) => self.postMessage({ text }),
      keep: kept.keep,
      ask: answerers.ask.bind(answerers),
      cancel: answerers.cancel.bind(answerers),
    };
    const records = JSON.stringify(kept.records.map(({ store, key: name, text }) => [store, name, text]));
    games = BrowserGames(host, records, await choose(key, kept.records), JSON.stringify(BUILT.hello.agents));
    hold();
    self.postMessage({ ready: true, problem: kept.problem });
    answerers.warmUp();
    setTimeout(async () => {
      if (!(await hasSnapshot())) startWorker('keeper.js', parts);
    }, SETTLED);
  } catch (error) {
    self.postMessage({ failed: String(error) });
  }
}

/**
 * @param {string} script
 * @param {Promise<PythonParts>} parts
 */
function startWorker(script, parts) {
  const worker = new Worker(new URL(script, import.meta.url), { type: 'module' });
  parts.then((found) => worker.postMessage(found), () => {});
  return worker;
}

/** @param {string} text */
async function receive(text) {
  const { n, do: name, key } = JSON.parse(text);
  if (name === 'own_agent') {
    games.own_agent(text);
    return;
  }
  if (OF_A_GAME.includes(name) && !(await claim(key))) {
    self.postMessage({ text: JSON.stringify({ n, error: 'expected a game that no other tab shows' }) });
    return;
  }
  games.receive(text);
  hold();
}

// ---- one tab for each game

/**
 * Choose the game to show: the one that this tab showed, else the latest that no tab shows.
 * @param {string} key
 * @param {KeptRecord[]} records
 */
async function choose(key, records) {
  for (const began = Date.now(); key !== '' && Date.now() - began < HANDOVER;) {
    if (await claim(key)) return key;
    await new Promise((done) => setTimeout(done, 50));
  }
  for (const record of records.filter(({ store }) => store === 'games').reverse()) {
    if (await claim(record.key)) return record.key;
  }
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Hold a game, so that no other tab can show it.
 * @param {string} key
 * @returns {Promise<boolean>} whether it is ours
 */
function claim(key) {
  if (held.has(key) || navigator.locks === undefined) return Promise.resolve(true);
  return new Promise((done) => {
    navigator.locks.request(`mineproof ${key}`, { ifAvailable: true }, (lock) => {
      done(lock !== null);
      return lock === null ? undefined : new Promise((release) => held.set(key, () => release(undefined)));
    });
  });
}

/** Hold the game that the page shows now, and let the others go. */
function hold() {
  const shown = games.key;
  if (!held.has(shown)) claim(shown);
  for (const [key, release] of held) {
    if (key === shown) continue;
    held.delete(key);
    release();
  }
}
