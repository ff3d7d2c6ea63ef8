/** Starting a new game, with one click on a level or with the Custom form. */

import { button, byId, change, element, input, press, select } from './dom.js';
import { closeDialog, confirmed, openDialog } from './dialogs.js';

/** The start rule of the level buttons: players expect the first click to open an area. */
const START = 'opening';
/** @type {Cell} the cell that opens the daily board */
const DAILY_FIRST = [7, 7];

/** Return the seed of today's board, such as 20261118. */
export function dailySeed(today = new Date()) {
  return today.toISOString().slice(0, 10).replaceAll('-', '');
}

/** @param {App} app */
export function setUpChoice(app) {
  const chips = [...document.querySelectorAll('[data-level]')].filter((chip) => chip instanceof HTMLButtonElement);
  for (const chip of chips) chip.addEventListener('click', () => begin(app, levelFields(chip.dataset.level ?? '', app.settings.noGuess !== 'beginner')));
  press('new', () => begin(app, null));
  change('no-guess', () => {
    app.remember({ noGuess: input('no-guess').checked });
    sessionStorage.setItem('noGuess', `${gameOf(app)} ${input('no-guess').checked}`);
    app.say(input('no-guess').checked ? 'The next game never needs a guess.' : 'The next game may need guesses.');
  });
  press('open-custom', () => {
    element('custom-error').textContent = '';
    openDialog('custom');
  });
  setUpForm(app);
  press('daily', async () => {
    if (!(await begin(app, { ...levelFields('intermediate'), seed: dailySeed() }))) return;
    closeDialog('custom');
    app.command('open', { cell: DAILY_FIRST }); // the same first cell deals the same board
  });
  let shown = '';
  app.on('view', () => {
    showChosen(app, chips);
    const game = gameOf(app);
    if (game !== shown) showNoGuess(app, game);
    shown = game;
  });
  app.on('hello', () => {
    element('no-guess-label').hidden = app.hello?.limits.no_guess !== true;
    offerClues(app);
  });
  return { again: () => restart(app), fresh: () => begin(app, null) };
}

/**
 * Return what distinguishes the game in view from others.
 * @param {App} app
 */
function gameOf({ view }) {
  return view === null ? '' : `${view.key} ${view.seed} ${view.rules.start}`;
}

/**
 * Set the switch to what the player chose during this game, or to what the game is.
 * @param {App} app
 * @param {string} game
 */
function showNoGuess(app, game) {
  const chosen = sessionStorage.getItem('noGuess');
  const { noGuess } = app.settings;
  const isNew = app.view?.step === 0 && (noGuess === true || (noGuess === 'beginner' && sameSize(app, 'beginner')));
  const known = chosen?.startsWith(`${game} `) ? chosen.endsWith('true') : isNew || app.view?.rules.start.startsWith('no-guess');
  input('no-guess').checked = known === true;
}

/**
 * Return the request fields of a level button.
 * @param {string} level
 * @param {boolean} chosen whether the player has used the switch since the first game; until then, only beginner games follow it
 * @returns {Record<string, any>}
 */
function levelFields(level, chosen = true) {
  const follows = !element('no-guess-label').hidden && (chosen || level === 'beginner');
  return { level, start: follows && input('no-guess').checked ? 'no-guess' : START };
}

/**
 * Start a game. Ask first if one is in progress.
 * @param {App} app
 * @param {Record<string, any> | null} fields null for another board with the same rules
 */
export async function begin(app, fields) {
  try {
    return await tryToBegin(app, fields);
  } catch (error) {
    app.complain(error);
    return false;
  }
}

/**
 * @param {App} app
 * @param {Record<string, any> | null} fields
 */
async function tryToBegin(app, fields) {
  const wanted = fields ?? sameRules(app);
  const how = app.inProgress && app.settings.askFirst !== false
    ? await confirmed('You have a game in progress.', [['keep', 'Keep it and start another'], ['new', 'Abandon it']]) : 'new';
  if (how === null) return false;
  // A finished game stays in the list, so the new one gets its own entry.
  const keeps = how === 'keep' || (app.view?.end != null && wanted.level !== undefined);
  const answer = await app.connection.ask(keeps ? 'another' : 'new', wanted);
  if (answer.key !== undefined) app.keep(answer.key);
  app.show(answer.view);
  if (fields !== null) app.remember({ game: { ...fields, seed: undefined } });
  if (how === 'keep') app.say('Your other game is in the list under Games.');
  return true;
}

/** @param {App} app */
async function restart(app) {
  const drop = !app.inProgress || app.settings.askFirst === false
    || await confirmed('You have a game in progress. Restart the same board?', [['yes', 'Restart']]) === 'yes';
  if (drop) app.command('restart');
}

/**
 * Return request fields for another game with the rules of the game in view.
 * @param {App} app
 */
