/** Turns pointer events on a board into taps, flags, chords, painting, panning and zooming. */

import { Gestures } from './gesture.js';

export class Pointers {
  /** @type {Cell | null} the cell that was painted last */
  #brush = null;

  /** @param {BoardView} board */
  constructor(board) {
    this.board = board;
    this.gestures = new Gestures(this.#actions(), {
      set: (act, time) => window.setTimeout(act, time),
      clear: (timer) => clearTimeout(timer),
    });
    this.#listen();
    board.canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    board.canvas.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
  }

  /** @returns {Actions} */
  #actions() {
    const { board } = this;
    const at = (/** @type {'tap' | 'mark' | 'chord'} */ name) => (/** @type {number} */ x, /** @type {number} */ y) => {
      const cell = board.cellAt(x, y);
      if (cell === null) return;
      board.cursor = cell;
      board.handlers[name]?.(cell);
      board.refresh();
    };
    return {
      tap: at('tap'),
      mark: at('mark'),
      chord: at('chord'),
      drag: (dx, dy) => board.pan(dx, dy),
      pinch: (factor, x, y, dx, dy) => {
        board.pan(dx, dy);
        board.zoomAt(factor, x, y);
      },
      stays: (from, to) => this.#sameCell(from, to),
      press: (point) => this.#press(point),
    };
  }

  /** @param {{x: number, y: number}} from @param {{x: number, y: number}} to */
  #sameCell(from, to) {
    const [a, b] = [this.board.cellAt(from.x, from.y), this.board.cellAt(to.x, to.y)];
    return a !== null && b !== null && a[0] === b[0] && a[1] === b[1];
  }

  /** @param {{x: number, y: number} | null} point */
  #press(point) {
    const cell = point === null ? null : this.board.cellAt(point.x, point.y);
    this.board.pressed = cell === null ? [] : this.board.handlers.presses?.(cell) ?? [];
    this.board.refresh();
  }

  #listen() {
    const { canvas } = this.board;
    const read = (/** @type {PointerEvent} */ event) => ({
      id: event.pointerId, x: event.offsetX, y: event.offsetY, button: event.button, kind: event.pointerType,
    });
    canvas.addEventListener('mousedown', (event) => {
      event.preventDefault();
      if (!this.board.plays) return;
      this.board.host.focus({ preventScroll: true }); // so that keys act on the board
      this.board.clicked = true;
    });
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button === 0) canvas.setPointerCapture(event.pointerId);
      if (event.button === 0 && this.#startsPainting(event)) return;
      this.gestures.down(read(event));
    });
    canvas.addEventListener('pointermove', (event) => {
      this.#hover(event);
      if (this.#brush !== null) this.#paintTo(event);
      else this.gestures.move(read(event));
    });
    canvas.addEventListener('pointerup', (event) => {
      if (!this.#stopsPainting()) this.gestures.up(read(event));
    });
    canvas.addEventListener('pointercancel', (event) => {
      if (!this.#stopsPainting()) this.gestures.cancel(event.pointerId);
    });
    canvas.addEventListener('pointerleave', () => this.#hovers(null));
  }

  /** @param {PointerEvent} event */
  #hover(event) {
    const cell = event.pointerType === 'touch' ? null : this.board.cellAt(event.offsetX, event.offsetY);
    this.#hovers(cell);
  }

  /** @param {Cell | null} cell */
  #hovers(cell) {
    const before = this.board.hover;
    if (before === cell || (before !== null && cell !== null && before[0] === cell[0] && before[1] === cell[1])) return;
    this.board.hover = cell;
    this.board.pointed = cell !== null;
    this.board.canvas.classList.toggle('over', cell !== null);
    this.board.handlers.hover?.(cell);
    this.board.refresh();
  }

  // ---- painting

  /** @param {PointerEvent} event */
  #startsPainting(event) {
    const { board } = this;
    const cell = board.cellAt(event.offsetX, event.offsetY);
    if (cell === null || !(board.handlers.paints?.() ?? false)) return false;
    this.#brush = cell;
    board.cursor = cell;
    board.handlers.paint?.(cell, true);
    return true;
  }

  /** @param {PointerEvent} event */
  #paintTo(event) {
    const cell = this.board.cellAt(event.offsetX, event.offsetY);
    if (cell === null || this.#brush === null) return;
    for (const passed of between(this.#brush, cell)) this.board.handlers.paint?.(passed, false);
    this.#brush = cell;
  }

  #stopsPainting() {
    if (this.#brush === null) return false;
    this.#brush = null;
    this.board.handlers.painted?.();
    return true;
  }

  /**
   * Pan a board that is larger than its window, or zoom if Ctrl is held.
   * @param {WheelEvent} event
   */
  #wheel(event) {
    if (!event.ctrlKey && this.board.whole) return;
    event.preventDefault();
    if (event.ctrlKey) this.board.zoomAt(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
    else this.board.pan(event.shiftKey ? -event.deltaY : -event.deltaX, event.shiftKey ? 0 : -event.deltaY);
  }
}

/**
 * Return the cells on the line from one cell to another, without the first.
 * @param {Cell} from
 * @param {Cell} to
 * @returns {Cell[]}
 */
export function between(from, to) {
  const steps = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]));
  return Array.from({ length: steps }, (_, i) => [
    Math.round(from[0] + ((to[0] - from[0]) * (i + 1)) / steps),
    Math.round(from[1] + ((to[1] - from[1]) * (i + 1)) / steps),
  ]);
}
