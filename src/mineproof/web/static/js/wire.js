/** Questions and answers over a carrier, and a new try when it breaks off. */

const OPEN = 1;
const LONGEST_PAUSE = 5000;

/** An answer that says what is wrong. */
export class Refused extends Error {
  /** @param {Message} answer */
  constructor(answer) {
    super(answer.error);
    this.cancelled = answer.cancelled === true;
    /** @type {[number, number][]} */
    this.conflict = answer.conflict ?? [];
  }
}

export class Wire {
  /** @type {Carrier | null} */
  #carrier = null;
  /** @type {Map<number, Waiting>} */
  #open = new Map();
  #number = 0;
  #tries = 0;

  /**
   * @param {() => Carrier} open
   * @param {Listener} listener
   */
  constructor(open, listener) {
    this.open = open;
    this.listener = listener;
  }

  /** Connect, and again when the connection breaks off. */
  connect() {
    const carrier = this.open();
    this.#carrier = carrier;
    carrier.addEventListener('message', (event) => this.#read(JSON.parse(event.data)));
    carrier.addEventListener('close', () => this.#closed());
  }

  /**
   * Ask the service something.
   * @param {string} name
   * @param {Message} fields
   * @param {(part: any) => void} [part] called with each part of an answer that comes in parts
   * @returns {Promise<Message> & {number: number}}
   */
  ask(name, fields = {}, part = undefined) {
    this.#number += 1;
    const number = this.#number;
    const promise = new Promise((done, fail) => {
      if (this.#carrier === null || this.#carrier.readyState !== OPEN) {
        fail(new Refused({ error: 'there is no connection just now' }));
        return;
      }
      this.#open.set(number, { done, fail, part });
      this.#carrier.send(JSON.stringify({ ...fields, do: name, n: number }));
    });
    return Object.assign(promise, { number });
  }

  /**
   * Take a question back.
   * @param {number} question
   */
  cancel(question) {
    if (this.#open.has(question)) this.ask('cancel', { question }).catch(() => {});
  }

  /** @param {Message} message */
  #read(message) {
    if (message.push !== undefined) {
      this.#tries = 0;
      this.listener.push(message);
      return;
    }
    const question = this.#open.get(message.n);
    if (question === undefined) return;
    if (message.part !== undefined) {
      question.part?.(message.part);
      return;
    }
    this.#open.delete(message.n);
    if (message.error === undefined) question.done(message);
    else question.fail(new Refused(message));
  }

  #closed() {
    for (const question of this.#open.values()) {
      question.fail(new Refused({ error: 'the connection broke off', cancelled: true }));
    }
    this.#open.clear();
    this.listener.lost();
    this.#tries += 1;
    setTimeout(() => this.connect(), Math.min(LONGEST_PAUSE, 200 * 2 ** this.#tries));
  }
}
