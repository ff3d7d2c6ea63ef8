/** The small label beside the mouse: which cell, and its risk where risks are shown. */

import { cellText, percent } from './format.js';

export class Tip {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
  }

  /**
   * @param {[number, number] | null} cell
   * @param {number} x
   * @param {number} y
   * @param {import('./boardview.js').BoardView} board
   */
  show(cell, x, y, board) {
    const risk = cell === null ? null : board.overlays.risk?.[cell[0] * board.grid.columns + cell[1]];
    if (cell === null || risk === null || risk === undefined) {
      this.place.hidden = true;
      return;
    }
    this.place.textContent = `${cellText(cell)}: risk ${percent(risk)}`;
    this.place.hidden = false;
    const room = board.canvas.clientWidth - this.place.offsetWidth - 4;
    const left = Math.max(0, Math.min(room, x + 14));
    const top = y > 44 ? y - 36 : y + 20;
    this.place.style.transform = `translate(${left}px, ${top}px)`;
  }
}
