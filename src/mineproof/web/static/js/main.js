/** Creates the modules of the page and connects them. */

import { Advice } from './advice.js';
import { AgentPanel } from './agent.js';
import { Analyse } from './analyse.js';
import { App } from './app.js';
import { Chances, recolourLegend } from './chances.js';
import { setUpChoice } from './choice.js';
import { setUpCoach } from './coach.js';
import { Demo } from './demo.js';
import { setUpDialogs } from './dialogs.js';
import * as dom from './dom.js';
import { Games } from './games.js';
import { setUpKeyboard } from './keyboard.js';
import { setUpLecture } from './lecture.js';
import * as link from './link.js';
import { Learn } from './learn.js';
import { Moves } from './moves.js';
import { setUpPlay } from './play.js';
import { Race } from './race.js';
import { setUpReplay } from './replay.js';
import { setUpResult } from './result.js';
import { setUpSettings } from './settings.js';
import { Series } from './series.js';
import { Share } from './share.js';
import { closeSheet, setUpSheet } from './sheet.js';
import { Boards } from './boards.js';
import { Statistics } from './statistics.js';
import { setUpStatus } from './status.js';
import { setUpTabs } from './tabs.js';
import { setUpTerms } from './terms.js';
import { setUpVerdicts } from './verdicts.js';
import { setUpVisibility } from './visibility.js';

const app = new App();

setUpVisibility(app);
app.on('tab', closeSheet);
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
setUpReplay(app, boards, moves);
const learn = new Learn(app, boards, advice, agent);
const result = setUpResult(app, moves, advice, { practise: (kind, at) => learn.practiseStep(kind, at), copy: (text) => share.copy(text, 'The result') });
const analyse = new Analyse(app, boards, advice, chances);
const race = new Race(app, boards, advice);
const series = new Series(app, race);
const share = new Share(app, analyse, () => boards.current);
setUpCoach(app, share, learn, result.visitMove);
const games = new Games(app, new Statistics(app));
const allBoards = () => [boards.main, ...race.lanes.map(({ board }) => board)];
setUpSettings(app, allBoards, () => {
  recolourLegend();
  moves.refresh();
  series.refresh();
});
const lecture = setUpLecture(app, { agent, analyse, learn, moves, race, series, share }, () => {
  recolourLegend();
  series.refresh();
  for (const board of allBoards()) board.refresh();
});
const demo = new Demo(app, boards, advice);
setUpTerms();
setUpKeyboard(app, boards, { play, choice, advice, chances, agent, moves, analyse, visitMistake: result.visit, learn, race, series, lecture });
setUpTabs(dom.element('tabs'), (tab) => app.goTo(/** @type {Tab} */ (tab.id.replace('tab-', ''))));
app.connection.connect();
// For the static site's own script, for tests and for measurements.
Object.assign(globalThis, { mineproof: { app, dom, boards, advice, agent, moves, demo, learn, analyse, race, series, share, games, link } });
