/**
 * What is kept in the browser: one record for each game, result and setting. The number of the
 * database is the form in which they are kept; a later version of the page raises it and turns
 * what it finds into its own form, and a page that meets a later form keeps nothing.
 */

export const FORM = 1;
const NAME = 'mineproof';
const STORE = 'kept';

/**
 * Open the storage and read all of it.
 * @param {(store: string, key: string, text: string) => void} learn told what other tabs keep
 * @returns {Promise<Kept>}
 */
export async function openStorage(learn) {
  const others = new BroadcastChannel(NAME);
  others.onmessage = ({ data }) => learn(data.store, data.key, data.text);
  try {
    const base = await open();
    base.onversionchange = () => base.close(); // a later version of the page is about to begin
    const found = await settled(base.transaction(STORE).objectStore(STORE).getAll());
    found.sort((/** @type {KeptRecord} */ a, /** @type {KeptRecord} */ b) => a.at - b.at);
    return { records: found, problem: '', keep: (store, key, text) => keep(base, others, { store, key, text, at: Date.now() }) };
  } catch (error) {
    const problem = error instanceof DOMException && error.name === 'VersionError'
      ? 'A later version of this page keeps your games: reload to get it. Until then nothing is kept.'
      : 'This browser lets the page keep nothing: games are gone when it closes.';
    return { records: [], problem, keep: () => {} };
  }
}

function open() {
  const request = indexedDB.open(NAME, FORM);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: ['store', 'key'] });
  return settled(request);
}

/**
 * @param {IDBDatabase} base
 * @param {BroadcastChannel} others
 * @param {KeptRecord} record
 */
function keep(base, others, record) {
  try {
    const change = base.transaction(STORE, 'readwrite', { durability: 'relaxed' });
    if (record.text === '') change.objectStore(STORE).delete([record.store, record.key]);
    else change.objectStore(STORE).put(record);
    change.commit(); // at once: the tab may be closed in the next moment
    others.postMessage(record);
  } catch (error) {
    console.warn('expected to keep', record.store, error);
  }
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function settled(request) {
  return new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
}
