/** The coach: what the player misses most in the saved games, what it costs, and one button to practise it. */

import { ServiceError } from './connection.js';
import { BoardView } from './boardview.js';
import { button, element, input, make, press } from './dom.js';
import { dateText, RESULTS } from './games.js';
import { Grid, readPosition } from './grid.js';
import { drawPlot } from './plot.js';
import { richText } from './proof.js';
import { fileData } from './share.js';
import { count, gameName, percent, sentence } from './words.js';

/** Milliseconds after the start until the coach checks the saved games. */
const START = 4000;
/** Milliseconds between two checks of the coach's progress. */
const PAUSE = 1500;
/** Number of games that each point of the plot covers. */
const WINDOW = 10;

/**
 * @param {App} app
 * @param {import('./share.js').Share} share
 * @param {import('./learn.js').Learn} learn
 * @param {(move: number) => void} visitMove
 */
export function setUpCoach(app, share, learn, visitMove) {
  /** @type {Coached[] | null} the games in files that the player chose; null for the saved games */
  let files = null;
  let timer = 0;
  let shown = '';
  const inView = () => app.tab === 'learn' && app.modes.learn === 'coach';

  const draw = async () => {
    const found = /** @type {Coaching | undefined} */ ((await app.ask('coaching', { kept: files === null }))?.coaching);
    if (found === undefined || !inView()) return;
    const drawn = `${JSON.stringify(found)} ${document.documentElement.dataset.theme}`;
    if (drawn === shown && files === null) return; // a button that is being clicked must not be replaced
    shown = drawn;
    element('coach-found').replaceChildren(...summary(found, {
      practise: () => learn.practise(found.own.filter(({ kind }) => kind === found.practise), found.practise),
      open: (one) => openMistake(one),
    }));
    element('coach-games').replaceChildren(...(files ?? []).map((game) => row(game)));
  };
  const look = async () => {
    clearTimeout(timer);
    const answer = await app.ask('coach_kept');
    if (answer === null || !inView() || files !== null) return;
    const { waiting, paused } = answer;
    await draw();
    const left = waiting === 0 ? 'All your saved games are checked.' : `${count(waiting, 'saved game')} left to check.`;
    element('coach-note').textContent = paused ? `Paused. ${left}` : left;
    button('coach-pause').textContent = paused ? 'Resume' : 'Pause';
    if (waiting > 0 && !paused) timer = window.setTimeout(look, PAUSE);
  };
  learn.onCoach = () => {
    if (files !== null) return;
    element('coach-note').textContent = 'Reading your games…';
    look();
  };
  app.on('hello', () => {
    if (!app.hello?.loading) setTimeout(() => app.connection.ask('coach_kept').catch(() => {}), START);
  });
  app.on('settings', () => inView() && draw()); // in the colours of the theme
  press('coach-pause', () => {
    if (files === null) app.remember({ coach: app.settings.coach === false });
    files = null;
    learn.onCoach();
  });
  input('coach-files').addEventListener('change', async () => {
    files = await readFiles(app);
    if (files.length === 0) {
      files = null;
      return;
    }
    await draw();
    button('coach-pause').textContent = 'My games';
  });

  /**
   * Open a game at one of its mistakes.
   * @param {Costly} mistake
   */
  async function openMistake({ key, name, number }) {
    const game = key === null ? (files ?? []).find((one) => one.name === name) : undefined;
    app.goTo('play');
    if (game ? !(await share.open(game.record)) : key !== app.view?.key && !(await app.command('open_game', { key }))) return;
    visitMove(number);
  }

  /** @param {Coached} game */
  function row(game) {
    const open = make('button', {}, 'Open');
    open.addEventListener('click', () => share.open(game.record));
    return make('li', {}, make('strong', {}, gameName(game.level, app.hello?.levels ?? {})), make('span', {}, RESULTS[game.result] ?? game.result),
      make('span', { class: 'note' }, `${game.name}: ${count(game.mistakes.length, 'avoidable risk')}`), make('span', { class: 'side' }, open));
  }
}

/**
 * Send the chosen files to the coach and return its reports. The note names the files that were skipped.
 * @param {App} app
 */
