/** Look and keys: colours, zoom, the table of keys. */

import { change, element, make, press, select } from './dom.js';
import { KEYS } from './keys.js';
import { drawLegend } from './knowledge.js';
import { followTheme } from './theme.js';

/**
 * @typedef {import('./app.js').App} App
 * @typedef {import('./boardview.js').BoardView} BoardView
 */

/**
 * @param {App} app
 * @param {BoardView[]} others
 * @param {() => BoardView[]} racing
 */
export function setUpLook(app, others, racing) {
  const apply = followTheme(() => select('theme').value, () => {
    for (const board of [app.board, ...others, ...racing()]) board.recolour();
    drawLegend();
  });
  change('theme', () => {
    app.remember({ theme: select('theme').value });
    apply();
  });
  press('zoom-in', () => app.board.zoom(1.25));
  press('zoom-out', () => app.board.zoom(0.8));
  press('zoom-fit', () => app.board.fit());
  const rows = KEYS.map(([key, , words]) => make('tr', {}, make('td', {}, make('kbd', {}, key)), make('td', {}, words)));
  element('keys').querySelector('tbody')?.replaceChildren(...rows);
  app.watch((what) => {
    if (what !== 'hello') return;
    select('theme').value = app.settings.theme ?? '';
    apply();
    element('about').textContent = `Mineproof ${app.hello?.version}, ${app.hello?.backend} backend. Nothing leaves this machine.`;
  });
}
