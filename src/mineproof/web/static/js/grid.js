/** What each cell of a board shows, as letters and as words. It does not depend on the rules of the game. */

import { cellText, count, percent } from './words.js';

/**
 * The letters of a board: those of the `.mine` format and, at the end of a game, `m` for a mine without
 * a flag and `x` for a flag without a mine.
 */
export class Grid {
  /** @type {Set<number>} indices of the unopened cells on which the player put a question mark */
  notes = new Set();

  /** @param {string[]} rows @param {number[]} mines @param {boolean} won whether to flag the mines */
  constructor(rows, mines = [], won = false) {
    this.rows = rows.length;
    this.columns = rows.length ? rows[0].length : 0;
    this.letters = rows.join('').split('');
    if (mines.length) this.#reveal(new Set(mines), won ? 'F' : 'm');
  }

  /** @param {Set<number>} mines @param {string} shown */
  #reveal(mines, shown) {
    for (let i = 0; i < this.letters.length; i += 1) {
      if (this.letters[i] === 'H' && mines.has(i)) this.letters[i] = shown;
      if (this.letters[i] === 'F' && !mines.has(i)) this.letters[i] = 'x';
    }
  }

  /**
   * Return the letter of a cell.
   * @param {number} row
   * @param {number} column
   */
  at(row, column) {
    return this.letters[row * this.columns + column];
  }

  /**
   * Return the letter to draw for a cell: `?` for an unopened cell with a question mark.
   * @param {number} index
   */
  drawn(index) {
    const letter = this.letters[index];
    return letter === 'H' && this.notes.has(index) ? '?' : letter;
  }

  /**
   * Return the index of a cell in row order.
   * @param {Cell | number[]} cell
   */
  index(cell) {
    return cell[0] * this.columns + cell[1];
  }

  /**
   * Return the cell at an index in row order.
   * @param {number} index
   * @returns {Cell}
   */
  cell(index) {
    return [Math.floor(index / this.columns), index % this.columns];
  }

  /**
   * Return whether a cell is on the board.
   * @param {number} row
   * @param {number} column
   */
  has(row, column) {
    return row >= 0 && column >= 0 && row < this.rows && column < this.columns;
  }

  /**
   * Return the neighbours of a cell.
   * @param {Cell} cell
   * @returns {Cell[]}
   */
  around([row, column]) {
    /** @type {Cell[]} */
    const found = [];
    for (let r = row - 1; r <= row + 1; r += 1) {
      for (let c = column - 1; c <= column + 1; c += 1) {
        if (this.has(r, c) && (r !== row || c !== column)) found.push([r, c]);
      }
    }
    return found;
  }

  /** Return the rows as text. */
  text() {
    const lines = [];
    for (let row = 0; row < this.rows; row += 1) {
      lines.push(this.letters.slice(row * this.columns, (row + 1) * this.columns).join(''));
    }
    return lines;
  }
}

/** @type {Record<string, string>} */
const WORDS = {
  H: 'unopened',
  '?': 'unopened, question mark',
  F: 'flagged',
  '-': 'open, no clue',
  M: 'exploded mine',
  m: 'mine',
  x: 'wrong flag',
  0: 'open, no mines around',
};

/**
 * Return what a letter stands for.
 * @param {string} letter
 */
export function letterText(letter) {
  return WORDS[letter] ?? `clue ${letter}`;
}

/**
 * Return the text that a screen reader reads for a cell.
 * @param {Grid} grid
 * @param {Cell} cell
 * @param {number | null | undefined} risk
 */
export function announce(grid, cell, risk = null) {
  const words = `${cellText(cell)}: ${letterText(grid.drawn(grid.index(cell)))}`;
  return risk === null || risk === undefined ? words : `${words}, risk ${percent(risk)}`;
}

/**
 * Return the command for a left click or a tap on a cell; null if it does nothing.
 * @param {string} letter
 */
export function primaryAction(letter) {
  if (letter === 'H') return 'open';
  return letter >= '1' && letter <= '8' ? 'chord' : null;
}

/**
 * Return a position as `.mine` text: a header, then the rows.
 * @param {string[]} rows
 * @param {number | string | null} mines
 */
export function positionText(rows, mines) {
  const width = rows.length ? rows[0].length : 0;
  return `${width}x${rows.length}x${mines ?? '?'}\n${rows.join('\n')}\n`;
}

/**
 * Read `.mine` text, which may still be incomplete while it is typed. Return null if it is not valid.
 * @param {string} text
 * @returns {{rows: string[], mines: string} | null}
 */
export function readPosition(text) {
  const lines = text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  const header = /^(\d{1,4})x(\d{1,4})x(\d{1,6}|\?)$/.exec(lines[0] ?? '');
  if (header === null) return null;
  const rows = lines.slice(1).map((line) => line.replaceAll('.', 'H').replaceAll('?', 'M'));
  const fits = rows.length === Number(header[2])
    && rows.every((row) => row.length === Number(header[1]) && /^[0-8HFM-]+$/.test(row));
  return fits && rows.length > 0 ? { rows, mines: header[3] } : null;
}

/**
 * Return what is wrong with a typed position.
 * @param {string} text
 */
export function faultOf(text) {
  const [first = '', ...rows] = text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  const [, width, height, mines] = /^(\d+)x(\d+)x(\d+|\?)$/.exec(first) ?? [];
  if (width === undefined) return 'The first line must be WIDTHxHEIGHTxMINES, such as 9x9x10: first the columns, then the rows.';
  const [columns, lines] = [Number(width), Number(height)];
  const found = `${columns} columns and ${lines} rows`;
  if (columns !== lines && rows.length === columns && rows.every((row) => row.length === lines)) return `The width comes first: write ${lines}x${columns}x${mines}.`;
  if (rows.length !== lines) return `The first line says ${found}, but there are ${count(rows.length, 'row')}. H is an unopened cell, F a flag, a digit a clue.`;
  const wrong = rows.findIndex((row) => row.length !== columns);
  return wrong < 0 ? 'Use only H (unopened), F (flag), M (exploded mine), - (open, no clue) and digits.' : `The first line says ${found}, but row ${wrong} has ${count(rows[wrong].length, 'cell')}.`;
}

/**
 * Return cells, given as indices or as pairs, as pairs.
 * @param {(Cell | number)[] | undefined} list
 * @param {Grid} grid
 * @returns {Cell[]}
 */
export function asCells(list, grid) {
  return (list ?? []).map((one) => (typeof one === 'number' ? grid.cell(one) : one));
}
