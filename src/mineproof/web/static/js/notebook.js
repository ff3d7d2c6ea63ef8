/** The board in a notebook: buttons, the board of the page, and the answer to the last question. */

import { BoardView } from './boardview.js';
import { make } from './dom.js';
import { asCells, Grid, primaryAction } from './grid.js';
import { Highlights } from './highlights.js';
import { commandOf, cursorAfter } from './keys.js';
import { lights, proofTitle, richText, showProof } from './proof.js';
import { pair, percent, sentence } from './words.js';

/** The largest side of a cell, and the largest height of the board, in pixels. */
const CELL = 30;
const HEIGHT = 640;
const SPACE = { width: 38, height: 32 };
/** The side of a cell that a wide board should have. If there is no room for that, the answer moves below. */
const WIDE = 22;
const HELP = 'Click to open, right-click to flag. Click a number whose mines are all flagged to open its other neighbours.';
const OVER = 'The game is over. “Undo” takes back the last move.';
/** The commands whose answer can take seconds. Until it arrives, the board ignores clicks and keys. */
const SLOW = ['why', 'risks', 'step', 'knowledge', 'agent'];

/** @param {{model: NotebookModel, el: HTMLElement}} place the arguments that anywidget passes */
export function render({ model, el }) {
  const begin = new ResizeObserver(() => {
    if (el.clientWidth === 0) return; // colours and sizes are known only when the element is visible
    begin.disconnect();
    const stop = new NotebookBoard(model, el).follow();
    stopped.push(stop);
  });
  /** @type {(() => void)[]} */
  const stopped = [() => begin.disconnect()];
  begin.observe(el);
  return () => stopped.forEach((stop) => stop());
}

class NotebookBoard {
  #asking = false;
  #waiting = false;

