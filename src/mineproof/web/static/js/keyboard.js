/** Keyboard shortcuts for the whole page. */

import { element } from './dom.js';
import { openDialog } from './dialogs.js';
import { commandOf, cursorAfter } from './keys.js';

/**
 * @param {Bench} bench
 * @param {Stage} stage
 * @param {Parts} parts
 */
export function setUpKeyboard(bench, stage, parts) {
  const commands = commandTable(bench, stage, parts);
  document.addEventListener('keydown', (event) => {
    if (isTyping(event.target) || document.querySelector('dialog[open]') !== null) return;
    const onBoard = document.activeElement === element('board');
    if (onBoard && moveCursor(event, stage)) return;
    if (onBoard && bench.tab === 'analyse' && !event.ctrlKey && !event.metaKey && !event.altKey && parts.analyse.drawKey(event.key, stage.main.cursor)) return;
    if (!onBoard && stepThrough(event, bench, stage, parts)) return;
    const name = commandOf(event);
    if (name === null || commands[name] === undefined) return;
    if (!onBoard && (name === 'open' || name === 'mark' || name === 'chord')) return;
    event.preventDefault();
    commands[name]();
  });
}

/**
 * @param {Bench} bench
 * @param {Stage} stage
 * @param {Parts} parts
 * @returns {Record<string, () => void>}
 */
function commandTable(bench, stage, { play, choice, advice, chances, agent, moves, analyse }) {
  const inPlay = (/** @type {() => void} */ act) => () => bench.tab === 'play' && act();
  return {
    open: () => (bench.tab === 'analyse' ? analyse.enter(stage.main.cursor) : stage.main.handlers.tap?.(stage.main.cursor)),
    mark: () => stage.main.handlers.mark?.(stage.main.cursor),
    chord: () => stage.main.handlers.chord?.(stage.main.cursor),
    new: inPlay(choice.fresh),
    again: inPlay(choice.again),
    undo: () => (bench.tab === 'analyse' ? analyse.undo() : bench.tab === 'play' && play.undo()),
    redo: inPlay(play.redo),
    pause: inPlay(play.pause),
    hint: () => advice.hint(),
    why: () => advice.why(stage.cell),
    guess: () => advice.mayGuess(),
    risks: () => chances.toggle('risks'),
    best: () => chances.toggle('best'),
    step: () => agent.step(),
    autoplay: inPlay(() => agent.autoplay()),
    knowledge: () => agent.showKnowledge(),
    back: inPlay(() => moves.step(-1)),
    forward: inPlay(() => moves.step(1)),
    larger: () => stage.main.zoom(1.25),
    smaller: () => stage.main.zoom(0.8),
    fit: () => stage.main.fit(),
    help: () => openDialog('help'),
    stop: () => {
      agent.stop();
      advice.arm(false);
      if (bench.place.source === 'past') bench.toNow();
    },
  };
}

/**
 * @param {KeyboardEvent} event
 * @param {Stage} stage
 */
function moveCursor(event, stage) {
  const to = cursorAfter(event, stage.main.cursor, stage.main.grid);
  if (to === null) return false;
  event.preventDefault();
  stage.main.moveCursor(to);
  return true;
}

/**
 * Step through the moves with left and right, and in the list of moves also with up and down.
 * Elsewhere, up and down move the focus to the board.
 * @param {KeyboardEvent} event
 * @param {Bench} bench
 * @param {Stage} stage
 * @param {Parts} parts
 */
function stepThrough(event, bench, stage, { moves }) {
  if (event.ctrlKey || event.metaKey || event.altKey || hasArrows(event.target)) return false;
  const listed = event.target === element('move-list');
  const key = listed ? event.key.replace('Up', 'Left').replace('Down', 'Right') : event.key;
  const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (by !== undefined && bench.tab === 'play') moves.step(by);
  else if ((event.key === 'ArrowUp' || event.key === 'ArrowDown') && bench.tab !== 'race') stage.main.host.focus();
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
