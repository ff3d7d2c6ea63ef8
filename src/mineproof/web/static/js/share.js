/** Sharing: ids and texts to copy and paste, files to save and open, a picture of the board. */

import { copy } from './choice.js';
import { area, change, download, input, press } from './dom.js';

/** @typedef {import('./app.js').App} App */

/**
 * @param {App} app
 * @param {{open: (text: string) => void}} analysis
 */
export function setUpShare(app, analysis) {
  /** @param {Record<string, any>} fields */
  const open = async (fields) => {
    const answer = await app.ask('load', fields);
    if (answer === null) return;
    if (answer.position !== undefined) {
      analysis.open(answer.position);
      return;
    }
    app.show(answer.view);
    app.say('Opened.', 'good');
  };
  /** @param {(answer: Record<string, any>) => void} use */
  const share = async (use) => {
    const answer = await app.ask('share');
    if (answer !== null) use(answer);
  };
  const name = () => (app.view?.id ?? 'game').replace(/[^\w.-]+/g, '-').slice(0, 60);
  /** @param {string} text */
  const plain = (text) => new Blob([text], { type: 'text/plain' });

  press('copy-game', () => share((answer) => copy(app, answer.record)));
  press('copy-position', () => share((answer) => copy(app, answer.position)));
  press('save-record', () => share((answer) => download(`${name()}.json`, plain(`${answer.record}\n`))));
  press('save-position', () => share((answer) => download(`${name()}.mine`, plain(answer.position))));
  press('save-board', () => share((answer) => {
    if (answer.board === null) app.say('A board can be saved when its game has ended, up to 255 x 255 cells.', 'error');
    else download(`${name()}.mbf`, new Blob([bytes(answer.board)]));
  }));
  press('save-picture', () => {
    const largest = Math.max(app.board.grid.rows, app.board.grid.columns);
    const picture = app.board.picture(Math.max(8, Math.min(32, Math.floor(8000 / largest))));
    picture.toBlob((blob) => blob !== null && download(`${name()}.png`, blob));
  });
  press('open-paste', () => open({ text: area('paste').value }));
  change('file', async () => {
    const file = input('file').files?.[0];
    if (file === undefined) return;
    const most = Math.floor(((app.hello?.limits.message ?? 65536) * 3) / 4) - 1024;
    if (file.size > most) {
      app.say(`This file is too large for the page (${most} bytes at most). Start with: mineproof web FILE`, 'error');
    } else {
      await open({ name: file.name, data: base64(new Uint8Array(await file.arrayBuffer())) });
    }
    input('file').value = '';
  });
}

/** @param {string} text */
function bytes(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** @param {Uint8Array} data */
function base64(data) {
  let text = '';
  for (const byte of data) text += String.fromCharCode(byte);
  return btoa(text);
}
