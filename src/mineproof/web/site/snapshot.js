/**
 * Python's memory as it is when all has been imported: kept by the first visit, so that later
 * ones need not start Python and import everything again. It fits one build and one browser.
 */

import { BUILT } from './built.js';

const CACHE = 'python of mineproof'; // not among those that the service worker looks after
const PLACE = new URL('snapshot', import.meta.url).href;
const ADDRESS = `${PLACE}?${new URLSearchParams({ build: BUILT.python, browser: navigator.userAgent })}`;

/** @returns {Promise<ArrayBuffer | null>} */
export async function readSnapshot() {
  return (await find())?.arrayBuffer() ?? null;
}

export async function hasSnapshot() {
  return (await find()) !== null;
}

async function find() {
  try {
    return await (await caches.open(CACHE)).match(ADDRESS) ?? null;
  } catch {
    return null; // not allowed here
  }
}

/**
 * Keep a snapshot in the place of earlier ones.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export async function keepSnapshot(bytes) {
  await forgetSnapshot();
  try {
    await (await caches.open(CACHE)).put(ADDRESS, new Response(bytes));
  } catch {
    // no room, or not allowed: the next visit starts as this one
  }
}

/** Forget all snapshots of this site. */
export async function forgetSnapshot() {
  try {
    const cache = await caches.open(CACHE);
    for (const { url } of await cache.keys()) {
      if (url.startsWith(PLACE)) await cache.delete(url);
    }
  } catch {
    // there is none where none can be kept
  }
}
