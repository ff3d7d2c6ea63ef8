/** Scores kept on this machine. */

import { byId, download, element, make, press } from './dom.js';
import { percent, sentence, timeText } from './format.js';

/**
 * @typedef {import('./app.js').App} App
 * @typedef {{game: string, played: number, aided: number, won: number,
 *   best: {seconds: number, date: string}[], streak: number, longest: number,
 *   proved: number | null}} Group
 */

/** @param {App} app */
export function setUpScores(app) {
  const group = byId('group-scores', HTMLDetailsElement);
  /** @param {string} name */
  const show = async (name) => {
    const answer = await app.ask(name);
    if (answer === null) return;
    /** @type {Group[]} */
    const groups = answer.summary;
    const parts = groups.length === 0 ? [make('p', { class: 'note' }, 'No games yet.')] : groups.flatMap(table);
    element('scores').replaceChildren(...parts);
  };
  group.addEventListener('toggle', () => group.open && show('scores'));
  app.watch((what) => {
    if (what === 'view' && group.open && app.view?.end !== null) setTimeout(() => show('scores'), 1500);
  });
  press('export-scores', async () => {
    const answer = await app.ask('export_scores');
    if (answer === null) return;
    download('mineproof-scores.json', new Blob([JSON.stringify(answer.scores, null, 1)], { type: 'application/json' }));
  });
  press('erase-scores', () => {
    if (window.confirm('Erase all scores?')) show('erase_scores');
  });
}

/** @param {Group} group */
function table(group) {
  const rate = group.played === 0 ? '–' : percent(group.won / group.played);
  /** @type {[string, string][]} */
  const rows = [
    ['Won', `${group.won} of ${group.played} (${rate})`],
    ['Best times', group.best.map(({ seconds }) => timeText(seconds)).join(', ') || '–'],
    ['Wins in a row', `${group.streak}, at most ${group.longest}`],
    ['Proved moves', group.proved === null ? '–' : percent(group.proved)],
    ['With help', String(group.aided)],
  ];
  const body = rows.map(([name, value]) => make('tr', {}, make('th', { scope: 'row' }, name), make('td', {}, value)));
  return [make('h2', {}, sentence(group.game)), make('table', {}, make('tbody', {}, ...body))];
}
