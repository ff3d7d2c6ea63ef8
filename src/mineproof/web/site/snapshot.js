/**
 * A snapshot of Python's memory after all imports. The first visit stores it, so that later visits
 * need not start Python and import everything again. It is valid for one build and one browser.
 */

import { BUILT } from './built.js';

const CACHE = 'python of mineproof'; // not one of the caches that the service worker manages
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
    return null; // this browser does not allow storage
  }
}

/**
 * Store a snapshot and delete earlier ones.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export async function keepSnapshot(bytes) {
  await forgetSnapshot();
  try {
    await (await caches.open(CACHE)).put(ADDRESS, new Response(bytes));
  } catch {
    // no space, or not allowed: the next visit starts without a snapshot
  }
}

/** Delete all snapshots of this site. */
export async function forgetSnapshot() {
  try {
    const cache = await caches.open(CACHE);
    for (const { url } of await cache.keys()) {
      if (url.startsWith(PLACE)) await cache.delete(url);
    }
  } catch {
    // storage is not allowed, so there is no snapshot
  }
}
