/**
 * Links that contain a position (`#p=…`) or a game (`#g=…`) as compressed text of limited size.
 * They contain no code, no token and no file name.
 */

/** The longest link to make or read, in characters. */
export const MOST_LINK = 16_384;
/** The longest text that a link may contain, in characters. */
export const MOST_TEXT = 60_000;

/**
 * Return the part of a link after the address.
 * @param {Linked['kind']} kind
 * @param {string} text
 * @returns {Promise<string | null>} null if it would be too long
 */
export async function makeLink(kind, text) {
  if (text.length > MOST_TEXT) return null;
  const packed = await pack(new TextEncoder().encode(text));
  const link = `#${kind === 'position' ? 'p' : 'g'}=${toBase64(packed).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
  return link.length > MOST_LINK ? null : link;
}

/**
 * Return the content of a link.
 * @param {string} hash
 * @returns {Promise<Linked | null>} null if the link contains neither a position nor a game
 */
export async function readLink(hash) {
  const found = /#([pg])=([A-Za-z0-9_-]+)$/.exec(hash.trim());
  if (found === null || hash.length > MOST_LINK + 500) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await unpack(fromBase64(found[2].replaceAll('-', '+').replaceAll('_', '/'))));
    return { kind: found[1] === 'p' ? 'position' : 'game', text };
  } catch {
    return null;
  }
}

/** @param {Uint8Array} bytes */
async function pack(bytes) {
  const packed = new Blob([/** @type {BlobPart} */ (bytes)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/**
 * Decompress bytes. Throw an error if the result is too long.
 * @param {Uint8Array} bytes
 */
async function unpack(bytes) {
  const reader = new Blob([/** @type {BlobPart} */ (bytes)]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  /** @type {Uint8Array[]} */
  const parts = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > MOST_TEXT) throw new Error('too long');
    parts.push(next.value);
  }
  return new Uint8Array(await new Blob(/** @type {BlobPart[]} */ (parts)).arrayBuffer());
}

/** @param {Uint8Array} bytes */
export const toBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

/** @param {string} text */
export const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
