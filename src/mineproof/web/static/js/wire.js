/** The socket to the server: questions with answers, and a new try when it breaks off. */

/**
 * @typedef {Record<string, any>} Message
 * @typedef {{push: (message: Message) => void, lost: () => void}} Listener
 */

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
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Map<number, {done: (m: Message) => void, fail: (e: Error) => void, part?: (p: any) => void}>} */
  #open = new Map();
  #number = 0;
  #tries = 0;

  /**
   * @param {() => string} address
   * @param {Listener} listener
   */
  constructor(address, listener) {
    this.address = address;
    this.listener = listener;
  }

  /** Connect, and again when the connection breaks off. */
  connect() {
    const socket = new WebSocket(this.address());
    this.#socket = socket;
    socket.addEventListener('message', (event) => this.#read(JSON.parse(event.data)));
    socket.addEventListener('close', () => this.#closed());
  }

  /**
   * Ask the server something.
   * @param {string} name
   * @param {Message} fields
   * @param {(part: any) => void} [part] called with each part of an answer that comes in parts
   * @returns {Promise<Message> & {number: number}}
   */
  ask(name, fields = {}, part = undefined) {
    this.#number += 1;
    const number = this.#number;
    const promise = new Promise((done, fail) => {
      if (this.#socket === null || this.#socket.readyState !== WebSocket.OPEN) {
        fail(new Refused({ error: 'no connection to the server' }));
        return;
      }
      this.#open.set(number, { done, fail, part });
      this.#socket.send(JSON.stringify({ ...fields, do: name, n: number }));
    });
    return Object.assign(promise, { number });
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
      question.fail(new Refused({ error: 'the connection to the server broke off' }));
    }
    this.#open.clear();
    this.listener.lost();
    this.#tries += 1;
    setTimeout(() => this.connect(), Math.min(5000, 200 * 2 ** this.#tries));
  }
}
