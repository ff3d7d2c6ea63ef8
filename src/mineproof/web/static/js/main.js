/** Creates the modules of the page and connects them. */

import { Advice } from './advice.js';
import { AgentPanel } from './agent.js';
import { Analyse } from './analyse.js';
import { App } from './app.js';
import { Chances, recolourLegend } from './chances.js';
import { setUpChoice } from './choice.js';
import { setUpCoach } from './coach.js';
import { setUpDialogs } from './dialogs.js';
import { element } from './dom.js';
import { Games } from './games.js';
import { setUpKeyboard } from './keyboard.js';
import * as link from './link.js';
import { Learn } from './learn.js';
import { Moves } from './moves.js';
import { setUpPlay } from './play.js';
import { Race } from './race.js';
import { setUpResult } from './result.js';
import { setUpSettings } from './settings.js';
import { Share } from './share.js';
import { closeSheet, setUpSheet } from './sheet.js';
import { Boards } from './boards.js';
import { Statistics } from './statistics.js';
import { setUpStatus } from './status.js';
import { markTab, setUpTabs } from './tabs.js';
import { setUpVerdicts } from './verdicts.js';

const app = new App();

/** Show the elements of the chosen tab, and hide the others. */
function showTab() {
  const { tab } = app;
  closeSheet();
  document.documentElement.dataset.tab = tab;
  markTab(element('tabs'), element(`tab-${tab}`));
  element('workbench').setAttribute('aria-labelledby', `tab-${tab}`);
  for (const one of document.querySelectorAll('[data-tabs]')) {
    /** @type {HTMLElement} */ (one).hidden = !(one.getAttribute('data-tabs') ?? '').split(' ').includes(tab);
  }
  element('agent').hidden = tab === 'race';
  element('moves').hidden = tab !== 'play';
}

app.on('tab', showTab); // must run first, because the modules below hide more elements
const boards = new Boards(app);
setUpStatus(app);
setUpDialogs();
setUpSheet();
const advice = new Advice(app, boards);
const why = (/** @type {Cell} */ cell) => advice.why(cell);
const chances = new Chances(app, boards, why);
const moves = new Moves(app);
chances.onWin = (step, win) => moves.noteWin(step, win);
const play = setUpPlay(app, boards, { ask: why, armed: () => advice.armed() });
const choice = setUpChoice(app);
const agent = new AgentPanel(app, boards, advice);
setUpVerdicts(app, moves, advice);
setUpResult(app, moves, advice);
const learn = new Learn(app, boards, advice, agent);
const analyse = new Analyse(app, boards, advice, chances);
const race = new Race(app, boards, why);
const share = new Share(app, analyse, () => boards.current);
setUpCoach(app, share, learn);
const games = new Games(app, new Statistics(app));
setUpSettings(app, () => [boards.main, ...race.lanes.map(({ board }) => board)], () => {
  recolourLegend();
  moves.refresh();
});
setUpKeyboard(app, boards, { play, choice, advice, chances, agent, moves, analyse });
setUpTabs(element('tabs'), (tab) => app.goTo(/** @type {Tab} */ (tab.id.replace('tab-', ''))));
app.connection.connect();
// For tests and measurements.
Object.assign(globalThis, { mineproof: { app, boards, advice, agent, moves, learn, analyse, race, share, games, link } });
