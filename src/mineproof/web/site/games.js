/**
 * The worker that holds the games. The page exchanges text messages with it, as with a web socket.
 * Only this worker reads and writes the storage; other workers answer questions for it.
 */

import { Answerers } from './answerers.js';
import { BUILT } from './built.js';
import { fetchParts, startPython } from './python.js';
import { forgetSnapshot, hasSnapshot, readSnapshot } from './snapshot.js';
import { openStorage } from './storage.js';

/** Milliseconds to wait for a game that a closing tab may still hold. */
const HANDOVER = 1000;
/** Milliseconds to wait before making a snapshot, so that it does not slow down the start. */
const SETTLED = 8000;
/** Questions about a game that another tab may hold. */
const OF_A_GAME = ['open_game', 'forget_game'];

/** @type {any} */
let games = null;
/** @type {Map<string, () => void>} the games that this tab holds, with functions to release them */
const held = new Map();

self.onmessage = async ({ data }) => {
  if (data.ping !== undefined) self.postMessage({ pong: data.ping });
  else if (data.text === undefined) await begin(data.key, data.again);
  else {
    // Python handles its own errors. An error here means that it has crashed, so ask for a new worker.
    await receive(data.text).catch((error) => self.postMessage({ died: String(error) }));
  }
};

/**
 * @param {string} key
 * @param {boolean} again whether an earlier worker crashed
 */
async function begin(key, again) {
  try {
    if (again) await forgetSnapshot(); // in case the snapshot caused the crash
    const reading = openStorage((store, name, text) => games?.learn(store, name, text));
    const parts = fetchParts((share) => self.postMessage({ progress: 0.8 * share }));
    const answerers = new Answerers(() => startWorker('answers.js', parts), (number, kind, text) => games.receive_answer(number, kind, text));
    const snapshot = await readSnapshot();
    if (snapshot === null) answerers.warmUp(); // both start in parallel
    const fetched = await parts;
    self.postMessage({ progress: 0.85 }); // from here on this worker may not answer for long
    const { BrowserGames } = await startPython(fetched, snapshot);
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
    self.postMessage({ text: JSON.stringify({ n, error: 'this game is open in another tab. Close it there first.' }) });
    return;
  }
  games.receive(text);
  hold();
}

// ---- each game is open in one tab at most

/**
 * Choose the game to show: the last one of this tab, or otherwise the latest that no other tab shows.
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
 * Lock a game, so that no other tab can show it.
 * @param {string} key
 * @returns {Promise<boolean>} whether this tab holds the lock
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

/** Lock the game that the page shows now, and release the others. */
function hold() {
  const shown = games.key;
  if (!held.has(shown)) claim(shown);
  for (const [key, release] of held) {
    if (key === shown) continue;
    held.delete(key);
    release();
  }
}
