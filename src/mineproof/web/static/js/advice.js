/** Advice on the position in view: hints in stages, reasons, whether to guess, verdicts. */

import { button, element, make, press } from './dom.js';
import { lights, proofTitle, richText, showProof } from './proof.js';
import { closeSheet, openSheet } from './sheet.js';
import { pair, percent, sentence } from './words.js';

const IDLE = 'Hint says where to look, then which clues, then which cell. Why? gives the proof of any cell.';

export class Advice {
  /** @type {Hint | null} */
  #hint = null;
  #stage = 0;
  #armed = false;
  /** How often Hint was pressed while its answer was on the way. */
  #pressed = 0;

  /**
   * @param {Bench} bench
   * @param {Stage} stage
   */
  constructor(bench, stage) {
    this.bench = bench;
    this.stage = stage;
    press('hint', () => this.hint());
    press('why', () => this.arm(!this.#armed));
    press('may-guess', () => this.mayGuess());
    bench.on('place', () => this.clear());
  }

  /** Whether there is nothing to be said just now; says why. */
  #silent() {
    const { place, view } = this.bench;
    if (place.source !== 'game' || view === null) return false;
    const closed = place.grid.letters.every((letter) => letter === 'H' || letter === 'F');
    if (view.state === 'paused') this.bench.say('The game is paused. Press P to resume.', 'warn');
    else if (closed && view.rules.start !== 'any') this.bench.say('The first cell is safe, wherever you open.');
    else return false;
    return true;
  }

  /** Forget what was said: another position is in view. */
  clear() {
    this.#hint = null;
    this.#pressed = 0;
    this.arm(false);
    this.say('Advice', make('p', { class: 'note' }, IDLE));
  }

  /**
   * Put something into the panel.
   * @param {string} title
   * @param {...Node} content
   */
  say(title, ...content) {
    element('advice-title').textContent = title;
    element('advice-body').replaceChildren(...content);
    element('advice-body').scrollTop = 0;
  }

  // ---- why

  armed() {
    return this.#armed;
  }

  /**
   * Let the next click on a cell ask why.
   * @param {boolean} on
   */
  arm(on) {
    this.#armed = on;
    button('why').setAttribute('aria-pressed', String(on));
    if (on) closeSheet();
    if (on) this.bench.say('Which cell? Click it, or point at it and press W.');
  }

  /**
   * Ask why a cell is safe or a mine.
   * @param {Cell} cell
   */
  async why(cell) {
    this.arm(false);
    if (this.#silent()) return null;
    if (this.#isOpen(cell)) {
      this.bench.say(`${pair(cell)} is open: what it is, is in view.`, 'warn');
      return null;
    }
    const why = await this.bench.about('why', { cell });
    if (why !== null) this.showWhy(why);
    return why;
  }

  /** @param {Cell} cell */
  #isOpen(cell) {
    return !'HFmx'.includes(this.bench.place.grid.at(...cell));
  }

  /** @param {Why} why */
  showWhy(why) {
    const risk = why.proved === null && why.risk !== null ? [make('p', { class: 'said' }, `Risk ${percent(why.risk)}.`)] : [];
    this.say(proofTitle(why), ...risk, ...showProof(why, this.stage.marks));
    this.bench.say(summary(why));
    openSheet();
  }

  // ---- hints

  /** The hint that is being given; null where none was asked for. */
  get hinted() {
    return this.#hint;
  }

  async hint() {
    if (this.#silent()) return;
    if (this.bench.place.source === 'game' && this.bench.view?.end) {
      this.bench.say('The game is over: step back, every position has its hints.', 'warn');
      return;
    }
    if (this.#hint === null) {
      const { place } = this.bench;
      if ((this.#pressed += 1) > 1) return;
      const hint = /** @type {Hint | null} */ (await this.bench.about('hint'));
      if (place !== this.bench.place) return;
      const pressed = this.#pressed;
      this.#pressed = 0;
      if (hint === null) return;
      this.#hint = hint;
      this.#stage = Math.min(pressed, Math.max(1, hint.stages.length)) - 1;
    } else if (this.#stage < this.#hint.stages.length - 1) {
      this.#stage += 1;
    }
    this.#showHint(this.#hint);
  }

  /** @param {Hint} hint */
  #showHint(hint) {
    if (hint.why === null) {
      this.#showGuesses(hint);
      return;
    }
    const { marks } = this.stage;
    const last = this.#stage >= hint.stages.length - 1;
    const stages = hint.stages.slice(0, this.#stage + 1);
    const now = stages[stages.length - 1];
    const list = stages.map((one) => lights(richText('li', one.text), marks, { clues: one.clues, lit: one.cells }, { clues: now?.clues ?? [] }));
    const title = `Hint ${this.#stage + 1} of ${hint.stages.length}`;
    if (last) {
      this.say(`${title}: ${pair(hint.why.cell)} is ${hint.why.proved === 'mined' ? 'a mine' : 'safe'}`, ...showProof(hint.why, marks));
      openSheet();
    } else {
      this.say(title, make('ol', { class: 'proof' }, ...list));
      marks.set('lit', { clues: now?.clues ?? [], lit: now?.cells ?? [] });
    }
    this.bench.say(`${title}: ${last ? summary(hint.why) : now?.text ?? ''}`);
    if (hint.cell !== null && last) this.stage.board.reveal(hint.cell);
  }

  /** @param {Hint} hint */
  #showGuesses(hint) {
    const { marks } = this.stage;
    marks.set('proof', { best: hint.guesses.slice(0, 3).map(({ cell }) => ({ cell, sure: false })) });
    const text = hint.stages[0]?.text ?? 'Nothing is proved safe: this is a guess.';
    this.say('Nothing is proved', richText('p', text, { class: 'said' }), make('ol', { class: 'moves' }, ...candidateRows(hint.guesses, this.stage, (cell) => this.why(cell))));
    const best = hint.guesses[0];
    this.bench.say(best === undefined ? text : `Nothing is proved safe. The best guess is ${pair(best.cell)}, risk ${percent(best.risk)}.`, 'warn');
    openSheet();
  }

  async mayGuess() {
    if (this.#silent()) return;
    const answer = await this.bench.about('may_guess');
    if (answer === null) return;
    const words = `May I guess? ${answer.may ? 'Yes' : 'No'}`;
    const proof = answer.why ? showProof(answer.why, this.stage.marks) : [];
    this.say(words, richText('p', answer.text, { class: 'said' }), ...proof);
    this.bench.say(`${words}. ${sentence(answer.text)}`, answer.may ? 'good' : 'warn');
    openSheet();
  }

  // ---- verdicts

  /**
   * Show a verdict on a move, with what was better.
   * @param {Verdict} verdict
   * @param {string} title
   */
  showVerdict(verdict, title) {
    const words = sentence(verdict.text.replace(verdict.better?.text ?? '', '').trim());
    const line = make('p', { class: 'verdict' }, make('span', { class: 'dot', 'data-kind': verdict.kind }), richText('span', words, { class: 'said' }));
    const better = verdict.better === null ? [] : [make('h3', {}, proofTitle(verdict.better)), ...showProof(verdict.better, this.stage.marks)];
    this.say(title, line, ...better);
    const kind = verdict.kind === 'proved' ? 'good' : verdict.kind === 'best guess' ? 'note' : 'warn';
    this.bench.say(`${sentence(verdict.kind)}. ${words}`, kind);
  }
}

/**
 * Say a proof in one line.
 * @param {Why} why
 */
function summary(why) {
  if (why.proved === null) return `${pair(why.cell)} is not proved: its risk is ${percent(why.risk)}.`;
  return `${pair(why.cell)} is ${why.proved === 'safe' ? 'safe' : 'a mine'}. Point at a step to see its clues.`;
}

/**
 * List moves with risk and win chance; pointing lights the cell, a click asks why.
 * @param {Candidate[]} moves
 * @param {Stage} stage
 * @param {(cell: Cell) => void} ask
 */
export function candidateRows(moves, stage, ask) {
  return moves.map((move, rank) => {
    const win = move.win === null ? '' : `, win ${percent(move.win)}`;
    const row = make('li', {}, make('span', { class: 'number' }, String(rank + 1)), pair(move.cell), make('span', { class: 'side' }, `${move.risk === 0 ? 'safe' : `risk ${percent(move.risk)}`}${win}`));
    lights(row, stage.marks, { lit: [move.cell] });
    row.addEventListener('click', () => ask(move.cell));
    row.addEventListener('keydown', (event) => event.key === 'Enter' && ask(move.cell));
    return row;
  });
}
