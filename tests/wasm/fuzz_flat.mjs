// Sends random bytes to the core: fuzz_flat.mjs [ROUNDS]. Every question must return one of the
// known outcomes, and the core must still work afterwards. MINEPROOF_FUZZ_SEED is the random seed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { CORE = "", ROOT = "", MINEPROOF_FUZZ_SEED = "20" } = process.env;
const rounds = Number(process.argv[2] ?? 300);
const { loadCore } = await import(pathToFileURL(`${ROOT}/src/mineproof/web/site/core.js`).href);
const core = await loadCore(readFileSync(CORE));
const OTHERS = ["memory", "_initialize", "room", "answer", "answer_size", "drop"];
const questions = Object.keys(core.exports).filter((name) => !OTHERS.includes(name));

console.log(`MINEPROOF_FUZZ_SEED=${MINEPROOF_FUZZ_SEED}`);
let state = Number(BigInt.asUintN(32, BigInt(MINEPROOF_FUZZ_SEED)));
/** The next number below a bound, the same for the same seed. @param {number} bound */
function dice(bound) {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return Math.floor((state / 2 ** 32) * bound);
}

/** Bytes of numbers: [form, value] pairs. @param {[string, any][]} values */
function pack(...values) {
  /** @type {number[]} */
  const bytes = [];
  for (const [form, value] of values) {
    if (form === "text") {
      bytes.push(...pack(["Uint32", value.length]), ...value);
      continue;
    }
    const view = new DataView(new ArrayBuffer(form.includes("64") ? 8 : 4));
    const big = form.startsWith("Big") ? BigInt(value) : value;
    /** @type {any} */ (view)[`set${form}`](0, big, true);
    bytes.push(...new Uint8Array(view.buffer));
  }
  return form8(bytes);
}
/** @param {number[]} bytes */
const form8 = (bytes) => Uint8Array.from(bytes);
/** @param {string} text */
const letters = (text) => [...Buffer.from(text)];

/** @type {[string, any][]} */
const LIMITS = [["BigInt64", 1000]];
const limits = form8([...pack(...LIMITS), 0, ...new Array(8).fill(0), 0, ...new Array(8).fill(0)]);
/** @param {number} [evaluation] */
const settings = (evaluation = 0) =>
  pack(
    ["Float64", 1e13], ["Int32", 500], ["Int32", 50], ["BigInt64", 1000], ["BigInt64", 1000],
    ["Float64", 0.85], ["Float64", 0.9], ["Float64", 0.08], ["Int32", 8], ["Uint32", evaluation],
  );
const position = form8([
  ...pack(["Int32", 3], ["Int32", 3], ["Float64", 2], ["Float64", 2]),
  ...limits,
  ...pack(["text", letters("known")], ["text", letters("exact")]),
  ...pack(["text", [1, 9, 9, 9, 9, 9, 9, 9, 9]]),
]);

/**
 * Ask something that is kept; the number it is kept by.
 * @param {string} name
 * @param {Uint8Array} question
 */
function keep(name, question) {
  const outcome = core.ask(name, question);
  const answer = core.answer().slice();
  assert.equal(outcome, 0, Buffer.from(answer).toString());
  return new DataView(answer.buffer).getUint32(0, true);
}
const solve = () => keep("solve", position);

