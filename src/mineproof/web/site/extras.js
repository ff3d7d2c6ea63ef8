/** What only the static site has: agents from a file, and use without a network. */

import { element, make } from '../static/js/dom.js';

const { bench } = globalThis.mineproof;
/** Milliseconds after which who answers is there too: to fetch and check all files is work. */
const STARTED = 2000;

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
    note(/** @type {Error} */ (error).message);
  }
});
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
    setTimeout(() => navigator.serviceWorker.register(new URL('../sw.js', import.meta.url)).catch(() => {}), STARTED);
  }, { once: true });
}
