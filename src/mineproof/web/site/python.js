/** Python in a web worker. Its parts are fetched once and passed on to other workers. */

import { BUILT } from './built.js';
import { Border, Core, installCore } from './core.js';
import { forgetSnapshot, keepSnapshot } from './snapshot.js';

const RUNTIME = new URL('../pyodide/', import.meta.url).href;
const HERE = new URL('.', import.meta.url);
const PACKS = ['library', 'mineproof'];
// Large scripts, which exist only in a built site. They load while other parts are fetched.
// @ts-ignore
const scripts = Promise.all([import('../pyodide/pyodide.mjs'), import('../pyodide/pyodide.asm.mjs')]);

/**
 * Fetch the parts of Python.
 * @param {(share: number) => void} progress called with the share that has arrived, 0 to 1
 * @returns {Promise<PythonParts>}
 */
export async function fetchParts(progress) {
  const total = Object.values(BUILT.sizes).reduce((sum, size) => sum + size, 0);
  let loaded = 0;
  const count = (/** @type {number} */ bytes) => progress(Math.min(1, (loaded += bytes) / total));
  const core = BUILT.core ? compile(new URL('core.wasm', HERE).href, () => {}) : null;
  const packs = PACKS.map((name) => fetchPack(new URL(`${name}.pack`, HERE).href, count));
  const runtime = compile(`${RUNTIME}pyodide.asm.wasm`, count);
  const [library, mineproof] = await Promise.all(packs);
  return { runtime: await runtime, core: await core, library, mineproof };
}

/**
 * @param {string} address
 * @param {(bytes: number) => void} count
 */
async function compile(address, count) {
  const response = await fetched(address);
  read(response.clone(), count, false).catch(() => {}); // the browser compiles the original and caches the compiled code
  const isNamed = response.headers.get('Content-Type')?.startsWith('application/wasm');
  return isNamed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/**
 * Fetch a pack. It is already compressed, because many hosts do not compress such files.
 * @param {string} address
 * @param {(bytes: number) => void} count
 */
async function fetchPack(address, count) {
  const packed = await read(await fetched(address), count);
  const head = new Uint8Array(await packed.slice(0, 2).arrayBuffer());
  if (head[0] !== 0x1f || head[1] !== 0x8b) return packed.arrayBuffer(); // the host declared the compression, so the browser has undone it
  return new Response(packed.stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

/** @param {string} address */
async function fetched(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`could not load ${address}: status ${response.status}`);
  return response;
}

/**
 * @param {Response} response
 * @param {(bytes: number) => void} count
 * @param {boolean} keep
 */
async function read(response, count, keep = true) {
  const parts = [];
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (keep) parts.push(next.value);
    count(next.value.length);
  }
  return new Blob(/** @type {BlobPart[]} */ (parts));
}

/**
 * Start Python, from a snapshot if there is one, and import the package.
 * @param {PythonParts} parts
 * @param {ArrayBuffer | null} snapshot
 * @returns {Promise<any>} the module `mineproof.web.browser`
 */
export async function startPython(parts, snapshot) {
  const border = borderOf(parts);
  if (snapshot !== null) {
    try {
      const _snapshotDeserializer = (/** @type {string} */ name) => border?.find(name);
      const browser = importBrowser(await load(parts, { _loadSnapshot: snapshot, _snapshotDeserializer }));
      browser.wake();
      return browser;
    } catch (error) {
      console.warn('could not use the snapshot', error);
      await forgetSnapshot();
    }
  }
  return importBrowser(await load(parts, {}), border);
}

/**
 * Make a snapshot for later visits, from a Python instance that is used only for this.
 * @param {PythonParts} parts
 */
export async function makeSnapshot(parts) {
  const border = borderOf(parts);
  const python = await load(parts, { _makeSnapshot: true });
  importBrowser(python, border).rehearse();
  await keepSnapshot(python.makeMemorySnapshot({ serializer: (/** @type {object} */ thing) => border?.nameOf(thing) }));
}

/** @param {PythonParts} parts */
function borderOf({ core }) {
  return core === null ? null : new Border(new Core(core));
}

/**
 * @param {any} python
 * @param {Border | null} border
 */
function importBrowser(python, border = null) {
  if (border !== null) installCore(python, border);
  return python.pyimport('mineproof.web.browser');
}

/**
 * @param {PythonParts} parts
 * @param {object} options
 */
async function load(parts, options) {
  const [{ loadPyodide }, { default: createPyodideModule }] = await scripts;
  hand(parts);
  const python = await loadPyodide({
    indexURL: RUNTIME,
    stdLibURL: `${RUNTIME}library`,
    lockFileContents: BUILT.lock,
    createPyodideModule,
    env: { HOME: '/home/mineproof', PYTHONDONTWRITEBYTECODE: '1' },
    fsInit: async (/** @type {any} */ files, /** @type {{sitePackages: string}} */ { sitePackages }) => {
      unpack(files, sitePackages, parts.mineproof);
    },
    ...options,
  });
  delete python._api.config._loadSnapshot; // frees a lot of memory
  return python;
}

/**
 * Make Pyodide use the parts that are already fetched and compiled, instead of the network.
 * @param {PythonParts} parts
 */
function hand(parts) {
  const { fetch } = globalThis;
  globalThis.fetch = async (address, options) => {
    if (String(address) === `${RUNTIME}library`) return Object.assign(new Response(), { arrayBuffer: async () => parts.library });
    if (String(address) === `${RUNTIME}pyodide.asm.wasm`) return new Response();
    return fetch(address, options);
  };
  WebAssembly.instantiateStreaming = async (_response, imports) => (
    { module: parts.runtime, instance: await WebAssembly.instantiate(parts.runtime, imports) });
}

/**
 * Unpack an archive of uncompressed files into a folder.
 * @param {any} files
 * @param {string} folder
 * @param {ArrayBuffer} archive
 */
function unpack(files, folder, archive) {
  const view = new DataView(archive);
  const folders = new Set();
  let at = view.getUint32(archive.byteLength - 22 + 16, true); // the end of the archive gives the offset of its directory
  while (view.getUint32(at, true) === 0x02014b50) {
    const [size, name, extra, note] = [view.getUint32(at + 20, true), ...[28, 30, 32].map((where) => view.getUint16(at + where, true))];
    const path = `${folder}/${new TextDecoder().decode(new Uint8Array(archive, at + 46, name))}`;
    const head = view.getUint32(at + 42, true);
    const begin = head + 30 + view.getUint16(head + 26, true) + view.getUint16(head + 28, true);
    const parent = path.slice(0, path.lastIndexOf('/'));
    if (!folders.has(parent)) files.mkdirTree(parent);
    folders.add(parent);
    files.writeFile(path, new Uint8Array(archive, begin, size), { canOwn: true });
    at += 46 + name + extra + note;
  }
}
