/** Verdicts after each move of the player, if switched on, and on every past move that is viewed. */

import { lastSentence } from './advice.js';

/**
 * @param {App} app
 * @param {Moves} moves
 * @param {Advice} advice
 */
export function setUpVerdicts(app, moves, advice) {
  let judged = '';
  app.on('view', async () => {
    const { view } = app;
    const now = view === null ? '' : `${view.key} ${view.step}`;
    const fresh = now !== judged;
    judged = now;
    if (view === null || !fresh || app.settings.verdicts !== true || view.moves < 1 || !app.playing) return;
    const verdict = await app.about('verdict', {}, { quiet: true });
    if (verdict === null) return;
    moves.note(verdict);
    advice.showVerdict(verdict, `Move ${verdict.number}`);
  });
  moves.onVisit = (number) => {
    const verdict = number < 1 ? null : moves.verdicts[number - 1];
    if (verdict) app.say(`Move ${number}: ${verdict.kind}. ${lastSentence(verdict, verdict.text)}`, verdict.kind === 'proved' ? 'good' : 'note');
  };
}
