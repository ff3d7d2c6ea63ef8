/** The connection to the service. No other module knows whether it is a web socket or a worker. */

/**
 * Open a connection to the service.
 * @param {string} key the game that this page showed last, or an empty string
 * @returns {Carrier}
 */
export function openCarrier(key) {
  if (globalThis.openSiteCarrier) return globalThis.openSiteCarrier(key); // a static site uses a worker
  const address = new URL('socket', location.href);
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  address.hash = '';
  address.searchParams.set('game', key);
  return new WebSocket(address.href);
}
