/** Explanations of terms, shown when a term is pointed at, focused or tapped. */

import { element, make } from './dom.js';

/** @type {Record<string, string>} */
const TERMS = {
  '3BV': 'The fewest left clicks that open the whole board without flags (Bechtel’s board benchmark value).',
  '3BV/s': 'How much of the 3BV you solved per second. Higher is faster.',
  Efficiency: 'The solved 3BV divided by your clicks. Above 100\u00a0% means that chords saved clicks.',
  Luck: 'The chance that all your guesses would turn out safe. A small number means that the guesses were risky.',
  Proved: 'How many of your moves opened only cells that were proved safe.',
  'Win chance': 'How often the game is won from here if every further move is the best one.',
  Risk: 'The chance that a cell is a mine: the share of all mine layouts that fit the open numbers.',
};

/**
 * Return a name, with its explanation if it has one.
 * @param {string} name
 */
export function term(name) {
  return TERMS[name] === undefined ? name : make('span', { class: 'term', 'data-term': name }, name);
}

/** Explain every element with `data-term`. */
export function setUpTerms() {
  const note = element('term');
  const show = (/** @type {Event} */ event) => {
    const on = event.target instanceof HTMLElement ? event.target.closest('[data-term]') : null;
    if (!(on instanceof HTMLElement)) return note.hidePopover();
    note.textContent = TERMS[on.dataset.term ?? ''] ?? '';
    note.showPopover();
    const [box, own] = [on.getBoundingClientRect(), note.getBoundingClientRect()];
    note.style.left = `${Math.max(8, Math.min(box.left, innerWidth - own.width - 8))}px`;
    note.style.top = `${box.bottom + own.height + 8 > innerHeight ? box.top - own.height - 6 : box.bottom + 6}px`;
  };
  for (const kind of ['pointerover', 'focusin', 'click']) document.addEventListener(kind, show);
  document.addEventListener('focusout', () => note.hidePopover());
  new MutationObserver(makeReachable).observe(document.body, { childList: true, subtree: true });
  makeReachable();
}

/** Let the keyboard reach every term, and screen readers speak its explanation. */
function makeReachable() {
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-term]:not([tabindex])'))) {
    one.tabIndex = 0;
    one.setAttribute('aria-describedby', 'term');
  }
}
