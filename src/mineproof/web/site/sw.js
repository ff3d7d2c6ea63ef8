/**
 * The service worker: caches all files of one version of the site, so that it works offline. A new
 * version is fetched while the old one stays active. It takes over when a page loads and no other
 * tab shows the site, so that it never interrupts a game.
 */

const VERSION = '{{version}}';
/** Every file of the site, with the beginning of its SHA-256. */
const FILES = {{files}};
const CACHE = `mineproof-${VERSION}`;

self.addEventListener('install', (event) => event.waitUntil(fill()));
self.addEventListener('activate', (event) => event.waitUntil(tidy()));
self.addEventListener('message', (event) => {
  if (event.data === 'take over') event.waitUntil(takeOver());
});
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method === 'GET' && request.url.startsWith(self.registration.scope)) event.respondWith(answer(request));
});

/** Fetch all files. Files that have not changed are copied from the cache of an older version. */
async function fill() {
  const cache = await caches.open(CACHE);
  for (const [path, hash] of Object.entries(FILES)) {
    const address = new URL(path, self.registration.scope).href;
    await cache.put(address, await found(address, hash) ?? await fetched(address, hash));
  }
}

async function found(address, hash) {
  for (const name of await ours()) {
    const response = await (await caches.open(name)).match(address);
    if (response !== undefined && await fits(response, hash)) return response;
  }
  return null;
}

async function fetched(address, hash) {
  const response = await fetch(address, { cache: 'no-cache' });
  if (!response.ok || !(await fits(response, hash))) throw new Error(`${address} does not belong to version ${VERSION}`);
  return response;
}

async function fits(response, hash) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await response.clone().arrayBuffer()));
  return Array.from(digest.subarray(0, hash.length / 2), (byte) => byte.toString(16).padStart(2, '0')).join('') === hash;
}

async function tidy() {
  for (const name of await ours()) {
    if (name !== CACHE) await caches.delete(name);
  }
}

/** Return the caches of this site. Other sites of the same host may use another path. */
async function ours() {
  const found = [];
  for (const name of await caches.keys()) {
    const [first] = name.startsWith('mineproof-') ? await (await caches.open(name)).keys() : [];
    if (name === CACHE || first?.url.startsWith(self.registration.scope)) found.push(name);
  }
  return found;
}

async function answer(request) {
  const isPage = request.mode === 'navigate' && [self.registration.scope, `${self.registration.scope}index.html`].includes(request.url.split(/[?#]/)[0]);
  const cached = await (await caches.open(CACHE)).match(isPage ? `${self.registration.scope}index.html` : request, { ignoreSearch: true });
  return cached ?? fetch(request);
}

/** Take over the page that asks, if it is the only one. */
async function takeOver() {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (windows.filter(({ url }) => url.startsWith(self.registration.scope)).length < 2) await self.skipWaiting();
}
