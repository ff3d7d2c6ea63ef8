/** The panel with the result of a game, and the button that steps through its avoidable risks. */

import { button, element, make, press } from './dom.js';
import { dailySeed } from './choice.js';
import { term } from './terms.js';
import { chanceText, count, gameName, helpText, percent, sentence, timeText } from './words.js';

/**
 * @param {App} app
 * @param {Moves} moves
 * @param {Advice} advice
 * @param {{practise: (kind: string, at: number) => void, copy: (text: string) => void}} acts called to practise a kind of reasoning, and to copy the result
 */
export function setUpResult(app, moves, advice, { practise, copy }) {
  let visited = -1;
  /** @type {number | null} the mistake to show as soon as the game is reviewed */
  let wanted = null;
  const show = () => showResult(app, moves.review);
  const label = () => {
    const wrong = moves.avoidable();
    const next = wrong.findIndex((number) => number > visited);
    button('review-risks').hidden = moves.review === null || wrong.length === 0 || app.view?.end == null;
    element('mistakes').hidden = button('review-risks').hidden;
    button('bar-review').hidden = button('review-risks').hidden;
    for (const id of ['mistake-back', 'mistake-on']) button(id).disabled = wrong.length === 1 && visited === wrong[0];
    const all = `Review my ${count(wrong.length, 'avoidable risk')}`;
    button('review-risks').textContent = visited < 0 ? all : next < 0 ? `${all} again` : `Next (${next + 1} of ${wrong.length})`;
  };
  const fall = make('span', { class: 'fall' });
  const showFall = () => {
    const { win, chosen } = moves.wins.get(visited - 1 + (app.view?.offset ?? 0)) ?? {};
    const [verdict, move, end] = [moves.verdicts[visited - 1], moves.entries[visited - 1], app.view?.end];
    if (!verdict || !move || !end) return;
    const hit = end.mines.includes(app.position.grid.index(move.cell)) || (end.result === 'loss' && visited === moves.entries.length);
    const known = win != null && chosen !== undefined ? ['Win chance: ', make('b', {}, percent(win)), ' with the best move, ', make('b', { class: 'price' }, percent(chosen)), ' with yours.'] : [];
    fall.replaceChildren(...known, verdict.risk === 1 ? '' : hit ? ' Then it hit a mine.' : ' Then it hit no mine.');
  };
  moves.onWin = showFall;
  const showMistake = (/** @type {Verdict} */ verdict, /** @type {Cell} */ cell, /** @type {string} */ title) => {
    const kind = verdict.better && kindOfProof(verdict.better);
    const button = make('button', { class: 'main', id: 'practise-this' }, 'Practise this');
    button.addEventListener('click', () => practise(/** @type {string} */ (kind), visited - 1 + (app.view?.offset ?? 0)));
    element('sheet-text').textContent = title;
    advice.showMistake(verdict, cell, title, fall, ...(kind ? [button] : []));
    showFall();
  };
  const visit = async (/** @type {number} */ by) => {
    const wrong = moves.avoidable();
    const number = by > 0 ? wrong.find((one) => one > visited) ?? wrong[0] : wrong.findLast((one) => one < visited) ?? wrong.at(-1);
    if (wrong.length === 1 && visited === wrong[0]) app.say('This is the only mistake.');
    if (number === undefined || moves.review === null || app.view?.end == null) return;
    visited = number;
    const step = number + (app.view?.offset ?? 0);
    await moves.goTo(step - 1, step);
    const verdict = moves.verdicts[number - 1];
    const cell = moves.entries[number - 1]?.cell;
    if (verdict && cell) showMistake(verdict, cell, `Mistake ${wrong.indexOf(number) + 1} of ${wrong.length} ${verdict.glyph}`);
    label();
  };
  press('copy-result', () => copy(resultText(app, moves.review)));
  press('review-risks', () => visit(1));
  press('bar-review', () => visit(1));
  press('mistake-back', () => visit(-1));
  press('mistake-on', () => visit(1));
  moves.onReview = (review) => {
    if (review === null) visited = -1;
    show();
    label();
    if (review !== null) praise(app);
    if (review !== null && wanted !== null) visitMove(wanted);
  };
  app.on('view', show);
  app.on('tab', show);
  app.on('position', () => app.position.source === 'game' && show());
  const visitMove = (/** @type {number} */ number) => {
    wanted = moves.review === null ? number : null;
    visited = number - 1;
    if (wanted === null) visit(1);
  };
  return { visit, visitMove };
}

