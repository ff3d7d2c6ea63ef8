/**
 * Links that contain a position (`#p=…`) or a game (`#g=…`) as compressed text of limited size, or
 * name what a tab shows (`#tab=…`). More fields say which agent and which step are in view. Links
 * contain no code, no token and no file name.
 */

/** The longest link to make or read, in characters. */
export const MOST_LINK = 16_384;
/** The longest text that a link may contain, in characters. */
export const MOST_TEXT = 60_000;

/**
 * Return the part of a link after the address.
 * @param {'position' | 'game'} kind
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
 * @param {string} text a whole address, or its part from `#` on
 * @returns {Promise<Linked | null>} null if the text is not a link
 */
export async function readLink(text) {
  const hash = text.trim().split('#')[1];
  if (hash === undefined || hash.length > MOST_LINK + 500) return null;
  const fields = new URLSearchParams(hash);
  const packed = fields.get('p') ?? fields.get('g');
  if (packed === null) return fields.has('tab') ? { kind: 'tab', text: '', fields } : null;
  try {
    const found = new TextDecoder('utf-8', { fatal: true }).decode(await unpack(fromBase64(packed.replaceAll('-', '+').replaceAll('_', '/'))));
    return { kind: fields.has('p') ? 'position' : 'game', text: found, fields };
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