const number = pack(["Uint32", solve()]);
const kind = pack(
  ["Int32", 3], ["Int32", 3], ["Int32", 1], ["BigInt64", 0], ["BigInt64", 1000],
);
const dealer = pack(["Uint32", keep("no_guess_dealer", kind)]);
const board = pack(["text", [0, 0, 0, 0, 0, 0, 0, 0, 1]]);
const run = form8([
  ...pack(["BigInt64", 20], ["Float64", 0.1], ["BigUint64", 7], ["Int32", 2]), 0,
]);
const deals = pack(
  ["Int32", 9], ["Int32", 9], ["Int32", 10], ["BigInt64", 40], ["BigInt64", 1000],
  ["BigUint64", 7], ["BigInt64", 2],
);
/** @type {Record<string, number[]>} what a proper question looks like */
const PROPER = {
  solve: [...position],
  solve_text: [...limits, ...pack(["text", letters("3x3x2\n1HH\nHHH\nHHH\n")])],
  time_text: [...pack(["BigInt64", 1000], ["Int32", 2], ["text", letters("2x1x1\nHH\n")])],
  layouts: [...number, ...limits],
  values: [...number, ...pack(["Int32", 8]), ...limits],
  suppose: [...number, ...limits, ...pack(["Uint32", 1], ["Int32", 8], ["Int32", 1])],
  sample: [...number, ...pack(["BigUint64", 7])],
  win_chances: [...number, ...pack(["Int32", 50]), 1, ...limits],
  guess: [...number, ...settings(), ...limits],
  guess_deep: [
    ...number, ...settings(), ...settings(), ...settings(), ...settings(),
    ...pack(["Int32", 4], ["Float64", 0.1]), ...run, ...limits,
  ],
  play_layouts: [...number, ...settings(), ...run, ...pack(["Uint32", 1], ["Int32", 1])],
  deal: [
    ...pack(["Int32", 9], ["Int32", 9], ["Int32", 10], ["BigInt64", 40], ["BigUint64", 7]),
    ...pack(["text", letters("safe")]),
  ],
  no_guess_dealer: [...kind],
  find_no_guess: [
    ...dealer, ...pack(["BigUint64", 7], ["BigUint64", 0], ["BigUint64", 5]),
  ],
  is_no_guess: [...dealer, ...board],
  solve_by_proofs: [...dealer, ...board],
  play_games: [
    ...pack(["Int32", 1], ["Int32", 2], ["Int32", 1], ["BigInt64", 1], ["BigInt64", 1000]),
    1, ...settings(), ...pack(["text", [1, 0]]),
  ],
  tally_games: [...deals, 1, ...settings(), ...pack(["text", letters("safe")])],
  trace_games: [...deals, 0, ...pack(["text", letters("safe")])],
  evaluation: [...pack(["text", letters("MINEVAL1")])],
  check_limits: [...limits],
  check_settings: [...settings()],
  check_deep_settings: [
    ...settings(), ...settings(), ...settings(), ...settings(),
    ...pack(["Int32", 4], ["Float64", 0.1]),
  ],
};
const GAMES = 36; // the offset of their number in a question
const TRIES = 12; // the offset of the first and the last board to try
const HOSTILE = [0, 1, 0x7f, 0x80, 0xff];

/**
 * A question with some of its bytes changed, cut off or added.
 * @param {string} name
 */
function spoilt(name) {
  const bytes = [...(PROPER[name] ?? [])];
  for (let i = dice(4); i > 0 && bytes.length > 0; i--) {
    const place = dice(bytes.length);
    const length = [1, 4, 8][dice(3)] ?? 1;
    const value = HOSTILE[dice(HOSTILE.length)] ?? 0;
    for (let j = place; j < Math.min(place + length, bytes.length); j++) bytes[j] = value;
  }
  if (["tally_games", "trace_games"].includes(name))
    bytes.fill(0, GAMES + 1, GAMES + 7); // few games, or far too many; other numbers take long
  if (name === "find_no_guess") bytes.fill(0, TRIES, TRIES + 8).fill(0, TRIES + 9, TRIES + 16);
  if (dice(3) === 0) bytes.splice(dice(bytes.length + 1));
  if (dice(6) === 0) bytes.push(...new Array(dice(40)).fill(dice(256)));
  return form8(bytes);
}

const outcomes = [0, 0, 0, 0, 0];
/** @param {string} name @param {Uint8Array} question */
function survive(name, question) {
  const outcome = core.ask(name, question);
  assert.ok(outcome < 4, `${name} failed with outcome ${outcome} at ${question}`);
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  return outcome;
}

assert.deepEqual(Object.keys(PROPER).sort(), questions.sort());
for (const name of questions)
  assert.equal(survive(name, form8(PROPER[name] ?? [])), name === "evaluation" ? 1 : 0, name);
for (let round = 0; round < rounds; round++)
  for (const name of questions) survive(name, spoilt(name));

// Sizes without reserved memory, numbers of missing objects, and more memory than there is.
for (const name of questions) assert.equal(core.exports[name](2 ** 32 - 1), 1);
core.drop(2 ** 32 - 1);
core.drop(0);
assert.equal(core.exports["room"](2 ** 32 - 1), 0);
assert.equal(core.exports["room"](2 ** 30), 0);
core.drop(new DataView(number.buffer).getUint32(0, true));
core.drop(new DataView(dealer.buffer).getUint32(0, true));
for (const name of ["layouts", "find_no_guess"])
  assert.equal(core.ask(name, form8(PROPER[name] ?? [])), 1);

// The memory of dropped objects is reused.
for (let i = 0; i < 200; i++) core.drop(solve());
const before = core.exports.memory.buffer.byteLength;
for (let i = 0; i < 5000; i++) core.drop(solve());
assert.equal(core.exports.memory.buffer.byteLength, before);
console.log(`${outcomes.join(" ")} outcomes: done, refused, work limit, memory, failed`);
