/** Letting the agent play: one move, or one after the other at a chosen speed. */

import { button, change, element, input, make, press, select } from './dom.js';
import { decisionText } from './help.js';
import { sentence, speedPause, speedText } from './format.js';
import { Refused } from './wire.js';

/** @typedef {import('./app.js').App} App */

/** @param {App} app */
export function setUpAgent(app) {
  let running = 0;
  let queue = Promise.resolve();

  const speed = () => Number(input('speed').value);
  /** @param {boolean} on */
  const show = (on) => button('autoplay').setAttribute('aria-pressed', String(on));
  const stop = () => {
    running += 1;
    show(false);
  };

  /**
   * @param {boolean} guess whether a guess is wanted, too
   * @returns {Promise<boolean>} whether a move was made
   */
  const turn = async (guess) => {
    const answer = await app.wire.ask('ai', { guess });
    app.show(answer.view);
    const { decision } = answer;
    Object.assign(app.board.overlays, { clues: decision?.clues ?? [], targets: [] });
    if (decision === null) {
      app.say(`${app.view?.agent} is stuck: it proves nothing and does not guess.`, 'warn');
    } else if (!answer.made) {
      app.board.overlays.targets = [decision.cell];
      app.say(`Stopped before a guess. ${decisionText(decision)}`, 'warn');
    } else {
      app.say(decisionText(decision), decision.proved ? 'note' : 'warn');
    }
    if (decision !== null) app.board.reveal(decision.cell);
    app.board.refresh();
    return answer.made && app.view?.end === null;
  };

  const autoplay = async () => {
    running += 1;
    const mine = running;
    show(true);
    try {
      let goes = true;
      while (goes && mine === running) {
        const pause = speedPause(speed());
        if (pause === null) {
          await wait(100);
          continue;
        }
        const began = performance.now();
        goes = await turn(!input('stop-guess').checked);
        await wait(Math.max(0, pause - (performance.now() - began)));
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      app.say(sentence(error.message), 'error');
    }
    if (mine === running) show(false);
  };

  const agent = {
    stop,
    /** Make one move; asked again meanwhile, one more after it. */
    move() {
      stop();
      queue = queue.then(() => turn(true)).then(() => {}, (error) => app.complain(error));
    },
    toggle() {
      if (button('autoplay').getAttribute('aria-pressed') === 'true') stop();
      else autoplay();
    },
  };
  press('ai-move', () => agent.move());
  press('autoplay', () => agent.toggle());
  press('ai-reset', () => {
    stop();
    app.command('restart');
  });
  const showSpeed = () => {
    element('speed-text').textContent = speedText(speed());
  };
  input('speed').addEventListener('input', showSpeed);
  change('speed', () => app.remember({ speed: speed() }));
  change('stop-guess', () => app.remember({ stopGuess: input('stop-guess').checked }));
  change('agent', () => {
    app.remember({ agent: select('agent').value });
    app.command('agent', { name: select('agent').value });
  });
  app.watch((what) => {
    if (what === 'hello') {
      fill(app);
      input('speed').value = String(app.settings.speed ?? 5);
      input('stop-guess').checked = app.settings.stopGuess !== false;
      showSpeed();
    }
    if (what === 'view' && app.view !== null) showAgent(app);
  });
  return agent;
}

/** @param {App} app */
function fill(app) {
  const names = (app.hello?.agents ?? []).map(({ id }) => make('option', { value: id }, id));
  select('agent').replaceChildren(...names);
}

/** @param {App} app */
function showAgent(app) {
  if (app.view === null) return;
  select('agent').value = app.view.agent;
  const known = app.hello?.agents.find(({ id }) => id === app.view?.agent);
  element('agent-idea').textContent = known === undefined ? '' : `${sentence(known.idea)}.`;
  const over = app.view.end !== null || app.view.state === 'paused';
  button('ai-move').disabled = over;
  button('autoplay').disabled = over;
}

/** @param {number} milliseconds */
function wait(milliseconds) {
  return new Promise((done) => {
    setTimeout(done, milliseconds);
  });
}
