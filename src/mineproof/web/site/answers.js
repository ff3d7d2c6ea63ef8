/** A worker that answers questions. */

import { startPython } from './python.js';
import { readSnapshot } from './snapshot.js';

const snapshot = readSnapshot();

self.onmessage = async ({ data: parts }) => {
  const { BrowserAnswers } = await startPython(parts, await snapshot);
  const answers = BrowserAnswers((/** @type {number} */ number, /** @type {string} */ kind, /** @type {string} */ text) => {
    self.postMessage({ number, kind, text });
  });
  self.onmessage = ({ data }) => answers.ask(data.number, data.text);
  self.postMessage({ kind: 'ready' });
};