  /** @param {NotebookModel} model @param {HTMLElement} el */
  constructor(model, el) {
    this.model = model;
    this.el = el;
    el.classList.add('mineproof');
    this.theme();
    this.host = make('div', { class: 'board', role: 'grid', tabindex: '0', 'aria-label': 'Board', 'data-lm-suppress-shortcuts': 'true' });
    this.answer = make('div', { class: 'answer', 'aria-live': 'polite' });
    this.status = make('span', { class: 'grow', role: 'status' });
    el.replaceChildren(this.#bar(), this.host, this.answer);
    this.board = new BoardView(this.host, true);
    this.highlights = new Highlights((all) => {
      this.board.overlays = { ...all, last: this.view.last };
      this.board.refresh();
    });
    this.board.handlers = { tap: (cell) => this.#tap(cell), mark: (cell) => this.#flag(cell), chord: (cell) => this.#chord(cell) };
    this.host.addEventListener('keydown', (event) => this.#key(event));
    this.host.addEventListener('contextmenu', (event) => event.stopPropagation()); // a right-click flags; the notebook has its own menu
    this.show();
  }

  /** @returns {NotebookView} */
  get view() {
    return this.model.get('view');
  }

  /** Show every change until the returned function is called. */
  follow() {
    const show = () => this.show();
    const size = new ResizeObserver(() => this.#size());
    const theme = new MutationObserver(() => this.theme() && this.board.recolour());
    this.model.on('change:view', show);
    size.observe(this.host);
    theme.observe(document.body, { attributes: true });
    return () => {
      this.model.off('change:view', show);
      size.disconnect();
      theme.disconnect();
    };
  }

  /** Use the colours of the notebook's theme, and return whether they have changed. */
  theme() {
    const { body } = document;
    const theme = body.dataset.jpThemeLight === 'false' || body.classList.contains('vscode-dark') ? 'dark' : 'light';
    const changed = this.el.dataset.theme !== theme;
    this.el.dataset.theme = theme;
    return changed;
  }

  /**
   * Send a command to Python.
   * @param {string} name
   * @param {any} value
   */
  send(name, value = null) {
    this.#ask(false);
    if (SLOW.includes(name)) this.#wait();
    this.model.send({ name, value });
  }

  #wait() {
    this.#waiting = true;
    this.#say(make('p', { class: 'note' }, 'Working…'));
  }

  // ---- controls

  #bar() {
    const press = (/** @type {string} */ text, /** @type {string} */ title, /** @type {() => void} */ act) => {
      const made = /** @type {HTMLButtonElement} */ (make('button', { type: 'button', title }, text));
      made.addEventListener('click', act);
      return made;
    };
    this.undo = press('Undo', 'Take back the last move (U)', () => this.send('undo'));
    this.risks = press('Risks', 'Show the risk of every cell, in percent', () => this.send('risks', !this.view.risks));
    this.why = press('Why?', 'Then click a cell, or point at it and press W', () => this.#ask(!this.#asking));
    this.step = press('Agent move', 'Let the agent make one move, and show what the agent knows', () => this.send('step'));
    this.knows = press('What it knows', 'Show what the agent knows, without a move', () => this.send('knowledge'));
    this.agents = /** @type {HTMLSelectElement} */ (make('select', { 'aria-label': 'Agent' }));
    this.agents.addEventListener('change', () => this.send('agent', this.agents?.value));
    return make('div', { class: 'bar' }, this.undo, this.risks, this.why, this.status, this.agents, this.step, this.knows);
  }

  /**
   * Choose whether the next click on a cell asks why.
   * @param {boolean} on
   */
  #ask(on) {
    this.#asking = on;
    this.why?.setAttribute('aria-pressed', String(on));
    if (on) this.#say(make('p', { class: 'note' }, 'Which cell? Click it.'));
  }

  /** @param {Cell} cell */
  #tap(cell) {
    if (this.#waiting) return;
    const letter = this.board.grid.at(...cell);
    const action = this.#asking || !this.view.playable ? 'why' : primaryAction(letter);
    if (action === 'why') this.#explain(cell);
    else if (action !== null) this.send(action, cell);
  }

  /** @param {Cell} cell */
  #explain(cell) {
    if ('HF'.includes(this.board.grid.at(...cell))) this.send('why', cell);
    else this.#say(make('p', { class: 'note' }, `${pair(cell)} is open. Ask about an unopened cell.`));
  }

  /** @param {Cell} cell */
  #flag(cell) {
    if (!this.#waiting && 'HF'.includes(this.board.grid.at(...cell))) this.send('mark', cell);
  }

  /** @param {Cell} cell */
  #chord(cell) {
    if (!this.#waiting) this.send('chord', cell);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const moved = cursorAfter(event, this.board.cursor, this.board.grid);
    const command = commandOf(event) ?? '';
    const cell = this.board.target;
    if (moved !== null) this.board.moveCursor(moved);
    else if (command !== '' && this.#waiting) this.#wait();
    else if (command === 'open') this.#tap(cell);
    else if (command === 'mark') this.#flag(cell);
    else if (command === 'risks') this.send(command, !this.view.risks);
    else if (command === 'why') this.#explain(cell);
    else if (['chord', 'undo', 'step', 'knowledge'].includes(command)) this.send(command, cell);
    else return;
    event.preventDefault();
    event.stopPropagation(); // the notebook has its own keys
  }

  // ---- the view

  /** Show the game, the risks and the answer. */
  show() {
    const { view } = this;
    this.#waiting = false;
    this.board.show(new Grid(view.rows, view.mines));
    this.#size();
    this.status.textContent = view.status;
    this.risks?.setAttribute('aria-pressed', String(view.risks));
    if (this.undo) this.undo.disabled = !view.playable;
    if (this.step) this.step.disabled = !view.playable || view.over;
    if (this.knows) this.knows.disabled = view.over;
    this.agents?.replaceChildren(...view.agents.map((name) => make('option', {}, name)));
    if (this.agents) this.agents.value = view.agent;
    this.highlights.clear();
    this.highlights.set('risks', { risk: view.risk, ...(view.risk ? proved(view.risk, this.board.grid) : {}) });
    this.#reply(view.reply);
    if (view.note !== '') this.#say(make('p', { class: 'warn', role: 'alert' }, view.note));
  }

  /** @param {NotebookView['reply']} reply */
  #reply(reply) {
    if (reply?.why) {
      const { why } = reply;
      const risk = why.proved === null && why.risk !== null ? [make('p', { class: 'said' }, `Risk ${percent(why.risk)}.`)] : [];
      this.#say(make('h3', {}, proofTitle(why)), ...risk, ...showProof(why, this.highlights));
    } else if (reply?.knowledge) this.#knowledge(reply.knowledge, reply.agent, reply.made);
    else this.#say(make('p', { class: 'note' }, this.view.over ? OVER : this.view.playable ? HELP : 'Click a cell to ask why.'));
  }

  /** @param {Knowledge} known @param {string} agent @param {boolean} made */
  #knowledge(known, agent, made) {
    const { next } = known;
    const { grid } = this.board;
    const kind = next && (next.proved ? 'proved' : `a guess, risk ${percent(next.risk)}`);
    const said = next ? `${sentence(kind ?? '')}. ${sentence(next.reason)}` : `It is stuck: ${known.stuck ?? 'it has no move'}.`;
    const title = next ? `${agent}: ${made ? '' : 'next, '}${next.action} ${pair(next.cell)}` : agent;
    this.highlights.set('knowledge', unopened(known.safe, known.mined, grid));
    this.highlights.set('lit', { clues: next?.clues ?? [] });
    const items = known.items.map((item) => lights(richText('li', item.text, { class: 'said' }), this.highlights, { lit: item.cells }));
    this.#say(make('h3', {}, title), richText('p', said, { class: 'said' }), make('p', { class: 'note' }, `What it knows: ${known.title}`), make('ul', { class: 'knows' }, ...items));
  }

  /** @param {...Node} content */
  #say(...content) {
    this.answer.replaceChildren(...content);
  }

  /** Give the board the height that its cells need. */
  #size() {
    const { rows, columns } = this.board.grid;
    this.host.style.flexBasis = `${columns * WIDE + SPACE.width}px`;
    const side = Math.max(16, Math.min(CELL, Math.floor((this.host.clientWidth - SPACE.width) / columns)));
    this.host.style.height = `${Math.min(HEIGHT, rows * side + SPACE.height)}px`;
  }
}

/**
 * Return the cells whose risk is certain.
 * @param {(number | null)[]} risk
 * @param {Grid} grid
 */
function proved(risk, grid) {
  const at = (/** @type {number} */ value) => risk.flatMap((one, index) => (one === value ? [index] : []));
  return unopened(at(0), at(1), grid);
}

/**
 * Return the proved cells that are still unopened. A flag needs no second sign.
 * @param {number[]} safe
 * @param {number[]} mined
 * @param {Grid} grid
 */
function unopened(safe, mined, grid) {
  const at = (/** @type {number[]} */ list) => asCells(list, grid).filter((cell) => grid.at(...cell) === 'H');
  return { safe: at(safe), mined: at(mined) };
}
