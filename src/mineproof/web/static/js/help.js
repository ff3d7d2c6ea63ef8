/** Help in small steps: hints, "may I guess now?", why, and verdicts on one's own moves. */

import { button, change, input, press } from './dom.js';
import { percent, sentence } from './format.js';

/**
 * @typedef {import('./app.js').App} App
 * @typedef {import('./types.js').Cell} Cell
 */

/** @type {Record<string, string>} */
const KINDS = { proved: 'good', 'best guess': 'good', 'avoidable risk': 'warn', reckless: 'error' };

/** @param {App} app */
export function setUpHelp(app) {
  /** @type {{steps: {text: string, cells: Cell[]}[], at: number, of: string} | null} */
  let hint = null;

  const place = () => `${app.view?.id}/${app.view?.step}`;
  const clear = () => {
    hint = null;
    asking(false);
    Object.assign(app.board.overlays, { clues: [], targets: [] });
    app.board.refresh();
  };
  /** @param {boolean} [wanted] */
  const asking = (wanted) => {
    const why = button('why');
    if (wanted !== undefined) why.setAttribute('aria-pressed', String(wanted));
    return why.getAttribute('aria-pressed') === 'true';
  };
  const showHint = () => {
    if (hint === null) return;
    const step = hint.steps[hint.at];
    const last = hint.at === hint.steps.length - 1;
    Object.assign(app.board.overlays, { clues: last ? hint.steps.slice(0, -1).flatMap((s) => s.cells) : step.cells, targets: last ? step.cells : [] });
    const seen = step.cells[0] ?? hint.steps[hint.steps.length - 1].cells[0];
    if (seen !== undefined) app.board.reveal(seen);
    app.board.refresh();
    const more = last ? '' : ' — press Hint again for more';
    app.say(`Hint ${hint.at + 1} of ${hint.steps.length}: ${step.text}${more}`, 'note');
  };

  const help = {
    clear,
    asking,
    async hint() {
      if (hint !== null && hint.of === place()) {
        hint.at = Math.min(hint.at + 1, hint.steps.length - 1);
        showHint();
        return;
      }
      const of = place();
      const answer = await app.ask('hint');
      if (answer === null || of !== place()) return;
      hint = { steps: answer.hint.steps, at: 0, of };
      showHint();
    },
    async mayGuess() {
      const answer = await app.ask('may_guess');
      if (answer === null) return;
      // Yes or no, and no more: where to look is what hints are for.
      const text = answer.answer.may ? sentence(answer.answer.text) : 'No: some cell is proved safe';
      app.say(`May I guess now? ${text}.`, answer.answer.may ? 'warn' : 'good');
    },
    /** @param {Cell} cell */
    async why(cell) {
      asking(false);
      const answer = await app.ask('why', { cell });
      if (answer === null) return;
      const { why } = answer;
      Object.assign(app.board.overlays, { clues: [...why.clues, ...why.conclusions], targets: [cell] });
      app.board.refresh();
      app.say(sentence(why.text), why.proved === 'safe' ? 'good' : why.proved === 'mined' ? 'warn' : 'note');
    },
    async judge() {
      if (!input('verdicts').checked || app.view === null || app.view.moves === 0) return;
      const of = place();
      const answer = await app.ask('verdict');
      if (answer === null || answer.verdict === null || of !== place()) return;
      const { verdict } = answer;
      Object.assign(app.board.overlays, { clues: verdict.clues, targets: verdict.better === null ? [] : [verdict.better] });
      app.board.refresh();
      app.say(`Verdict: ${verdict.kind}. ${verdict.text}`, KINDS[verdict.kind]);
    },
  };
  press('may-guess', () => help.mayGuess());
  press('why', () => {
    asking(!asking());
    if (asking()) app.say('Why? Choose a cell of the board.', 'note');
  });
  change('verdicts', () => app.remember({ verdicts: input('verdicts').checked }));
  app.watch((what) => {
    if (what === 'hello') input('verdicts').checked = app.settings.verdicts === true;
    if (what === 'view' && hint !== null && hint.of !== place()) clear();
  });
  return help;
}

/**
 * Put a decision of an agent into a sentence.
 * @param {import('./types.js').Decision} decision
 */
export function decisionText(decision) {
  const [row, column] = decision.cell;
  const kind = decision.proved ? 'proved' : `a guess${decision.risk === null ? '' : ` of ${percent(decision.risk)} risk`}`;
  const others = decision.candidates
    .filter(({ cell }) => cell[0] !== row || cell[1] !== column)
    .slice(0, 3)
    .map(({ cell, risk }) => `(${cell[0]}, ${cell[1]}) ${percent(risk)}`);
  const rest = decision.proved || others.length === 0 ? '' : `. Others: ${others.join('; ')}`;
  return `${sentence(decision.action)} (${row}, ${column}), ${kind}: ${decision.reason}${rest}`;
}
