import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';

import { Answerers } from '../../src/mineproof/web/site/answerers.js';

/** A worker that does nothing alone: the test decides when it is ready and what it answers. */
class Puppet {
  asked = [];
  ended = false;

  postMessage(message) {
    this.asked.push(message);
  }

  terminate() {
    this.ended = true;
  }

  say(kind, number, text) {
    this.onmessage({ data: { kind, number, text } });
  }
}

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
afterEach(() => mock.timers.reset());

function rig() {
  const [workers, heard] = [[], []];
  const start = () => {
    workers.push(new Puppet());
    return workers.at(-1);
  };
  return { workers, heard, answerers: new Answerers(start, (...said) => heard.push(said)) };
}

/** Return a rig with both workers ready. */
function both() {
  const found = rig();
  found.answerers.ask(98, 'quick', 5, false);
  found.workers[0].say('ready');
  mock.timers.tick(300);
  found.workers[1].say('ready');
  found.workers[0].say('done', 98, '');
  found.heard.length = 0;
  for (const worker of found.workers) worker.asked.length = 0;
  return found;
}

test('the second worker starts when it may be needed and stops when it is idle', () => {
  const { workers, answerers } = rig();
  answerers.warmUp();
  workers[0].say('ready');
  answerers.ask(1, 'quick', 5, false);
  workers[0].say('done', 1, '');
  mock.timers.tick(60_000);
  assert.equal(workers.length, 1);
  answerers.ask(2, 'slow', 5, false);
  mock.timers.tick(300);
  assert.equal(workers.length, 2);
  workers[1].say('ready');
  mock.timers.tick(16_000);
  assert.equal(workers[1].ended, true);
  answerers.ask(3, 'long', 60, true);
  const third = workers.at(-1);
  third.say('ready');
  assert.deepEqual(third.asked.map(({ text }) => text), ['long']);
  mock.timers.tick(30_000);
  assert.equal(third.ended, false);
});

test('questions wait for a worker, and each answer reaches its question', () => {
  const { workers, heard, answerers } = rig();
  answerers.ask(1, 'first', 5, false);
  answerers.ask(2, 'second', 5, false);
  assert.deepEqual(workers[0].asked, []);
  workers[0].say('ready');
  workers[0].say('part', 1, 'half');
  workers[0].say('done', 1, 'one');
  workers[0].say('error', 2, 'two');
  assert.deepEqual(workers[0].asked.map(({ text }) => text), ['first', 'second']);
  assert.deepEqual(heard, [[1, 'part', 'half'], [1, 'done', 'one'], [2, 'error', 'two']]);
});

test('long questions do not delay quick ones', () => {
  const { workers, answerers } = both();
  answerers.ask(1, 'long', 60, true);
  answerers.ask(2, 'long too', 60, true);
  answerers.ask(3, 'quick', 5, false);
  assert.deepEqual(workers[0].asked.map(({ text }) => text), ['quick']);
  assert.deepEqual(workers[1].asked.map(({ text }) => text), ['long']);
});

test('a worker with a cancelled question is stopped, and the other one takes over', () => {
  const { workers, heard, answerers } = both();
  answerers.ask(1, 'endless', 60, false);
  answerers.cancel(1);
  assert.equal(workers[0].ended, false);
  mock.timers.tick(1000);
  assert.equal(workers[0].ended, true);
  answerers.ask(2, 'next', 5, false);
  assert.deepEqual(workers[1].asked.map(({ text }) => text), ['next']);
  assert.equal(workers.length, 3);
  assert.deepEqual(heard, []);
});

test('a worker that answers soon after a cancel keeps running', () => {
  const { workers, heard, answerers } = rig();
  answerers.ask(1, 'quick', 5, false);
  workers[0].say('ready');
  answerers.cancel(1);
  workers[0].say('done', 1, 'too late');
  mock.timers.tick(10_000);
  assert.equal(workers[0].ended, false);
  assert.deepEqual(heard, []);
});

test('time limits and failures are reported', () => {
  const { workers, heard, answerers } = rig();
  answerers.ask(1, 'endless', 2, false);
  workers[0].say('ready');
  mock.timers.tick(2000);
  assert.deepEqual(heard, [[1, 'lost', 'no answer within 2 s']]);
  const again = workers.at(-1);
  answerers.ask(2, 'fatal', 2, false);
  again.say('ready');
  again.onerror();
  assert.deepEqual(heard[1], [2, 'lost', 'the worker failed']);
});
