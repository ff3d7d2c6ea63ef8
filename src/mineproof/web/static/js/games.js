/** The list of saved games, in progress and finished. Each opens with all its moves. */

import { byId, change, element, make, press, select } from './dom.js';
import { closeDialog, confirmed, openDialog } from './dialogs.js';
import { markTab, setUpTabs } from './tabs.js';
import { count, gameName, helpText, timeText } from './words.js';

/** @type {Record<string, string>} */
export const RESULTS = { win: 'won', loss: 'lost', stuck: 'given up', running: 'in progress' };
/** @type {Record<string, string>} */
const COLOURS = { win: 'proved', loss: 'avoidable risk', stuck: 'best guess', running: '' };

export class Games {
  /** @type {GameEntry[]} */
  #games = [];

  /**
   * @param {App} app
   * @param {import('./statistics.js').Statistics} statistics
   */
  constructor(app, statistics) {
    this.app = app;
    const list = byId('games', HTMLDialogElement).querySelector('[role="tablist"]');
    if (!(list instanceof HTMLElement)) throw new Error('the dialog has no tabs');
    setUpTabs(list, (tab) => {
      markTab(list, tab);
      for (const id of ['list', 'numbers', 'share']) element(`games-${id}`).hidden = tab.id !== `games-tab-${id}`;
      if (tab.id === 'games-tab-numbers') statistics.show();
    });
    press('open-games', () => this.open());
    change('filter-level', () => this.#draw());
    change('filter-result', () => this.#draw());
  }

  async open() {
    openDialog('games');
    element('games-tab-list').click();
    await this.#ask('games');
  }

  /**
   * @param {string} name
   * @param {Record<string, any>} fields
   */
  async #ask(name, fields = {}) {
    const answer = await this.app.ask(name, fields);
    if (answer === null) return;
    this.#games = unique(answer.games, this.app.view?.key);
    const chosen = select('filter-level').value;
    const levels = [...new Set(this.#games.map((game) => this.#levelOf(game)))];
    select('filter-level').replaceChildren(make('option', { value: '' }, 'all'), ...levels.map((level) => make('option', { value: level }, level)));
    select('filter-level').value = levels.includes(chosen) ? chosen : '';
    this.#draw();
  }

  #draw() {
    const [level, result] = [select('filter-level').value, select('filter-result').value];
    const shown = this.#games.filter((game) => (level === '' || this.#levelOf(game) === level) && (result === '' || resultOf(game) === result));
    element('game-list').replaceChildren(...(shown.length === 0
      ? [make('li', { class: 'note' }, 'No games match.')]
      : shown.map((game) => this.#row(game))));
  }

  /** @param {GameEntry} game */
  #levelOf(game) {
    const { rows, columns, mines } = game.rules;
    return gameName(`${rows}x${columns}/${mines ?? '?'}`, this.app.hello?.levels ?? {});
  }

  /** @param {GameEntry} game */
  #row(game) {
    const result = resultOf(game);
    const open = make('button', {}, game.key === this.app.view?.key ? 'In view' : result === 'running' ? 'Resume' : 'Replay');
    const forget = make('button', { 'aria-label': 'Delete this game' }, '✕');
    open.addEventListener('click', () => this.#open(game));
    forget.addEventListener('click', () => this.#forget(game));
    return make('li', { 'data-key': game.key }, make('span', { class: 'dot', 'data-kind': COLOURS[result] }), make('strong', {}, dailyDate(game) === null ? this.#levelOf(game) : `Daily board ${dailyDate(game)}`),
      make('span', {}, RESULTS[result] ?? result), make('span', { class: 'note' }, `${count(game.moves, 'move')}, ${timeText(game.seconds)}${helpText(game)}`),
      make('span', { class: 'side' }, make('span', { class: 'note' }, dateText(game.date)), open, forget));
  }

  /** @param {GameEntry} game */
  async #open(game) {
    closeDialog('games');
    this.app.goTo('play');
    if (game.key === this.app.view?.key) return;
    await this.app.command('open_game', { key: game.key });
  }

  /** @param {GameEntry} game */
  async #forget(game) {
    if (await confirmed('Delete this game and its moves?', [['yes', 'Delete']]) === 'yes') await this.#ask('forget_game', { key: game.key });
  }
}

/**
 * Leave out copies of finished games, which come from opening a saved file.
 * @param {GameEntry[]} games the latest first
 * @param {string | undefined} inView the key of the game in view, which stays
 */
function unique(games, inView) {
  const same = (/** @type {GameEntry} */ one) => JSON.stringify([one.seed, one.rules, one.result, one.moves, one.seconds]);
  const kept = new Map();
  for (const game of games) if (game.result === null || !kept.has(same(game)) || kept.get(same(game)).key !== inView) kept.set(game.result === null ? game.key : same(game), game);
  const shown = new Set(kept.values());
  return games.filter((game) => shown.has(game));
}

/**
 * Return the date of a daily board; null for other games. Its seed is its date.
 * @param {GameEntry} game
 */
function dailyDate({ seed, date, rules }) {
  return rules.rows === 16 && rules.columns === 16 && /^20\d{6}$/.test(seed ?? '') && date.startsWith(String(seed).slice(0, 4)) ? `${seed?.slice(0, 4)}-${seed?.slice(4, 6)}-${seed?.slice(6)}` : null;
}

/** @param {GameEntry} game */
function resultOf(game) {
  return game.result ?? 'running';
}

/**
 * Return a date in a short form, and any other text unchanged.
 * @param {string} date
 */
export function dateText(date) {
  const when = new Date(date);
  return !/^\d{4}-/.test(date) || Number.isNaN(when.getTime()) ? date : when.toLocaleString('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
}
