/** A worker that makes a snapshot of Python for later visits, and ends. */

import { makeSnapshot } from './python.js';

self.onmessage = async ({ data: parts }) => {
  await makeSnapshot(parts).catch((error) => console.warn('expected to make a snapshot', error));
  self.close();
};
