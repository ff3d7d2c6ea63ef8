/**
 * Recognises taps, long presses, drags and pinches, for mouse, pen and touch. It uses no page
 * elements, and only the timers passed to it, so it can be tested alone.
 */

/** How far a pointer may move, in pixels, before a tap becomes a drag. */
const SLIP = 8;
/** Milliseconds until a press flags the cell. */
export const LONG_PRESS = 380;

export class Gestures {
  /** @type {Map<number, Pointer>} */
  #down = new Map();
  /** @type {Pointer | null} the press that may still become a tap */
  #start = null;
  #dragging = false;
  #timer = 0;

  /** @param {Actions} actions @param {Timers} timers */
  constructor(actions, timers) {
    this.actions = actions;
    this.timers = timers;
  }

  /** @param {Pointer} pointer */
  down(pointer) {
    if (pointer.kind === 'mouse' && pointer.button === 2) {
      this.actions.mark(pointer.x, pointer.y);
      return;
    }
    if (pointer.kind === 'mouse' && pointer.button === 1) {
      this.actions.chord(pointer.x, pointer.y);
      return;
    }
    this.#down.set(pointer.id, pointer);
    if (this.#down.size > 1) {
      this.#noTap();
      return;
    }
    this.#start = pointer;
    this.#dragging = false;
    this.actions.press(pointer);
    if (pointer.kind !== 'mouse') {
      this.#timer = this.timers.set(() => this.#long(), LONG_PRESS);
    }
  }

  /** @param {Pointer} pointer */
  move(pointer) {
    const before = this.#down.get(pointer.id);
    if (before === undefined) return;
    if (this.#down.size === 2) this.#pinch(before, pointer);
    else this.#drag(before, pointer);
  }

  /** @param {Pointer} pointer */
  up(pointer) {
    if (!this.#down.delete(pointer.id)) return;
    const start = this.#start;
    this.#noTap();
    if (start !== null && start.id === pointer.id) this.actions.tap(start.x, start.y);
  }

  /** @param {number} id */
  cancel(id) {
    this.#down.delete(id);
    this.#noTap();
  }

  #noTap() {
    this.#start = null;
    this.timers.clear(this.#timer);
    this.actions.press(null);
  }

  #long() {
    const start = this.#start;
    this.#start = null;
    this.actions.press(null);
    if (start !== null) this.actions.mark(start.x, start.y);
  }

  /** @param {Pointer} before @param {Pointer} now */
  #drag(before, now) {
    const start = this.#start;
    if (!this.#dragging && start !== null) {
      // A slip that stays inside the cell still counts as a tap.
      if (this.actions.stays(start, now) || Math.hypot(now.x - start.x, now.y - start.y) < SLIP) return;
      this.#dragging = true;
      this.#noTap();
    }
    this.#down.set(now.id, now);
    if (this.#dragging) this.actions.drag(now.x - before.x, now.y - before.y);
  }

  /** @param {Pointer} before @param {Pointer} now */
  #pinch(before, now) {
    const other = [...this.#down.values()].find((pointer) => pointer.id !== now.id);
    this.#down.set(now.id, now);
    if (other === undefined) return;
    const apart = Math.hypot(before.x - other.x, before.y - other.y);
    const factor = apart > 0 ? Math.hypot(now.x - other.x, now.y - other.y) / apart : 1;
    const x = (now.x + other.x) / 2;
    const y = (now.y + other.y) / 2;
    this.#dragging = true;
    this.actions.pinch(factor, x, y, (now.x - before.x) / 2, (now.y - before.y) / 2);
  }
}
