import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';

import { Answerers } from '../../src/mineproof/web/site/answerers.js';

/** A worker that does nothing by itself: the test says when it is ready and what it answers. */
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
  const [workers, told] = [[], []];
  const start = () => {
    workers.push(new Puppet());
    return workers.at(-1);
  };
  return { workers, told, answerers: new Answerers(start, (...said) => told.push(said)) };
}

/** A rig with both workers ready. */
function both() {
  const found = rig();
  found.answerers.ask(98, 'quick', 5, false);
  found.workers[0].say('ready');
  mock.timers.tick(300);
  found.workers[1].say('ready');
  found.workers[0].say('done', 98, '');
  found.told.length = 0;
  for (const worker of found.workers) worker.asked.length = 0;
  return found;
}

test('the second worker comes when it may be needed and goes when it is not', () => {
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

test('questions wait for a worker, and each answer finds its question', () => {
  const { workers, told, answerers } = rig();
  answerers.ask(1, 'first', 5, false);
  answerers.ask(2, 'second', 5, false);
  assert.deepEqual(workers[0].asked, []);
  workers[0].say('ready');
  workers[0].say('part', 1, 'half');
  workers[0].say('done', 1, 'one');
  workers[0].say('error', 2, 'two');
  assert.deepEqual(workers[0].asked.map(({ text }) => text), ['first', 'second']);
  assert.deepEqual(told, [[1, 'part', 'half'], [1, 'done', 'one'], [2, 'error', 'two']]);
});

test('long questions keep quick ones from nothing', () => {
  const { workers, answerers } = both();
  answerers.ask(1, 'long', 60, true);
  answerers.ask(2, 'long too', 60, true);
  answerers.ask(3, 'quick', 5, false);
  assert.deepEqual(workers[0].asked.map(({ text }) => text), ['quick']);
  assert.deepEqual(workers[1].asked.map(({ text }) => text), ['long']);
});

test('who works on for nobody is ended after a moment, and the other one takes over', () => {
  const { workers, told, answerers } = both();
  answerers.ask(1, 'endless', 60, false);
  answerers.cancel(1);
  assert.equal(workers[0].ended, false);
  mock.timers.tick(1000);
  assert.equal(workers[0].ended, true);
  answerers.ask(2, 'next', 5, false);
  assert.deepEqual(workers[1].asked.map(({ text }) => text), ['next']);
  assert.equal(workers.length, 3);
  assert.deepEqual(told, []);
});

test('an answer that comes soon after a cancel saves the worker', () => {
  const { workers, told, answerers } = rig();
  answerers.ask(1, 'quick', 5, false);
  workers[0].say('ready');
  answerers.cancel(1);
  workers[0].say('done', 1, 'too late');
  mock.timers.tick(10_000);
  assert.equal(workers[0].ended, false);
  assert.deepEqual(told, []);
});

test('a deadline and a failure are told', () => {
  const { workers, told, answerers } = rig();
  answerers.ask(1, 'endless', 2, false);
  workers[0].say('ready');
  mock.timers.tick(2000);
  assert.deepEqual(told, [[1, 'lost', 'expected an answer within 2 s, got none']]);
  const again = workers.at(-1);
  answerers.ask(2, 'fatal', 2, false);
  again.say('ready');
  again.onerror();
  assert.deepEqual(told[1], [2, 'lost', 'the worker failed']);
});