function sameRules(app) {
  const rules = app.view?.rules;
  if (rules === undefined) return levelFields('beginner');
  const { start, goal, explosion, clues, flood } = rules;
  // If the number of mines is hidden from the player, only the service knows the rules.
  if (rules.mines === null) return {};
  const level = Object.keys(app.hello?.levels ?? {}).find((name) => sameSize(app, name));
  const isSwitched = level !== undefined && (levelFields(level).start === 'no-guess') !== (start === 'no-guess');
  if (isSwitched && [START, 'safe', 'no-guess'].includes(start)) return levelFields(level);
  return { level: `${rules.rows}x${rules.columns}/${rules.mines}`, start, goal, explosion, clues, mine_count: rules.mine_count, flood };
}

/**
 * @param {App} app
 * @param {HTMLButtonElement[]} chips
 */
function showChosen(app, chips) {
  const level = app.view?.level ?? '';
  let named = false;
  for (const chip of chips) {
    const on = chip.dataset.level === level || sameSize(app, chip.dataset.level ?? '');
    named = named || on;
    chip.classList.toggle('on', on);
    chip.setAttribute('aria-pressed', String(on));
  }
  button('open-custom').classList.toggle('on', !named);
}

/**
 * Return whether the game has the size and the rules of a level, regardless of its start rule.
 * @param {App} app
 * @param {string} level
 */
function sameSize(app, level) {
  const wanted = app.hello?.levels[level];
  const rules = app.view?.rules;
  return wanted !== undefined && rules !== undefined && wanted.rows === rules.rows && wanted.columns === rules.columns
    && wanted.mines === rules.mines && rules.goal === 'open' && rules.explosion === 'lose' && rules.clues === 'exact';
}

/** @param {App} app */
function setUpForm(app) {
  const dependent = () => {
    element('given-label').hidden = select('start').value !== 'given';
    askParameter(app);
  };
  select('start').addEventListener('change', dependent);
  select('clues').addEventListener('change', dependent);
  byId('custom-form', HTMLFormElement).addEventListener('submit', async (event) => {
    event.preventDefault();
    const fault = missing();
    element('custom-error').textContent = fault;
    if (fault !== '') return;
    try {
      if (await tryToBegin(app, formFields())) closeDialog('custom');
    } catch (error) {
      element('custom-error').textContent = error instanceof Error ? error.message : String(error);
    }
  });
}

/**
 * Fill the menus with the clue rules that the service offers.
 * @param {App} app
 */
function offerClues(app) {
  const rules = app.hello?.clue_rules ?? [];
  if (rules.length === 0) return;
  const chosen = [select('clues').value, select('a-clues').value];
  select('clues').replaceChildren(...rules.map(({ name, words }) => new Option(words, name)));
  const plain = rules.filter(({ parameter }) => parameter === '');
  select('a-clues').replaceChildren(...plain.map(({ name, words }) => new Option(words, name)));
  for (const [i, id] of ['clues', 'a-clues'].entries()) {
    if (chosen[i] !== '') select(id).value = chosen[i] ?? '';
  }
  askParameter(app);
}

/**
 * Show the field for the parameter of the chosen clue rule, if it has one.
 * @param {App} app
 */
function askParameter(app) {
  const rule = app.hello?.clue_rules?.find(({ name }) => name === select('clues').value);
  const label = element('clue-parameter-label');
  if (rule !== undefined && element('clue-parameter-words').textContent !== rule.parameter) {
    element('clue-parameter-words').textContent = rule.parameter;
    input('clue-parameter').value = rule.usual;
  }
  label.hidden = rule === undefined || rule.parameter === '';
}

/** Return a message if a number is missing or the mines do not fit; empty if all is well. */
function missing() {
  const numbers = [['rows', 'rows'], ['columns', 'columns'], ['mine-number', 'mines']];
  const empty = numbers.find(([id]) => !(Number(input(id).value) > 0) && !(id === 'mine-number' && input(id).value.trim() === '0'));
  if (empty !== undefined) return `Enter the number of ${empty[1]}.`;
  const cells = Number(input('rows').value) * Number(input('columns').value);
  return Number(input('mine-number').value) > cells ? `These mines do not fit. The board has only ${cells} cells.` : '';
}

/** Return the request fields that the form describes. */
function formFields() {
  const start = select('start').value;
  const clues = select('clues').value;
  const seed = input('seed').value.trim();
  return {
    level: `${input('rows').value.trim()}x${input('columns').value.trim()}/${input('mine-number').value.trim()}`,
    start: start === 'given' ? `given:${input('given-times').value.trim()}` : start,
    goal: select('goal').value,
    explosion: select('explosion').value,
    clues: element('clue-parameter-label').hidden ? clues : `${clues}:${input('clue-parameter').value.trim()}`,
    mine_count: select('mine-count').value,
    flood: input('flood').checked,
    ...(seed === '' ? {} : { seed }),
  };
}