/** @type {Record<string, string>} the kind of drill for the rules of a proof */
const KINDS = { satisfied: 'one-clue', 'needs-all': 'one-clue', inside: 'subset', difference: 'subset', group: 'several-clues', together: 'mine-count', 'mine-count': 'mine-count' };

/**
 * Return the kind of puzzle that trains a proof; null if nothing is proved.
 * @param {Why} why
 */
function kindOfProof({ proved, rule, text }) {
  if (proved === null) return null;
  return KINDS[rule] === 'subset' && text.includes(' pattern: ') ? 'pattern' : KINDS[rule] ?? 'cases';
}

/**
 * @param {App} app
 * @param {Review | null} review
 */
function showResult(app, review) {
  const { view } = app;
  if (view === null || view.end === null) return;
  element('result-title').textContent = titleOf(view);
  element('sheet-text').textContent = titleOf({ ...view, aided: false }); // there is little room
  const rows = figuresOf(view, review).map(([name, value]) =>
    make('div', {}, make('dt', {}, term(name)), make('dd', { 'data-figure': name }, value)));
  element('figures').replaceChildren(...rows);
}

/**
 * Say that a win is the fastest of its kind.
 * @param {App} app
 */
async function praise(app) {
  const { view } = app;
  if (view?.end?.result !== 'win' || view.aided) return;
  const groups = /** @type {Group[]} */ ((await app.ask('statistics'))?.groups ?? []);
  const name = gameName(kindOf(view), app.hello?.levels ?? {});
  const best = groups.find(({ game }) => gameName(game, app.hello?.levels ?? {}) === name)?.best[0]?.seconds ?? null;
  if (view === app.view && !(best !== null && best < view.seconds)) element('result-title').textContent = `${titleOf(view)}: new best`;
}

/** @param {View} view */
function kindOf({ rules }) {
  return `${rules.rows}x${rules.columns}/${rules.mines}${rules.start === 'opening' ? '' : `:${rules.start}`}`;
}

/**
 * Return the result of the game as text to share.
 * @param {App} app
 * @param {Review | null} review
 */
function resultText(app, review) {
  const { view } = app;
  if (view === null) return '';
  const name = gameName(kindOf(view), app.hello?.levels ?? {});
  const daily = view.seed === dailySeed() ? `daily board ${new Date().toISOString().slice(0, 10)}, ` : '';
  const risks = review === null ? '' : `, ${count(review.avoidable, 'avoidable risk')}`;
  const speed = view.end?.metrics?.['3bv_per_second'];
  return `Mineproof ${daily}${name}: ${titleOf(view).toLowerCase()}${typeof speed === 'number' ? `, ${speed.toFixed(2)} 3BV/s` : ''}${risks}${view.id ? `\n${view.id}` : ''}`;
}

/** @param {View} view */
function titleOf(view) {
  const words = { win: 'Won', loss: 'Lost', stuck: 'Given up' };
  return `${words[/** @type {keyof typeof words} */ (view.end?.result ?? '')] ?? sentence(view.state)} in ${timeText(view.seconds)}${helpText(view)}`;
}

/**
 * @param {View} view
 * @param {Review | null} review
 * @returns {[string, string][]}
 */
function figuresOf(view, review) {
  const metrics = view.end?.metrics ?? {};
  const number = (/** @type {string} */ name, /** @type {number} */ digits = 0) => {
    const value = metrics[name];
    return typeof value === 'number' ? value.toFixed(digits) : '–';
  };
  const efficiency = metrics.efficiency;
  const luck = review === null ? '…' : review.guesses === 0 ? 'none' : chanceText(review.luck);
  /** @type {[string, string][]} */
  const all = [
    ['3BV', `${number('3bv_solved')} of ${number('3bv')}`],
    ['3BV/s', number('3bv_per_second', 2)],
    ['Efficiency', typeof efficiency === 'number' ? percent(efficiency) : '–'],
    ['Moves', String(view.moves)],
    ['Luck', luck],
    ['Proved', review === null ? '…' : `${review.proved} of ${review.moves}`],
  ];
  const wrong = view.end?.false_marks ?? 0;
  if (wrong > 0) all.push(['Wrong flags', String(wrong)]);
  if (Number(metrics.false_proofs) > 0) all.push(['False proofs', number('false_proofs')]);
  if (view.deaths > 0) all.push(['Deaths', String(view.deaths)]);
  return all;
}
