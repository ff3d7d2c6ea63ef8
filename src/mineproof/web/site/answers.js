/** A worker that answers questions. */

import { startPython } from './python.js';

self.onmessage = async ({ data: parts }) => {
  const python = await startPython(parts);
  const { BrowserAnswers } = python.pyimport('mineproof.web.browser');
  const answers = BrowserAnswers((/** @type {number} */ number, /** @type {string} */ kind, /** @type {string} */ text) => {
    self.postMessage({ number, kind, text });
  });
  self.onmessage = ({ data }) => answers.ask(data.number, data.text);
  self.postMessage({ kind: 'ready' });
};
