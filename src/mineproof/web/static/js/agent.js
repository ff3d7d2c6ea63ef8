/** The agent panel: make one move, play on, and show what the agent knows about the position. */

import { candidateRows } from './advice.js';
import { AgentPicker } from './agentpicker.js';
import { button, change, element, input, make, press } from './dom.js';
import { asCells } from './grid.js';
import { lights, richText } from './proof.js';
import { pair, percent, sentence, speedPause, speedText } from './words.js';

export class AgentPanel {
  #running = 0;
  #knows = false;
  #moving = false;
  /** The game and the step at which Step stopped before a guess. Another Step makes the guess. */
  #warned = '';

  /**
   * @param {App} app
   * @param {Boards} boards
   * @param {Advice} advice
   */
  constructor(app, boards, advice) {
    this.app = app;
    this.boards = boards;
    this.advice = advice;
    this.picker = new AgentPicker('Agent', () => this.#chosen());
    element('agent-picker').append(this.picker.select);
    element('agent-idea').append(this.picker.idea);
    element('agent-options').append(this.picker.options);
    press('agent-step', () => this.step());
    press('agent-play', () => this.autoplay());
    press('knowledge', () => this.showKnowledge(!this.#knows));
    input('speed').addEventListener('input', () => this.#showSpeed());
    change('speed', () => app.remember({ speed: Number(input('speed').value) }));
    change('stop-guess', () => app.remember({ stopAtGuesses: input('stop-guess').checked }));
    app.on('hello', () => this.#greet());
    app.on('position', () => this.#ask());
    app.on('tab', () => this.stop());
    for (const change of /** @type {const} */ (['tab', 'mode'])) app.on(change, () => this.#fill());
  }

  /** Called when another agent should show its idea. */
  onIdea = () => {};

  /** Whether the panel shows an agent's idea, which has a separate choice of agent. */
  get #ideas() {
    return this.app.tab === 'learn' && this.app.modes.learn === 'ideas';
  }

  #fill() {
    const { app } = this;
    const chosen = this.#ideas ? app.settings.ideaAgent ?? 'sentences' : app.settings.agent;
    this.picker.fill(app.hello?.agents ?? [], chosen ?? app.hello?.view.agent ?? '');
  }

  #greet() {
    const { app } = this;
    this.#fill();
    input('speed').value = String(app.settings.speed ?? 5);
    input('stop-guess').checked = app.settings.stopAtGuesses ?? true;
    this.#showSpeed();
    this.showKnowledge(app.settings.knowledge ?? false, false);
    if (!this.#ideas && this.picker.value !== app.hello?.view.agent) app.command('agent', { name: this.picker.value });
  }

  #showSpeed() {
    element('speed-text').textContent = speedText(Number(input('speed').value));
  }

  /**
   * Choose an agent with its options.
   * @param {string} name
   */
  choose(name) {
    this.picker.fill(this.app.hello?.agents ?? [], name);
    return this.#chosen();
  }

  async #chosen() {
    if (this.#ideas) {
      this.app.remember({ ideaAgent: this.picker.value });
      this.onIdea();
      return;
    }
    this.app.remember({ agent: this.picker.value });
    await this.app.command('agent', { name: this.picker.value });
    this.#ask();
  }

  // ---- moving

  /** Ask the agent for one move: play it in the game, or show it on any other position. */
  async step() {
    if (this.app.tab !== 'play' || !this.app.playing) {
      const decision = await this.#decide();
      if (decision) this.#say(decision);
      return;
    }
    const asked = `${this.app.view?.key} ${this.app.view?.step}`;
    const found = await this.#move(!input('stop-guess').checked || this.#warned === asked);
    if (found?.decision) this.#say(found.decision);
    if (!found?.decision || found.made) return;
    this.#warned = asked;
    this.app.say(`${pair(found.decision.cell)} is a guess, with a ${riskText(found.decision.risk)}. Press A or Step again to make it.`, 'warn');
  }

  async #decide() {
    const decision = /** @type {Decision | null} */ (await this.app.about('decide', { agent: this.picker.value }));
    if (this.app.closed !== null) return null;
    if (decision === null) this.app.say(`${this.picker.value} has no move here.`, 'warn');
    else this.boards.highlights.set('answer', { best: [{ cell: decision.cell, sure: decision.proved }], clues: decision.clues });
    return decision;
  }

  /**
   * Ask the agent to move in the game.
   * @param {boolean} guess whether it may guess
   * @returns {Promise<{decision: Decision | null, made: boolean} | null>}
   */
  async #move(guess) {
    if (this.#moving) return null; // a held key must not start a second move
    this.#moving = true;
    const answer = await this.app.ask('agent_move', { guess });
    this.#moving = false;
    if (answer === null) return null;
    const { decision, made, view } = answer.agent_move ?? answer;
    this.app.show(view);
    if (decision === null) await this.#sayStuck();
    return { decision, made };
  }

  async #sayStuck() {
    const agent = this.picker.value;
    const known = /** @type {Knowledge | null} */ (await this.app.about('knowledge', { agent }, { quiet: true }));
    this.app.say(`${agent} is stuck: ${known?.stuck ?? 'it has no move'}.`, 'warn');
  }

  /** @param {Decision} decision */
  #say(decision) {
    this.advice.showMove(decision, this.picker.value);
    this.app.say(`${sentence(decision.action)} ${pair(decision.cell)}: ${decision.reason}.`.replace(/\.\.$/, '.'), decision.proved ? 'note' : 'warn');
  }

