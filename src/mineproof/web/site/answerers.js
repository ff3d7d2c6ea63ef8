/**
 * The workers that answer questions. Two at most: long questions have the second one for
 * themselves, quick ones take the first or, while it starts anew, the second. Who works on for
 * something that nobody wants any more is ended. Memory is dear: the second one is started for a
 * long question, or when a quick one takes so long that it may be taken back, and it ends when
 * nobody has needed it for a while.
 */

/** Milliseconds that work may go on when nobody waits for it: about what a new worker costs. */
const GRACE = 600;
/** Milliseconds after which a quick question is slow: then a second worker gets ready. */
const SLOW = 250;
/** Milliseconds without work after which the second worker ends. */
const IDLE = 15_000;

export class Answerers {
  /** @type {Desk[]} */
  #desks = [{ worker: null, ready: false, asked: null, rest: undefined }, { worker: null, ready: false, asked: null, rest: undefined }];
  /** @type {Asked[]} */
  #waiting = [];

  /**
   * @param {() => Worker} start gives a new worker, which says `ready` once it is
   * @param {(number: number, kind: string, text: string) => void} tell
   */
  constructor(start, tell) {
    this.start = start;
    this.tell = tell;
  }

  /** Start the worker that players wait for, unless it is there. */
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
   * Let the second worker go once it has rested for a while.
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
   * End the work on a question that takes longer than it may.
   * @param {Desk} desk
   * @param {Asked} asked
   * @param {number} wait
   */
  #endLater(desk, asked, wait) {
    clearTimeout(asked.timer);
    asked.timer = setTimeout(() => {
      if (desk.asked === asked) this.#end(desk, `expected an answer within ${Math.round(asked.seconds)} s, got none`);
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
