/** A recording of a race. It can be played, forward and back, while the rest is still arriving. */

import { Grid } from './grid.js';
import { sentence } from './words.js';

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
  /** @type {number | null} the number of mines; null if it is hidden from the players */
  count = null;
  /** The seed of the board, known at the end. */
  seed = '';
  at = 0;
  done = false;

  /** Number of rounds received so far. */
  get rounds() {
    return this.frames.length;
  }

  /**
   * Add a part that the service sent: the start, or one round.
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
   * Record that all agents have finished.
   * @param {{mines: number[], seed: string}} answer
   */
  finish({ mines, seed }) {
    this.mines = mines;
    this.seed = seed;
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
   * Return the rows of one agent's board in the current round.
   * @param {number} racer
   */
  rows(racer) {
    const { letters } = this.racers[racer];
    const width = this.start[0].length;
    return this.start.map((_, row) => letters.slice(row * width, (row + 1) * width).join(''));
  }

  /**
   * Return what each of an agent's moves changed: the opened cells, or `~index` for a flag.
   * @param {number} racer
   */
  past(racer) {
    const turns = this.frames.slice(0, this.at).flatMap((frame) => frame[racer] ?? []);
    return turns.filter(({ cell }) => cell).map(({ changes }) => changes.map(([index, letter]) => ('FH'.includes(letter) ? ~index : index)));
  }

  /**
   * Return one agent's board in the current round, with all mines once the agent has finished.
   * @param {number} racer
   */
  grid(racer) {
    return new Grid(this.rows(racer), this.isOver(racer) ? this.mines : []);
  }

  /**
   * Return whether one agent's game has ended in the current round.
   * @param {number} racer
   */
  isOver(racer) {
    return this.racers[racer].result !== null || this.racers[racer].fault !== '';
  }

  /** Return the state of the race in a few words, which fit on a phone. The lanes count the moves. */
  summary() {
    const going = this.racers.filter((racer) => racer.result === null && !racer.fault).map(({ name }) => name);
    const ended = [['win', 'won'], ['loss', 'lost'], ['stuck', 'stuck']].map(([result, word]) => {
      const names = this.racers.filter((racer) => racer.result === result).map(({ name }) => name);
      return names.length > 0 ? `${word}: ${names.join(', ')}` : '';
    });
    const waits = going.length > 0 && this.at >= this.rounds && !this.done ? `${going.join(', ')} ${going.length === 1 ? 'is' : 'are'} thinking` : '';
    return [sentence(ended.filter((text) => text !== '').join('; ')), waits].filter((text) => text !== '').join('; ');
  }

  #reset() {
    this.at = 0;
    this.racers = this.names.map((name) => ({
      name, letters: this.start.join('').split(''), moves: 0, guesses: 0, result: null, fault: '', last: null,
    }));
  }

  /** @param {(Turn | null)[]} frame */
  #play(frame) {
    frame.forEach((turn, i) => {
      if (turn === null) return;
      const racer = this.racers[i];
      for (const [index, letter] of turn.changes) racer.letters[index] = letter;
      Object.assign(racer, { moves: turn.moves, guesses: turn.guesses, result: turn.result, fault: turn.fault, last: { ...turn, who: racer.name } });
    });
  }
}
