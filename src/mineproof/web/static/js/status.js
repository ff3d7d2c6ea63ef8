/** The status line below the board, the counters above it, and the cover of a paused board. */

import { button, element } from './dom.js';
import { clockText, sentence } from './words.js';

/** @param {Bench} bench */
export function setUpStatus(bench) {
  bench.say = (text, kind = 'note') => {
    const line = element('message');
    if (line.textContent !== text) line.textContent = text;
    line.title = text;
    line.dataset.kind = kind;
  };
  bench.on('place', () => bench.say(...lineOf(bench)));
  bench.on('view', () => showCounts(bench));
  bench.on('place', () => {
    const past = bench.place.source === 'past';
    element('past').hidden = !past;
    button('now').hidden = !past;
    for (const id of ['new', 'undo', 'pause']) button(id).hidden = past || bench.tab !== 'play';
    showCounts(bench);
  });
  setInterval(() => tick(bench), 200);
}

/**
 * Return the status text of the current position, and its kind. Each new position replaces it, so that no old message stays.
 * @param {Bench} bench
 * @returns {[string, 'note' | 'good' | 'warn']}
 */
function lineOf(bench) {
  const { place, view } = bench;
  if (place.source === 'past') return [`You are viewing ${place.title}. It can’t be changed.`, 'note'];
  if (place.source !== 'game' || view === null) return [place.title === '' ? '' : sentence(`${place.title}.`), 'note'];
  return [`${sentence(view.text)}.`.replace('..', '.'), view.end?.result === 'win' ? 'good' : 'note'];
}

/** @param {Bench} bench */
function showCounts(bench) {
  const { view, places } = bench;
  if (view === null) return;
  const past = places.play.source === 'past';
  const marked = places.play.grid.letters.filter((letter) => letter === 'F' || letter === 'M').length;
  const left = past && view.rules.mines !== null ? view.rules.mines - marked : view.mines_left;
  element('mines').textContent = view.end?.result === 'win' && !past ? '0' : String(left ?? '?');
  element('cover').hidden = view.state !== 'paused' || bench.tab !== 'play' || past;
  button('pause').setAttribute('aria-pressed', String(view.state === 'paused'));
  button('pause').disabled = view.end !== null || view.state === 'ready';
  button('undo').disabled = view.step === 0;
  tick(bench);
}

/** @param {Bench} bench */
function tick(bench) {
  if (bench.view === null) return;
  const running = bench.view.clock_runs ? (performance.now() - bench.viewed) / 1000 : 0;
  const words = clockText(bench.view.seconds + running);
  if (element('clock').textContent !== words) element('clock').textContent = words;
}
