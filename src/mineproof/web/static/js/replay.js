/** Replays a finished game at its original speed, with a pointer that moves from cell to cell. */

import { button, element, press, select } from './dom.js';

/**
 * @param {App} app
 * @param {Boards} boards
 * @param {Moves} moves
 */
export function setUpReplay(app, boards, moves) {
  let playing = false;
  let shown = -1;
  const stop = () => {
    if (playing) requestAnimationFrame(() => element('replay').scrollIntoView({ block: 'nearest' }));
    playing = false;
    element('pointer').style.display = 'none';
    button('replay').textContent = 'Replay';
    app.replayed = null;
    delete document.documentElement.dataset.replay;
  };
  const start = async () => {
    const { view } = app;
    const steps = /** @type {(Step & {seconds: number | null})[]} */ ((await app.ask('moves'))?.moves ?? []);
    if (view === null || view !== app.view || steps.length === 0) return;
    if (steps.some(({ seconds }) => seconds === null)) {
      app.say('The times of these moves are unknown.', 'warn');
      return;
    }
    const times = steps.map(({ seconds }) => seconds ?? 0);
    let [before, at] = [performance.now(), 0];
    playing = true;
    shown = -1;
    button('replay').textContent = 'Stop';
    // The panels above the controls are hidden meanwhile, so that the controls stay in view.
    document.documentElement.dataset.replay = 'on';
    element('replay').scrollIntoView({ block: 'nearest' });
    const frame = (/** @type {number} */ now) => {
      if (!playing || app.view !== view || app.tab !== 'play') return stop();
      at += (Math.max(0, now - before) / 1000) * Number(select('replay-speed').value);
      before = now;
      app.replayed = Math.min(at, times[times.length - 1]);
      const done = times.filter((time) => time <= at).length;
      if (done !== shown) moves.goTo(view.offset + done);
      shown = done;
      point(boards, steps, times, at, done);
      if (done < times.length) requestAnimationFrame(frame);
      else stop();
    };
    requestAnimationFrame(frame);
  };
  press('replay', () => (playing ? stop() : start()));
}

/**
 * Move the pointer between the cells of the last move and of the next one.
 * @param {Boards} boards
 * @param {Step[]} steps
 * @param {number[]} times
 * @param {number} at
 * @param {number} done
 */
function point(boards, steps, times, at, done) {
  const [from, to] = [steps[Math.max(0, done - 1)].cell, steps[Math.min(done, steps.length - 1)].cell];
  const [start, end] = [times[done - 1] ?? 0, times[done] ?? at];
  const share = end > start ? Math.min(1, (at - start) / (end - start)) : 1;
  const { x, y } = boards.main.point([from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]);
  Object.assign(element('pointer').style, { display: 'block', left: `${x}px`, top: `${y}px` });
}
