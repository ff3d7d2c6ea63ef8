/** The Learn tab: lessons with questions, and agents that play step by step. */

import { button, change, element, input, make, press, select, tapWord } from './dom.js';
import { Grid, positionText, readPosition } from './grid.js';
import { Player } from './player.js';
import { Puzzles } from './puzzles.js';
import { RaceTape } from './racetape.js';
import { closeSheet, openSheet, sheetIsUsed } from './sheet.js';
import { pair, percent, randomSeed, sentence } from './words.js';

/** @type {Record<string, string>} */
const QUESTIONS = {
  safe: 'a cell that is proved safe.',
  mined: 'a cell that must be a mine.',
  guess: 'the cell with the lowest risk. Nothing is proved safe here.',
  chord: 'the number that has its flag.',
};

/** @param {Task} task */
function question({ answer }) {
  if (answer === 'flag') return tapWord() === 'Tap' ? 'Press and hold the mine.' : 'Right-click the mine, or point at it and press F.';
  return `${tapWord()} ${QUESTIONS[answer ?? 'guess'] ?? QUESTIONS.guess}`;
}

const MODES = ['lessons', 'puzzles', 'coach', 'ideas'];

export class Learn {
  /** @type {Lesson[]} */
  lessons = [];
  #at = 0;
  /** @type {Lesson | undefined} */
  #lesson;
  /** The step of the lesson. Only lesson 0 has several. */
  #step = 0;
  /** @type {Promise<void> | undefined} until the lessons have arrived */
  #loaded;
  /** The seed of the board that an agent plays. */
  #seed = '';
  /** Called when the coach comes into view. */
  onCoach = () => {};

