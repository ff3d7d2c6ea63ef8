// A Minesweeper engine for node: it reasons with one clue at a time, else guesses.
import { createInterface } from 'node:readline';

function* neighbours(rows, row, column) {
  for (let r = Math.max(0, row - 1); r < Math.min(rows.length, row + 2); r++)
    for (let c = Math.max(0, column - 1); c < Math.min(rows[0].length, column + 2); c++)
      if (r !== row || c !== column) yield [r, c];
}

function deduce(rows) {
  const mines = new Set(), safe = new Set();
  for (const pass of ['mines', 'safe'])  // first all mines, then all safe cells
    rows.forEach((row, r) => [...row].forEach((sign, c) => {
      if (sign < '0' || sign > '8') return;
      const around = [...neighbours(rows, r, c)];
      const unopened = around.filter(([i, j]) => 'HF'.includes(rows[i][j])).map(String);
      const left = Number(sign) - around.filter(([i, j]) => rows[i][j] === 'M').length;
      const known = unopened.filter((cell) => mines.has(cell));
      if (pass === 'mines' && left === unopened.length) unopened.forEach((cell) => mines.add(cell));
      if (pass === 'safe' && left === known.length)
        unopened.filter((cell) => !mines.has(cell)).forEach((cell) => safe.add(cell));
    }));
  return [[...safe].map((cell) => cell.split(',')).filter(([r, c]) => rows[r][c] === 'H'), mines];
}

let state = 1n, trusted = true;
function random(count) {  // a linear congruential generator (Knuth, MMIX)
  state = (state * 6364136223846793005n + 1442695040888963407n) % 2n ** 64n;
  return Number((state >> 32n) % BigInt(count));
}

function moves(rows) {
  const [safe, mines] = trusted ? deduce(rows) : [[], new Set()];
  if (safe.length) return safe.map(([r, c]) => `open ${r} ${c} proved`);
  const unopened = [];
  rows.forEach((row, r) => [...row].forEach((sign, c) => { if (sign === 'H' && !mines.has(`${r},${c}`)) unopened.push([r, c]); }));
  return [unopened.length ? `open ${unopened[random(unopened.length)].join(' ')}` : 'stop'];
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const [word, ...rest] = line.split(' ');
  let answer = [`error unknown ${line}`];
  if (word === 'mep') answer = ['id name simple-js', 'id version 1', 'ok'];
  if (word === 'end') answer = ['ok'];
  if (word === 'quit') process.exit(0);
  if (word === 'game') {
    const rules = Object.fromEntries(rest.slice(3).map((part) => part.split('=')));
    state = BigInt(rules.seed);
    trusted = ['exact', 'withheld'].includes((rules.clues ?? 'exact').split(':')[0]);
    answer = [rules.goal === 'mark' ? 'error I do not mark mines' : 'ok'];
  }
  if (word === 'position') answer = [...moves(rest[0].split('/')), 'done'];
  process.stdout.write(answer.join('\n') + '\n');
});
