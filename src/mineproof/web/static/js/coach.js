/** The coach: reads a player's games, sums up the mistakes, and turns them into drills. */

import { ServiceError } from './app.js';
import { closeDialog } from './dialogs.js';
import { button, element, input, make, press } from './dom.js';
import { RESULTS } from './games.js';
import { drawPlot } from './plot.js';
import { fileData } from './share.js';
import { count, gameName } from './words.js';

/**
 * @param {App} app
 * @param {import('./share.js').Share} share
 * @param {import('./learn.js').Learn} learn
 */
export function setUpCoach(app, share, learn) {
  /** @type {Drill[]} */
  let own = [];
  input('coach-files').addEventListener('change', async () => {
    const files = [...input('coach-files').files ?? []];
    /** @type {Coached[]} */
    const games = [];
    const faults = [];
    for (const [i, file] of files.entries()) {
      element('coach-note').textContent = `Reading ${i + 1} of ${files.length}: ${file.name}…`;
      try {
        const data = await fileData(file, app);
        if (data === null) throw new ServiceError({ error: 'the file is too large' });
        games.push(...(await app.connection.ask('coach', { name: file.name, data, first: i === 0 })).coach);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        faults.push(`Skipped ${file.name}: ${error.message}`);
      }
    }
    input('coach-files').value = '';
    element('coach-note').textContent = faults.join(' ');
    const found = games.length > 0 ? (await app.ask('coaching'))?.coaching : null;
    own = found?.own ?? [];
    element('coach-found').replaceChildren(...(found ? summary(found, games) : []));
    element('coach-games').replaceChildren(...games.map((game) => row(game)));
    button('practise').hidden = !own.length;
    button('practise').textContent = `Practise ${count(own.length, 'position')}`;
  });
  press('practise', () => {
    closeDialog('games');
    learn.puzzles.practise(own);
  });

  /** @param {Coached} game */
  function row(game) {
    const open = make('button', {}, 'Open');
    open.addEventListener('click', () => share.open(game.record));
    const about = game.mistakes.every(({ exact }) => exact) ? '' : 'about ';
    const cost = game.cost > 0.005 ? `, which cost ${about}${game.cost.toFixed(2)} wins` : '';
    return make('li', {}, make('strong', {}, gameName(game.level, app.hello?.levels ?? {})), make('span', {}, RESULTS[game.result] ?? game.result),
      make('span', { class: 'note' }, `${game.name}: ${count(game.mistakes.length, 'avoidable risk')}${cost}`), make('span', { class: 'side' }, open));
  }
}

/**
 * @param {Coaching} found
 * @param {Coached[]} games
 */
function summary(found, games) {
  const most = String(Math.max(1e-9, ...found.missed.map(({ cost }) => cost)));
  const decimals = (/** @type {number} */ value) => value.toFixed(2);
  return [
    ...found.text.map((text) => make('p', {}, text)),
    make('h3', {}, 'What you missed and what it cost you'),
    make('ul', { class: 'missed' }, ...found.missed.map(({ words, times, cost }) => make('li', {}, make('span', {}, words),
      make('span', {}, `${count(times, 'time')}, ${(100 * Math.max(0, cost) / games.length).toFixed(1)} wins per 100 games`),
      make('progress', { max: most, value: String(Math.max(0, cost)), 'aria-hidden': 'true' })))),
    make('div', { class: 'plots' }, ...[
      { title: 'Wins lost to avoidable risks', points: games.map(({ cost }) => ({ value: Math.max(0, cost) })), write: decimals },
      { title: 'Efficiency', points: games.map(({ efficiency }) => ({ value: efficiency ?? 0 })), write: decimals },
    ].map(drawPlot)),
  ];
}
