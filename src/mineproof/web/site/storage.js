/**
 * Storage in the browser: one record for each game, result and setting. The version of the database
 * is the version of the record format. A later page may raise it and convert existing records; a
 * page that finds a later format stores nothing.
 */

export const FORM = 1;
const NAME = 'mineproof';
const STORE = 'kept';

/**
 * Open the storage and read all of it.
 * @param {(store: string, key: string, text: string) => void} learn called with the records that other tabs store
 * @returns {Promise<Kept>}
 */
export async function openStorage(learn) {
  const others = new BroadcastChannel(NAME);
  others.onmessage = ({ data }) => learn(data.store, data.key, data.text);
  try {
    const base = await open();
    base.onversionchange = () => base.close(); // a later version of the page is starting
    const found = await settled(base.transaction(STORE).objectStore(STORE).getAll());
    found.sort((/** @type {KeptRecord} */ a, /** @type {KeptRecord} */ b) => a.at - b.at);
    return { records: found, problem: '', keep: (store, key, text) => keep(base, others, { store, key, text, at: Date.now() }) };
  } catch (error) {
    const problem = error instanceof DOMException && error.name === 'VersionError'
      ? 'Your games were saved by a later version of this page. Reload to get it. Until then, nothing is saved.'
      : 'This browser doesn’t let the page save anything. Your games will be lost when you close it.';
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
    change.commit(); // immediately, because the tab may close at any moment
    others.postMessage(record);
  } catch (error) {
    console.warn('could not save', record.store, error);
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
