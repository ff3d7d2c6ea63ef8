/** Puts the page together. */

import { setUpAgent } from './agent.js';
import { setUpAnalysis } from './analysis.js';
import { App } from './app.js';
import { setUpChoice } from './choice.js';
import { setUpHelp } from './help.js';
import { setUpKnowledge } from './knowledge.js';
import { setUpLook } from './look.js';
import { setUpPlay } from './play.js';
import { setUpRace } from './race.js';
import { setUpScores } from './scores.js';
import { setUpShare } from './share.js';
import { setUpTimeline } from './timeline.js';

const handlers = {};
const app = new App(handlers);
const views = {
  /** @param {'play' | 'race-view' | 'analysis-view'} name */
  show(name) {
    document.documentElement.dataset.view = name;
    for (const id of ['play', 'race-view', 'analysis-view']) {
      const section = document.getElementById(id);
      if (section !== null) section.hidden = id !== name;
    }
  },
};
const help = setUpHelp(app);
const agent = setUpAgent(app);
const knowledge = setUpKnowledge(app);
setUpTimeline(app);
setUpChoice(app);
const analysis = setUpAnalysis(app, views);
const race = setUpRace(app, views);
setUpShare(app, analysis);
setUpScores(app);
setUpPlay(app, handlers, { help, agent, knowledge });
setUpLook(app, [analysis.board], race.boards);
app.onPosition = (text) => analysis.open(text);
app.wire.connect();
// For measurements and tests: what is drawn, and how often.
Object.assign(globalThis, { mineproof: { app, analysis } });
