/**
 * The workers that answer questions: at most two. Long questions only use the second one. Quick
 * ones use the first or, while it restarts, the second. A worker whose question was cancelled is
 * stopped if it does not finish soon. To save memory, the second worker only starts for a long
 * question, or when a quick one turns out to be slow, and it stops after a while without work.
 */

/** Milliseconds until a worker with a cancelled question is stopped: about the time a new one takes to start. */
const GRACE = 600;
/** Milliseconds after which a quick question counts as slow, and the second worker starts. */
const SLOW = 250;
/** Milliseconds without work after which the second worker stops. */
const IDLE = 15_000;

export class Answerers {
  /** @type {WorkerSlot[]} */
  #slots = [{ worker: null, ready: false, asked: null, rest: undefined }, { worker: null, ready: false, asked: null, rest: undefined }];
  /** @type {Asked[]} */
  #waiting = [];

  /**
   * @param {() => Worker} start returns a new worker, which sends `ready` when it has started
   * @param {(number: number, kind: string, text: string) => void} tell
   */
  constructor(start, tell) {
    this.start = start;
    this.tell = tell;
  }

  /** Start the first worker, unless it is running. */
  warmUp() {
    if (this.#slots[0].worker === null) this.#open(this.#slots[0]);
  }

  /**
   * @param {number} number
   * @param {string} text
   * @param {number} seconds
   * @param {boolean} isLong
   */
  ask(number, text, seconds, isLong) {
    this.#waiting.push({ number, text, seconds, isLong, wanted: true, timer: undefined });
    this.#handOut();
  }

  /** @param {number} number */
  cancel(number) {
    this.#waiting = this.#waiting.filter((one) => one.number !== number);
    const slot = this.#slots.find(({ asked }) => asked?.number === number);
    if (slot === undefined || slot.asked === null) return;
    slot.asked.wanted = false;
    this.#endLater(slot, slot.asked, GRACE);
  }

  #handOut() {
    this.#waiting = this.#waiting.filter((asked) => {
      const slots = asked.isLong ? [this.#slots[1]] : this.#slots;
      const slot = slots.find((one) => one.ready && one.asked === null);
      if (slot === undefined) {
        if (slots[0].worker === null) this.#open(slots[0]);
        return true;
      }
      slot.asked = asked;
      slot.worker?.postMessage({ number: asked.number, text: asked.text });
      this.#endLater(slot, asked, 1000 * asked.seconds);
      setTimeout(() => {
        if (slot.asked === asked && this.#slots[1].worker === null) this.#open(this.#slots[1]);
      }, SLOW);
      return false;
    });
  }

  /** @param {WorkerSlot} slot */
  #open(slot) {
    const worker = this.start();
    Object.assign(slot, { worker, ready: false, asked: null });
    worker.onmessage = ({ data }) => this.#heard(slot, data);
    worker.onerror = () => this.#end(slot, 'the worker failed');
  }

  /**
   * @param {WorkerSlot} slot
   * @param {{kind: string, number: number, text: string}} said
   */
  #heard(slot, { kind, number, text }) {
    if (kind === 'ready') {
      slot.ready = true;
      this.#leaveLater(slot);
    } else if (kind === 'part') {
      if (slot.asked?.wanted) this.tell(number, kind, text);
      return;
    } else {
      const wanted = slot.asked?.wanted;
      clearTimeout(slot.asked?.timer);
      slot.asked = null;
      if (wanted) this.tell(number, kind, text);
      this.#leaveLater(slot);
    }
    this.#handOut();
  }

  /**
   * Stop the second worker after a while without work.
   * @param {WorkerSlot} slot
   */
  #leaveLater(slot) {
    clearTimeout(slot.rest);
    if (slot !== this.#slots[1]) return;
    slot.rest = setTimeout(() => {
      if (slot.asked !== null) return;
      slot.worker?.terminate();
      Object.assign(slot, { worker: null, ready: false });
    }, IDLE);
  }

  /**
   * Stop the worker if it does not answer a question in time.
   * @param {WorkerSlot} slot
   * @param {Asked} asked
   * @param {number} wait
   */
  #endLater(slot, asked, wait) {
    clearTimeout(asked.timer);
    asked.timer = setTimeout(() => {
      if (slot.asked === asked) this.#end(slot, `no answer within ${Math.round(asked.seconds)} s`);
    }, wait);
  }

  /**
   * @param {WorkerSlot} slot
   * @param {string} why
   */
  #end(slot, why) {
    const { worker, asked } = slot;
    worker?.terminate();
    this.#open(slot);
    if (asked?.wanted) this.tell(asked.number, 'lost', why);
    this.#handOut();
  }
}
