/** Opening and closing dialogs, and asking for confirmation. */

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

/** Make every dialog close on a click on its cross or outside it. */
export function setUpDialogs() {
  for (const dialog of document.querySelectorAll('dialog')) {
    dialog.querySelector('.close')?.addEventListener('click', () => dialog.close());
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog && isOutside(event, dialog)) dialog.close();
    });
  }
}

/**
 * @param {MouseEvent} event
 * @param {HTMLElement} dialog
 */
function isOutside(event, dialog) {
  const box = dialog.getBoundingClientRect();
  return event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom;
}

let dismiss = () => {};

/**
 * Ask a question and return the answer; null if the dialog is dismissed.
 * @template {string} T
 * @param {string} text
 * @param {[T, string][]} answers with their button texts; the first is the main one
 * @returns {Promise<T | null>}
 */
export function confirmed(text, answers) {
  const dialog = byId('confirm', HTMLDialogElement);
  element('confirm-text').textContent = text;
  return new Promise((done) => {
    const cancel = make('button', {}, 'Cancel');
    cancel.addEventListener('click', () => dialog.close());
    const buttons = answers.map(([answer, words], i) => {
      const made = make('button', { 'data-answer': answer, ...(i === 0 ? { class: 'main' } : {}) }, words);
      made.addEventListener('click', () => {
        done(answer);
        dialog.close();
      });
      return made;
    });
    element('confirm-buttons').replaceChildren(...buttons, cancel);
    dismiss();
    dismiss = () => done(null);
    // The event may arrive when the dialog is already open again.
    dialog.onclose = () => dialog.open || dismiss();
    dialog.showModal();
  });
}
