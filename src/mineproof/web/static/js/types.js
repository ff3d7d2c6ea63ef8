/**
 * The shapes of what the server sends. Types only: nothing here runs.
 *
 * @typedef {[number, number]} Cell row and column, from 0
 * @typedef {{rows: number, columns: number, mines: number | null, start: string, goal: string,
 *   explosion: string, clues: string, mine_count: string, flood: boolean}} Rules
 * @typedef {{action: string, cell: Cell, proved: boolean | null, risk: number | null,
 *   reason: string}} Step
 * @typedef {{result: string, hits: number, false_marks: number, score: number, mines: number[],
 *   metrics: Record<string, number | null> | null}} End
 * @typedef {{id: string | null, rules: Rules, seed: string, cells: string[],
 *   mines_left: number | null, state: string, text: string, seconds: number,
 *   clock_runs: boolean, moves: number, hits: number, deaths: number, step: number,
 *   steps: number, last: Step | null, agent: string, end: End | null, aided: boolean}} View
 * @typedef {{action: string, cell: Cell, proved: boolean, risk: number | null, reason: string,
 *   clues: Cell[], candidates: {cell: Cell, risk: number | null, win: number | null}[]}} Decision
 * @typedef {{title: string, lines: string[], more: number, safe: number[], mined: number[],
 *   risks: Record<string, number>, next: Decision | null}} Knowledge
 * @typedef {{risk: (number | null)[], exact: boolean}} Heat
 * @typedef {{kind: string, risk: number, least: number, better: Cell | null, exact: boolean,
 *   text: string, clues: Cell[]}} Verdict
 * @typedef {{offset: number, verdicts: (Verdict | null)[], moves: number, proved: number,
 *   guesses: number, luck: number}} Review
 * @typedef {{id: string, idea: string, proves: string, source: string}} AgentInfo
 * @typedef {{version: string, backend: string, key: string, view: View, agents: AgentInfo[],
 *   levels: Record<string, {level: string, start: string}>, position: string,
 *   limits: {cells: number, message: number, seconds: number},
 *   settings: Record<string, any>}} Hello
 */
export {};
