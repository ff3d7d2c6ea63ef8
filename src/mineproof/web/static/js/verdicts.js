/** Verdicts after each move of the player, if switched on, and on every past move that is viewed. */

/**
 * @param {Bench} bench
 * @param {Moves} moves
 * @param {Advice} advice
 */
export function setUpVerdicts(bench, moves, advice) {
  let judged = '';
  bench.on('view', async () => {
    const { view } = bench;
    const now = view === null ? '' : `${view.key} ${view.step}`;
    const fresh = now !== judged;
    judged = now;
    if (view === null || !fresh || bench.settings.verdicts !== true || view.moves < 1 || !bench.playing) return;
    const verdict = await bench.about('verdict', {}, { quiet: true });
    if (verdict === null) return;
    moves.note(verdict);
    advice.showVerdict(verdict, `Move ${verdict.number}`);
  });
  moves.onVisit = (number) => {
    const verdict = number < 1 ? null : moves.verdicts[number - 1];
    if (verdict) bench.say(`Move ${number}: ${verdict.kind}. ${verdict.text}`, verdict.kind === 'proved' ? 'good' : 'note');
  };
}
