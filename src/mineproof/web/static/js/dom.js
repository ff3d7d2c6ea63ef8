/** Helpers for finding and making elements. Text is only ever set through `textContent`. */

import { shortened } from './words.js';

/**
 * Return the element with an id. Throw an error if it is not of the expected class.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {{new (): T}} kind
 * @returns {T}
 */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`expected a ${kind.name} with the id ${id}`);
  return found;
}

/** @param {string} id */
export const element = (id) => byId(id, HTMLElement);
/** @param {string} id */
export const button = (id) => byId(id, HTMLButtonElement);
/** @param {string} id */
export const input = (id) => byId(id, HTMLInputElement);
/** @param {string} id */
export const select = (id) => byId(id, HTMLSelectElement);
/** @param {string} id */
export const area = (id) => byId(id, HTMLTextAreaElement);

/**
 * Return a new element with attributes and children.
 * @param {string} tag
 * @param {Record<string, string>} attributes
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Return the word for choosing something with the mouse or with a finger. */
export const tapWord = () => (matchMedia('(pointer: coarse)').matches ? 'Tap' : 'Click');

/**
 * Call a function on every click on a button.
 * @param {string} id
 * @param {() => void} act
 */
export function press(id, act) {
  button(id).addEventListener('click', () => act());
}

/**
 * Call a function when the value of a field changes.
 * @param {string} id
 * @param {() => void} act
 */
export function change(id, act) {
  element(id).addEventListener('change', () => act());
}

/**
 * Save text or a picture as a file.
 * @param {string} name
 * @param {Blob} content
 */
export function download(name, content) {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * Write a text into an element of limited height. If it does not fit, it is shortened; the title has all of it.
 * @param {HTMLElement} line
 * @param {string} text
 * @param {number} room number of characters that surely fit, so that the page need not be laid out to find out
 */
export function fit(line, text, room = 0) {
  if (line.title === text) return;
  line.title = text;
  line.textContent = text;
  if (text.length > room) refit(line);
}

/**
 * Shorten the text of an element only as much as needed.
 * @param {HTMLElement} line
 */
export function refit(line) {
  const text = line.title;
  if (line.textContent !== text) line.textContent = text;
  for (let most = text.length; most > 9 && line.scrollHeight > line.clientHeight + 1; most -= 9) line.textContent = shortened(text, most);
}
