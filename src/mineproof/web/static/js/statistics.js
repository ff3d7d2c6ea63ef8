/** Statistics for each level: numbers and trends. */

import { change, download, element, input, make, press, select } from './dom.js';
import { confirmed } from './dialogs.js';
import { drawPlot } from './plot.js';
import { count, gameName, percent, timeText } from './words.js';

export class Statistics {
  /** @type {Group[]} */
  #groups = [];

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    change('numbers-level', () => this.#draw());
    press('export', () => this.#export());
    press('erase', () => this.#erase());
    input('import').addEventListener('change', () => this.#import());
  }

  /** Fetch the statistics and show them. */
  async show() {
    const answer = await this.app.ask('statistics');
    if (answer === null) return;
    this.#groups = answer.groups;
    const chosen = select('numbers-level').value;
    select('numbers-level').replaceChildren(...this.#groups.map(({ game }) => make('option', { value: game }, gameName(game, this.app.hello?.levels ?? {}))));
    if (this.#groups.some(({ game }) => game === chosen)) select('numbers-level').value = chosen;
    this.#draw();
  }

  #draw() {
    const group = this.#groups.find(({ game }) => game === select('numbers-level').value);
    const panel = element('numbers');
    if (group === undefined) {
      panel.replaceChildren(make('p', { class: 'note' }, 'No games yet. Finished games are counted here.'));
      return;
    }
    panel.replaceChildren(make('dl', { class: 'summary' }, ...figures(group).map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, value)))),
      bestTimes(this.#groups, this.app.hello?.levels ?? {}), make('div', { class: 'plots' }, ...trends(group).map(drawPlot)));
  }

  async #export() {
    const answer = await this.app.ask('export');
    if (answer !== null) download('mineproof-games.json', new Blob([JSON.stringify(answer.data)], { type: 'application/json' }));
  }

  async #import() {
    const file = input('import').files?.[0];
    input('import').value = '';
    if (file === undefined) return;
    try {
      const found = { games: 0, results: 0 };
      for (const data of pieces(JSON.parse(await file.text()), this.app.hello?.limits.message ?? 0)) {
        const answer = await this.app.ask('import', { data });
        if (answer === null) return;
        found.games += answer.games;
        found.results += answer.results;
      }
      this.app.say(`Imported ${count(found.games, 'new game')} and ${count(found.results, 'new result')}.`, 'good');
      this.show();
    } catch {
      this.app.say('This file is not an export of Mineproof games.', 'error');
    }
  }

  async #erase() {
    if (await confirmed('Erase all results? This can’t be undone.', [['yes', 'Erase results']]) !== 'yes') return;
    await this.app.ask('erase');
    this.show();
  }
}

/**
 * Split an export into smaller ones that each fit into a message. Leave out entries that are too large.
 * @param {Record<string, any>} data
 * @param {number} limit
 */
export function* pieces(data, limit) {
  const most = limit / 2; // some characters take more than one byte
  const fresh = () => ({ mineproof: data.mineproof, games: /** @type {Record<string, any>} */ ({}), results: /** @type {any[]} */ ([]) });
  let [piece, size] = [fresh(), 0];
  for (const [key, value] of [...Object.entries(data.games ?? {}), ...(data.results ?? []).map((/** @type {any} */ one) => ['', one])]) {
    const length = JSON.stringify(value).length + 64;
    if (length > most) continue;
    if (size + length > most) {
      yield piece;
      [piece, size] = [fresh(), 0];
    }
    if (key === '') piece.results.push(value);
    else piece.games[key] = value;
    size += length;
  }
  yield piece;
}

/**
 * Return a table of the best times of each level, with and without guesses.
 * @param {Group[]} groups
 * @param {Hello['levels']} levels
 */
function bestTimes(groups, levels) {
  const best = (/** @type {string} */ name) => groups.find(({ game }) => gameName(game, levels) === name)?.best[0]?.seconds ?? null;
  const cell = (/** @type {string} */ name) => make('td', {}, best(name) === null ? '–' : timeText(best(name) ?? 0));
  return make('table', { class: 'best-times' }, make('thead', {}, make('tr', {}, ...['Best times', 'Standard', 'No-guess'].map((text) => make('th', { scope: 'col' }, text)))),
    make('tbody', {}, ...['Beginner', 'Intermediate', 'Expert'].map((level) => make('tr', {}, make('th', { scope: 'row' }, level), cell(level), cell(`${level}, no-guess`)))));
}

/**
 * @param {Group} group
 * @returns {[string, string][]}
 */
export function figures(group) {
  const fair = group.played;
  return [
    ['Games', `${group.played + group.aided}${group.aided > 0 ? ` (${group.aided} with help)` : ''}`],
    ['Won', fair > 0 ? `${percent(group.won / fair)} of ${fair}` : '–'],
    ['95 % interval', fair > 0 ? `${percent(group.low)} to ${percent(group.high)}` : '–'],
    ['Best times', group.best.flatMap(({ seconds }) => (seconds === null ? [] : [timeText(seconds)])).slice(0, 3).join(', ') || '–'],
    ['Wins in a row', `${group.streak} now, longest ${group.longest}`],
    ['Proved moves', group.proved === null ? '–' : percent(group.proved)],
  ];
}

/**
 * @param {Group} group
 * @returns {Plot[]}
 */
export function trends({ trends: { rates, times, speeds, risks } }) {
  const plain = (/** @type {number} */ value) => value.toFixed(value < 10 ? 1 : 0);
  return [
    { title: 'Win rate over 20 games', points: rates, write: percent, to: 1 },
    { title: 'Winning times', points: times, write: timeText, line: false },
    { title: '3BV per second in wins', points: speeds, write: plain },
    { title: 'Avoidable risks per game', points: risks, write: plain, to: 1 },
  ];
}
