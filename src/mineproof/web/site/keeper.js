/** A worker that makes a snapshot of Python for later visits, and then stops. */

import { makeSnapshot } from './python.js';

self.onmessage = async ({ data: parts }) => {
  await makeSnapshot(parts).catch((error) => console.warn('could not make a snapshot', error));
  self.close();
};
