/** Proofs as numbered steps. Pointing at a step highlights its clues and cells on the board. */

import { make } from './dom.js';
import { pair, sentence } from './words.js';

const NAMED = /(\d|clue) at \(\d+, \d+\)|\(\d+, \d+\) (?:is|are) (?:safe|a mine|mines)|\(\d+, \d+\)/g;

/**
 * Return an element with text in which clues and conclusions stand out.
 * @param {string} tag
 * @param {string} text
 * @param {Record<string, string>} attributes
 */
export function richText(tag, text, attributes = {}) {
  /** @type {(string | Node)[]} */
  const parts = [];
  let last = 0;
  for (const found of text.matchAll(NAMED)) {
    parts.push(text.slice(last, found.index));
    if (found[1] !== undefined) parts.push(make('em', {}, found[0]));
    else if (found[0].endsWith(')')) parts.push(make('span', { class: 'cell' }, found[0]));
    else parts.push(make('strong', /mine/.test(found[0]) ? { class: 'mine' } : {}, found[0]));
    last = found.index + found[0].length;
  }
  return make(tag, attributes, ...parts, text.slice(last));
}

/**
 * Make an element highlight cells while it is pointed at, focused or tapped.
 * @param {HTMLElement} made
 * @param {Highlights} highlights
 * @param {Overlays} lit
 * @param {Overlays | null} rest the highlights at other times
 */
export function lights(made, highlights, lit, rest = null) {
  made.tabIndex = 0;
  const on = () => {
    for (const other of made.parentElement?.children ?? []) other.classList.toggle('on', other === made);
    highlights.set('lit', lit);
  };
  const off = () => {
    made.classList.remove('on');
    highlights.set('lit', rest);
  };
  made.addEventListener('pointerenter', on);
  made.addEventListener('focus', on);
  made.addEventListener('click', on);
  made.addEventListener('pointerleave', (event) => event.pointerType === 'mouse' && off());
  made.addEventListener('blur', off);
  return made;
}

/**
 * Return the title of a proof.
 * @param {Why} why
 */
export function proofTitle(why) {
  if (why.proved === 'safe') return `Why ${pair(why.cell)} is safe`;
  if (why.proved === 'mined') return `Why ${pair(why.cell)} is a mine`;
  return `What is known about ${pair(why.cell)}`;
}

/**
 * Return the number of the first step that uses each clue, if there are several steps.
 * @param {Why} why
 */
function numbered(why) {
  /** @type {Map<string, {cell: Cell, number: number}>} */
  const found = new Map();
  why.steps.forEach(({ clues }, i) => clues.forEach((cell) => found.has(`${cell}`) || found.set(`${cell}`, { cell, number: i + 1 })));
  return why.steps.length > 1 ? [...found.values()] : [];
}

/**
 * Return the elements of a proof, and highlight its cells on the board.
 * @param {Why} why
 * @param {Highlights} highlights
 * @returns {HTMLElement[]}
 */
export function showProof(why, highlights) {
  const rest = { clues: why.steps.length > 0 ? why.steps.flatMap(({ clues }) => clues) : why.clues, numbers: numbered(why) };
  highlights.set('proof', why.proved === 'mined' ? { mined: [why.cell], lit: [why.cell] } : { [why.proved === 'safe' ? 'targets' : 'asked']: [why.cell] });
  highlights.set('lit', rest);
  if (why.steps.length === 0) return [richText('p', why.text, { class: 'said' })];
  const steps = why.steps.map((step) =>
    lights(richText('li', `${sentence(step.text)}.`), highlights, { clues: step.clues, lit: step.cells }, rest));
  return [make('ol', { class: 'proof' }, ...steps)];
}
