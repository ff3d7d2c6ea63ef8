/** Playing: the status line, the five buttons, mouse, touch and keys. */

import { button, element, press } from './dom.js';
import { chanceText, sentence, timeText } from './format.js';
import { commandOf, cursorAfter } from './keys.js';
import { announce, primaryAction } from './model.js';
import { Tip } from './tip.js';

/**
 * @typedef {import('./app.js').App} App
 * @typedef {import('./types.js').Cell} Cell
 * @typedef {import('./types.js').View} View
 * @typedef {{help: ReturnType<typeof import('./help.js').setUpHelp>,
 *   agent: ReturnType<typeof import('./agent.js').setUpAgent>,
 *   knowledge: ReturnType<typeof import('./knowledge.js').setUpKnowledge>}} Parts
 */

/**
 * @param {App} app
 * @param {import('./boardview.js').Handlers} handlers
 * @param {Parts} parts
 */
export function setUpPlay(app, handlers, parts) {
  const { help } = parts;
  const tip = new Tip(element('tip'));

  /** @param {string} name @param {Cell} cell */
  const move = async (name, cell) => {
    if (!app.playing) {
      sayWhyNot(app);
      return;
    }
    help.clear();
    const done = await app.command(name, { cell });
    if (done && name !== 'mark') help.judge();
    say(announce(app.board.grid, cell[0], cell[1]));
  };
  /** @param {Cell} cell */
  const primary = (cell) => {
    if (help.asking()) {
      help.why(cell);
      return;
    }
    const letter = app.board.grid.at(cell[0], cell[1]);
    const action = primaryAction(letter);
    if (letter === 'F') app.say('This cell is marked: take the mark away first (F, right click, long press).');
    else if (action !== null) move(action, cell);
  };
  handlers.tap = primary;
  handlers.mark = (cell) => {
    if (matchMedia('(pointer: coarse)').matches) navigator.vibrate?.(15);
    move('mark', cell);
  };
  handlers.chord = (cell) => move('chord', cell);
  handlers.hover = (cell, x, y) => tip.show(cell, x, y, app.board);

  const commands = actions(app, parts, primary, move);
  press('new', commands.new);
  press('again', commands.again);
  press('undo', commands.undo);
  press('pause', commands.pause);
  press('hint', commands.hint);
  listenKeys(app, commands);
  app.watch(() => showState(app));
}

/**
 * What each command of the table of keys does.
 * @param {App} app
 * @param {Parts} parts
 * @param {(cell: Cell) => void} primary
 * @param {(name: string, cell: Cell) => void} move
 * @returns {Record<string, () => void>}
 */
function actions(app, parts, primary, move) {
  const { help, agent, knowledge } = parts;
  /** @param {string} name @param {Record<string, any>} fields */
  const fresh = (name, fields = {}) => {
    help.clear();
    agent.stop();
    app.say('');
    app.command(name, fields);
  };
  return {
    open: () => primary(app.board.cursor),
    mark: () => move('mark', app.board.cursor),
    chord: () => move('chord', app.board.cursor),
    new: () => fresh('new'),
    again: () => fresh('restart'),
    undo: () => fresh('undo'),
    redo: () => fresh('redo'),
    pause: () => fresh('pause', { on: app.view?.state !== 'paused' }),
    hint: () => help.hint(),
    guess: () => help.mayGuess(),
    why: () => help.why(app.board.cursor),
    ai: () => agent.move(),
    autoplay: () => agent.toggle(),
    inference: () => knowledge.toggle('inference'),
    heat: () => knowledge.toggle('heat'),
    larger: () => app.board.zoom(1.25),
    smaller: () => app.board.zoom(0.8),
    fit: () => app.board.fit(),
    stop: () => {
      agent.stop();
      help.clear();
      app.say('');
    },
  };
}

/**
 * @param {App} app
 * @param {Record<string, () => void>} commands
 */