  /**
   * @param {App} app
   * @param {Boards} boards
   * @param {Advice} advice
   * @param {AgentPanel} agent
   */
  constructor(app, boards, advice, agent) {
    this.app = app;
    this.boards = boards;
    this.advice = advice;
    this.agent = agent;
    this.puzzles = new Puzzles(app, advice);
    this.player = new Player(app, { play: 'idea-play', round: 'idea-round', count: 'idea-count' }, () => 2,
      { begin: () => this.#showIdea(), show: () => this.#showIdea() }, 'race', () => new RaceTape());
    const tap = (/** @type {Cell} */ cell) => this.#tap(cell);
    boards.handle('learn', { tap, chord: tap, mark: (cell) => this.#mark(cell), hover: () => {} });
    for (const mode of MODES) press(`learn-${mode}`, () => this.#mode(mode));
    press('lesson-next', () => this.open(this.#at + 1));
    press('drill', () => this.#mode('puzzles'));
    press('lesson-show', () => this.#solve());
    press('idea-start', () => this.#newIdea());
    change('idea-level', () => this.#newIdea());
    press('idea-let', () => this.#startIdea());
    press('see-idea', () => this.seeIdea());
    agent.onIdea = () => (this.player.tape?.at ? this.#showIdea() : this.#startIdea());
    press('idea-back', () => this.player.step(-1));
    press('idea-on', () => this.player.step(1));
    app.on('tab', () => this.#tab());
  }

  async #tab() {
    this.player.playing = false;
    if (this.app.tab !== 'learn') return;
    this.#mode(this.app.modes.learn ?? 'lessons');
    if (this.lessons.length === 0) await (this.#loaded = this.#load());
  }

  async #load() {
    const answer = await this.app.ask('lessons');
    if (answer === null) return;
    this.lessons = answer.lessons;
    const first = this.lessons.findIndex(({ id }) => !this.#solved.has(id));
    if (this.#lesson === undefined) this.open(Math.max(0, first));
    else this.#list();
  }

  get #ideas() {
    return this.app.modes.learn === 'ideas';
  }

  get #solved() {
    return new Set(/** @type {string[]} */ (this.app.settings.solved ?? []));
  }

  /** @param {string} mode */
  #mode(mode) {
    this.app.setMode('learn', mode);
    for (const one of MODES) button(`learn-${one}`).setAttribute('aria-pressed', String(one === mode));
    if (mode === 'puzzles') this.puzzles.show();
    else if (mode === 'coach') this.#showCoach();
    else if (mode === 'lessons' && this.#task) this.#ask(this.#task);
    else if (mode === 'ideas' && this.player.tape !== null) this.#showIdea();
    else if (mode === 'ideas') this.#newIdea();
  }

  #showCoach() {
    this.app.put('learn', { source: 'lesson', fields: {}, grid: new Grid([]), mines: null, last: null, title: '', follows: false, over: false });
    this.onCoach();
  }

  /**
   * Open puzzles: positions from the player's own games, then others of the same kind.
   * @param {Drill[]} drills
   * @param {string | null} kind
   */
  practise(drills, kind) {
    this.puzzles.practise(drills, kind);
    this.app.goTo('learn');
    this.#mode('puzzles');
  }

  /**
   * Open puzzles: first the position after a step of the game, if it is one.
   * @param {string} kind
   * @param {number} at
   */
  async practiseStep(kind, at) {
    const drill = /** @type {Drill | undefined} */ ((await this.app.ask('drill', { kind, at }))?.drill);
    this.practise(drill?.again ? [drill] : [], kind);
  }

  // ---- lessons

  /**
   * Open a lesson.
   * @param {number} number
   */
  open(number) {
    this.#at = (number + this.lessons.length) % this.lessons.length;
    this.#begin(this.lessons[this.#at]);
  }

  /** @param {Lesson | undefined} lesson */
  #begin(lesson) {
    if (lesson === undefined) return;
    this.#lesson = lesson;
    element('lesson-title').textContent = lesson.title;
    button('lesson-next').classList.remove('main');
    this.#list();
    this.#begins(lesson, 0);
  }

  /**
   * Begin a step of a lesson.
   * @param {Lesson} lesson
   * @param {number} step
   */
  #begins(lesson, step) {
    this.#step = step;
    const task = this.#task ?? lesson;
    element('lesson-heading').textContent = lesson.then.length > 0 ? `${lesson.title}, step ${step + 1} of ${lesson.then.length + 1}` : lesson.title;
    element('lesson-text').textContent = task.text;
    element('lesson-question').textContent = question(task);
    element('lesson-answer').textContent = '';
    if (this.app.tab === 'learn' && this.app.modes.learn === 'lessons') this.#ask(task);
  }

  /** What the learner has to do now. */
  get #task() {
    return this.#step === 0 ? this.#lesson : this.#lesson?.then[this.#step - 1];
  }

  /** @param {Task} task */
  #ask(task) {
    this.#put(task.position);
    this.app.say(question(task));
    openSheet();
  }

  /** @param {string} position */
  #put(position) {
    const read = readPosition(position);
    if (read === null) return;
    this.app.put('learn', {
      source: 'lesson', fields: { at: position }, grid: new Grid(read.rows),
      mines: read.mines === '?' ? null : Number(read.mines), last: null, title: `lesson “${this.#lesson?.title}”`, follows: false, over: false,
    });
  }

  #list() {
    const solved = this.#solved;
    element('lessons').replaceChildren(...this.lessons.map((lesson, i) => {
      const tick = solved.has(lesson.id) ? [make('span', { class: 'tick' }, '✓', make('span', { class: 'unseen' }, ' solved'))] : [];
      const made = make('button', { 'aria-current': String(i === this.#at) }, `${i}. ${lesson.title}`, ...tick);
      made.addEventListener('click', () => this.open(i));
      return make('li', {}, made);
    }));
  }

  /** @param {Cell} cell */
  #tap(cell) {
    if (this.#ideas || this.advice.armed()) this.advice.why(cell);
    else if (this.puzzles.inView) this.puzzles.tap(cell);
    else this.#check(cell);
  }

  /** @param {Cell} cell */
  #mark(cell) {
    const isAsked = this.app.modes.learn === 'lessons' && ['flag', 'mined'].includes(this.#task?.answer ?? '');
    if (isAsked) this.#check(cell, true);
  }

  /**
   * Check an answer, and explain why it is right or wrong.
   * @param {Cell} cell
   * @param {boolean} flags whether the learner flagged the cell
   */
  async #check(cell, flags = false) {
    const [lesson, task] = [this.#lesson, this.#task];
    if (lesson === undefined || task === undefined) return;
    const letter = this.app.position.grid.at(...cell);
    if (task.answer === 'chord' && pair(cell) === pair(task.cell ?? []) && letter !== 'H') {
      this.#goOn(lesson, task);
    } else if (letter !== 'H') {
      this.#answer(letter === 'F' ? 'The flag marks a known mine. Choose another cell.' : 'This cell is already open. Choose another one.', false);
    } else if (task.answer === 'chord' || (task.answer === 'flag' && !flags)) {
      this.#answer(task.answer === 'flag' ? `Don’t open a cell yet. ${question(task)}` : `${pair(cell)} is safe, but try a chord. ${question(task)}`, false);
    } else if (task.answer === 'guess') {
      await this.#checkGuess(cell, lesson);
    } else {
      const why = await this.advice.why(cell);
      if (why !== null && task === this.#task) this.#judge(why, lesson, task);
    }
  }

  /** @param {Why} why @param {Lesson} lesson @param {Task} task */
  #judge({ cell, proved, risk }, lesson, task) {
    const right = proved === (task.answer === 'flag' ? 'mined' : task.answer);
    const found = proved === null ? `not proved (its risk is ${percent(risk)})` : proved === 'safe' ? 'safe' : 'a mine';
    if (right && task.done) {
      this.#goOn(lesson, task);
      return;
    }
    this.#answer(right ? `Right: ${pair(cell)} is ${found}.` : `Not this one: ${pair(cell)} is ${found}. Try another cell.`, right);
    if (right) this.#solvedIt(lesson);
  }

  /**
   * Go on to the next step of a lesson. The last one ends it.
   * @param {Lesson} lesson
   * @param {Task} task
   */
  #goOn(lesson, task) {
    const isLast = this.#step === lesson.then.length;
    if (isLast) this.#put(task.after ?? task.position);
    else this.#begins(lesson, this.#step + 1);
    this.#answer(task.done, true, isLast);
    if (isLast) this.#solvedIt(lesson);
  }

  /**
   * @param {Cell} cell
   * @param {Lesson} lesson
   */
  async #checkGuess(cell, lesson) {
    const risks = await this.app.about('risks');
    if (risks === null) return;
    const { grid } = this.app.position;
    const risk = risks.risk[grid.index(cell)];
    const lowest = Math.min(...risks.risk.filter((/** @type {number | null} */ one) => one !== null));
    const right = risk !== null && risk <= lowest + 1e-9;
    await this.advice.why(cell);
    this.#answer(right ? `Right: ${pair(cell)} has the lowest risk, ${percent(risk)}.`
      : `${pair(cell)} has a risk of ${percent(risk)}. Another cell has only ${percent(lowest)}.`, right);
    if (right) this.#solvedIt(lesson);
  }

  /**
   * @param {string} words
   * @param {boolean} right
   * @param {boolean} ends whether the lesson is done
   */
  #answer(words, right, ends = right) {
    element('lesson-answer').textContent = words;
    if (ends) button('lesson-next').classList.add('main');
    const top = this.#lesson?.then.length ? 'lesson-heading' : 'lesson-answer'; // the next task, or the proof below the answer
    if (sheetIsUsed()) element(top).scrollIntoView({ block: 'start' });
    this.app.say(words, right ? 'good' : 'warn');
  }

  /** @param {Lesson} lesson */
  #solvedIt(lesson) {
    if (!this.#solved.has(lesson.id)) this.app.remember({ solved: [...this.#solved, lesson.id] });
    this.#list();
  }

  #solve() {
    const task = this.#task;
    if (task?.answer === 'chord' && task.cell) this.boards.highlights.set('answer', { clues: [task.cell] });
    else if (task?.cell) this.advice.why(task.cell);
    else this.advice.hint();
  }

  /**
   * Show the lesson with this id, or the first one.
   * @param {string} id
   */
  async openLesson(id) {
    this.app.modes.learn = 'lessons';
    if (this.app.tab === 'learn') this.#mode('lessons');
    this.app.goTo('learn');
    await this.#loaded;
    this.open(Math.max(0, this.lessons.findIndex((lesson) => lesson.id === id)));
  }

  /** @returns {Record<string, string> | null} the fields of a link to the tab; null if it shows a position */
  get linkFields() {
    const { learn: mode } = this.app.modes;
    if (mode === 'lessons') return { tab: 'lesson', lesson: this.#lesson?.id ?? '' };
    return mode !== 'ideas' ? null : { tab: 'ideas', agent: this.agent.picker.value, player: this.player.tape?.names[0] ?? '', level: select('idea-level').value, seed: this.#seed, step: String(this.player.tape?.at ?? 0) };
  }

  // ---- ideas

  /**
   * Let an agent play a board, and show one of its moves.
   * @param {Record<string, string>} fields
   */
  async openIdea({ agent, player, level, seed, step }) {
    this.app.remember({ ideaAgent: player ?? agent });
    select('idea-level').value = level;
    input('idea-seed').value = seed;
    this.player.tape = null;
    this.app.modes.learn = 'ideas';
    if (this.app.tab === 'learn') this.#mode('ideas');
    this.app.goTo('learn');
    if (await this.player.arriveAt(Number(step)) && agent !== player) await this.agent.choose(agent);
  }

  /** Show how the agent of the Play tab thinks. */
  seeIdea() {
    this.app.remember({ ideaAgent: this.agent.picker.value });
    this.app.modes.learn = 'ideas';
    this.player.tape = null;
    this.app.goTo('learn');
  }

  #newIdea() {
    this.#seed = input('idea-seed').value.trim() || randomSeed();
    this.#startIdea();
  }

  /** Let the chosen agent play the board from the start. */
  #startIdea() {
    closeSheet();
    this.app.say('The agent is playing…');
    this.player.start({ agents: [this.agent.picker.value], level: select('idea-level').value, start: 'opening', seed: this.#seed }, false);
  }

  #showIdea() {
    const { tape } = this.player;
    if (tape === null || tape.start.length === 0 || !this.#ideas || this.app.tab !== 'learn') return;
    const racer = tape.racers[0];
    const { last } = racer;
    const chosen = this.agent.picker.value;
    button('idea-let').hidden = chosen === racer.name;
    button('idea-let').textContent = `Let ${chosen} play this board`;
    this.app.put('learn', {
      source: 'lane', fields: { at: positionText(tape.rows(0), tape.count), past: tape.past(0), seed: this.#seed }, grid: tape.grid(0), mines: tape.count,
      last: last?.cell ?? null, move: last, title: `${racer.name} after ${tape.at} of ${tape.rounds} moves`, follows: true, over: tape.isOver(0),
    });
    if (last?.cell) this.app.status(`${racer.name}: ${last.action} ${pair(last.cell)}. ${sentence(last.reason ?? '')}`, last.proved ? 'note' : 'warn');
  }
}
