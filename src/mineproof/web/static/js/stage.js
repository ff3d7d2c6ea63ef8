/** The main board: shows the current position with its highlights, and passes clicks to the tab in view. */

import { BoardView } from './boardview.js';
import { element } from './dom.js';
import { announce } from './grid.js';
import { Marks } from './marks.js';

/** Highlights that stay on the board after a move until the new answer arrives. */
const STAYING = /** @type {Sheet[]} */ (['risks', 'best', 'knowledge']);

export class Stage {
  /** @type {Partial<Record<Tab, Handlers>>} */
  #handlers = {};

  /** @param {Bench} bench */
  constructor(bench) {
    this.bench = bench;
    this.main = new BoardView(element('board'), true);
    /** @type {BoardView} the board that the side panel is about: the main board, or a lane of a race */
    this.board = this.main;
    this.marks = new Marks((all) => {
      this.board.overlays = { ...all, last: bench.place.last };
      this.board.refresh();
    });
    bench.on('place', () => this.#show());
    bench.on('tab', () => this.#tab());
  }

  /**
   * Set the functions that handle clicks on cells in a tab.
   * @param {Tab} tab
   * @param {Handlers} handlers
   */
  handle(tab, handlers) {
    this.#handlers[tab] = handlers;
    if (this.bench.tab === tab) this.main.handlers = handlers;
  }

  /**
   * Make the side panel about another board, such as a lane of a race.
   * @param {BoardView} board
   */
  lookAt(board) {
    this.board = board;
  }

  /** The cell under the mouse, or at the cursor if the mouse is not on the board. */
  get cell() {
    return this.board.hover ?? this.board.cursor;
  }

  /**
   * Announce to screen readers what a cell shows.
   * @param {Cell} cell
   */
  announce(cell) {
    element('live').textContent = announce(this.board.grid, cell, this.board.overlays.risk?.[this.board.grid.index(cell)]);
  }

  #tab() {
    this.board = this.main;
    this.main.handlers = this.#handlers[this.bench.tab] ?? {};
    this.main.pressed = [];
    this.marks.clear();
  }

  #show() {
    const { place } = this.bench;
    this.marks.clear(place.follows ? STAYING : []);
    this.board.show(place.grid);
    this.board.drawNow();
    element('stage').dataset.past = place.source === 'past' ? 'yes' : 'no';
  }
}
