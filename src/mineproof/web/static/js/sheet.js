/** The side panel on a phone: a sheet at the bottom that opens and closes. */

import { button, element } from './dom.js';

/** The height of the open sheet as a share of the window, as in style.css. */
const SHARE = 0.46;
const narrow = matchMedia('(max-width: 46rem)');

/** Whether the side panel is a sheet now. */
export const sheetIsUsed = () => narrow.matches;

/**
 * Return how much of a board the open sheet covers, in pixels.
 * @param {HTMLElement} board
 */
export function coveredBySheet(board) {
  const open = narrow.matches && element('column').dataset.open === 'yes';
  return open ? Math.max(0, board.getBoundingClientRect().bottom - innerHeight * (1 - SHARE)) : 0;
}

/** Open the sheet, on narrow screens only. */
export function openSheet() {
  if (narrow.matches && !document.documentElement.hasAttribute('data-demo')) setSheet(true); // the demonstration has room for both
}

/** Close the sheet. */
export function closeSheet() {
  setSheet(false);
}

/** @param {boolean} open */
function setSheet(open) {
  element('column').dataset.open = open ? 'yes' : 'no';
  button('sheet').setAttribute('aria-expanded', String(open));
  if (open) element('sections').scrollTop = 0;
  element('column').dispatchEvent(new Event('toggle'));
}

/** Make the handle open and close the sheet, by a tap, a swipe or a key. */
export function setUpSheet() {
  const handle = button('sheet');
  let from = 0;
  let swiped = false;
  handle.addEventListener('pointerdown', (event) => {
    from = event.clientY;
    swiped = false;
    handle.setPointerCapture(event.pointerId);
  });
  handle.addEventListener('pointerup', (event) => {
    swiped = Math.abs(event.clientY - from) > 24;
    if (swiped) setSheet(event.clientY < from);
  });
  handle.addEventListener('click', () => {
    if (!swiped) setSheet(element('column').dataset.open !== 'yes');
    swiped = false;
  });
}
