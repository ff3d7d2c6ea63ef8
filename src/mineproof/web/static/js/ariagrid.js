/**
 * The board for screen readers: a grid with only the cells around the cursor, because a board
 * may have thousands of cells. Row and column numbers tell the screen reader where these cells are.
 */

import { make } from './dom.js';
import { announce } from './grid.js';

let boards = 0;

export class AriaGrid {
  #seen = '';

  /** @param {HTMLElement} host the element with the role `grid` */
  constructor(host) {
    this.host = host;
    boards += 1;
    this.name = `cell-${boards}-`;
    this.rows = make('div', { class: 'unseen', role: 'rowgroup' });
    host.append(this.rows);
  }

  /**
   * Update the cells around the cursor.
   * @param {Grid} grid
   * @param {Cell} cursor
   * @param {(number | null)[] | null} risk
   */
  show(grid, cursor, risk) {
    const [row, column] = cursor;
    const rows = [row - 1, row, row + 1].filter((r) => r >= 0 && r < grid.rows);
    const columns = [column - 1, column, column + 1].filter((c) => c >= 0 && c < grid.columns);
    const words = rows.map((r) => columns.map((c) => announce(grid, [r, c], risk?.[r * grid.columns + c])));
    const seen = `${grid.rows}x${grid.columns} ${cursor} ${words.join()}`;
    if (seen === this.#seen) return;
    this.#seen = seen;
    this.#build(grid, rows, columns, words);
    this.host.setAttribute('aria-activedescendant', `${this.name}${row}-${column}`);
  }

  /** @param {Grid} grid @param {number[]} rows @param {number[]} columns @param {string[][]} words */
  #build(grid, rows, columns, words) {
    this.host.setAttribute('aria-rowcount', String(grid.rows));
    this.host.setAttribute('aria-colcount', String(grid.columns));
    this.rows.replaceChildren(...rows.map((r, i) => make('div', { role: 'row', 'aria-rowindex': String(r + 1) }, ...columns.map((c, j) =>
      make('span', { role: 'gridcell', id: `${this.name}${r}-${c}`, 'aria-colindex': String(c + 1) }, words[i][j])))));
  }
}