function listenKeys(app, commands) {
  document.addEventListener('keydown', (event) => {
    if (element('play').hidden || isTyping(event.target)) return;
    const onBoard = document.activeElement === app.board.canvas || document.activeElement === document.body;
    const onButton = document.activeElement instanceof HTMLButtonElement && event.key.startsWith('Arrow');
    const next = onBoard || onButton ? cursorAfter(event, app.board.cursor, app.board.grid) : null;
    if (next !== null) {
      event.preventDefault();
      app.board.canvas.focus({ preventScroll: true });
      app.board.moveCursor(next);
      say(announce(app.board.grid, next[0], next[1], app.board.overlays.risk?.[next[0] * app.board.grid.columns + next[1]]));
      return;
    }
    const command = commandOf(event);
    if (command === null || (!onBoard && (event.key === 'Enter' || event.key === ' '))) return;
    event.preventDefault();
    commands[command]();
  });
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !['checkbox'].includes(target.type);
}

/** @param {App} app */
function sayWhyNot(app) {
  if (app.replay !== null) app.say('This is an earlier move. Go to the last move to play on.');
  else if (app.view?.end) app.say('The game has ended. N begins a new one, U takes the last move back.');
}

/** @param {string} text */
function say(text) {
  element('live').textContent = text;
}

/** @param {App} app */
function showState(app) {
  const { view } = app;
  if (view === null) return;
  element('mines').textContent = view.mines_left === null ? '?' : String(view.mines_left);
  const state = element('state');
  state.textContent = stateText(view);
  state.dataset.state = view.state;
  button('undo').disabled = view.step === 0 && view.state !== 'stuck';
  button('again').disabled = view.step === 0;
  const pause = button('pause');
  pause.disabled = view.end !== null || view.state === 'ready';
  pause.setAttribute('aria-pressed', String(view.state === 'paused'));
  button('hint').disabled = view.end !== null || view.state === 'paused';
  app.board.canvas.setAttribute('aria-label', `Minesweeper board, ${view.rules.rows} rows, ${view.rules.columns} columns, ${stateText(view)}`);
  showResult(view);
}

/** @param {View} view */
function stateText(view) {
  const deaths = view.deaths === 0 ? '' : `, ${view.deaths} ${view.deaths === 1 ? 'death' : 'deaths'}`;
  if (view.end !== null) return sentence(view.text) + deaths;
  if (view.state === 'ready') return 'Open a cell to begin';
  if (view.state === 'paused') return 'Paused';
  const hits = view.hits === 0 ? '' : `, ${view.hits} exploded`;
  return `${view.moves} ${view.moves === 1 ? 'move' : 'moves'}${hits}${deaths}`;
}

/** @param {View} view */
function showResult(view) {
  const list = element('result');
  list.hidden = view.end === null;
  if (view.end === null || list.dataset.of === `${view.id}/${view.step}`) return;
  list.dataset.of = `${view.id}/${view.step}`;
  const metrics = view.end.metrics ?? {};
  const efficiency = metrics.efficiency;
  /** @type {[string, string][]} */
  const figures = [
    ['Time', timeText(view.seconds)],
    ['3BV', `${metrics['3bv_solved'] ?? 0} of ${metrics['3bv'] ?? 0}`],
    ['Clicks', String(metrics.clicks ?? 0)],
    ['Efficiency', typeof efficiency === 'number' ? `${Math.round(efficiency * 100)} %` : '–'],
    ['Luck it took', '…'],
    ['Proved moves', '…'],
  ];
  list.replaceChildren(...figures.map(([name, value]) => {
    const box = document.createElement('div');
    const term = document.createElement('dt');
    term.textContent = name;
    const text = document.createElement('dd');
    text.textContent = value;
    text.dataset.figure = name;
    box.append(term, text);
    return box;
  }));
}

/**
 * Put what the review found into the result.
 * @param {import('./types.js').Review} review
 */
export function showLuck(review) {
  const find = (/** @type {string} */ name) => document.querySelector(`[data-figure="${name}"]`);
  const luck = find('Luck it took');
  const proved = find('Proved moves');
  if (luck) luck.textContent = review.guesses === 0 ? 'none' : chanceText(review.luck);
  if (proved) proved.textContent = `${review.proved} of ${review.moves}`;
}
