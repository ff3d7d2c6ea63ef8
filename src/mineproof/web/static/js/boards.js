/** The boards of the page. They show the current position with its highlights, and pass clicks to the tab in view. */

import { BoardView } from './boardview.js';
import { element } from './dom.js';
import { announce } from './grid.js';
import { Highlights } from './highlights.js';
import { coveredBySheet } from './sheet.js';

/** Highlights that stay on the board after a move until the new answer arrives. */
const STAYING = /** @type {HighlightLayer[]} */ (['risks', 'best', 'knowledge']);

export class Boards {
  /** @type {Partial<Record<Tab, Handlers>>} */
  #handlers = {};

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.main = new BoardView(element('board'), true);
    /** @type {BoardView} the board that the side panel is about: the main board, or a lane of a race */
    this.current = this.main;
    this.highlights = new Highlights((all) => {
      // After a move, old rings stay until the new ones arrive, but not on open cells.
      const best = all.best?.filter(({ cell }) => 'HF'.includes(app.position.grid.at(...cell)));
      this.current.overlays = { ...all, ...(best ? { best } : {}), last: app.position.last };
      this.current.refresh();
    });
    element('column').addEventListener('toggle', () => this.main.cover(coveredBySheet(this.main.canvas)));
    app.on('position', () => this.#show());
    app.on('tab', () => this.#tab());
  }

  /**
   * Set the functions that handle clicks on cells in a tab.
   * @param {Tab} tab
   * @param {Handlers} handlers
   */
  handle(tab, handlers) {
    this.#handlers[tab] = handlers;
    if (this.app.tab === tab) this.main.handlers = handlers;
  }

  /** The cell that Why asks about: under the mouse or at the cursor; null if the board has neither mouse nor focus. */
  get cell() {
    const { current } = this;
    return current.hover !== null || document.activeElement === current.host ? current.target : null;
  }

  /**
   * Announce to screen readers what a cell shows.
   * @param {Cell} cell
   */
  announce(cell) {
    this.app.speak(announce(this.current.grid, cell, this.current.overlays.risk?.[this.current.grid.index(cell)]));
  }

  #tab() {
    this.current = this.main;
    this.main.handlers = this.#handlers[this.app.tab] ?? {};
    this.main.pressed = [];
    this.highlights.clear();
  }

  #show() {
    const { position } = this.app;
    this.highlights.clear(position.follows ? STAYING : []);
    this.current.show(position.grid);
    this.current.drawNow();
    element('stage').dataset.past = position.source === 'past' ? 'yes' : 'no';
  }
}
