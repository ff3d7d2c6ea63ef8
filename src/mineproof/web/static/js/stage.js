/** The place of the board: shows the current position, its marks, and who handles its cells. */

import { BoardView } from './boardview.js';
import { element } from './dom.js';
import { announce } from './grid.js';
import { Marks } from './marks.js';

/** What may stay on the board from one move to the next until the new answer comes. */
const STAYING = /** @type {Sheet[]} */ (['risks', 'best', 'knowledge']);

export class Stage {
  /** @type {Partial<Record<Tab, Handlers>>} */
  #handlers = {};

  /** @param {Bench} bench */
  constructor(bench) {
    this.bench = bench;
    this.main = new BoardView(element('board'), true);
    /** @type {BoardView} the board that the column speaks of: of the stage, or of a lane */
    this.board = this.main;
    this.marks = new Marks((all) => {
      this.board.overlays = { ...all, last: bench.place.last };
      this.board.refresh();
    });
    bench.on('place', () => this.#show());
    bench.on('tab', () => this.#tab());
  }

  /**
   * Say what happens to cells in a tab.
   * @param {Tab} tab
   * @param {Handlers} handlers
   */
  handle(tab, handlers) {
    this.#handlers[tab] = handlers;
    if (this.bench.tab === tab) this.main.handlers = handlers;
  }

  /**
   * Let the column speak of another board, one of a race.
   * @param {BoardView} board
   */
  lookAt(board) {
    this.board = board;
  }

  /** The cell that is meant: under the mouse, or else the cursor. */
  get cell() {
    return this.board.hover ?? this.board.cursor;
  }

  /**
   * Say aloud what a cell shows.
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
