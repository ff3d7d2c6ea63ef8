import assert from 'node:assert/strict';
import test from 'node:test';

import { formatAgent, parseAgent } from '../../src/mineproof/web/static/js/agentpicker.js';
import { Editor } from '../../src/mineproof/web/static/js/editor.js';
import { makeLink, MOST_TEXT, readLink } from '../../src/mineproof/web/static/js/link.js';
import { faultOf } from '../../src/mineproof/web/static/js/grid.js';
import { Highlights } from '../../src/mineproof/web/static/js/highlights.js';
import { drawOverlays } from '../../src/mineproof/web/static/js/overlays.js';
import { between } from '../../src/mineproof/web/static/js/pointers.js';
import { RaceTape } from '../../src/mineproof/web/static/js/racetape.js';
import { figures, pieces } from '../../src/mineproof/web/static/js/statistics.js';
import { ServiceError, Connection } from '../../src/mineproof/web/static/js/connection.js';
import { isShown } from '../../src/mineproof/web/static/js/visibility.js';

/** Return a carrier that records what is sent, and delivers what the test says. */
function fakeCarrier() {
  const listeners = {};
  const sent = [];
  return {
    readyState: 1,
    sent,
    send: (text) => sent.push(JSON.parse(text)),
    addEventListener: (kind, act) => { listeners[kind] = act; },
    says: (message) => listeners.message({ data: JSON.stringify(message) }),
    closes: () => listeners.close(),
  };
}

function wired() {
  const carrier = fakeCarrier();
  const pushed = [];
  const connection = new Connection(() => carrier, { push: (message) => pushed.push(message), lost: () => pushed.push('lost') });
  connection.connect();
  return { carrier, connection, pushed };
}

test('a question receives its parts and its answer', async () => {
  const { carrier, connection, pushed } = wired();
  const parts = [];
  const asked = connection.ask('review', { at: 3 }, (part) => parts.push(part));
  assert.deepEqual(carrier.sent, [{ at: 3, do: 'review', n: 1 }]);
  carrier.says({ push: 'view', view: {} });
  carrier.says({ n: 1, part: { done: 1 } });
  carrier.says({ n: 1, review: { moves: 2 } });
  assert.equal((await asked).review.moves, 2);
  assert.deepEqual(parts, [{ done: 1 }]);
  assert.equal(pushed.length, 1);
});

test('an error carries its details, and a question can be cancelled', async () => {
  const { carrier, connection } = wired();
  const refused = connection.ask('open', { cell: [0, 0] });
  carrier.says({ n: 1, error: 'no', conflict: [[1, 2]] });
  await assert.rejects(refused, (error) => error instanceof ServiceError && error.conflict[0][1] === 2 && !error.cancelled);
  const long = connection.ask('analysis');
  connection.cancel(long.number);
  assert.deepEqual(carrier.sent[2], { question: 2, do: 'cancel', n: 3 });
  carrier.says({ n: 2, error: 'cancelled', cancelled: true });
  await assert.rejects(long, (error) => error.cancelled);
  connection.cancel(long.number);
  assert.equal(carrier.sent.length, 3);
});

test('open questions fail when the connection is lost', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { carrier, connection, pushed } = wired();
  const asked = connection.ask('hint');
  carrier.closes();
  await assert.rejects(asked, ServiceError);
  assert.deepEqual(pushed, ['lost']);
  carrier.readyState = 3;
  await assert.rejects(connection.ask('hint'), /no connection/);
});

test('agent names include only options that differ from the default', () => {
  const options = [{ name: 'matching', default: 'always' }, { name: 'mine_count', default: false }];
  assert.equal(formatAgent('sentences', options, {}), 'sentences');
  assert.equal(formatAgent('sentences', options, { matching: 'always', mine_count: 'false' }), 'sentences');
  assert.equal(formatAgent('sentences', options, { matching: 'stuck', mine_count: 'true' }), 'sentences:matching=stuck,mine_count=true');
  assert.deepEqual(parseAgent('sentences:matching=stuck'), { id: 'sentences', values: { matching: 'stuck' } });
  assert.deepEqual(parseAgent('file.py:Class'), { id: 'file.py:Class', values: {} });
});

test('a brush stroke is undone and redone as a whole', () => {
  const editor = new Editor();
  editor.set(['HHH', 'HHH'], '2');
  assert.ok(!editor.canUndo);
  editor.begin();
  for (const column of [0, 1, 2]) assert.ok(editor.draw([0, column], '1'));
  assert.ok(!editor.draw([0, 0], '1'));
  assert.ok(!editor.draw([9, 9], '1'));
  assert.deepEqual(editor.rows, ['111', 'HHH']);
  assert.ok(editor.undo());
  assert.deepEqual(editor.rows, ['HHH', 'HHH']);
  assert.ok(editor.redo());
  assert.deepEqual(editor.rows, ['111', 'HHH']);
  assert.ok(!editor.redo());
});

test('a brush leaves no gaps', () => {
  assert.deepEqual(between([0, 0], [0, 3]), [[0, 1], [0, 2], [0, 3]]);
  assert.deepEqual(between([2, 2], [0, 0]), [[1, 1], [0, 0]]);
  assert.deepEqual(between([1, 1], [1, 1]), []);
});

