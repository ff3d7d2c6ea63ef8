/** The race: two to four agents on the same board, in step. */

import { BoardView } from './boardview.js';
import { byId, button, change, element, input, make, press, select } from './dom.js';
import { percent, sentence, speedPause, speedText } from './format.js';
import { RaceTape } from './racetape.js';
import { Refused } from './wire.js';

/**
 * @typedef {import('./app.js').App} App
 * @typedef {{show: (name: 'play' | 'race-view' | 'analysis-view') => void}} Views
 * @typedef {{box: HTMLElement, board: BoardView, badge: HTMLElement, count: HTMLElement, note: HTMLElement}} Lane
 */

const MOST = 4;
/** After so many milliseconds without a round the page says who is thinking. */
const WAITING = 400;

/**
 * @param {App} app
 * @param {Views} views
 */
export function setUpRace(app, views) {
  /** @type {RaceTape | null} */
  let tape = null;
  /** @type {Lane[]} */
  let lanes = [];
  let job = 0;
  let playing = false;
  let due = 0;

  const speed = () => Number(input('race-speed').value);
  const showSpeed = () => {
    element('race-speed-text').textContent = speedText(speed()).replace('move', 'round');
  };
  const stop = () => {
    playing = false;
    if (job !== 0) app.wire.ask('cancel', { job }).catch(() => {});
    job = 0;
  };

  const start = async () => {
    stop();
    const agents = [...document.querySelectorAll('#racers select')]
      .map((chosen) => /** @type {HTMLSelectElement} */ (chosen).value)
      .filter((name) => name !== '');
    if (agents.length < 2) {
      app.say('Choose at least two agents.', 'error');
      return;
    }
    app.remember({ racers: agents });
    views.show('race-view');
    element('race-message').textContent = 'The agents take their places …';
    const made = new RaceTape();
    tape = made;
    playing = true;
    due = 0;
    button('race-play').textContent = 'Pause';
    requestAnimationFrame(step);
    try {
      const question = app.wire.ask('race', { agents, same: select('race-board').value === 'same' }, (part) => {
        made.take(part);
        if (part.cells !== undefined) lanes = setLanes(agents);
        input('race-round').max = String(made.rounds);
      });
      job = question.number;
      const answer = await question;
      made.finish(answer.race.mines);
      if (tape === made) job = 0;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (!error.cancelled && tape === made) element('race-message').textContent = sentence(error.message);
    }
  };

  /** @param {number} now */
  const step = (now) => {
    if (tape === null) return;
    if (playing && now >= due && tape.at < tape.rounds) {
      due = now + (speedPause(speed()) ?? 0);
      tape.go(tape.at + 1);
      show();
    } else if (playing && tape.at >= tape.rounds && tape.done) {
      playing = false;
      button('race-play').textContent = 'From the start';
      show();
    }
    if (playing && tape.at >= tape.rounds && !tape.done && tape.rounds > 0 && now > due + WAITING) {
      element('race-message').textContent = tape.summary();
    }
    if (playing) requestAnimationFrame(step);
  };

  const show = () => {
    if (tape === null) return;
    input('race-round').value = String(tape.at);
    element('race-count').textContent = `${tape.at} of ${tape.rounds}${tape.done ? '' : ' …'}`;
    const at = tape;
    lanes.forEach((lane, place) => showLane(lane, at.racers[place], at.grid(place)));
    element('race-message').textContent = at.summary();
  };

  press('race-start', start);
  press('race-back', () => {
    stop();
    views.show('play');
  });
  press('race-play', () => {
    if (tape === null) return;
    if (!playing && tape.at >= tape.rounds && tape.done) tape.go(0);
    playing = !playing;
    button('race-play').textContent = playing ? 'Pause' : 'Go on';
    if (playing) requestAnimationFrame(step);
  });
  input('race-round').addEventListener('input', () => {
    playing = false;
    button('race-play').textContent = 'Go on';
    tape?.go(Number(input('race-round').value));
    show();
  });
  input('race-speed').addEventListener('input', showSpeed);
  change('race-speed', () => app.remember({ raceSpeed: speed() }));
  app.watch((what) => {
    if (what !== 'hello') return;
    fill(app);
    input('race-speed').value = String(app.settings.raceSpeed ?? 6);
    showSpeed();
  });
  return { boards: () => lanes.map(({ board }) => board) };
}

/** @param {App} app */
function fill(app) {
  const ids = (app.hello?.agents ?? []).map(({ id }) => id);
  const remembered = app.settings.racers ?? ['basic', 'sentences', ids[ids.length - 1]];
  const chosen = Array.from({ length: MOST }, (_, place) => {
    const options = [make('option', { value: '' }, 'nobody'), ...ids.map((id) => make('option', { value: id }, id))];
    const list = make('select', { 'data-racer': String(place) }, ...options);
    /** @type {HTMLSelectElement} */ (list).value = ids.includes(remembered[place]) ? remembered[place] : '';
    return make('label', {}, `Agent ${place + 1}`, list);
  });
  element('racers').replaceChildren(...chosen);
}

/**
 * @param {string[]} agents
 * @returns {Lane[]}
 */
function setLanes(agents) {
  const lanes = agents.map((name) => {
    const canvas = /** @type {HTMLCanvasElement} */ (make('canvas', { role: 'img', 'aria-label': `Board of ${name}` }));
    const badge = make('span', { class: 'badge' }, 'ready');
    const count = make('span', { class: 'note' }, '');
    const note = make('p');
    const box = make('article', { class: 'racer', 'aria-label': name }, make('header', {}, make('h2', {}, name), count, badge), make('div', { class: 'canvas' }, canvas), note);
    return { box, badge, count, note, canvas };
  });
  byId('race-boards', HTMLElement).replaceChildren(...lanes.map(({ box }) => box));
  return lanes.map(({ box, badge, count, note, canvas }) => ({ box, badge, count, note, board: new BoardView(canvas, {}) }));
}

/**
 * @param {Lane} lane
 * @param {import('./racetape.js').Racer} racer
 * @param {import('./model.js').Grid} grid
 */
function showLane(lane, racer, grid) {
  const { last } = racer;
  lane.board.overlays = { last: last?.cell ?? null };
  lane.board.show(grid);
  const guessed = last !== null && last.action === 'open' && last.proved === false;
  const words = { win: 'won', loss: 'lost', stuck: 'stuck' };
  const result = racer.fault ? 'fault' : words[/** @type {keyof typeof words} */ (racer.result ?? '')];
  lane.badge.textContent = result ?? (guessed ? `guess ${last.risk === null ? '' : percent(last.risk)}` : 'proved');
  lane.badge.dataset.kind = racer.result ?? (guessed ? 'guess' : '');
  lane.count.textContent = `${racer.moves} moves, ${racer.guesses} ${racer.guesses === 1 ? 'guess' : 'guesses'}`;
  lane.note.textContent = racer.fault || (last?.cell ? `${sentence(last.action ?? '')} (${last.cell[0]}, ${last.cell[1]}): ${last.reason}` : '');
}
