"""A checker for agents: plays games under all rules and checks the agent's contract.

Every fault is one plain sentence, with the position in which it occurred. An agent may still have
faults if none are found, but each check has caught a real mistake.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any

from mineproof.agents.loading import is_foreign, parse_agent
from mineproof.agents.protocol import Agent, PlaysWhole
from mineproof.agents.registry import AgentSpec
from mineproof.core.decision import Decision
from mineproof.core.game import Game
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.random import Purpose, Stream
from mineproof.core.rules import BEGINNER, Rules, with_options
from mineproof.match.contract import (
    ENGINE_FAULT,
    MOST_FAILURES,
    EngineError,
    Examined,
    Fault,
    ask,
    examine_game,
    examine_move,
    guarded,
    start,
)
from mineproof.match.engine_process import QUIT_SECONDS
from mineproof.match.engines import EngineAgent
from mineproof.notation.position_text import format_position

GAMES = 200
"""The number of games to play at level beginner, in addition to one per combination of rules."""
SECONDS = 10.0
"""Seconds an agent may think about one move before it counts as hanging."""
Maker = Callable[[], Agent]
_ROUNDS = 10
ENDLESS = ("hangs", "endless")
"""Kinds of faults that end a check, because every further game would also run into the time
limit."""
_VARIABLE = re.compile(r"(`\w+)[^`]*`|'[^']*'|[\d.,]+")
"""Quoted text and numbers; the first word of the line that an engine was sent is a group."""
_SMALL = Rules(5, 5, 4)
_LASTING = with_options(BEGINNER, explosion="continue")
_EXTREMES = ((1, 1, 0), (1, 7, 2), (7, 1, 2), (2, 2, 3), (3, 3, 0), (3, 4, 11))
_CHOICES = {
    "start": ("any", "safe", "opening", "given:1"),
    "goal": ("open", "mark"),
    "explosion": ("lose", "continue"),
    "clues": ("exact", "withheld:0.7", "optimistic", "cautious"),
    "mine_count": ("known", "unknown"),
    "flood": (True, False),
}


@dataclass(frozen=True)
class FoundFault:
    """One fault of an agent."""

    kind: str
    text: str
    """The fault in one plain sentence."""
    position: str = ""
    """The position in which the fault occurred, as `.mine` text; empty if there is none."""

    @property
    def sort(self) -> tuple[str, str]:
        """What faults of the same kind have in common."""
        text = self.text.partition("\n")[0] if self.kind == ENGINE_FAULT else ""
        return self.kind, _VARIABLE.sub(r"\1", text)


_REFUSAL = FoundFault("refused", "an engine does not play these rules, which is not a fault")


@dataclass
class CheckReport:
    """The result of a check, with at most one fault of each kind.

    An engine's faults are of one kind if their messages differ only in numbers and quoted words.
    """

    games: int = 0
    refused: int = 0
    """The number of games whose rules an engine does not play."""
    findings: list[FoundFault] = field(default_factory=list)

    def add(self, fault: FoundFault) -> None:
        """Add a fault, unless there already is one of its kind."""
        if fault.sort not in [finding.sort for finding in self.findings]:
            self.findings.append(fault)


def check_agent(
    name: str,
    games: int = GAMES,
    seconds: float = SECONDS,
    make: Maker | None = None,
    classic: bool = False,
) -> CheckReport:
    """Look for faults in an agent.

    Args:
        name: the text that names the agent: `my_agent.py:MyAgent`, or an id with or without
            options.
        games: the number of ordinary games, in addition to those under other rules.
        seconds: the time limit for one move.
        make: makes the agent, instead of the text.
        classic: whether to play by classic rules only.

    Raises:
        AgentError: if there is no such file, class or agent, or it cannot be made.
    """
    report, in_a_row = CheckReport(), 0
    for examination in examinations(name, games, seconds, make, classic):
        report.games += 1
        fault = examination()
        in_a_row = in_a_row + 1 if fault is not None and fault.kind == ENGINE_FAULT else 0
        if fault is _REFUSAL:
            report.refused += 1
        elif fault is not None:
            report.add(fault)
            if fault.kind in ENDLESS:
                return report
        if in_a_row == MOST_FAILURES:  # every further game would start a process in vain
            text = f"it failed in {in_a_row} games in a row, so the check stopped early"
            report.add(FoundFault("stopped", text))
            return report
    if report.refused == report.games:
        report.add(FoundFault("refuses", "it refused every game, even with the usual rules"))
    return report


def examinations(
    name: str,
    games: int = GAMES,
    seconds: float = SECONDS,
    make: Maker | None = None,
    classic: bool = False,
) -> Iterator[Callable[[], FoundFault | None]]:
    """Yield functions that each examine the agent in about one game and return a fault or None.

    If `start` or `decide` has a wrong signature, nothing else is examined. The arguments are those
    of `check_agent`.

    Raises:
        AgentError: if the agent cannot be made.
    """
    if make is None:
        spec, options = parse_agent(name)
        wrong = _examined(_check_signatures, spec) if isinstance(spec.factory, type) else None
        if wrong is not None:
            yield lambda: wrong
            return
        make = partial(spec.make, **options)
    agent = make()
    if isinstance(agent, EngineAgent):
        yield partial(_examined, _check_lines, agent, seconds)
    for rules, seed in _games(games):
        if rules.is_classic or not classic:
            yield partial(_examined, _check_game, agent, _game(rules, seed), seconds)
    undo: Callable[..., None] = partial(_check_undo, rules=BEGINNER if classic else _LASTING)
    # User code never plays whole games, which need the boards.
    more = [undo] if is_foreign(name) else [undo, _check_whole]
    for seed, check in product(range(_ROUNDS), [*_CHECKS, *more]):
        yield partial(_examined, check, make, seed, seconds)


def _examined(examine: Callable[..., object], *arguments: Any) -> FoundFault | None:
    try:
        examine(*arguments)
    except EngineError:
        return _REFUSAL
    except Fault as fault:
        seen = fault.observation
        return FoundFault(fault.kind, fault.text, "" if seen is None else format_position(seen))
    return None


def _check_signatures(spec: AgentSpec) -> None:
    for method, parameters in (("start", ("rules", "seed")), ("decide", ("observation",))):
        signature = inspect.signature(getattr(spec.factory, method))
        try:
            signature.bind("self", *parameters)
        except TypeError as error:
            wanted = ", ".join(("self", *parameters))
            raise Fault(
                "signature", f"{method} must accept ({wanted}), but is {method}{signature}: {error}"
            ) from None


def _games(games: int) -> Iterator[tuple[Rules, int]]:
    """Yield the games to play: ordinary ones, all combinations of rules, and tiny boards."""
    for seed in range(games):
        yield BEGINNER, seed
    for seed, values in enumerate(product(*_CHOICES.values())):
        yield _with(_SMALL, values), seed
    for rows, columns, mines in _EXTREMES:
        for seed, values in enumerate(product(*list(_CHOICES.values())[:3])):
            yield _with(Rules(rows, columns, mines), values), seed


def _with(rules: Rules, values: tuple[str | bool, ...]) -> Rules:
    options = dict(zip(_CHOICES, values, strict=False))
    return with_options(rules, **options)


def _check_lines(engine: EngineAgent, seconds: float) -> None:
    """Check an engine's answers to an unknown line and to `quit`, with a game in between."""
    guarded("start", engine.check_unknown_line, seconds, None)
    try:
        examine_game(engine, _game(BEGINNER, 0), seconds)
    finally:
        if not engine.close():
            text = f"{engine.name}: after `quit`: it did not exit within {QUIT_SECONDS:g} s"
            raise Fault("hangs", text)


