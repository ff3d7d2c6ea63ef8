/**
 * Which parts of the page are visible. No other module shows or hides an element with `data-when`.
 *
 * `data-when` lists the states in which a part is visible: `play learn` means in either tab, and
 * `play+now` means in the Play tab while no past move is in view.
 */

import { element } from './dom.js';
import { markTab } from './tabs.js';

/**
 * Return the names of everything that is true of the page now.
 * @param {App} app
 */
export function statesOf(app) {
  const { tab, position, view } = app;
  const mode = app.modes[tab];
  if (position.source === 'demo') return new Set(['demo', 'live']);
  return new Set([
    tab,
    ...(mode === undefined ? [] : [mode]),
    position.source === 'past' ? 'past' : 'now',
    position.over ? 'over' : 'live',
    ...(view?.state === 'paused' ? ['paused'] : []),
    ...(view?.end ? ['ended'] : []),
    ...(view?.saved === false && view.end === null ? ['unsaved'] : []),
  ]);
}

/**
 * Return whether a part with this `data-when` is visible.
 * @param {string} when
 * @param {Set<string>} states
 */
export function isShown(when, states) {
  return when.split(' ').some((choice) => choice.split('+').every((state) => states.has(state)));
}

/**
 * Show and hide parts for the state of the page.
 * @param {App} app
 * @param {Iterable<HTMLElement>} parts
 */
function showParts(app, parts) {
  const states = statesOf(app);
  document.documentElement.toggleAttribute('data-demo', states.has('demo'));
  document.documentElement.dataset.mode = states.has('demo') ? 'demo' : app.modes[app.tab] ?? '';
  for (const part of parts) {
    part.hidden = !isShown(part.dataset.when ?? '', states);
  }
}

/**
 * Keep all parts up to date. Must be called before other modules listen, because they measure what they see.
 * @param {App} app
 */
export function setUpVisibility(app) {
  const parts = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-when]'));
  app.on('tab', () => {
    document.documentElement.dataset.tab = app.tab;
    markTab(element('tabs'), element(`tab-${app.tab}`));
    element('workbench').setAttribute('aria-labelledby', `tab-${app.tab}`);
  });
  for (const change of /** @type {const} */ (['tab', 'mode', 'view', 'position'])) app.on(change, () => showParts(app, parts));
}
