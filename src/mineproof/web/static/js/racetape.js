/** A race as it was recorded so far: frames that can be played, stopped and dragged through. */

import { Grid } from './grid.js';
import { count } from './words.js';

export class RaceTape {
  /** @type {string[]} */
  start = [];
  /** @type {(Turn | null)[][]} */
  frames = [];
  /** @type {Racer[]} */
  racers = [];
  /** @type {string[]} */
  names = [];
  /** @type {number[]} */
  mines = [];
  /** @type {number | null} how many mines the players know of */
  count = null;
  at = 0;
  done = false;

  /** How many rounds are known. */
  get rounds() {
    return this.frames.length;
  }

  /**
   * Take in what the service sent: the start, or one round.
   * @param {Part} part
   */
  take(part) {
    if (part.frame !== undefined) this.frames.push(part.frame);
    if (part.cells === undefined) return;
    this.start = part.cells;
    this.count = part.mines ?? null;
    this.names = part.agents ?? [];
    this.#reset();
  }

  /**
   * Note that all agents have ended.
   * @param {number[]} mines
   */
  finish(mines) {
    this.mines = mines;
    this.done = true;
  }

  /**
   * Go to a round, forward or back.
   * @param {number} round
   */
  go(round) {
    const wanted = Math.max(0, Math.min(this.rounds, round));
    if (wanted < this.at) this.#reset();
    while (this.at < wanted) {
      this.#play(this.frames[this.at]);
      this.at += 1;
    }
  }

  /**
   * Give the rows of one agent's board as it stands.
   * @param {number} place
   */
  rows(place) {
    const { letters } = this.racers[place];
    const width = this.start[0].length;
    return this.start.map((_, row) => letters.slice(row * width, (row + 1) * width).join(''));
  }

  /**
   * Give the board of one agent as it stands, with all mines once it has ended.
   * @param {number} place
   */
  grid(place) {
    return new Grid(this.rows(place), this.racers[place].result === null ? [] : this.mines);
  }

  /** Say how the race stands, in one sentence. */
  summary() {
    const going = this.racers.filter((racer) => racer.result === null && !racer.fault).map(({ name }) => name);
    const ended = this.racers.filter((racer) => racer.result !== null).map((racer) =>
      `${racer.name} ${{ win: 'won', loss: 'lost', stuck: 'is stuck' }[racer.result ?? ''] ?? ''} after ${count(racer.moves, 'move')}`);
    const waits = going.length > 0 && this.at >= this.rounds && !this.done ? `${going.join(', ')} thinking` : '';
    return [...ended, waits].filter((text) => text !== '').join('; ');
  }

  #reset() {
    this.at = 0;
    this.racers = this.names.map((name) => ({
      name, letters: this.start.join('').split(''), moves: 0, guesses: 0, result: null, fault: '', last: null,
    }));
  }

  /** @param {(Turn | null)[]} frame */
  #play(frame) {
    frame.forEach((turn, place) => {
      if (turn === null) return;
      const racer = this.racers[place];
      for (const [index, letter] of turn.changes) racer.letters[index] = letter;
      Object.assign(racer, { moves: turn.moves, guesses: turn.guesses, result: turn.result, fault: turn.fault, last: turn });
    });
  }
}
