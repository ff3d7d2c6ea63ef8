/** What carries the messages. This is the one place that knows; the rest of the page does not. */

/**
 * Open a way to the service.
 * @param {string} key the game that this page showed last, or nothing
 * @returns {Carrier}
 */
export function openCarrier(key) {
  if (globalThis.openSiteCarrier) return globalThis.openSiteCarrier(key); // a static site: a worker
  const address = new URL('socket', location.href);
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  address.hash = '';
  address.searchParams.set('game', key);
  return new WebSocket(address.href);
}
