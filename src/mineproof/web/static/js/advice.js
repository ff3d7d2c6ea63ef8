/** Advice on the position in view: hints in stages, proofs, whether to guess, and verdicts. */

import { button, element, make, press, tapWord } from './dom.js';
import { lights, proofTitle, richText, showProof } from './proof.js';
import { closeSheet, openSheet, sheetIsUsed } from './sheet.js';
import { count, pair, percent, sentence } from './words.js';

/** A clue that a reason names. */
const CLUE = /(?:\d|clue) at \((\d+), (\d+)\)/g;
const IDLE = '“Hint” shows you where to look, then which clues to use, then the cell. “Why?” explains any cell. (3, 4) is the cell in row 3, column 4.';
const WATCH = 'Every cell that the agent opens is proved safe, or is its best guess. In a moment, a proof appears here, step by step.';

/** Around a mistake, cells stay bright up to this distance. Boards with more than `MOST_DIMMED` cells are not dimmed. */
const NEAR = 3;
const MOST_DIMMED = 1000;

export class Advice {
  /** @type {Hint | null} */
  #hint = null;
  #stage = 0;
  #armed = false;
  /** How often Hint was pressed before its answer arrived. */
  #pressed = 0;

  /**
   * @param {App} app
   * @param {Boards} boards
   */
  constructor(app, boards) {
    this.app = app;
    this.boards = boards;
    press('hint', () => this.hint());
    press('why', () => this.arm(!this.#armed));
    press('ask-why', () => this.arm(!this.#armed));
    press('may-guess', () => this.mayGuess());
    app.on('position', () => this.clear());
  }

  /** Clear the advice, because another position is in view. */
  clear() {
    this.#hint = null;
    this.#pressed = 0;
    this.arm(false);
    const { move } = this.app.position;
    if (move?.cell && move.reason && move.proved !== null) this.showMove(/** @type {Step} */ (move), move.who);
    else {
      const [title, words] = this.app.position.source === 'demo' ? ['An agent plays', WATCH] : ['Advice', IDLE];
      if (element('advice-body').textContent !== words) this.say(title, make('p', { class: 'note' }, words));
    }
  }

  /**
   * Show why an agent made a move, or would make it, and highlight the clues that the reason names.
   * @param {Pick<Step, 'action' | 'cell' | 'proved' | 'risk' | 'reason'>} move
   * @param {string} who
   */
  showMove({ action, cell, proved, risk, reason }, who = 'The agent’s move') {
    const kind = proved ? 'Proved' : risk === null ? 'A guess, risk unknown' : `A guess, risk ${percent(risk)}`;
    this.say(`${who}: ${action} ${pair(cell)}`, richText('p', `${kind}. ${sentence(reason)}.`.replace(/\.\.$/, '.'), { class: 'said' }));
    const clues = [...reason.matchAll(CLUE)].map(([, row, column]) => /** @type {Cell} */ ([Number(row), Number(column)]));
    this.boards.highlights.set('lit', clues.length > 0 ? { clues } : null);
  }

  /**
   * Show something in the advice panel.
   * @param {string} title
   * @param {...Node} content
   */
  say(title, ...content) {
    element('advice-title').textContent = title;
    const body = element('advice-body');
    body.replaceChildren(...content);
    body.scrollTop = 0;
    for (const part of ['mistake', 'proof']) document.documentElement.toggleAttribute(`data-${part}`, body.querySelector(`.${part}`) !== null);
  }

  // ---- why

  armed() {
    return this.#armed;
  }

  /**
   * Choose whether the next click on a cell asks why.
   * @param {boolean} on
   */
  arm(on) {
    this.#armed = on;
    for (const id of ['why', 'ask-why']) button(id).setAttribute('aria-pressed', String(on));
    if (on) closeSheet();
    if (on) this.app.say(`${tapWord()} a cell to ask why.`);
  }

  /**
   * Ask why a cell is safe or a mine.
   * @param {Cell} cell
   */
  async why(cell) {
    if (this.#isOpen(cell)) {
      this.#explainOpen(cell);
      return null;
    }
    this.arm(false);
    const why = await this.app.about('why', { cell });
    if (why !== null) this.showWhy(why);
    return why;
  }

  /** @param {Cell} cell */
  #isOpen(cell) {
    return !'HFmx'.includes(this.app.position.grid.at(...cell));
  }

  /**
   * Say what an open cell shows. If the next click asks why, it still does.
   * @param {Cell} cell
   */
  #explainOpen(cell) {
    const { grid } = this.app.position;
    const [letter, around] = [grid.at(...cell), grid.around(cell).filter((one) => 'HF'.includes(grid.at(...one)))];
    const exact = (this.app.position.source === 'game' ? this.app.view?.rules.clues : 'exact') === 'exact';
    const clue = letter >= '1' && letter <= '8';
    const touches = clue && exact ? `touches ${count(Number(letter), 'mine')}. It has` : 'has';
    const words = `${clue ? `The ${letter} at ${pair(cell)}` : `The open cell ${pair(cell)}`} ${touches} ${count(around.length, 'unopened neighbour')}.`;
    this.app.say(words);
    this.boards.highlights.set('lit', { clues: [cell], lit: around });
  }

  /** @param {Why} why */
  showWhy(why) {
    const risk = why.proved === null && why.risk !== null ? [make('p', { class: 'said' }, `Risk ${percent(why.risk)}.`)] : [];
    this.say(proofTitle(why), ...risk, ...showProof(why, this.boards.highlights));
    this.app.say(summary(why));
    openSheet();
    this.boards.current.revealAll([...cellsOf(why), why.cell]);
  }

  // ---- hints

  /** The hint in view; null if there is none. */
  get hinted() {
    return this.#hint;
  }

  async hint() {
    if (this.#hint === null) {
      const { position } = this.app;
      if ((this.#pressed += 1) > 1) return;
      const hint = /** @type {Hint | null} */ (await this.app.about('hint'));
      if (position !== this.app.position) return;
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
    const { highlights } = this.boards;
    const last = this.#stage >= hint.stages.length - 1;
    const stages = hint.stages.slice(0, this.#stage + 1);
    const now = stages[stages.length - 1];
    const list = stages.map((one) => lights(richText('li', one.text), highlights, { clues: one.clues, lit: one.cells }, { clues: now?.clues ?? [] }));
    const title = `Hint ${this.#stage + 1} of ${hint.stages.length}`;
    if (last) {
      this.say(`${title}: ${pair(hint.why.cell)} is ${hint.why.proved === 'mined' ? 'a mine' : 'safe'}`, ...showProof(hint.why, highlights));
      openSheet();
    } else {
      this.say(title, make('ol', { class: 'proof' }, ...list));
      const area = this.#stage === 0 ? boxAround([...(hint.stages[1]?.clues ?? []), hint.why.cell]) : [];
      highlights.set('lit', { clues: now?.clues ?? [], lit: [...(now?.cells ?? []), ...area] });
    }
    const wrong = last && this.app.position.grid.at(...hint.why.cell) === 'F' ? ' Your flag there is wrong. Remove it first.' : '';
    this.app.say(`${title}: ${last ? summary(hint.why) : now?.text ?? ''}${wrong}`);
    this.boards.current.revealAll(last ? [...cellsOf(hint.why), hint.why.cell] : [...(now?.cells ?? []), ...(now?.clues ?? [])]);
  }

  /** @param {Hint} hint */
  #showGuesses(hint) {
    const { highlights } = this.boards;
    highlights.set('proof', { best: hint.guesses.slice(0, 3).map(({ cell }) => ({ cell, sure: false })) });
    const text = hint.stages[0]?.text ?? 'No cell is proved safe, so you have to guess.';
    this.say('Nothing is proved safe', richText('p', text, { class: 'said' }), make('ol', { class: 'moves' }, ...candidateRows(hint.guesses, this.boards, (cell) => this.why(cell))));
    const best = hint.guesses[0];
    this.app.say(best === undefined ? text : `Nothing is proved safe. ${bestGuess(best)}`, 'warn');
    openSheet();
  }

  async mayGuess() {
    const answer = await this.app.about('may_guess');
    if (answer === null) return;
    const words = `May I guess? ${answer.may ? 'Yes' : 'No'}`;
    const proof = answer.why ? showProof(answer.why, this.boards.highlights) : [];
    const text = sentence(answer.text.replace(answer.why?.text ?? '', '').replace(/^(No|Yes)[:.] ?/, '').trim());
    const said = richText('p', text, { class: 'said' });
    this.say(words, said, ...proof);
    this.app.say(`${words}. ${text}`, answer.may ? 'good' : 'warn');
    openSheet();
    const best = answer.may ? /** @type {Hint | null} */ (await this.app.about('hint', {}, { quiet: true }))?.guesses[0] : undefined;
    if (best === undefined || !said.isConnected) return;
    said.replaceWith(richText('p', `${text} ${bestGuess(best)}`, { class: 'said' }));
    this.boards.highlights.set('proof', { best: [{ cell: best.cell, sure: false }] });
    this.app.say(`${words}. ${text} ${bestGuess(best)}`, 'good');
  }

  /**
   * Return a proof below its title. On a phone, only one is open at a time.
   * @param {Why} why
   * @param {string} title
   * @param {boolean} better
   */
  #proofPart(why, title, better) {
    const { highlights } = this.boards;
    const part = make('details', { open: '', ...(better ? { class: 'better' } : {}) }, make('summary', {}, make('h3', {}, title)), ...showProof(why, highlights));
    part.querySelector('summary')?.addEventListener('click', () => {
      if (!part.hasAttribute('open')) this.#light(why);
      if (sheetIsUsed()) for (const other of part.parentElement?.querySelectorAll('details') ?? []) if (other !== part) other.removeAttribute('open');
    });
    return part;
  }

  /**
   * Show the cells of a proof on the board. Next to a sheet there is only room for one proof.
   * @param {Why} why
   */
  #light(why) {
    showProof(why, this.boards.highlights);
    if (sheetIsUsed()) this.boards.current.revealAll([...cellsOf(why), why.cell]);
  }

  // ---- verdicts

  /**
   * Show the verdict on a move, and the better move if there was one.
   * @param {Verdict} verdict
   * @param {string} title
   */
  showVerdict(verdict, title) {
    const words = sentence(verdict.text.replace(verdict.better?.text ?? '', '').trim());
    const line = make('p', { class: 'verdict' }, make('span', { class: 'dot', 'data-kind': verdict.kind }), richText('span', words, { class: 'said' }));
    const better = verdict.better === null ? [] : [make('h3', {}, proofTitle(verdict.better)), ...showProof(verdict.better, this.boards.highlights)];
    this.say(title, line, ...better);
    const kind = verdict.kind === 'proved' ? 'good' : verdict.kind === 'best guess' ? 'note' : 'warn';
    this.app.say(`${sentence(verdict.kind)}. ${lastSentence(verdict, words)}`, kind);
  }

  /**
   * Show a mistake: the cell that was opened, why it was a mine or what it risked, and the better cell.
   * @param {Verdict} verdict
   * @param {Cell} cell
   * @param {string} title
   * @param {Node} fall the fall of the win chance
   * @param {...Node} more what follows the proofs
   */
  showMistake(verdict, cell, title, fall, ...more) {
    const { mine, better } = verdict;
    const words = mistakeText(verdict, cell);
    const parts = [...(mine ? [this.#proofPart(mine, proofTitle(mine), false)] : []), ...(better ? [this.#proofPart(better, betterTitle(better.cell, cell), true)] : [])];
    if (sheetIsUsed()) parts.slice(1).forEach((part) => part.removeAttribute('open'));
    this.say(title, make('div', { class: 'said mistake' }, make('span', { class: 'glyph', 'data-glyph': verdict.glyph, 'aria-hidden': 'true' }, verdict.glyph), make('p', {}, words, fall)), ...parts, ...more);
    const { grid } = this.app.position;
    const named = [...[better, mine].flatMap((why) => (why ? cellsOf(why) : [])), cell];
    const dimmed = grid.letters.length > MOST_DIMMED ? [] : grid.letters.map((_, i) => grid.cell(i)).filter((one) => named.every((other) => distance(one, other) > NEAR));
    const hit = this.app.view?.end?.mines.includes(grid.index(cell)) === true;
    this.boards.highlights.set('played', { played: [{ cell, glyph: verdict.glyph, mine: hit }], dimmed });
    this.app.say(words, 'warn');
    openSheet();
    this.boards.current.revealAll(named);
    if (mine && sheetIsUsed()) this.#light(mine); // the better cell is folded away
  }
}

/**
 * Return what a mistake was: a chord opens other cells than the one that was clicked, and relies on its flags.
 * @param {Verdict} verdict
 * @param {Cell} cell
 */
function mistakeText({ text, mine, risk }, cell) {
  if (text.startsWith('The chord')) return `You chorded ${pair(cell)}. ${text.slice(0, text.indexOf('. ') + 1)}`;
  return `You opened ${pair(cell)}. ${mine ? 'It was proved to be a mine.' : `It risked ${percent(risk)}.`}`;
}

/**
 * Return the words of a verdict for the status line: of a proof, only the conclusion.
 * @param {Verdict} verdict
 * @param {string} words
 */
export const lastSentence = ({ kind }, words) => (kind === 'proved' ? sentence(words.split('. ').at(-1) ?? '') : words);

/**
 * Return the cells of the smallest rectangle around some cells.
 * @param {Cell[]} cells
 * @returns {Cell[]}
 */
function boxAround(cells) {
  const [rows, columns] = [cells.map(([row]) => row), cells.map(([, column]) => column)];
  const all = [];
  for (let row = Math.min(...rows); row <= Math.max(...rows); row += 1) {
    for (let column = Math.min(...columns); column <= Math.max(...columns); column += 1) all.push(/** @type {Cell} */ ([row, column]));
  }
  return all;
}

/**
 * Return the cells that a proof names.
 * @param {Why} why
 * @returns {Cell[]}
 */
const cellsOf = (why) => [...why.steps.flatMap(({ clues, cells }) => [...clues, ...cells]), ...why.clues, why.cell];

/**
 * Return the title of a better cell, which says if it is next to the cell that was opened.
 * @param {Cell} better
 * @param {Cell} played
 */
const betterTitle = (better, played) => `Better: ${pair(better)}${distance(better, played) === 1 ? ', next to it' : ''}`;

/**
 * Return the number of king's moves between two cells.
 * @param {Cell} one
 * @param {Cell} other
 */
const distance = (one, other) => Math.max(Math.abs(one[0] - other[0]), Math.abs(one[1] - other[1]));

/** @param {Candidate} best */
const bestGuess = (best) => `The best guess is ${pair(best.cell)}, with a risk of ${percent(best.risk)}.`;

/**
 * Return a proof in one line.
 * @param {Why} why
 */
function summary(why) {
  if (why.proved === null) return `${pair(why.cell)} is not proved. Its risk is ${percent(why.risk)}.`;
  return `${pair(why.cell)} is ${why.proved === 'safe' ? 'safe' : 'a mine'}.`;
}

/**
 * Return list items for moves, with risk and win chance. Pointing at one highlights its cell; a click asks why.
 * @param {Candidate[]} moves
 * @param {Boards} boards
 * @param {(cell: Cell) => void} ask
 */
export function candidateRows(moves, boards, ask) {
  return moves.map((move, rank) => {
    const win = move.win === null ? '' : `, win ${percent(move.win)}`;
    const row = make('li', {}, make('span', { class: 'number' }, String(rank + 1)), pair(move.cell), make('span', { class: 'side' }, `${move.risk === 0 ? 'safe' : `risk ${percent(move.risk)}`}${win}`));
    lights(row, boards.highlights, { lit: [move.cell] });
    row.addEventListener('click', () => ask(move.cell));
    row.addEventListener('keydown', (event) => event.key === 'Enter' && ask(move.cell));
    return row;
  });
}