async function readFiles(app) {
  /** @type {Coached[]} */
  const games = [];
  const faults = [];
  const chosen = [...input('coach-files').files ?? []];
  for (const [i, file] of chosen.entries()) {
    element('coach-note').textContent = `Reading ${i + 1} of ${chosen.length}: ${file.name}…`;
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
  return games;
}

/**
 * @param {Coaching} found
 * @param {{practise: () => void, open: (mistake: Costly) => void}} acts
 */
function summary(found, acts) {
  const [first] = found.missed;
  if (first === undefined) return [nothing(found)];
  const about = `${count(found.games, 'game')}, ${found.won} won`;
  const own = found.own.filter(({ kind }) => kind === found.practise).length;
  const trained = found.missed.find(({ missed }) => missed === found.practise);
  const kind = first === trained ? '' : ` No puzzles train ${first.words}, so these train ${trained?.words}.`;
  const practise = make('button', { class: 'main', id: 'practise' }, first === trained ? 'Practise' : `Practise ${trained?.words}`);
  practise.addEventListener('click', acts.practise);
  const few = found.games < WINDOW;
  const cost = few && first.times > 0 ? [`You missed it ${count(first.times, 'time')} (${about}). After ${WINDOW} games, the coach estimates how many wins that costs you.`] : first.cost > 0.005
    ? [`Missing it ${count(first.times, 'time')} cost you about `, make('strong', { class: 'price' }, `${first.cost.toFixed(1)} wins`), ` (${about}).`]
    : first.times > 0 ? [`You missed it ${count(first.times, 'time')} (${about}).`] : [`It cost you ${first.seconds.toFixed(0)} seconds (${about}).`];
  return [
    make('div', { class: 'card finding' },
      make('div', {}, make('h2', {}, first.times > 0 ? 'What you miss most' : 'What takes you longest'), make('p', { class: 'title', role: 'heading', 'aria-level': '2' }, sentence(first.words)), make('p', { class: 'lead' }, ...cost),
        ...(found.practise === null ? [] : [make('div', { class: 'row' }, practise, make('span', { class: 'note' }, `${own > 0 ? `${count(own, 'position')} from your own games first.` : 'Puzzles of this kind.'}${kind}`))])),
      ...(found.example === null ? [] : [example(found.example)])),
    make('div', { class: 'card' }, make('h2', {}, few ? 'What you missed' : 'Wins lost'), missedList(found), make('p', { class: 'note' }, few ? '' : found.text.find((text) => text.startsWith('Your guesses')) ?? '')),
    make('div', { class: 'card' }, make('h2', {}, 'Avoidable risks per game'), drawPlot({ title: few ? 'Each game' : `Mean of ${WINDOW} games`, points: few ? found.risks.map((value) => ({ value })) : means(found.risks).slice(WINDOW - 1), write: (value) => value.toFixed(few ? 0 : 1), to: 1 })),
    ...(found.costliest.length === 0 ? [] : [make('div', { class: 'card' }, make('h2', {}, 'Costliest mistakes, by win chance'), make('ul', { class: 'costly' }, ...found.costliest.map((one) => costly(one, acts.open))))]),
  ];
}

/** @param {Coaching} found */
function nothing(found) {
  const words = found.games === 0 ? ['Play a game first', 'The coach checks every game that you finish, and shows here what you missed.']
    : ['No avoidable risks', `The coach checked ${count(found.games, 'game')} and found no avoidable risk.`];
  return make('div', { class: 'card finding' }, make('div', {}, make('p', { class: 'title', role: 'heading', 'aria-level': '2' }, words[0]), make('p', { class: 'lead' }, words[1])));
}

/** @param {Coaching} found */
function missedList({ missed, games }) {
  const most = String(Math.max(1e-9, ...missed.map(({ cost }) => cost)));
  return make('ul', { class: 'missed' }, ...missed.filter(({ times }) => times > 0).map(({ words, times, cost }) => make('li', {},
    make('span', {}, make('strong', {}, sentence(words)), make('span', { class: 'note' }, ` missed ${count(times, 'time')}`)), make('strong', {}, games < WINDOW ? '' : Math.max(0, cost).toFixed(1)),
    make('progress', { max: most, value: String(Math.max(0, cost)), 'aria-hidden': 'true' }))));
}

/**
 * Return the means over the latest games at each game.
 * @param {number[]} values
 */
function means(values) {
  return values.map((_, i) => {
    const latest = values.slice(Math.max(0, i + 1 - WINDOW), i + 1);
    return { value: latest.reduce((a, b) => a + b, 0) / latest.length };
  });
}

/** @param {{position: string, why: Why}} shown */
function example({ position, why }) {
  const last = why.steps.at(-1);
  const clues = why.steps.flatMap((step) => step.clues);
  const text = why.steps.map((step) => `${sentence(step.text)}.`).join(' ');
  return make('figure', { class: 'example' }, smallBoard(position, [...clues, why.cell], 30, { clues, lit: last?.cells ?? [], targets: [why.cell] }),
    make('figcaption', {}, make('span', {}, 'From your own game. '), richText('span', text)));
}

/**
 * @param {Costly} one
 * @param {(mistake: Costly) => void} open
 */
function costly(one, open) {
  const fall = one.before === null || one.after === null ? '' : `${percent(one.before)} → ${percent(one.after)}`;
  const made = make('button', {}, ...(one.position === null ? [] : [smallBoard(one.position, [one.cell], 15, { played: [{ cell: one.cell, glyph: one.glyph }] })]),
    make('span', {}, make('strong', {}, `${dateText(one.name)}, move ${one.number}`), make('span', {}, `You missed ${one.words}.`), make('span', { class: 'price' }, fall)));
  made.addEventListener('click', () => open(one));
  return make('li', {}, made);
}

/**
 * Return a picture of the part of a board around some cells.
 * @param {string} position
 * @param {Cell[]} cells the last one is the most important
 * @param {number} size
 * @param {Overlays} overlays
 */
function smallBoard(position, cells, size, overlays) {
  const cell = cells[cells.length - 1];
  const [[top, bottom], [left, right]] = [0, 1].map((axis) => [Math.min(...cells.map((one) => one[axis])), Math.max(...cells.map((one) => one[axis]))]);
  const host = make('span', { class: 'small-board', role: 'img', 'aria-label': `The board around (${cell[0]}, ${cell[1]})` });
  host.style.setProperty('--cell', `${size}px`);
  host.style.setProperty('--rows', String(Math.max(5, Math.min(9, bottom - top + 3))));
  host.style.setProperty('--columns', String(Math.max(7, Math.min(11, right - left + 3))));
  const read = readPosition(position);
  requestAnimationFrame(() => {
    if (read === null || !host.isConnected) return;
    const board = new BoardView(host, false);
    board.show(new Grid(read.rows));
    board.cursor = [Math.round((top + bottom) / 2), Math.round((left + right) / 2)];
    board.overlays = overlays;
    board.resizeCells({ least: size, most: size });
  });
  return host;
}