def _check_game(agent: Agent, game: Game, seconds: float) -> None:
    """Check an ordinary game, and the answer to its end."""
    result = examine_game(agent, game, seconds).result
    if (finish := getattr(agent, "finish", None)) is not None:
        guarded("finish", lambda: finish(result), seconds, game.observation)


def _check_repeats(make: Maker, seed: int, seconds: float) -> None:
    """Check that a seed always leads to the same game, even after another game in between."""
    used = make()
    first = examine_game(used, _game(BEGINNER, seed), seconds)
    examine_game(used, _game(BEGINNER, seed + 1), seconds)
    for agent, whose in ((make(), "a new agent"), (used, "the same agent, when started again,")):
        again = examine_game(agent, _game(BEGINNER, seed), seconds)
        if _moves(first) != _moves(again):
            raise Fault(
                "repeats",
                f"{whose} plays a different game with the same seed: take all random numbers "
                "from the seed passed to start, and reset everything in start",
                _first_difference(first, again, seed),
            )


def _moves(examined: Examined) -> list[tuple[Move, bool]]:
    return [(decision.move, decision.proved) for decision in examined.decisions]


def _first_difference(first: Examined, again: Examined, seed: int) -> Observation:
    """Return the first position in which two games continue differently."""
    game = _game(BEGINNER, seed)
    for one, other in zip(_moves(first), _moves(again), strict=False):
        if one != other:
            break
        game.play(one[0])
    return game.observation


