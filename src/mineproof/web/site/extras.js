/** What only the static site has: agents from a file, a word on replays, and use without a network. */

import { element, input, make } from '../static/js/dom.js';
import { plainWords } from '../static/js/words.js';

const REPLAYS = /\.(avf|mvf|evf|rmv|rawvf)$/i;
const { bench } = globalThis.mineproof;

/** @param {string} text */
function note(text) {
  element('share-note').textContent = text;
  bench.say(text);
}

// ---- files

const chooser = /** @type {HTMLInputElement} */ (make('input', { id: 'own-agent', type: 'file', accept: '.py' }));
element('share-note').before(
  make('h3', {}, 'An agent of your own'),
  make('p', { class: 'note' }, 'A Python file with a class that has start and decide, or CS50’s MinesweeperAI. It runs in this browser and is gone with the page.'),
  make('div', { class: 'row' }, make('label', { class: 'button' }, 'Choose a file ', chooser)),
);
chooser.addEventListener('change', async () => {
  const file = chooser.files?.[0];
  chooser.value = '';
  if (file === undefined) return;
  try {
    const { agent } = await bench.wire.ask('own_agent', { name: file.name, text: await file.text() });
    note(`${agent} is among the agents now.`);
  } catch (error) {
    note(plainWords(/** @type {Error} */ (error).message));
  }
});
input('file').addEventListener('change', (event) => {
  if (!REPLAYS.test(input('file').files?.[0]?.name ?? '')) return;
  event.stopImmediatePropagation();
  input('file').value = '';
  note('Replays of players need the installed program: mineproof web FILE.');
}, { capture: true });

// ---- without a network

/** Change to a version that was fetched while another page was open: nothing is under way yet. */
async function update() {
  const waiting = (await navigator.serviceWorker.getRegistration())?.waiting;
  if (!waiting) return;
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
  waiting.postMessage('take over');
}

if ('serviceWorker' in navigator) {
  update();
  addEventListener('mineproof-ready', () => {
    navigator.serviceWorker.register(new URL('../sw.js', import.meta.url)).catch(() => {});
  }, { once: true });
}
