/** The Analyse tab: draw, paste or import a position, and see its analysis immediately. */

import { area, button, change, element, input, make, press, select, tapWord } from './dom.js';
import { Editor } from './editor.js';
import { faultOf, letterText, positionText, readPosition } from './grid.js';
import { count, pair, percent, sentence, thousands } from './words.js';
import { ServiceError } from './connection.js';

const BRUSHES = ['', ...'HFM-012345678'];
/** @type {Record<string, string>} */
const SIGNS = { '': '?', H: '■', F: '⚑', M: '✹', '-': '·' };
const FIRST = '8x8x10\nHHHHHHHH\nHHHHHHHH\nHHHHHHHH\nHHHHHHHH\n1112HHHH\n0001HHHH\n0001HHHH\n0001HHHH\n';
/** Time limit of the analysis after each change, in seconds. */
const QUICK_SECONDS = 2;
/** What a deep analysis usually takes, in seconds. */
const DEEP_SECONDS = 10;

export class Analyse {
  editor = new Editor();
  #brush = '';
  /** @type {Cell | null} the cell that Play on asks about */
  #next = null;
  #playsOn = false;
  #question = 0;

  /**
   * @param {App} app
   * @param {Boards} boards
   * @param {Advice} advice
   * @param {Chances} chances
   */
  constructor(app, boards, advice, chances) {
    this.app = app;
    this.boards = boards;
    this.advice = advice;
    this.chances = chances;
    this.#makeBrushes();
    boards.handle('analyse', {
      tap: (cell) => advice.why(cell),
      mark: (cell) => this.#draw([cell], this.editor.grid.at(...cell) === 'F' ? 'H' : 'F'),
      hover: () => {},
      paints: () => this.#brush !== '' && !advice.armed(),
      paint: (cell, first) => this.#paint(cell, first),
      painted: () => this.#changed(),
    });
    this.#listen();
    app.on('tab', () => this.#tab());
    app.on('settings', () => this.#shown?.());
  }

  #listen() {
    press('edit-undo', () => this.undo());
    press('edit-redo', () => this.#after(this.editor.redo()));
    press('from-game', () => this.fromGame());
    press('play-on', () => this.#playOn(!this.#playsOn));
    press('deep', () => this.ask(true));
    press('analysis-cancel', () => this.app.connection.cancel(this.#question));
    press('draw-empty', () => this.#resize());
    area('position').addEventListener('input', () => this.#typed());
    change('a-clues', () => this.#changed());
    change('marks-are-facts', () => this.#changed());
    change('a-mines', () => this.#after(this.#setMines()));
  }

  #tab() {
    if (this.app.tab !== 'analyse') return;
    if (this.editor.rows.length === 0) this.open(FIRST);
    else this.#changed();
  }

  // ---- brushes

  #makeBrushes() {
    const list = element('brushes');
    list.append(...BRUSHES.map((letter) => {
      const name = letter === '' ? 'ask why' : letterText(letter);
      const made = make('button', { role: 'radio', 'aria-checked': String(letter === ''), 'aria-label': name, title: name, tabindex: letter === '' ? '0' : '-1', 'data-brush': letter }, SIGNS[letter] ?? letter);
      made.addEventListener('click', () => this.choose(letter));
      return made;
    }));
    list.addEventListener('keydown', (event) => {
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      this.choose(BRUSHES[(BRUSHES.indexOf(this.#brush) + by + BRUSHES.length) % BRUSHES.length]);
      /** @type {HTMLElement | null} */ (list.querySelector(`[data-brush="${this.#brush}"]`))?.focus();
    });
  }

  /**
   * Choose a brush. With the empty brush, a click asks why.
   * @param {string} letter
   */
  choose(letter) {
    if (this.#next !== null && letter !== '') {
      this.#draw([this.#next], letter);
      return;
    }
    this.#brush = letter;
    for (const one of element('brushes').querySelectorAll('[role="radio"]')) {
      const on = /** @type {HTMLElement} */ (one).dataset.brush === letter;
      one.setAttribute('aria-checked', String(on));
      one.setAttribute('tabindex', on ? '0' : '-1');
    }
    this.boards.main.pan(0, 0); // updates the touch action: drawing with a finger must not scroll
    this.app.say(letter === '' ? `${tapWord()} a cell to ask why.` : `${tapWord()} or drag to draw: ${letterText(letter)}.`);
  }

  /**
   * Draw the letter that a key stands for. Return false if it stands for none.
   * @param {string} key
   * @param {Cell} cell
   */
  drawKey(key, cell) {
    const letter = key.length === 1 ? key.toUpperCase() : '';
    if (!/^[0-8HFM-]$/.test(letter)) return false;
    this.#draw([cell], letter);
    return true;
  }

  /** Handle Enter: draw with the brush, or ask why if there is none. */
  enter(/** @type {Cell} */ cell) {
    if (this.#brush === '') this.advice.why(cell);
    else this.#draw([cell], this.#brush);
  }

  /**
   * Suggest the best move, wait for what the cell shows, then suggest the next one.
   * @param {boolean} on
   */
  #playOn(on) {
    this.#playsOn = on;
    this.#next = null;
    button('play-on').setAttribute('aria-pressed', String(on));
    this.choose('');
    if (on) this.ask();
  }

  /** @param {Candidate | undefined} best */
  #suggest(best) {
    this.#next = best?.cell ?? null;
    if (best === undefined) {
      this.app.say('Nothing is left to open.', 'good');
      return;
    }
    this.boards.main.moveCursor(best.cell);
    this.boards.main.host.focus({ preventScroll: true });
    this.boards.highlights.set('best', { best: [{ cell: best.cell, sure: best.risk === 0 }] });
    this.app.say(`Open ${pair(best.cell)}: ${best.risk === 0 ? 'it is safe' : `the best guess, with a risk of ${percent(best.risk)}`}. Then press what it shows, 0 to 8.`);
  }

  // ---- drawing

  /**
   * @param {Cell} cell
   * @param {boolean} first
   */
  #paint(cell, first) {
    if (first) this.editor.begin();
    if (this.editor.draw(cell, this.#brush)) this.boards.main.show(this.editor.grid);
  }

  /**
   * @param {Cell[]} cells
   * @param {string} letter
   */
  #draw(cells, letter) {
    this.editor.begin();
    for (const cell of cells) this.editor.draw(cell, letter);
    this.#changed();
  }

  undo() {
    this.#after(this.editor.undo());
  }

  /** @param {boolean} changed */
  #after(changed) {
    if (changed) this.#changed();
  }

  #setMines() {
    this.editor.set(this.editor.rows, /^\d{1,6}$/.test(input('a-mines').value.trim()) ? input('a-mines').value.trim() : '?');
    return true;
  }

  #resize() {
    const [rows, columns] = [Number(input('a-rows').value), Number(input('a-columns').value)];
    const most = this.app.hello?.limits.cells ?? 40_000;
    if (!(rows >= 1 && columns >= 1 && Number.isInteger(rows * columns) && rows * columns <= most)) {
      this.app.say(`Enter whole numbers of rows and columns. At most ${most.toLocaleString('en')} cells are allowed.`, 'warn');
      return;
    }
    this.editor.set(Array.from({ length: rows }, () => 'H'.repeat(columns)), input('a-mines').value.trim() || '?');
    this.#changed();
  }

  /**
   * Say under the text what is wrong with it.
   * @param {string} text
   */
  #say(text) {
    element('position-fault').textContent = text;
    this.app.say(text, 'warn');
  }

  #typed() {
    element('position-fault').textContent = '';
    const read = readPosition(area('position').value);
    if (read === null) {
      this.app.connection.cancel(this.#question);
      this.#question = 0; // an answer that is on its way does not count any more
      this.#progress(null);
      this.#forget();
      this.advice.clear();
      this.boards.highlights.clear();
      this.#say(faultOf(area('position').value));
      return;
    }
    this.editor.set(read.rows, read.mines);
    this.#changed(false);
  }

  /**
   * Open a position.
   * @param {string} text
   */
  open(text) {
    const read = readPosition(text.split(/\n\s*\n/)[0]);
    if (read === null) {
      this.app.say('This isn’t a valid position.', 'error');
      return;
    }
    this.editor.set(read.rows, read.mines);
    if (this.app.tab === 'analyse') this.#changed();
    else this.app.goTo('analyse');
  }

  /** Open the position that is in view in the Play tab. */
  fromGame() {
    const { view, positions } = this.app;
    if (view === null) return;
    const rows = positions.play.grid.text().map((row) => row.replaceAll('m', 'H').replaceAll('x', 'F'));
    this.open(positionText(rows, view.rules.mines));
  }

  get text() {
    return positionText(this.editor.rows, this.editor.mines);
  }

  /** @param {boolean} write whether to update the text field */
  #changed(write = true) {
    const { editor } = this;
    if (write) {
      area('position').value = this.text;
      element('position-fault').textContent = '';
    }
    [input('a-rows').value, input('a-columns').value, input('a-mines').value] = [String(editor.rows.length), String(editor.rows[0]?.length ?? 0), editor.mines];
    button('edit-undo').disabled = !editor.canUndo;
    button('edit-redo').disabled = !editor.canRedo;
    const clues = select('a-clues').value;
    this.app.put('analyse', {
      source: 'drawn', grid: editor.grid, mines: editor.mines === '?' ? null : Number(editor.mines), last: null, title: '', follows: false, over: false,
      fields: { at: this.text, ...(clues === '' || clues === 'exact' ? {} : { clues }), flags_are_mines: input('marks-are-facts').checked },
    });
    this.ask();
  }

  // ---- the answer

  /** @type {(() => void) | null} */
  #shown = null;
  /** @type {Record<string, any> | null} the last answer about the position in view */
  #found = null;

  /**
   * Analyse the position in view: quickly, or in depth. A deep analysis says what it does, and what it found.
   * @param {boolean} deep
   */
  async ask(deep = false) {
    const { app } = this;
    const asked = app.position;
    const before = deep ? this.#found : null;
    const question = app.connection.ask('analysis', { ...asked.fields, ...(deep ? { deep } : { seconds: QUICK_SECONDS }) }, (part) => {
      if (asked !== app.position || this.#question !== question.number) return;
      if (deep) this.#progress(part);
      if (part.analysis && !(deep && part.analysis.win === null)) this.#show(part.analysis, deep);
    });
    this.#question = question.number;
    element('deep-result').textContent = '';
    this.#progress(deep ? { stage: 'deep analysis' } : null);
    app.say(deep ? 'Deep analysis has started…' : 'Analysing…');
    try {
      const { analysis } = await question;
      if (asked === app.position && this.#question !== 0) {
        this.#show(analysis, deep);
        if (deep) this.#conclude(deepText(analysis, before));
      }
    } catch (error) {
      if (asked === app.position && this.#question === question.number) this.#refused(error, deep);
    }
    if (this.#question === question.number) this.#progress(null);
  }

  /** @param {{stage: string, analysis?: Record<string, any>} | null} part */
  #progress(part) {
    element('progress').hidden = part === null;
    button('deep').disabled = part !== null;
    if (part === null) return;
    const { playouts = 0, seconds = 0 } = part.analysis ?? {};
    const words = `${sentence(part.stage)}${playouts > 0 ? `: ${count(playouts, 'game')} each` : ''}…`;
    element('progress-text').textContent = words;
    element('progress-bar').setAttribute('value', String(Math.min(1, seconds / DEEP_SECONDS)));
    element('progress').scrollIntoView({ block: 'nearest' });
    this.app.status(words);
  }

  /**
   * Show the result of a deep analysis where its progress was, and in the line below the board.
   * @param {string} text
   */
  #conclude(text) {
    element('deep-result').textContent = text;
    element('deep-result').scrollIntoView({ block: 'nearest' });
    this.app.say(text, 'good');
  }

  /** Remove the last answer, which is about another position. */
  #forget() {
    this.#shown = null;
    this.#found = null;
    this.chances.showWin(null, '');
    this.chances.showRisks(null);
    element('facts').textContent = '';
  }

  /**
   * @param {unknown} error
   * @param {boolean} deep
   */
  #refused(error, deep) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.cancelled) {
      if (deep) this.#conclude('Deep analysis was cancelled.');
      return;
    }
    if (deep) element('deep-result').textContent = error.message;
    this.#forget();
    this.boards.highlights.set('conflict', { conflict: error.conflict });
    this.advice.say(error.conflict.length > 0 ? 'Contradiction' : 'No answer', make('p', {}, error.message));
    this.app.say(error.message, 'error');
  }

  /**
   * @param {Record<string, any>} found
   * @param {boolean} deep whether another sentence follows
   */
  #show(found, deep) {
    this.#found = found;
    this.#shown = () => {
      if (this.app.tab !== 'analyse') return;
      this.chances.showWin({ win: found.win, exact: found.win_exact, moves: found.moves });
      this.chances.showRisks(this.chances.shows('risks') ? /** @type {Risks} */ (found) : null);
    };
    this.#shown();
    const layouts = found.layouts ? thousands(found.layouts) : 'too many';
    element('facts').textContent = `${layouts} layout${layouts === '1' ? '' : 's'}`;
    const proved = `Proved: ${count(found.safe.length, 'safe cell')}, ${count(found.mined.length, 'mine')}`;
    if (this.#playsOn) this.#suggest(found.moves[0]);
    else if (!deep) this.app.say(`${proved}. ${found.exact ? '' : 'Risks are estimated. '}${tapWord()} a cell to ask why.`);
  }
}

/**
 * Return the result of a deep analysis in words: what it did, the win chance now and before, and the best move.
 * @param {Record<string, any>} found
 * @param {Record<string, any> | null} before the quick analysis
 */
function deepText(found, before) {
  const { win, win_exact: exact, moves: [best], playouts, seconds } = found;
  if (win === null) return 'Deep analysis is done. The win chance is unknown for this position.';
  const move = best === undefined ? '' : ` The best move is ${pair(best.cell)}.`;
  if (exact && before?.win_exact) return `Deep analysis: nothing more to find. The win chance of ${percent(win)} is exact.${move}`;
  const how = playouts > 0 ? `${count(playouts, 'game')} played out from each of the best moves in ${seconds.toFixed(0)} s` : `${seconds.toFixed(1)} s`;
  const was = before?.win == null ? '' : `, before ${percent(before.win)}`;
  return `Deep analysis (${how}): the win chance is ${percent(win)}${exact ? ', exact' : ''}${was}.${move}`;
}
