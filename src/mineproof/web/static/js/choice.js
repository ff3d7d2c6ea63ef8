/** Choosing a game: level or size, rules, seed; and the id of the game that is shown. */

import { button, byId, change, element, input, make, press, select } from './dom.js';
import { sentence } from './format.js';

/** @typedef {import('./app.js').App} App */

/** @param {App} app */
export function setUpChoice(app) {
  const form = byId('game-form', HTMLFormElement);
  const custom = () => select('level').value === 'custom';
  const showCustom = () => {
    element('given-label').hidden = select('start').value !== 'given';
    element('withheld-label').hidden = select('clues').value !== 'withheld';
    element('custom').hidden = !custom();
    element('mines-help').hidden = !custom();
  };
  const wanted = () => ({
    level: custom() ? `${input('rows').value.trim()}x${input('columns').value.trim()}/${input('mine-number').value.trim()}` : select('level').value,
    start: withNumber(select('start').value, 'given', 'given-times'),
    goal: select('goal').value,
    explosion: select('explosion').value,
    clues: withNumber(select('clues').value, 'withheld', 'withheld-share'),
    mine_count: select('mine-count').value,
    flood: input('flood').checked,
  });
  const start = async () => {
    const game = wanted();
    const done = await app.command('new', { ...game, seed: input('seed').value.trim() });
    if (!done) return;
    app.remember({ game });
    app.say('');
    app.board.canvas.focus({ preventScroll: false });
  };

  change('level', showCustom);
  change('start', showCustom);
  change('clues', showCustom);
  press('give-up', () => app.command('stop'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    start();
  });
  press('another', async () => {
    const answer = await app.ask('another');
    if (answer === null) return;
    app.keep(answer.key);
    app.show(answer.view);
    await start();
  });
  press('copy-id', () => copy(app, input('game-id').value));
  app.watch((what) => {
    if (what === 'hello') {
      fill(app);
      showCustom();
    }
    if (what !== 'view') return;
    input('game-id').value = app.view?.id ?? 'known when the game has ended';
    button('give-up').disabled = app.view?.end !== null || app.view.step === 0;
  });
}

/**
 * Put the number of a rule behind its name: `given:1`.
 * @param {string} word
 * @param {string} numbered the rule that has a number
 * @param {string} field where the number stands
 */
function withNumber(word, numbered, field) {
  return word === numbered ? `${word}:${input(field).value.trim()}` : word;
}

/** @param {App} app */
function fill(app) {
  const levels = Object.entries(app.hello?.levels ?? {}).map(([name, { level }]) =>
    make('option', { value: name }, `${sentence(name.replace('-', ' '))} ${level.replace('x', ' × ').replace('/', ', ')} mines`));
  select('level').replaceChildren(...levels, make('option', { value: 'custom' }, 'A size of my own'));
  const { game } = app.settings;
  select('level').value = 'beginner';
  if (game === undefined) return;
  const size = /^(\d+)x(\d+)\/(\S+)$/.exec(game.level);
  select('level').value = size === null ? game.level : 'custom';
  if (size !== null) {
    input('rows').value = size[1];
    input('columns').value = size[2];
    input('mine-number').value = size[3];
  }
  for (const name of ['start', 'goal', 'explosion', 'clues']) {
    if (typeof game[name] !== 'string') continue;
    const [word, number] = game[name].split(':');
    select(name).value = word;
    if (word === 'given') input('given-times').value = number;
    if (word === 'withheld') input('withheld-share').value = number;
  }
  select('mine-count').value = game.mine_count ?? 'known';
  input('flood').checked = game.flood !== false;
}

/**
 * Put a text on the clipboard.
 * @param {App} app
 * @param {string} text
 */
export async function copy(app, text) {
  try {
    await navigator.clipboard.writeText(text);
    app.say('Copied.', 'good');
  } catch {
    app.say('The browser does not let this page copy. Select the text and copy it yourself.', 'error');
  }
}