test('links have a limited size, and other texts are not read', async () => {
  const text = '3x2x1\n2H0\nHHH\n';
  const link = await makeLink('position', text);
  assert.match(link, /^#p=[A-Za-z0-9_-]+$/);
  for (const whole of [link, `http://127.0.0.1:1/${link}`, `${link}&step=3`]) {
    const { kind, text: found } = await readLink(whole);
    assert.deepEqual({ kind, found }, { kind: 'position', found: text });
  }
  assert.equal((await readLink(`${link}&step=3`)).fields.get('step'), '3');
  assert.equal(await makeLink('game', '9'.repeat(MOST_TEXT + 1)), null);
  for (const bad of ['', '#p=', '#x=AAAA', '#p=AAAA', '#p=<script>']) assert.equal(await readLink(bad), null);
});

test('a link with too much data is not read', async () => {
  const packed = new Blob(['0'.repeat(MOST_TEXT * 4)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = Buffer.from(await new Response(packed).arrayBuffer());
  assert.equal(await readLink(`#p=${bytes.toString('base64url')}`), null);
});

test('layers of highlights are merged', () => {
  let drawn = {};
  const highlights = new Highlights((all) => { drawn = all; });
  highlights.set('proof', { targets: [[1, 1]], clues: [[0, 0]] });
  highlights.set('lit', { clues: [[2, 2]] });
  assert.deepEqual(drawn.clues, [[0, 0], [2, 2]]);
  highlights.set('risks', { risk: [0.5] });
  highlights.clear(['risks']);
  assert.deepEqual(drawn, { risk: [0.5] });
});

test('an export is split into messages that fit, and nothing is lost', () => {
  const game = { record: 'x'.repeat(900) };
  const games = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [String(i), game]));
  const results = Array.from({ length: 300 }, (_, i) => ({ date: String(i), seconds: i }));
  const cut = [...pieces({ mineproof: 1, games: { ...games, large: { record: 'x'.repeat(9000) } }, results }, 10000)];
  assert.ok(cut.length > 5);
  assert.ok(cut.every((piece) => JSON.stringify(piece).length < 10000 && piece.mineproof === 1));
  assert.deepEqual(Object.assign({}, ...cut.map((piece) => piece.games)), games);
  assert.deepEqual(cut.flatMap((piece) => piece.results), results);
  assert.deepEqual([...pieces({}, 1000)].map(({ games: none }) => none), [{}]);
});

test('games with help are listed separately and do not count towards the win rate', () => {
  const group = { game: 'expert', played: 4, aided: 3, won: 3, low: 0.3, high: 0.95, best: [], streak: 1, longest: 2, proved: null };
  const shown = Object.fromEntries(figures(group));
  assert.equal(shown.Games, '7 (3 with help)');
  assert.equal(shown.Won, '75.0\u00a0% of 4');
});

test('a part is visible in any of its states', () => {
  const states = new Set(['play', 'past', 'live', 'ended']);
  for (const when of ['play', 'learn play', 'play+past', 'play+ended', 'learn race+over play+live']) assert.ok(isShown(when, states), when);
  for (const when of ['learn', 'play+now', 'past+over', 'race+live analyse']) assert.ok(!isShown(when, states), when);
});

test('a typed position that cannot be read gets a message that helps', () => {
  assert.match(faultOf('nonsense'), /first line must be WIDTHxHEIGHTxMINES/);
  assert.match(faultOf('4x5x3\nHHHHH\nHHHHH\nHHHHH\nHHHHH'), /write 5x4x3/);
  assert.match(faultOf('4x5x3\nHHHH'), /4 columns and 5 rows, but there are 1 row\./);
  assert.match(faultOf('2x2x1\nHH\nH'), /row 1 has 1 cell/);
  assert.match(faultOf('2x2x1\nHH\nHZ'), /Use only H/);
});

test('a race tape knows what each move changed', () => {
  const tape = new RaceTape();
  tape.take({ cells: ['HHHH'], mines: 1, agents: ['basic'] });
  for (const changes of [[[2, '1'], [1, '0']], [[3, 'F']]]) tape.take({ frame: [{ changes, cell: [0, 0] }] });
  tape.go(2);
  assert.deepEqual(tape.past(0), [[2, 1], [-4]]);
  tape.go(1);
  assert.deepEqual(tape.past(0), [[2, 1]]);
});

test('the badge of a mistake in the last column is whole', () => {
  const arcs = [];
  const known = { canvas: { width: 100, height: 100 }, arc: (x, y, radius) => arcs.push([x, y, radius]) };
  const context = new Proxy(known, { get: (target, name) => target[name] ?? (() => {}), set: () => true });
  const ground = { context, palette: {}, at: { x: 0, y: 0, size: 20 }, ratio: 1 };
  drawOverlays(ground, { played: [{ cell: [4, 4], glyph: '??' }] }, { hover: null, pressed: [], cursor: null });
  assert.equal(arcs.length, 2);
  for (const [x, y, radius] of arcs) assert.ok(x + radius <= 100 && y + radius <= 100);
});
