/** Types shared by the modules of the page. Only the type checker reads this file. */

export {};

declare global {
  // Messages of the service, described in docs/protocol.md.
  type Cell = [number, number];
  type Rules = {rows: number, columns: number, mines: number | null, start: string, goal: string, explosion:
    string, clues: string, mine_count: string, flood: boolean};
  type Step = {action: string, cell: Cell, proved: boolean | null, risk: number | null, reason: string, who?: string};
  type End = {result: string, hits: number, false_marks: number, score: number, mines: number[], metrics:
    Record<string, number | null> | null};
  type View = {key: string, id: string | null, level: string, rules: Rules, seed: string, cells: string[],
    mines_left: number | null, state: string, text: string, seconds: number, clock_runs: boolean, moves:
    number, offset: number, step: number, steps: number, hits: number, deaths: number, last: Step | null,
    agent: string, aided: boolean, known: boolean, saved: boolean, end: End | null};
  type Candidate = {cell: Cell, risk: number | null, win: number | null};
  type Decision = {action: string, cell: Cell, proved: boolean, risk: number | null, reason: string, clues:
    Cell[], candidates: Candidate[]};
  type Item = {text: string, cells: Cell[], head?: boolean};
  type Knowledge = {title: string, items: Item[], safe: number[], mined: number[], risks:
    Record<string, number>, graph: [number, number[]][], next: Decision | null, stuck: string | null};
  type Risks = {risk: (number | null)[], exact: boolean, safe: (Cell | number)[], mined: (Cell | number)[],
    frontier: (Cell | number)[], interior: number | null};
  type ProofStep = {rule: string, clues: Cell[], cells: Cell[], text: string};
  type Why = {cell: Cell, proved: 'safe' | 'mined' | null, clues: Cell[], uses_mine_count: boolean,
    smallest: boolean, rule: string, difficulty: number, risk: number | null, text: string, steps:
    ProofStep[]};
  type Hint = {proved: boolean, cell: Cell | null, stages: {text: string, clues: Cell[], cells: Cell[]}[],
    why: Why | null, guesses: Candidate[]};
  type Verdict = {number: number, kind: string, risk: number, least: number, exact: boolean, text: string,
    difficulty: number | null, better: Why | null, glyph: string, mine: Why | null};
  type Win = {win: number | null, exact: boolean, chosen?: number};
  type WinChances = {win: number | null, exact: boolean, moves: Candidate[]};
  type Review = {verdicts: (Verdict | null)[], wins: (Win | null)[], moves: number, proved: number, guesses:
    number, avoidable: number, luck: number, best_luck: number};
  type AgentOption = {name: string, type: string, default: any, choices: any[], help: string};
  type AgentInfo = {id: string, idea: string, source: string, proves: string, cannot_prove: string,
    takes_time: boolean, options: AgentOption[]};
  type Task = {text: string, position: string, cell: Cell | null, answer: string | null, done: string, after?: string};
  type Lesson = Task & {id: string, title: string, then: Task[]};
  type Drill = {kind: string, position: string, answers: Cell[], cell: Cell, again?: boolean, score?: Score};
  type Score = {done: number, rating: number, streak: number, best: number, change?: number};
  type Coached = {name: string, level: string, result: string, cost: number, efficiency:
    number | null, mistakes: {exact: boolean}[], record: string};
  type Costly = {key: string | null, name: string, number: number, words: string, cell: Cell, glyph: string, before:
    number | null, after: number | null, position: string | null};
  type Coaching = {games: number, won: number, text: string[], missed: {missed: string, words: string, times: number,
    cost: number, seconds: number}[], own: Drill[], practise: string | null, risks: number[], costliest: Costly[],
    example: {position: string, why: Why} | null};
  type GameEntry = {key: string, level: string, rules: Rules, state: string, result: string | null, moves:
    number, seconds: number, date: string, aided: boolean | null, known: boolean | null, seed: string | null};
  type Group = {game: string, played: number, aided: number, won: number, low: number, high: number, best:
    {seconds: number | null, date: string}[], streak: number, longest: number, proved: number | null, trends:
    Record<'rates' | 'times' | 'speeds' | 'risks', Plot['points']>};
  type ClueRule = {name: string, words: string, parameter: string, usual: string};
  type Hello = {version: string, backend: string, transport: string, key: string, view: View, agents:
    AgentInfo[], levels: Record<string, {rows: number, columns: number, mines: number, start: string}>,
    clue_rules?: ClueRule[],
    limits: {cells: number, message: number, seconds: number, racers: number, no_guess?: boolean}, settings:
    Record<string, any>, position: string, loading?: boolean};

  // Modules of the page.
  type App = import('./static/js/app.js').App;
  type Boards = import('./static/js/boards.js').Boards;
  type Highlights = import('./static/js/highlights.js').Highlights;
  type Advice = import('./static/js/advice.js').Advice;
  type Chances = import('./static/js/chances.js').Chances;
  type Moves = import('./static/js/moves.js').Moves;
  type BoardView = import('./static/js/boardview.js').BoardView;
  type Grid = import('./static/js/grid.js').Grid;
  type Analyse = import('./static/js/analyse.js').Analyse;
  type Race = import('./static/js/race.js').Race;
  type RaceTape = import('./static/js/racetape.js').RaceTape;
  type SeriesTape = import('./static/js/seriestape.js').SeriesTape;
  type AgentPanel = import('./static/js/agent.js').AgentPanel;
  type Sprites = import('./static/js/paint.js').Sprites;

  // app.js
  type Tab = 'play' | 'learn' | 'analyse' | 'race';
  type Change = 'hello' | 'view' | 'position' | 'tab' | 'mode' | 'settings' | 'past';
  type MessageKind = 'note' | 'good' | 'warn' | 'error';
  /** A position. `fields` identify it in requests to the service. `over`: the game has ended here */
  type Position = {source: 'game' | 'demo' | 'past' | 'drawn' | 'lesson' | 'lane', fields: Record<string, any>, grid:
    Grid, mines: number | null, last: Cell | null, title: string, follows: boolean,
    over: boolean, move?: Step | Turn | null, listed?: number};

  // boardview.js
  type Handlers = {tap?: (cell: Cell) => void, mark?: (cell: Cell) => void, chord?: (cell: Cell) => void,
    hover?: (cell: Cell | null) => void, presses?: (cell: Cell) => Cell[], paints?: () => boolean, paint?:
    (cell: Cell, first: boolean) => void, painted?: () => void};
  type CellSize = {least: number, most: number | null};

  // camera.js
  /** The corner of the board and the side of a cell, in CSS pixels */
  type Camera = {x: number, y: number, size: number};
  type Size = {rows: number, columns: number};
  /** The space for the board. `top`: a smaller board is placed at the upper edge */
  type Room = {width: number, height: number, top?: boolean};

  // gesture.js
  type Pointer = {id: number, x: number, y: number, button: number, kind: string};
  type Actions = { tap: (x: number, y: number) => void, mark: (x: number, y: number) => void, chord: (x:
    number, y: number) => void, drag: (dx: number, dy: number) => void, pinch: (factor: number, x: number, y:
    number, dx: number, dy: number) => void, stays: (from: {x: number, y: number}, to: {x: number, y: number})
    => boolean, press: (at: {x: number, y: number} | null) => void, };
  type Timers = {set: (act: () => void, milliseconds: number) => number, clear: (timer: number) => void};

  // graph.js
  type WinPoint = {step: number, win: number};
  type RiskPoint = {step: number, risk: number, kind: string, glyph: string};

  // keyboard.js
  type Parts = {play: ReturnType<typeof import('./static/js/play.js').setUpPlay>, choice: ReturnType<typeof
    import('./static/js/choice.js').setUpChoice>, advice: Advice, chances: Chances, agent: AgentPanel, moves:
    Moves, analyse: Analyse, visitMistake: (by: number) => void, learn: import('./static/js/learn.js').Learn, race:
    Race, series: import('./static/js/series.js').Series, lecture: ReturnType<typeof import('./static/js/lecture.js').setUpLecture>};

  // keys.js
  type Press = {key: string, shiftKey: boolean, ctrlKey: boolean, metaKey: boolean, altKey: boolean};

  // layer.js
  type Risk = (number | null)[] | null;

  // link.js
  type Linked = {kind: 'position' | 'game' | 'tab', text: string, fields: URLSearchParams};

  // lecture.js
  type LectureParts = {agent: AgentPanel, analyse: Analyse, learn: import('./static/js/learn.js').Learn, moves: Moves,
    race: Race, series: import('./static/js/series.js').Series, share: import('./static/js/share.js').Share};

  // highlights.js
  type HighlightLayer = 'risks' | 'best' | 'knowledge' | 'proof' | 'lit' | 'conflict' | 'answer' | 'played';

  // notebook.js
  type NotebookView = {rows: string[], mines: number[], risk: (number | null)[] | null, reply: null | {why: Why,
    knowledge?: undefined} | {why?: undefined, knowledge: Knowledge, agent: string, made: boolean}, note: string,
    last: Cell | null, over: boolean, playable: boolean, status: string, agent: string, agents: string[], risks: boolean,
    serial: number};
  type NotebookModel = {get: (name: 'view') => NotebookView, send: (message: {name: string, value: any}) => void, on:
    (change: string, act: () => void) => void, off: (change: string, act: () => void) => void};

  // overlays.js
  type Overlays = {risk?: (number | null)[] | null, safe?: Cell[], mined?: Cell[], flags?: Cell[], dimmed?: Cell[], clues?: Cell[], targets?:
    Cell[], asked?: Cell[], lit?: Cell[], conflict?: Cell[], best?: {cell: Cell, sure: boolean}[], played?: Played[],
    numbers?: {cell: Cell, number: number}[], links?: {clue: Cell, cell: Cell}[], last?: Cell | null};
  type Played = {cell: Cell, glyph: string, mine?: boolean};
  type Pointed = {cursor: Cell | null, hover: Cell | null, pressed: Cell[]};
  type Ground = {context: CanvasRenderingContext2D, palette: Palette, at: Camera, ratio: number};

  // paint.js
  type Palette = Record<string, string>;

  // play.js
  type Asker = {ask: (cell: Cell) => void, armed: () => boolean};

  // player.js
  /** Ids of elements */
  type Controls = {play: string, round: string, count: string};

  // plot.js
  type Point = {value: number, low?: number, high?: number};
  type Plot = {title: string, points: Point[], write: (value: number) => string, from?: number, to?: number,
    line?: boolean};

  // race.js
  type Lane = {box: HTMLElement, board: BoardView, badge: HTMLElement, count: HTMLElement, note:
    HTMLElement, choose: HTMLElement};

  // racetape.js
  type Turn = {changes: [number, string][], moves: number, guesses: number, false_proofs: number, result: string | null, fault:
    string, action?: string, cell?: [number, number], proved?: boolean, risk?: number | null, reason?:
    string, who?: string};
  type Racer = {name: string, letters: string[], moves: number, guesses: number, result: string | null,
    fault: string, last: Turn | null};
  type Part = {cells?: string[], mines?: number | null, agents?: string[], frame?: (Turn | null)[]};

  // seriestape.js
  type SeriesEnd = {result: string, fault: string, round?: number, cells?: string[], cell?: Cell, believed?:
    number | null, risk?: number | null, least?: number | null};
  type SeriesBoard = {board: number, seed: string, ends: SeriesEnd[], wins: number[],
    played: number[], rates: [number, number, number][], best: [number, number], only: [number, number], chance: number, differ: boolean};

  // transport.js
  type Carrier = {readyState: number, send: (text: string) => void, addEventListener: (kind: 'message' |
    'close', act: (event: any) => void) => void};

  // app.js
  type Message = Record<string, any>;
  type Listener = {push: (message: Message) => void, lost: (tries: number) => void};
  type Waiting = {done: (m: Message) => void, fail: (e: Error) => void, part?: (p: any) => void};

  // The static site.
  type PythonParts = {runtime: WebAssembly.Module, core: WebAssembly.Module | null, library: ArrayBuffer, mineproof: ArrayBuffer};
  type KeptRecord = {store: string, key: string, text: string, at: number};
  type Kept = {records: KeptRecord[], problem: string, keep: (store: string, key: string, text: string) => void};
  type Asked = {number: number, text: string, seconds: number, isLong: boolean, wanted: boolean, timer:
    ReturnType<typeof setTimeout> | undefined};
  type WorkerSlot = {worker: Worker | null, ready: boolean, asked: Asked | null, rest: Asked['timer']};
  var openSiteCarrier: ((key: string) => Carrier) | undefined;
  var mineproof: {app: App, dom: typeof import('./static/js/dom.js')};
}
