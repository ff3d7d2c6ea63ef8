/** The status line below the board, the counters above it, and the cover of a paused board. */

import { dailySeed } from './choice.js';
import { button, element, fit, refit } from './dom.js';
import { clockText, sentence } from './words.js';

/** @param {App} app */
export function setUpStatus(app) {
  const line = element('message');
  let room = 0;
  app.status = (text, kind = 'note') => {
    line.dataset.kind = kind;
    fit(line, text, room);
  };
  new ResizeObserver(([{ contentRect }]) => {
    room = Math.floor(contentRect.width / parseFloat(getComputedStyle(line).fontSize)); // far fewer than two lines hold
    refit(line);
  }).observe(line);
  app.speak = (text) => {
    const live = element('live');
    live.textContent = live.textContent === text ? `${text}\u00a0` : text; // a repeated text is spoken only if it differs
  };
  app.on('position', () => app.status(...lineOf(app)));
  app.on('mode', () => app.status(...lineOf(app)));
  app.on('view', () => showCounts(app));
  app.on('position', () => showCounts(app));
  setInterval(() => tick(app), 200);
  stopClockOutOfSight(app);
}

/**
 * Tell the service whether the board can be seen, because the clock stands still while it cannot.
 * @param {App} app
 */
function stopClockOutOfSight(app) {
  let away = false;
  let game = '';
  const update = async () => {
    const on = app.tab === 'play' && !document.hidden && document.querySelector('dialog[open]') === null;
    if (app.view === null || (on === !away && app.view.key === game)) return;
    if (app.view.key !== game) away = false;
    game = app.view.key;
    if (on === !away) return;
    away = !on;
    const answer = await app.connection.ask('look', { on }).catch(() => null);
    if (answer === null || away === on) return;
    Object.assign(app.view, { seconds: answer.seconds, clock_runs: answer.clock_runs });
    app.viewed = performance.now();
    tick(app);
  };
  for (const change of /** @type {const} */ (['tab', 'view'])) app.on(change, update);
  app.on('hello', () => { game = ''; });
  document.addEventListener('visibilitychange', update);
  for (const dialog of document.querySelectorAll('dialog')) new MutationObserver(update).observe(dialog, { attributes: true, attributeFilter: ['open'] });
}

/**
 * Return the status text of the current position, and its kind. Each new position replaces it, so that no old message stays.
 * @param {App} app
 * @returns {[string, 'note' | 'good' | 'warn']}
 */
function lineOf(app) {
  const { position, view } = app;
  if (app.modes[app.tab] === 'series') return ['', 'note'];
  if (app.replayed !== null) return [`Replay: ${position.title}.`, 'note'];
  if (position.source === 'past') return [`You are viewing ${position.title}. Past moves can’t be changed.`, 'note'];
  if (position.source !== 'game' || view === null) return [position.title === '' ? '' : sentence(`${position.title}.`), 'note'];
  const mine = view.end?.result === 'loss' && view.hits === 1 ? ' You hit a mine.' : '';
  const daily = view.seed === dailySeed() ? `Daily board of ${new Date().toISOString().slice(0, 10)}: ` : '';
  return [`${sentence(daily + view.text)}.`.replace('..', '.') + mine, view.end?.result === 'win' ? 'good' : 'note'];
}

/** @param {App} app */
function showCounts(app) {
  const { view, positions } = app;
  if (app.tab === 'learn') {
    const { grid, mines } = app.position;
    element('mines').textContent = mines === null ? '?' : String(mines - grid.letters.filter((letter) => letter === 'F').length);
    return;
  }
  if (view === null) return;
  const past = positions.play.source === 'past';
  const marked = positions.play.grid.letters.filter((letter) => letter === 'F' || letter === 'M').length;
  const left = past && view.rules.mines !== null ? view.rules.mines - marked : view.mines_left;
  const exploded = !past && left !== null && view.end?.result === 'loss' ? 1 : 0; // the mine that ended the game has no flag
  element('mines').textContent = view.end?.result === 'win' && !past ? '0' : left === null ? '?' : String(left + exploded);
  button('pause').setAttribute('aria-pressed', String(view.state === 'paused'));
  button('pause').disabled = view.end !== null || view.state === 'ready';
  button('undo').disabled = view.step === 0;
  tick(app);
}

/** @param {App} app */
function tick(app) {
  if (app.view === null) return;
  const running = app.view.clock_runs ? (performance.now() - app.viewed) / 1000 : 0;
  const words = clockText(app.replayed ?? app.view.seconds + running);
  if (element('clock').textContent !== words) element('clock').textContent = words;
}