def _check_undo(make: Maker, seed: int, seconds: float, rules: Rules) -> None:
    """Check the agent after an undo, when the observation does not follow the agent's last one."""
    agent = make()
    played = examine_game(agent, _game(rules, seed), seconds)
    for moves in (0, len(played.decisions) // 2):
        game = _game(rules, seed)
        for decision in played.decisions[:moves]:
            game.play(decision.move)
        while not game.is_over and _examine_other(agent, game, seconds, "undo"):
            pass


def _check_company(make: Maker, seed: int, seconds: float) -> None:
    """Check the agent if a person makes moves in between, so that it misses some positions."""
    agent, game = make(), _game(BEGINNER, seed)
    start(agent, game, seconds)
    person = Stream(seed, Purpose.SAMPLE)
    while not game.is_over and _examine_other(agent, game, seconds, "company"):
        for action in (Action.MARK, Action.OPEN):
            cells = [i for i in game.observation.unopened if not game.observation.marks[i]]
            if game.is_over or not cells:
                break
            game.play(Move(action, game.rules.grid.cell(cells[person.below(len(cells))])))


def _examine_other(agent: Agent, game: Game, seconds: float, kind: str) -> Decision | None:
    """Ask for a move in a position that does not follow the one that the agent saw last."""
    try:
        return examine_move(agent, game, seconds)
    except Fault as fault:
        when = {"undo": "after an undo", "company": "after a person's moves"}[kind]
        text = f"{when}, {fault.text}"
        if fault.kind == ENGINE_FAULT:  # an engine gets whole positions anyway
            raise Fault(ENGINE_FAULT, text, fault.observation) from fault
        text += ": read the whole observation if it does not follow the last one seen (compare "
        raise Fault(kind, f"{text}observation.follows)", fault.observation) from fault


def _check_unstarted(make: Maker, seed: int, seconds: float) -> None:
    """Check that the agent can decide before the first cell is open."""
    game = Game(BEGINNER, seed)
    agent = make()
    start(agent, game, seconds)
    ask(agent, game.observation, seconds)


def _check_whole(make: Maker, seed: int, seconds: float) -> None:
    """Check that `play_whole` and `decide` play the same games."""
    agent = make()
    game = _game(BEGINNER, seed)
    if not isinstance(agent, PlaysWhole) or game.board is None or game.first is None:
        return
    whole = agent.play_whole(BEGINNER, [game.board], game.first)
    seen = game.observation
    played = examine_game(agent, game, seconds)
    found = (played.result, played.guesses, len(played.decisions))
    if whole and whole[0][:3] != found:
        text = f"play_whole returns (result, guesses, moves) {whole[0][:3]}, but decide {found}"
        raise Fault("whole", text, seen)


_CHECKS = (_check_repeats, _check_company, _check_unstarted)


def _game(rules: Rules, seed: int) -> Game:
    return Game(rules, seed, rules.first_cell)
