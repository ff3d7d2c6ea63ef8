/** The connection to the service: questions, their answers, and errors. */

import { sentence } from './words.js';

/** The `readyState` of an open carrier. */
const OPEN = 1;
/** The longest pause between two attempts to reconnect, in milliseconds. */
const LONGEST_PAUSE = 5000;

/** An error that the service reported. */
export class ServiceError extends Error {
  /** @param {Message} answer */
  constructor(answer) {
    super(answer.words ?? sentence(answer.error));
    this.cancelled = answer.cancelled === true;
    /** @type {[number, number][]} */
    this.conflict = answer.conflict ?? [];
  }
}

/** Sends questions over a carrier, matches answers to them, and reconnects when it closes. */
export class Connection {
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

  /** Connect, and reconnect whenever the connection is lost. */
  connect() {
    const carrier = this.open();
    this.#carrier = carrier;
    carrier.addEventListener('message', (event) => this.#read(JSON.parse(event.data)));
    carrier.addEventListener('close', () => this.#closed());
  }

  /**
   * Ask the service a question.
   * @param {string} name
   * @param {Message} fields
   * @param {(part: any) => void} [part] called with each part of an answer that arrives in parts
   * @returns {Promise<Message> & {number: number}}
   */
  ask(name, fields = {}, part = undefined) {
    this.#number += 1;
    const number = this.#number;
    const promise = new Promise((done, fail) => {
      if (this.#carrier === null || this.#carrier.readyState !== OPEN) {
        fail(new ServiceError({ error: 'there is no connection. Wait a moment and try again.' }));
        return;
      }
      this.#open.set(number, { done, fail, part });
      this.#carrier.send(JSON.stringify({ ...fields, do: name, n: number }));
    });
    return Object.assign(promise, { number });
  }

  /**
   * Cancel a question.
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
    else question.fail(new ServiceError(message));
  }

  #closed() {
    for (const question of this.#open.values()) {
      question.fail(new ServiceError({ error: 'connection lost', cancelled: true }));
    }
    this.#open.clear();
    this.#tries += 1;
    this.listener.lost(this.#tries);
    setTimeout(() => this.connect(), Math.min(LONGEST_PAUSE, 200 * 2 ** this.#tries));
  }
}
