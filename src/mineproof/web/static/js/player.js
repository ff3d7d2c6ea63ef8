/** The controls of a recorded race or series: play, pause, step and drag. The Learn tab uses them too. */

import { button, element, input, press } from './dom.js';
import { speedPause } from './words.js';

/** @template {RaceTape | SeriesTape} T */
export class Player {
  /** @type {T | null} */
  tape = null;
  playing = false;
  /** @type {Record<string, any>} the fields of the request */
  fields = {};
  /** @type {Promise<void>} */
  whole = Promise.resolve();
  #due = 0;
  #question = 0;

  /**
   * @param {App} app
   * @param {Controls} controls
   * @param {() => number} speed
   * @param {{begin: () => void, show: () => void}} listener
   * @param {'race' | 'series'} question
   * @param {() => T} makeTape
   */
  constructor(app, controls, speed, listener, question, makeTape) {
    this.question = question;
    this.makeTape = makeTape;
    this.app = app;
    this.controls = controls;
    this.speed = speed;
    this.listener = listener;
    press(controls.play, () => this.toggle());
    input(controls.round).addEventListener('input', () => this.goTo(Number(input(controls.round).value)));
  }

  /**
   * Request a race and play it while it arrives.
   * @param {Record<string, any>} fields
   * @param {boolean} plays whether to start playing immediately
   */
  start(fields, plays) {
    this.fields = fields;
    this.whole = this.#request(fields, plays);
    return this.whole;
  }

  /**
   * Wait until the race has arrived, and go to a round, unless another race has started meanwhile.
   * @param {number} round
   */
  async arriveAt(round) {
    const { tape } = this;
    await this.whole;
    if (this.tape !== tape) return false;
    this.goTo(round);
    return true;
  }

  /** @param {Record<string, any>} fields @param {boolean} plays */
  async #request(fields, plays) {
    this.stop();
    const tape = this.makeTape();
    this.tape = tape;
    try {
      const question = this.app.connection.ask(this.question, fields, (part) => this.#part(tape, part, plays));
      this.#question = question.number;
      const answer = await question;
      tape.finish(answer[this.question]);
    } catch (error) {
      tape.done = true;
      if (this.tape !== tape) return;
      if (tape.names.length === 0) this.#clear();
      this.app.complain(error);
    }
    if (this.tape === tape) this.show();
  }

  /** Clear what an earlier race has left, because this one could not start. */
  #clear() {
    this.tape = null;
    this.listener.begin();
    this.#controls();
  }

  /** @param {T} tape @param {any} part @param {boolean} plays */
  #part(tape, part, plays) {
    if (this.tape !== tape) return;
    tape.take(part);
    if (part.agents !== undefined) {
      this.listener.begin();
      this.#play(plays);
    }
    this.#controls();
  }

  /** Stop playing and cancel the request. */
  stop() {
    this.playing = false;
    if (this.#question !== 0) this.app.connection.cancel(this.#question);
    this.#question = 0;
  }

  toggle() {
    if (this.tape === null) return;
    if (!this.playing && this.tape.done && this.tape.at >= this.tape.rounds) this.tape.go(0);
    this.#play(!this.playing);
    this.show();
  }

  /** @param {number} round */
  goTo(round) {
    this.playing = false;
    this.tape?.go(round);
    this.show();
  }

  /** @param {number} by */
  step(by) {
    if (this.tape !== null) this.goTo(this.tape.at + by);
  }

  /** @param {boolean} on */
  #play(on) {
    this.playing = on;
    this.#due = 0;
    if (on) requestAnimationFrame((now) => this.#frame(now));
    this.#controls();
  }

  /** @param {number} now */
  #frame(now) {
    const { tape } = this;
    if (tape === null || !this.playing) return;
    if (now >= this.#due && tape.at < tape.rounds) {
      this.#due = now + speedPause(this.speed());
      tape.go(tape.at + 1);
      this.show();
    }
    if (tape.done && tape.at >= tape.rounds) {
      this.playing = false;
      this.show();
    } else {
      requestAnimationFrame((next) => this.#frame(next));
    }
  }

  /** Show the current round. */
  show() {
    this.#controls();
    if (this.tape !== null && this.tape.names.length > 0) this.listener.show();
  }

  #controls() {
    const { tape, controls } = this;
    const round = input(controls.round);
    round.max = String(tape?.rounds ?? 0);
    round.value = String(tape?.at ?? 0);
    round.disabled = tape === null;
    element(controls.count).textContent = tape === null ? '' : `${tape.at} of ${tape.rounds}${tape.done ? '' : '…'}`;
    const ended = tape !== null && tape.done && tape.at >= tape.rounds;
    button(controls.play).textContent = this.playing ? 'Pause' : ended ? 'Replay' : 'Play';
    button(controls.play).disabled = tape === null;
  }
}