  /** Start or stop autoplay. */
  autoplay() {
    if (this.#running !== 0) this.stop();
    else this.#run();
  }

  stop() {
    this.#running = 0;
    button('agent-play').setAttribute('aria-pressed', 'false');
    button('agent-play').textContent = 'Run';
  }

  async #run() {
    const run = performance.now();
    this.#running = run;
    button('agent-play').setAttribute('aria-pressed', 'true');
    button('agent-play').textContent = 'Stop';
    while (this.#running === run && this.app.playing) {
      const began = performance.now();
      const found = await this.#move(!input('stop-guess').checked);
      if (found === null || found.decision === null) break;
      if (!found.made) {
        this.#say(found.decision);
        this.app.say(`Stopped before a guess at ${pair(found.decision.cell)}, with a ${riskText(found.decision.risk)}.`, 'warn');
        break;
      }
      await pause(speedPause(Number(input('speed').value)) - (performance.now() - began));
    }
    if (this.#running === run) this.stop();
  }

  // ---- knowledge

  /**
   * Show or hide what the agent knows.
   * @param {boolean} on
   * @param {boolean} ask
   */
  showKnowledge(on = !this.#knows, ask = true) {
    if (ask && !['play', 'analyse'].includes(this.app.tab)) return;
    this.#knows = on;
    if (ask) this.app.remember({ knowledge: on });
    document.documentElement.dataset.knowledge = on ? 'on' : 'off';
    button('knowledge').setAttribute('aria-pressed', String(on));
    button('knowledge').firstChild?.replaceWith(on ? 'Hide ' : 'Show ');
    if (ask) this.#ask();
    if (!on) this.#show(null);
  }

  async #ask() {
    const { app } = this;
    // In lessons and puzzles, it would give the answer away.
    const wanted = app.tab === 'learn' ? app.position.source === 'lane' : this.#knows && app.tab !== 'race';
    if (!wanted || app.closed !== null) {
      this.#show(null);
      return;
    }
    const asked = app.position;
    if (!asked.follows) this.#show(null); // what is listed belongs to another position
    const known = await app.about('knowledge', { agent: this.picker.value }, { quiet: true });
    if (asked === app.position) this.#show(known);
  }

  /**
   * Return the moves that the agent compares, for agents whose knowledge has no text form.
   * @param {Knowledge} known
   */
  #weighed(known) {
    const moves = known.next?.candidates ?? [];
    const rest = known.safe.length + known.mined.length > 0 ? 'There is nothing else to list: what this agent knows is marked on the board.' : 'This agent has nothing to list here.';
    if (moves.length === 0) return [make('li', { class: 'note' }, rest)];
    return candidateRows(moves, this.boards, (cell) => this.advice.why(cell));
  }

  /** @param {Knowledge | null} known */
  #show(known) {
    const { highlights } = this.boards;
    const { grid } = this.app.position;
    element('knowledge-items').hidden = known === null;
    element('knowledge-next').textContent = known === null ? '' : nextText(known);
    element('knowledge-stats').textContent = known === null || known.items.length === 0 ? '' : `${sentence(known.title)}${known.graph.length > 0 ? '. Lines connect each clue with the unknown cells that it counts.' : ''}`;
    const links = (known?.graph ?? []).flatMap(([clue, cells]) => cells.map((cell) => ({ clue: grid.cell(clue), cell: grid.cell(cell) })));
    highlights.set('knowledge', known === null ? null : { safe: asCells(known.safe, grid), mined: asCells(known.mined, grid), links });
    const items = (known?.items ?? []).map((item) => lights(make('li', item.head ? { class: 'note' } : {}, richText('span', item.text)), highlights, { lit: item.cells }));
    if (known !== null && items.length === 0) items.push(...this.#weighed(known));
    element('knowledge-items').replaceChildren(...items);
  }
}

/** @param {number | null} risk */
function riskText(risk) {
  return risk === null ? 'risk that the agent does not know' : `risk of ${percent(risk)}`;
}

/** @param {Knowledge} known */
function nextText(known) {
  const { next } = known;
  if (next === null) return `Next: no move (${known.stuck ?? 'the agent is stuck'}).`;
  const kind = next.proved ? 'proved' : `guess, risk ${percent(next.risk)}`;
  return `Next: ${next.action} ${pair(next.cell)} (${kind}).`;
}

/** @param {number} milliseconds */
function pause(milliseconds) {
  return new Promise((done) => {
    if (milliseconds > 1) setTimeout(done, milliseconds);
    else requestAnimationFrame(done);
  });
}
