/** Going back: every move of the game, with risks and verdicts. */

import { button, element, input, make, press } from './dom.js';
import { percent } from './format.js';
import { Grid } from './model.js';
import { showLuck } from './play.js';

/**
 * @typedef {import('./app.js').App} App
 * @typedef {import('./types.js').Review} Review
 * @typedef {[string, number, number, boolean | null, number | null, string]} PlayedMove
 */

/** @param {App} app */
export function setUpTimeline(app) {
  /** @type {Review | null} */
  let review = null;
  let of = '';
  /** @type {{moves: PlayedMove[], offset: number}} */
  let played = { moves: [], offset: 0 };
  let wanted = 0;

  /** @param {number} step */
  const go = async (step) => {
    const { view } = app;
    if (view === null) return;
    wanted = Math.max(0, Math.min(view.step, step));
    const mine = wanted;
    input('step').value = String(mine);
    if (mine === view.step) {
      app.replay = null;
      app.show(view);
      app.changed('replay');
      note(mine);
      return;
    }
    const answer = await app.ask('at', { step: mine });
    if (answer === null || mine !== wanted) return;
    await loadMoves();
    app.replay = mine;
    const last = mine > played.offset ? played.moves[mine - 1 - played.offset] : null;
    const next = played.moves[mine - played.offset];
    Object.assign(app.board.overlays, { last: last === null || last === undefined ? null : [last[1], last[2]], clues: [], targets: next === undefined ? [] : [[next[1], next[2]]] });
    app.board.show(new Grid(answer.cells));
    app.changed('replay');
    note(mine);
  };

  const loadMoves = async () => {
    const now = `${app.view?.id}/${app.view?.step}`;
    if (of === now) return;
    const answer = await app.ask('steps');
    if (answer === null) return;
    played = /** @type {{moves: PlayedMove[], offset: number}} */ (/** @type {unknown} */ (answer));
    of = now;
  };

  /** @param {number} step */
  const note = (step) => {
    const { view } = app;
    if (view === null) return;
    element('step-text').textContent = `${step} of ${view.step}`;
    const next = played.moves[step - played.offset];
    const judged = review?.verdicts[step - (review?.offset ?? 0)];
    const parts = [];
    if (app.replay !== null && next !== undefined) {
      parts.push(`Next: ${next[0]} (${next[1]}, ${next[2]})`);
      if (next[5] !== '') parts.push(next[5]);
      if (judged) parts.push(`Verdict: ${judged.kind}. ${judged.text}`);
      else if (next[4] !== null) parts.push(`risk ${percent(next[4])}`);
    }
    element('step-note').textContent = parts.join('. ');
  };

  const judge = async () => {
    const answer = await app.ask('review', {}, (part) => {
      element('review-note').textContent = `Judging: ${part.done} of ${part.of} moves`;
    });
    if (answer !== null) await showReview(answer.review);
  };

  /** @param {Review} found */
  const showReview = async (found) => {
    review = found;
    await loadMoves();
    const luck = found.guesses === 0 ? 'no luck was needed' : `the guesses together had a chance of ${percent(found.luck)}`;
    element('review-note').textContent = `${found.proved} of ${found.moves} moves were proved, ${found.guesses} were guesses; ${luck}.`;
    element('review-list').hidden = false;
    element('review-list').replaceChildren(...found.verdicts.map((verdict, place) => {
      const move = played.moves[place];
      const words = move === undefined ? '' : `${move[0]} (${move[1]}, ${move[2]})`;
      const go1 = make('button', { type: 'button', 'data-verdict': verdict?.kind ?? 'none' }, make('span', {}, `${place + 1}. ${words}${verdict === null ? '' : `, ${verdict.kind}: ${verdict.text}`}`));
      go1.addEventListener('click', () => go(place + found.offset));
      return make('li', {}, go1);
    }));
  };

  input('step').addEventListener('input', () => go(Number(input('step').value)));
  press('step-first', () => go(0));
  press('step-back', () => go(Number(input('step').value) - 1));
  press('step-on', () => go(Number(input('step').value) + 1));
  press('step-last', () => go(app.view?.step ?? 0));
  press('review', judge);
  app.onReview = (id, found) => {
    if (id !== app.view?.id || app.view?.end === null) return;
    showLuck(found);
    showReview(found);
  };
  app.watch((what) => {
    if (what !== 'view' || app.view === null || app.replay !== null) return;
    const { view } = app;
    input('step').max = String(view.step);
    input('step').value = String(view.step);
    button('review').disabled = view.moves === 0;
    if (of !== `${view.id}/${view.step}`) {
      review = null;
      element('review-list').hidden = true;
      element('review-note').textContent = '';
    }
    note(view.step);
  });
}
