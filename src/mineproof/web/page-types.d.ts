/** The shapes that the modules of the page share. Read by the type checker alone: no browser asks for this file. */

export {};

declare global {
  // What the service sends, as docs/protocol.md says.
  type Cell = [number, number];
  type Rules = {rows: number, columns: number, mines: number | null, start: string, goal: string, explosion: string, clues: string, mine_count: string, flood: boolean};
  type Step = {action: string, cell: Cell, proved: boolean | null, risk: number | null, reason: string};
  type End = {result: string, hits: number, false_marks: number, score: number, mines: number[], metrics: Record<string, number | null> | null};
  type View = {key: string, id: string | null, level: string, rules: Rules, seed: string, cells: string[], mines_left: number | null, state: string, text: string, seconds: number, clock_runs: boolean, moves: number, offset: number, step: number, steps: number, hits: number, deaths: number, last: Step | null, agent: string, aided: boolean, end: End | null};
  type Candidate = {cell: Cell, risk: number | null, win: number | null};
  type Decision = {action: string, cell: Cell, proved: boolean, risk: number | null, reason: string, clues: Cell[], candidates: Candidate[]};
  type Item = {text: string, cells: Cell[]};
  type Knowledge = {title: string, items: Item[], more: number, safe: number[], mined: number[], risks: Record<string, number>, next: Decision | null};
  type Risks = {risk: (number | null)[], exact: boolean, safe: (Cell | number)[], mined: (Cell | number)[], frontier: (Cell | number)[], interior: number | null};
  type ProofStep = {rule: string, clues: Cell[], cells: Cell[], text: string};
  type Why = {cell: Cell, proved: 'safe' | 'mined' | null, clues: Cell[], uses_mine_count: boolean, smallest: boolean, rule: string, difficulty: number, risk: number | null, text: string, steps: ProofStep[]};
  type Hint = {proved: boolean, cell: Cell | null, stages: {text: string, clues: Cell[], cells: Cell[]}[], why: Why | null, guesses: Candidate[]};
  type Verdict = {number: number, kind: string, risk: number, least: number, exact: boolean, text: string, difficulty: number | null, better: Why | null};
  type Win = {win: number | null, exact: boolean};
  type WinChances = {win: number | null, exact: boolean, moves: Candidate[]};
  type Review = {verdicts: (Verdict | null)[], wins: (Win | null)[], moves: number, proved: number, guesses: number, avoidable: number, luck: number, best_luck: number};
  type AgentOption = {name: string, kind: string, default: any, choices: any[], help: string};
  type AgentInfo = {id: string, idea: string, source: string, proves: string, cannot_prove: string, takes_time: boolean, options: AgentOption[]};
  type Lesson = {id: string, title: string, text: string, position: string, cell: Cell | null, answer: string | null};
  type GameEntry = {key: string, level: string, rules: Rules, state: string, result: string | null, moves: number, seconds: number, date: string};
  type GameResult = {date: string, game: string, result: string, seconds: number, moves: number, aided: boolean, bbbv: number | null, avoidable: number | null, luck: number | null, key: string};
  type Group = {game: string, played: number, aided: number, won: number, low: number, high: number, best: {seconds: number | null, date: string}[], streak: number, longest: number, proved: number | null};
  type Hello = {version: string, backend: string, transport: string, key: string, view: View, agents: AgentInfo[], levels: Record<string, {rows: number, columns: number, mines: number, start: string}>, limits: {cells: number, message: number, seconds: number, racers: number, no_guess?: boolean}, settings: Record<string, any>, position: string};

  // The parts of the page.
  type Bench = import('./static/js/bench.js').Bench;
  type Tab = import('./static/js/bench.js').Tab;
  type Place = import('./static/js/bench.js').Place;
  type Stage = import('./static/js/stage.js').Stage;
  type Marks = import('./static/js/marks.js').Marks;
  type Overlays = import('./static/js/overlays.js').Overlays;
  type Advice = import('./static/js/advice.js').Advice;
  type Chances = import('./static/js/chances.js').Chances;
  type Moves = import('./static/js/moves.js').Moves;
  type BoardView = import('./static/js/boardview.js').BoardView;
  type Handlers = import('./static/js/boardview.js').Handlers;
  type Grid = import('./static/js/grid.js').Grid;
  type Analyse = import('./static/js/analyse.js').Analyse;
  type AgentPanel = import('./static/js/agent.js').AgentPanel;
  type Camera = import('./static/js/camera.js').Camera;
  type Palette = import('./static/js/paint.js').Palette;
  type Sprites = import('./static/js/paint.js').Sprites;
}
