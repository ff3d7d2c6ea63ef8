/** The analysis: draw or paste any position, and see at once what follows from it. */

import { BoardView } from './boardview.js';
import { area, button, byId, change, element, input, make, press, select } from './dom.js';
import { percent, sentence } from './format.js';
import { commandOf, cursorAfter } from './keys.js';
import { announce, Grid, positionText, readPosition } from './model.js';
import { Tip } from './tip.js';
import { Refused } from './wire.js';

/**
 * @typedef {import('./app.js').App} App
 * @typedef {import('./types.js').Cell} Cell
 * @typedef {import('./race.js').Views} Views
 */

const BRUSHES = [['H', 'unopened', '▢'], ['0', 'clue 0', '0'], ['1', 'clue 1', '1'], ['2', 'clue 2', '2'], ['3', 'clue 3', '3'],
  ['4', 'clue 4', '4'], ['5', 'clue 5', '5'], ['6', 'clue 6', '6'], ['7', 'clue 7', '7'], ['8', 'clue 8', '8'],
  ['F', 'marked', '⚑'], ['M', 'mine', '✹'], ['-', 'open without a clue', '·']];
const PAUSE = 200;

/**
 * @param {App} app
 * @param {Views} views
 */
export function setUpAnalysis(app, views) {
  let brush = '1';
  let job = 0;
  let timer = 0;
  let began = 0;
  const tip = new Tip(element('analysis-tip'));
  const board = new BoardView(byId('analysis-board', HTMLCanvasElement), {
    tap: (cell) => draw(cell, board.grid.at(cell[0], cell[1]) === brush ? 'H' : brush),
    mark: (cell) => draw(cell, board.grid.at(cell[0], cell[1]) === 'F' ? 'H' : 'F'),
    hover: (cell, x, y) => tip.show(cell, x, y, board),
  });

  /** @param {Cell} cell @param {string} letter */
  const draw = (cell, letter) => {
    const known = readPosition(area('position').value);
    if (known === null) return;
    const rows = known.rows.map((row, at) => (at === cell[0] ? row.slice(0, cell[1]) + letter + row.slice(cell[1] + 1) : row));
    area('position').value = positionText(rows, known.mines);
    element('live').textContent = announce(new Grid(rows), cell[0], cell[1]);
    update();
  };

  /** Show what the text says, and analyse it in a moment. */
  const update = () => {
    const known = readPosition(area('position').value);
    board.overlays = {};
    if (known !== null) board.show(new Grid(known.rows));
    board.refresh();
    clearTimeout(timer);
    timer = window.setTimeout(analyse, PAUSE);
  };

  const cancel = () => {
    if (job !== 0) app.wire.ask('cancel', { job }).catch(() => {});
  };

  const analyse = async () => {
    const text = area('position').value;
    clearResult();
    state('Analysing …');
    button('analysis-cancel').hidden = false;
    began = performance.now();
    const clock = setInterval(() => state(`${stage} … ${((performance.now() - began) / 1000).toFixed(1)} s of at most ${app.hello?.limits.seconds ?? 60} s`), 200);
    let stage = 'Waiting';
    const question = app.wire.ask('analyse', { text, flags_are_mines: input('flags-are-mines').checked, clues: select('a-clues').value }, (part) => {
      stage = sentence(part.stage);
      if (part.facts !== undefined) show(part.facts);
    });
    const mine = question.number;
    job = mine;
    try {
      const { analysis } = await question;
      if (job === mine) {
        show(analysis);
        state(`Valid: ${validText(analysis)} (${((performance.now() - began) / 1000).toFixed(2)} s)`);
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (job === mine) complain(error);
    }
    clearInterval(clock);
    if (job === mine) button('analysis-cancel').hidden = true;
  };

  /** @param {Refused} error */
  const complain = (error) => {
    board.overlays = { conflict: error.conflict };
    board.refresh();
    state(error.cancelled ? 'Cancelled.' : sentence(error.message));
  };

  /** @param {Record<string, any>} found */
  const show = (found) => {
    board.overlays.risk = found.risk;
    board.refresh();
    showFacts(found);
    element('analysis-moves').replaceChildren(...found.moves.map((/** @type {{cell: Cell, risk: number, win: number | null}} */ move) => {
      const win = move.win === null ? '' : `, wins ${percent(move.win)}`;
      const go = make('button', { type: 'button' }, `Open (${move.cell[0]}, ${move.cell[1]}): risk ${percent(move.risk)}${win}`);
      go.addEventListener('click', () => {
        board.overlays.targets = [move.cell];
        board.reveal(move.cell);
      });
      return make('li', {}, go);
    }));
  };

  const analysis = {
    board,
    /** @param {string} text */
    open(text) {
      area('position').value = text;
      byId('group-analyse', HTMLDetailsElement).open = true;
      views.show('analysis-view');
      update();
    },
  };

  press('analyse', () => analysis.open(area('position').value));
  press('analysis-cancel', cancel);
  press('analysis-back', () => {
    cancel();
    views.show('play');
  });
  press('position-from-game', async () => {
    const answer = await app.ask('share');
    if (answer !== null) analysis.open(answer.position);
  });
  press('position-empty', () => {
    const rows = Math.max(1, Math.min(200, Number(input('a-rows').value) || 8));
    const columns = Math.max(1, Math.min(200, Number(input('a-columns').value) || 8));
    analysis.open(positionText(Array(rows).fill('H'.repeat(columns)), input('a-mines').value.trim() || '?'));
  });
  change('flags-are-mines', () => analyse());
  change('a-clues', () => analyse());
  area('position').addEventListener('input', () => element('analysis-view').hidden || update());
  setUpBrushes((letter) => {
    brush = letter;
  });
  listenKeys(board, draw, () => brush);
  return analysis;
}

/**
 * Sum up what an analysis found.
 * @param {Record<string, any>} found
 */
function validText(found) {
  const layouts = found.layouts === null ? 'layouts not counted' : `${found.layouts} ${found.layouts === '1' ? 'layout' : 'layouts'}`;
  const risks = found.exact ? 'exact risks' : 'estimated risks';
  return `${layouts}, ${found.safe.length} cells proved safe, ${found.mined.length} proved mines, ${risks}.`;
}

/** @param {string} text */
function state(text) {
  element('analysis-state').textContent = text;
}

function clearResult() {
  element('analysis-facts').replaceChildren();
  element('analysis-moves').replaceChildren();
}

/** @param {Record<string, any>} found */
function showFacts(found) {
  /** @type {[string, string][]} */
  const facts = [
    ['Layouts', found.layouts ?? 'not counted'],
    ['Proved safe', String(found.safe.length)],
    ['Proved mines', String(found.mined.length)],
  ];
  if (found.win !== null) facts.push(['Chance to win', `${percent(found.win)}${found.win_exact ? '' : ' (estimate)'}`]);
  element('analysis-facts').replaceChildren(...facts.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
}

/** @param {(letter: string) => void} choose */
function setUpBrushes(choose) {
  const buttons = BRUSHES.map(([letter, words, sign]) => {
    const made = make('button', { type: 'button', role: 'radio', 'aria-checked': String(letter === '1'), 'aria-label': words, title: words }, sign);
    made.addEventListener('click', () => {
      for (const other of buttons) other.setAttribute('aria-checked', String(other === made));
      choose(letter);
    });
    return made;
  });
  element('brushes').replaceChildren(...buttons);
}

/**
 * @param {BoardView} board
 * @param {(cell: Cell, letter: string) => void} draw
 * @param {() => string} brush
 */
function listenKeys(board, draw, brush) {
  board.canvas.addEventListener('keydown', (event) => {
    const next = cursorAfter(event, board.cursor, board.grid);
    if (next !== null) {
      event.preventDefault();
      board.moveCursor(next);
      element('live').textContent = announce(board.grid, next[0], next[1], board.overlays.risk?.[next[0] * board.grid.columns + next[1]]);
      return;
    }
    const letter = event.key.toUpperCase();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (letter.length === 1 && '012345678HFM-'.includes(letter)) draw(board.cursor, letter);
    else if (commandOf(event) === 'open') draw(board.cursor, brush());
    else return;
    event.preventDefault();
  });
}
