/** Features for lectures: large text for a projector, and links that restore the current view. */

import { button, press } from './dom.js';

/**
 * @param {App} app
 * @param {LectureParts} parts
 * @param {() => void} resized called after the text changed its size
 */
export function setUpLecture(app, parts, resized) {
  const { share, analyse } = parts;
  const toggleLarge = () => app.remember({ large: !app.settings.large });
  press('large', toggleLarge);
  app.on('settings', () => {
    const on = app.settings.large === true;
    button('large').setAttribute('aria-pressed', String(on));
    if (document.documentElement.hasAttribute('data-large') === on) return;
    document.documentElement.toggleAttribute('data-large', on);
    resized();
  });
  app.on('hello', () => {
    // The server's first page, which needs no token, sends this browser here.
    if (app.hello?.transport === 'server') localStorage.setItem('home', location.pathname);
  });
  press('copy-link', () => copyLink(app, parts));
  press('link-game', () => copyGame(app, parts));
  press('link-position', () => share.copyLink('position', analyse.text, new URLSearchParams({ agent: parts.agent.picker.value })));
  share.restore = (linked) => restore(app, parts, linked);
  return { toggleLarge };
}

/**
 * Copy a link to the current view.
 * @param {App} app
 * @param {LectureParts} parts
 */
async function copyLink(app, parts) {
  const { agent, analyse, learn, race, series, share } = parts;
  if (app.tab === 'play') return copyGame(app, parts);
  if (app.tab === 'analyse') return share.copyLink('position', analyse.text, new URLSearchParams({ agent: agent.picker.value }));
  if (app.tab === 'learn') {
    const fields = learn.linkFields;
    return fields === null ? share.copyLink('position', app.position.fields.at, new URLSearchParams()) : share.copyLink('tab', '', new URLSearchParams(fields));
  }
  const { fields, tape } = app.modes.race === 'series' ? series.player : race.player;
  if (!tape?.seed || !fields.level) {
    app.say(tape === null ? 'Start a race first.' : fields.level ? 'You can copy the link once the race has loaded.' : 'Only a race on a new board has a link.', 'warn');
    return undefined;
  }
  const { agents, level, start, boards } = fields;
  const values = new URLSearchParams({ tab: app.modes.race ?? 'single', level, start, seed: tape.seed, step: String(tape.at) });
  for (const name of agents) values.append('agent', name);
  if (boards !== undefined) values.set('boards', String(boards));
  else values.set('lane', String(race.lane));
  return share.copyLink('tab', '', values);
}

/**
 * @param {App} app
 * @param {LectureParts} parts
 */
async function copyGame({ position }, { agent, share }) {
  const fields = new URLSearchParams({ agent: agent.picker.value });
  if (position.source === 'past') fields.set('step', String(position.fields.at));
  return share.copyLink('game', (await share.texts())?.record, fields);
}

/**
 * Show what a link names. Its game or position is already in view.
 * @param {App} app
 * @param {LectureParts} parts
 * @param {Linked} linked
 */
async function restore(app, { agent, learn, moves, race, series }, { kind, fields }) {
  const value = (/** @type {string} */ name) => fields.get(name) ?? '';
  if (kind !== 'tab') {
    if (fields.has('agent')) await agent.choose(value('agent'));
    if (kind === 'game' && fields.has('step')) await moves.goTo(Number(value('step')));
  } else if (value('tab') === 'lesson') {
    await learn.openLesson(value('lesson'));
  } else if (value('tab') === 'ideas') {
    await learn.openIdea(/** @type {any} */ (Object.fromEntries(fields)));
  } else {
    const board = { agents: fields.getAll('agent'), level: value('level'), start: value('start'), seed: value('seed') };
    race.fill(board);
    app.setMode('race', value('tab') === 'series' ? 'series' : 'single');
    app.goTo('race');
    if (value('tab') === 'series') await series.open(board, Number(value('boards')), Number(value('step')));
    else await race.lookInto(board, Number(value('lane')), Number(value('step')));
  }
}
