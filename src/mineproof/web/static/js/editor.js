/** A position being edited, with undo. It uses no page elements, so it can be tested alone. */

import { Grid } from './grid.js';

/** How many changes can be undone. */
const MOST_UNDONE = 200;

export class Editor {
  /** @type {string[]} */
  rows = [];
  mines = '?';
  /** @type {{rows: string[], mines: string}[]} */
  #undone = [];
  /** @type {{rows: string[], mines: string}[]} */
  #done = [];

  get grid() {
    return new Grid(this.rows);
  }

  /**
   * Replace the whole position.
   * @param {string[]} rows
   * @param {string} mines
   */
  set(rows, mines) {
    if (rows.join() === this.rows.join() && mines === this.mines) return;
    if (this.rows.length > 0) this.begin();
    this.rows = rows;
    this.mines = mines;
  }

  /** Save the position, so that one undo reverts everything that follows. */
  begin() {
    this.#done.push({ rows: this.rows, mines: this.mines });
    if (this.#done.length > MOST_UNDONE) this.#done.shift();
    this.#undone = [];
  }

  /**
   * Draw a letter into a cell.
   * @param {[number, number]} cell
   * @param {string} letter
   * @returns {boolean} whether anything changed
   */
  draw([row, column], letter) {
    const line = this.rows[row];
    if (line === undefined || line[column] === undefined || line[column] === letter) return false;
    this.rows = this.rows.with(row, line.slice(0, column) + letter + line.slice(column + 1));
    return true;
  }

  /** @returns {boolean} whether there was something to undo */
  undo() {
    return this.#swap(this.#done, this.#undone);
  }

  /** @returns {boolean} whether there was something to redo */
  redo() {
    return this.#swap(this.#undone, this.#done);
  }

  /** @param {{rows: string[], mines: string}[]} from @param {{rows: string[], mines: string}[]} to */
  #swap(from, to) {
    const found = from.pop();
    if (found === undefined) return false;
    to.push({ rows: this.rows, mines: this.mines });
    this.rows = found.rows;
    this.mines = found.mines;
    return true;
  }

  get canUndo() {
    return this.#done.length > 0;
  }

  get canRedo() {
    return this.#undone.length > 0;
  }
}
