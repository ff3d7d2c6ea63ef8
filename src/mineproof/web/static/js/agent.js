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

  /**
   * @param {Bench} bench
   * @param {Stage} stage
   * @param {Advice} advice
   */
  constructor(bench, stage, advice) {
    this.bench = bench;
    this.stage = stage;
    this.advice = advice;
    this.picker = new AgentPicker('Agent', () => this.#chosen());
    element('agent-picker').append(this.picker.select);
    element('agent-idea').append(this.picker.idea);
    element('agent-options').append(this.picker.options);
    press('agent-step', () => this.step());
    press('agent-play', () => this.autoplay());
    press('knowledge', () => this.showKnowledge(!this.#knows));
    input('speed').addEventListener('input', () => this.#showSpeed());
    change('speed', () => bench.remember({ speed: Number(input('speed').value) }));
    change('stop-guess', () => bench.remember({ stopAtGuesses: input('stop-guess').checked }));
    bench.on('hello', () => this.#greet());
    bench.on('place', () => this.#ask());
    bench.on('tab', () => this.stop());
  }

  #greet() {
    const { bench } = this;
    this.picker.fill(bench.hello?.agents ?? [], bench.settings.agent ?? bench.hello?.view.agent ?? '');
    input('speed').value = String(bench.settings.speed ?? 5);
    input('stop-guess').checked = bench.settings.stopAtGuesses ?? true;
    this.#showSpeed();
    this.showKnowledge(bench.settings.knowledge ?? false, false);
    if (this.picker.value !== bench.hello?.view.agent) bench.command('agent', { name: this.picker.value });
  }

  #showSpeed() {
    element('speed-text').textContent = speedText(Number(input('speed').value));
  }

  async #chosen() {
    this.bench.remember({ agent: this.picker.value });
    await this.bench.command('agent', { name: this.picker.value });
    this.#ask();
  }

  // ---- moving

  /** Ask the agent for one move: play it in the game, or show it on any other position. */
  async step() {
    const decision = this.bench.tab === 'play' && this.bench.playing ? (await this.#move(true))?.decision : await this.#decide();
    if (decision) this.#say(decision);
  }

  async #decide() {
    const decision = /** @type {Decision | null} */ (await this.bench.about('decide', { agent: this.picker.value }));
    if (decision === null) this.bench.say(`${this.picker.value} has no move here.`, 'warn');
    else this.stage.marks.set('answer', { best: [{ cell: decision.cell, sure: decision.proved }], clues: decision.clues });
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
    const answer = await this.bench.ask('agent_move', { guess });
    this.#moving = false;
    if (answer === null) return null;
    const { decision, made, view } = answer.agent_move ?? answer;
    this.bench.show(view);
    if (decision === null) await this.#sayStuck();
    return { decision, made };
  }

  async #sayStuck() {
    const agent = this.picker.value;
    const known = /** @type {Knowledge | null} */ (await this.bench.about('knowledge', { agent }, { quiet: true }));
    this.bench.say(`${agent} is stuck: ${known?.stuck ?? 'it has no move'}.`, 'warn');
  }

  /** @param {Decision} decision */
  #say(decision) {
    const what = `${sentence(decision.action)} ${pair(decision.cell)}`;
    const kind = decision.proved ? 'proved' : `a guess, risk ${percent(decision.risk)}`;
    this.advice.say(`${this.picker.value}: ${what}`, richText('p', `${sentence(kind)}. ${sentence(decision.reason)}`, { class: 'said' }));
    this.stage.marks.set('lit', { clues: decision.clues });
    this.bench.say(`${what}: ${decision.reason}`, decision.proved ? 'note' : 'warn');
  }

  /** Start or stop autoplay. */
  autoplay() {
    if (this.#running !== 0) this.stop();
    else this.#run();
  }

  stop() {
    this.#running = 0;
    button('agent-play').setAttribute('aria-pressed', 'false');
    button('agent-play').textContent = 'Play';
  }

  async #run() {
    const run = performance.now();
    this.#running = run;
    button('agent-play').setAttribute('aria-pressed', 'true');
    button('agent-play').textContent = 'Stop';
    while (this.#running === run && this.bench.playing) {
      const began = performance.now();
      const found = await this.#move(!input('stop-guess').checked);
      if (found === null || found.decision === null) break;
      if (!found.made) {
        this.#say(found.decision);
        this.bench.say(`Stopped before a guess at ${pair(found.decision.cell)}, with a risk of ${percent(found.decision.risk)}.`, 'warn');
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
    this.#knows = on;
    if (ask) this.bench.remember({ knowledge: on });
    document.documentElement.dataset.knowledge = on ? 'on' : 'off';
    button('knowledge').setAttribute('aria-pressed', String(on));
    button('knowledge').firstChild?.replaceWith(on ? 'Hide ' : 'Show ');
    if (ask) this.#ask();
    if (!on) this.#show(null);
  }

  async #ask() {
    const { bench } = this;
    const wanted = this.#knows || (bench.tab === 'learn' && bench.place.source === 'lane');
    const askable = bench.place.grid.rows > 0 && bench.tab !== 'race'
      && (bench.place.source !== 'game' || (bench.view?.end === null && bench.view.state === 'playing'));
    if (!wanted || !askable) {
      this.#show(null);
      return;
    }
    const asked = bench.place;
    const known = await bench.about('knowledge', { agent: this.picker.value }, { quiet: true });
    if (asked === bench.place) this.#show(known);
  }

  /**
   * Return the moves that the agent compares, for agents whose knowledge has no text form.
   * @param {Knowledge} known
   */
  #weighed(known) {
    const moves = known.next?.candidates ?? [];
    if (moves.length === 0) return [make('li', { class: 'note' }, 'This agent has nothing to list yet.')];
    return candidateRows(moves, this.stage, (cell) => this.advice.why(cell));
  }

  /** @param {Knowledge | null} known */
  #show(known) {
    const { marks } = this.stage;
    const { grid } = this.bench.place;
    element('knowledge-items').hidden = known === null;
    element('knowledge-next').textContent = known === null ? '' : nextText(known);
    element('knowledge-stats').textContent = known === null || known.items.length === 0 ? '' : sentence(known.title);
    marks.set('knowledge', known === null ? null : { safe: asCells(known.safe, grid), mined: asCells(known.mined, grid) });
    const items = (known?.items ?? []).map((item) => lights(richText('li', item.text, item.head ? { class: 'note' } : {}), marks, { lit: item.cells }));
    if (known !== null && items.length === 0) items.push(...this.#weighed(known));
    element('knowledge-items').replaceChildren(...items);
  }
}

/** @param {Knowledge} known */
function nextText(known) {
  const { next } = known;
  if (next === null) return `Next: stuck, ${known.stuck ?? 'it has no move'}.`;
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
