/** Dialogs: opened, closed, asking before something is lost. */

import { byId, element, make } from './dom.js';

/**
 * Open a dialog.
 * @param {string} id
 */
export function openDialog(id) {
  const dialog = byId(id, HTMLDialogElement);
  if (!dialog.open) dialog.showModal();
}

/**
 * Close a dialog.
 * @param {string} id
 */
export function closeDialog(id) {
  byId(id, HTMLDialogElement).close();
}

/** Let every dialog be closed by its cross and by a click beside it. */
export function setUpDialogs() {
  for (const dialog of document.querySelectorAll('dialog')) {
    dialog.querySelector('.close')?.addEventListener('click', () => dialog.close());
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog && beside(event, dialog)) dialog.close();
    });
  }
}

/**
 * @param {MouseEvent} event
 * @param {HTMLElement} dialog
 */
function beside(event, dialog) {
  const box = dialog.getBoundingClientRect();
  return event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom;
}

let takeBack = () => {};

/**
 * Ask, and give the answer; null where it is taken back.
 * @template {string} T
 * @param {string} text
 * @param {[T, string][]} answers with their words; the first is meant
 * @returns {Promise<T | null>}
 */
export function confirmed(text, answers) {
  const dialog = byId('confirm', HTMLDialogElement);
  element('confirm-text').textContent = text;
  return new Promise((done) => {
    const buttons = answers.map(([answer, words], place) => {
      const made = make('button', { 'data-answer': answer, ...(place === 0 ? { class: 'main' } : {}) }, words);
      made.addEventListener('click', () => {
        done(answer);
        dialog.close();
      });
      return made;
    });
    element('confirm-buttons').replaceChildren(...buttons);
    takeBack();
    takeBack = () => done(null);
    // The news may come when it is open again.
    dialog.onclose = () => dialog.open || takeBack();
    dialog.showModal();
  });
}
