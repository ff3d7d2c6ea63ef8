/** The settings dialog and the table of keyboard shortcuts. */

import { change, element, input, make, press, select } from './dom.js';
import { openDialog } from './dialogs.js';
import { KEYS } from './keys.js';
import { followTheme } from './theme.js';

/** @type {[string, string][]} the id of a menu, and its setting */
const LISTS = [['theme', 'theme'], ['numbers-look', 'numbers'], ['cell-size', 'cellSize']];
/** @type {[string, string, boolean][]} the id of a checkbox, its setting, and the default */
const BOXES = [['sound', 'sound', false], ['verdicts', 'verdicts', false], ['ask-first', 'askFirst', true], ['chording', 'chording', true], ['flag-wins', 'flagWins', true], ['question-marks', 'questionMarks', false]];

/**
 * @param {App} app
 * @param {() => BoardView[]} boards
 * @param {() => void} recoloured
 */
export function setUpSettings(app, boards, recoloured) {
  const apply = followTheme(() => app.settings, () => {
    for (const board of boards()) board.recolour();
    recoloured();
  });
  for (const [id, name] of LISTS) change(id, () => app.remember({ [name]: select(id).value }));
  for (const [id, name] of BOXES) change(id, () => app.remember({ [name]: input(id).checked }));
  for (const id of ['flag-wins', 'question-marks']) change(id, () => app.positions.play.source === 'game' && app.toNow());
  press('open-settings', () => openDialog('settings'));
  press('open-help', () => openDialog('help'));
  showKeys();
  app.on('hello', () => show(app));
  app.on('settings', () => {
    apply();
    resize(app, boards()[0]);
  });
}

/** @param {App} app */
function show(app) {
  for (const [id, name] of LISTS) select(id).value = String(app.settings[name] ?? '');
  for (const [id, name, first] of BOXES) input(id).checked = app.settings[name] ?? first;
  element('about').textContent = `Mineproof ${app.hello?.version}, ${app.hello?.backend} backend. Nothing leaves this device.`;
}

let sized = '';

/**
 * @param {App} app
 * @param {BoardView} board
 */
function resize(app, board) {
  const wanted = String(app.settings.cellSize ?? '');
  if (wanted === sized) return;
  sized = wanted;
  board.resizeCells(wanted === '' ? null : { least: Number(wanted), most: Number(wanted) });
}

function showKeys() {
  const rows = KEYS.map(([key, , words]) => make('tr', {}, make('td', {}, make('kbd', {}, key)), make('td', {}, words)));
  element('keys').querySelector('tbody')?.replaceChildren(...rows);
}
