/** Keyboard shortcuts for the whole page. */

import { element } from './dom.js';
import { openDialog } from './dialogs.js';
import { commandOf, cursorAfter } from './keys.js';

/**
 * @param {App} app
 * @param {Boards} boards
 * @param {Parts} parts
 */
export function setUpKeyboard(app, boards, parts) {
  const commands = commandTable(app, boards, parts);
  leaveControlsToMouse();
  document.addEventListener('keydown', (event) => {
    if (isTyping(document.activeElement) || document.querySelector('dialog[open]') !== null) return;
    const onBoard = document.activeElement === element('board');
    if ((!onBoard || boards.main.clicked) && stepThrough(event, app, boards, parts)) return;
    if (onBoard && moveCursor(event, boards)) return;
    if (onBoard && app.tab === 'analyse' && !event.ctrlKey && !event.metaKey && !event.altKey && parts.analyse.drawKey(event.key, boards.main.cursor)) return;
    const name = commandOf(event);
    if (name === null || commands[name] === undefined) return;
    if (!onBoard && !actsUnderMouse(name, event.target, boards)) return;
    event.preventDefault();
    commands[name]();
  });
}

/** Take the focus from a menu, slider or tab once the mouse has set it, so that the keys act on the game again. */
function leaveControlsToMouse() {
  let byMouse = false;
  addEventListener('pointerdown', () => { byMouse = true; }, true);
  addEventListener('keydown', (event) => {
    const list = event.target instanceof HTMLSelectElement && byMouse ? event.target : null;
    byMouse = false;
    if (list === null || list.closest('dialog') || !['ArrowLeft', 'ArrowRight'].includes(event.key)) return;
    event.preventDefault(); // the mouse chose nothing new, and the arrow steps through the game
    list.blur();
  }, true);
  for (const kind of ['change', 'click']) {
    addEventListener(kind, ({ target }) => {
      const left = target instanceof HTMLElement && target.matches(kind === 'click' ? '#tabs button' : 'select, [type="range"]');
      if (byMouse && left && !target.closest('dialog')) target.blur();
    });
  }
}

/**
 * @param {App} app
 * @param {Boards} boards
 * @param {Parts} parts
 * @returns {Record<string, () => void>}
 */
function commandTable(app, boards, parts) {
  const { play, choice, advice, chances, agent, analyse, visitMistake, lecture } = parts;
  const inPlay = (/** @type {() => void} */ act) => () => app.tab === 'play' && act();
  return {
    open: () => (app.tab === 'analyse' ? analyse.enter(boards.main.target) : boards.main.handlers.tap?.(boards.main.target)),
    mark: () => boards.main.handlers.mark?.(boards.main.target),
    chord: () => boards.main.handlers.chord?.(boards.main.target),
    new: inPlay(choice.fresh),
    again: inPlay(choice.again),
    undo: () => (app.tab === 'analyse' ? analyse.undo() : app.tab === 'play' && play.undo()),
    redo: inPlay(play.redo),
    pause: inPlay(play.pause),
    hint: () => advice.hint(),
    why: () => (boards.cell === null ? advice.arm(true) : advice.why(boards.cell)),
    guess: () => advice.mayGuess(),
    risks: () => chances.toggle('risks'),
    best: () => chances.toggle('best'),
    step: () => agent.step(),
    autoplay: inPlay(() => agent.autoplay()),
    knowledge: () => agent.showKnowledge(),
    'mistake-back': inPlay(() => visitMistake(-1)),
    'mistake-on': inPlay(() => visitMistake(1)),
    back: () => stepperOf(app, parts)?.step(-1),
    forward: () => stepperOf(app, parts)?.step(1),
    large: lecture.toggleLarge,
    larger: () => boards.main.zoom(1.25),
    smaller: () => boards.main.zoom(0.8),
    fit: () => boards.main.fit(),
    help: () => openDialog('help'),
    stop: () => {
      agent.stop();
      advice.arm(false);
      if (app.position.source === 'past') app.toNow();
    },
  };
}

/**
 * Return whether a command that needs a cell may act on the one under the mouse, although the board has no focus.
 * Enter and Space belong to the button that has it.
 * @param {string} name
 * @param {EventTarget | null} focused
 * @param {Boards} boards
 */
function actsUnderMouse(name, focused, boards) {
  if (name === 'open') return boards.main.hover !== null && focused === document.body;
  return !['mark', 'chord'].includes(name) || boards.main.hover !== null;
}

/**
 * @param {KeyboardEvent} event
 * @param {Boards} boards
 */
function moveCursor(event, boards) {
  const to = cursorAfter(event, boards.main.cursor, boards.main.grid);
  if (to === null) return false;
  event.preventDefault();
  boards.main.moveCursor(to);
  return true;
}

/**
 * Return what the arrow keys step through: a game, an agent's game or a race; null if nothing can be stepped.
 * @param {App} app
 * @param {Parts} parts
 * @returns {{step: (by: number) => void} | null}
 */
function stepperOf({ tab, modes }, { moves, learn, race, series }) {
  if (tab === 'play') return moves;
  if (tab === 'race') return modes.race === 'series' ? series.player : race.player;
  return tab === 'learn' && modes.learn === 'ideas' ? learn.player : null;
}

/**
 * Step through the moves with left and right, and in the list of moves also with up and down.
 * Elsewhere, up and down move the focus to the board.
 * @param {KeyboardEvent} event
 * @param {App} app
 * @param {Boards} boards
 * @param {Parts} parts
 */
function stepThrough(event, app, boards, parts) {
  if (event.ctrlKey || event.metaKey || event.altKey || hasArrows(event.target)) return false;
  const listed = event.target === element('move-list');
  const key = listed ? event.key.replace('Up', 'Left').replace('Down', 'Right') : event.key;
  const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
  const stepper = stepperOf(app, parts);
  if (by !== undefined && stepper !== null) stepper.step(by);
  else if (!boards.main.clicked && (event.key === 'ArrowUp' || event.key === 'ArrowDown') && app.tab !== 'race') boards.main.host.focus();
  else return false;
  event.preventDefault();
  return true;
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  if (target instanceof HTMLInputElement) return !['checkbox', 'range', 'file'].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/**
 * Return whether an element handles arrow keys itself.
 * @param {EventTarget | null} target
 */
function hasArrows(target) {
  if (target instanceof HTMLInputElement && target.type === 'range') return true;
  return target instanceof HTMLElement && ['tab', 'radio', 'slider'].includes(target.getAttribute('role') ?? '');
}
