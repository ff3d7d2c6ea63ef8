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
  /** @type {Desk[]} */
  #desks = [{ worker: null, ready: false, asked: null, rest: undefined }, { worker: null, ready: false, asked: null, rest: undefined }];
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
    if (this.#desks[0].worker === null) this.#open(this.#desks[0]);
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
    const desk = this.#desks.find(({ asked }) => asked?.number === number);
    if (desk === undefined || desk.asked === null) return;
    desk.asked.wanted = false;
    this.#endLater(desk, desk.asked, GRACE);
  }

  #handOut() {
    this.#waiting = this.#waiting.filter((asked) => {
      const desks = asked.isLong ? [this.#desks[1]] : this.#desks;
      const desk = desks.find((one) => one.ready && one.asked === null);
      if (desk === undefined) {
        if (desks[0].worker === null) this.#open(desks[0]);
        return true;
      }
      desk.asked = asked;
      desk.worker?.postMessage({ number: asked.number, text: asked.text });
      this.#endLater(desk, asked, 1000 * asked.seconds);
      setTimeout(() => {
        if (desk.asked === asked && this.#desks[1].worker === null) this.#open(this.#desks[1]);
      }, SLOW);
      return false;
    });
  }

  /** @param {Desk} desk */
  #open(desk) {
    const worker = this.start();
    Object.assign(desk, { worker, ready: false, asked: null });
    worker.onmessage = ({ data }) => this.#heard(desk, data);
    worker.onerror = () => this.#end(desk, 'the worker failed');
  }

  /**
   * @param {Desk} desk
   * @param {{kind: string, number: number, text: string}} said
   */
  #heard(desk, { kind, number, text }) {
    if (kind === 'ready') {
      desk.ready = true;
      this.#leaveLater(desk);
    } else if (kind === 'part') {
      if (desk.asked?.wanted) this.tell(number, kind, text);
      return;
    } else {
      const wanted = desk.asked?.wanted;
      clearTimeout(desk.asked?.timer);
      desk.asked = null;
      if (wanted) this.tell(number, kind, text);
      this.#leaveLater(desk);
    }
    this.#handOut();
  }

  /**
   * Stop the second worker after a while without work.
   * @param {Desk} desk
   */
  #leaveLater(desk) {
    clearTimeout(desk.rest);
    if (desk !== this.#desks[1]) return;
    desk.rest = setTimeout(() => {
      if (desk.asked !== null) return;
      desk.worker?.terminate();
      Object.assign(desk, { worker: null, ready: false });
    }, IDLE);
  }

  /**
   * Stop the worker if it does not answer a question in time.
   * @param {Desk} desk
   * @param {Asked} asked
   * @param {number} wait
   */
  #endLater(desk, asked, wait) {
    clearTimeout(asked.timer);
    asked.timer = setTimeout(() => {
      if (desk.asked === asked) this.#end(desk, `no answer within ${Math.round(asked.seconds)} s`);
    }, wait);
  }

  /**
   * @param {Desk} desk
   * @param {string} why
   */
  #end(desk, why) {
    const { worker, asked } = desk;
    worker?.terminate();
    this.#open(desk);
    if (asked?.wanted) this.tell(asked.number, 'lost', why);
    this.#handOut();
  }
}
