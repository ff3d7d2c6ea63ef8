/** Creates the modules of the page and connects them. */

import { Advice } from './advice.js';
import { AgentPanel } from './agent.js';
import { Analyse } from './analyse.js';
import { Bench } from './bench.js';
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
import { Stage } from './stage.js';
import { Statistics } from './statistics.js';
import { setUpStatus } from './status.js';
import { markTab, setUpTabs } from './tabs.js';
import { setUpVerdicts } from './verdicts.js';

const bench = new Bench();

/** Show the elements of the chosen tab, and hide the others. */
function showTab() {
  const { tab } = bench;
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

bench.on('tab', showTab); // must come first: the modules below hide more elements
const stage = new Stage(bench);
setUpStatus(bench);
setUpDialogs();
setUpSheet();
const advice = new Advice(bench, stage);
const why = (/** @type {Cell} */ cell) => advice.why(cell);
const chances = new Chances(bench, stage, why);
const moves = new Moves(bench);
chances.onWin = (step, win) => moves.noteWin(step, win);
const play = setUpPlay(bench, stage, { ask: why, armed: () => advice.armed() });
const choice = setUpChoice(bench);
const agent = new AgentPanel(bench, stage, advice);
setUpVerdicts(bench, moves, advice);
setUpResult(bench, moves, advice);
const learn = new Learn(bench, stage, advice, agent);
const analyse = new Analyse(bench, stage, advice, chances);
const race = new Race(bench, stage, why);
const share = new Share(bench, analyse, () => stage.board);
setUpCoach(bench, share, learn);
const games = new Games(bench, new Statistics(bench));
setUpSettings(bench, () => [stage.main, ...race.lanes.map(({ board }) => board)], () => {
  recolourLegend();
  moves.refresh();
});
setUpKeyboard(bench, stage, { play, choice, advice, chances, agent, moves, analyse });
setUpTabs(element('tabs'), (tab) => bench.goTo(/** @type {Tab} */ (tab.id.replace('tab-', ''))));
bench.wire.connect();
// For tests and measurements.
Object.assign(globalThis, { mineproof: { bench, stage, advice, agent, moves, learn, analyse, race, share, games, link } });
