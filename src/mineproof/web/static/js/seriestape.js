/** A recording of a series: the standings after every board, while the rest is still arriving. */

import { percent } from './words.js';

export class SeriesTape {
  /** @type {string[]} */
  names = [];
  /** Number of boards asked for. */
  wanted = 0;
  /** @type {SeriesBoard[]} */
  boards = [];
  /** The seed of the first board. */
  seed = '';
  at = 0;
  done = false;

  /** Number of boards received so far. */
  get rounds() {
    return this.boards.length;
  }

  /** The standings in view; undefined before the first board. */
  get now() {
    return /** @type {SeriesBoard | undefined} */ (this.boards[this.at - 1]);
  }

  /**
   * Add a part that the service sent: the agents, or one board.
   * @param {SeriesBoard & {agents?: string[], boards?: number}} part
   */
  take(part) {
    if (part.agents === undefined) this.boards.push(part);
    else [this.names, this.wanted, this.seed] = [part.agents, part.boards ?? 0, part.seed];
  }

  /** Record that the series has ended. */
  finish() {
    this.done = true;
  }

  /** @param {number} board */
  go(board) {
    this.at = Math.max(0, Math.min(this.rounds, board));
  }

  /** Return the boards up to the one in view that only one of the two best agents won, each with the other agent. */
  differing() {
    const [first, second] = this.now?.best ?? [0, 1];
    return this.boards.slice(0, this.at).flatMap((board) => {
      const ends = [first, second].map((one) => board.ends[one].result);
      const won = ends.map((result) => result === 'win');
      return won[0] === won[1] || ends.includes('refused') ? [] : [{ board, loser: won[0] ? second : first }];
    });
  }

  /** Return what the boards say about the two best agents. Looking before the last board would favour chance. */
  verdict() {
    const { now } = this;
    if (now === undefined) return '';
    if (this.at < this.wanted) return this.done && this.rounds < this.wanted ? 'The series ended early, so there is no verdict.' : 'The verdict comes after the last board.';
    if (!now.differ) return 'These boards do not show which of the two best agents is stronger.';
    const [first, second] = now.best.map((one) => now.rates[one]);
    return first[1] < second[2] ? 'The bands overlap, but the same boards still show which of the two best agents is stronger.' : 'These boards show which of the two best agents is stronger.';
  }
}

/**
 * Return the risk that a losing agent believed, the true risk, and the lowest risk on the board, in two lines.
 * @param {SeriesEnd} end
 * @returns {[string, string]}
 */
export function lossText({ result, fault, believed, risk, least }) {
  if (result === 'stuck') return ['Was stuck', 'It proved no move'];
  if (fault !== '') return ['Failed', fault];
  if (risk === null || risk === undefined) return ['Opened a mine', 'The true risk is not known'];
  const thought = believed === null || believed === undefined ? 'No estimate' : believed === 0 ? 'Thought it safe' : `Thought ${percent(believed)}`;
  const right = believed !== null && believed !== undefined && Math.abs(believed - risk) < 0.0005;
  if (least === risk) return [right ? `Risk ${percent(risk)}` : `${thought}, true ${percent(risk)}`, 'No cell had a lower risk'];
  return [right ? `Risk ${percent(risk)}` : `${thought}, true ${percent(risk)}`, least === 0 ? 'Another cell was safe' : `The lowest risk was ${percent(least)}`];
}

/**
 * Return how often a fair coin does something, in words.
 * @param {number} chance
 */
export function timesText(chance) {
  if (chance >= 0.1) return `${Math.round(100 * chance)} times in 100`;
  const times = Math.round(1000 * chance);
  return times < 1 ? 'less than once in 1,000' : times === 1 ? 'once in 1,000' : `${times} times in 1,000`;
}
