/** Features that only the static site has: agents from a file, and offline use. */

const { app, dom: { element, make } } = globalThis.mineproof;
/** Milliseconds to wait before fetching all files for offline use, so that the workers start first. */
const STARTED = 2000;

/** @param {string} text */
function note(text) {
  element('share-note').textContent = text;
  app.say(text);
}

// ---- files

const chooser = /** @type {HTMLInputElement} */ (make('input', { id: 'own-agent', type: 'file', accept: '.py' }));
element('share-note').before(
  make('h3', {}, 'Your own agent'),
  make('p', { class: 'note' }, 'Choose a Python file with CS50’s MinesweeperAI, or a class that has the methods start and decide. It runs in this browser until you close the page.'),
  make('div', { class: 'row' }, make('label', { class: 'button' }, 'Choose file ', chooser)),
);
chooser.addEventListener('change', async () => {
  const file = chooser.files?.[0];
  chooser.value = '';
  if (file === undefined) return;
  try {
    const { agent } = await app.connection.ask('own_agent', { name: file.name, text: await file.text() });
    note(`You can now choose ${agent} as an agent.`);
  } catch (error) {
    note(/** @type {Error} */ (error).message);
  }
});
// ---- offline use

/** Switch to a new version that was fetched earlier. No game is in progress yet. */
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
