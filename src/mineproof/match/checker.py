"""Says what is wrong with an agent: plays it under all rules and checks its contract.

Every fault is one plain sentence with the position in which it showed. No fault found is no
proof that there is none, but each check has caught a real mistake.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import product

from mineproof.agents.loading import parse_agent
from mineproof.agents.protocol import Agent, PlaysWhole
from mineproof.agents.registry import AgentSpec
from mineproof.core.decision import Decision
from mineproof.core.game import Game
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.random import Purpose, Stream
from mineproof.core.rules import BEGINNER, Rules, with_options
from mineproof.match.contract import (
    Examined,
    Fault,
    ask,
    examine_game,
    examine_move,
    guarded,
)
from mineproof.notation.position_text import format_position

GAMES = 200
"""How many ordinary games are played, besides one under each combination of rules."""
SECONDS = 10.0
"""How long an agent may think about one move before it counts as hanging."""
Maker = Callable[[], Agent]
_ROUNDS = 10
ENDLESS = ("hangs", "endless")
"""Faults that would show again in every further game, and take their time each."""
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
    """One plain sentence."""
    position: str = ""
    """Where it showed, as `.mine` text; empty where no position has to do with it."""


@dataclass
class CheckReport:
    """What a check found; a kind of fault is reported once."""

    games: int = 0
    findings: list[FoundFault] = field(default_factory=list)

    def add(self, fault: FoundFault) -> None:
        """Note a fault unless there is one of its kind already."""
        if all(fault.kind != finding.kind for finding in self.findings):
            self.findings.append(fault)


def check_agent(name: str, games: int = GAMES, seconds: float = SECONDS) -> CheckReport:
    """Look for faults in an agent.

    Args:
        name: the text that names it: `my_agent.py:MyAgent`, an id, with options or without.
        games: how many ordinary games to play, besides those under other rules.
        seconds: how long one move may take.

    Raises:
        AgentError: there is no such file, class or agent, or it cannot be made.
    """
    report = CheckReport()
    for examination in Examinations(name, games, seconds):
        report.games += 1
        fault = examination()
        if fault is not None:
            report.add(fault)
            if fault.kind in ENDLESS:
                break
    return report


class Examinations:
    """All that is tried with an agent, one game or so after the other."""

    def __init__(self, name: str, games: int = GAMES, seconds: float = SECONDS) -> None:
        """Prepare to make the agent; see `check_agent`."""
        self._spec, self._options = parse_agent(name)
        self._games = games
        self._seconds = seconds

    def __iter__(self) -> Iterator[Callable[[], FoundFault | None]]:
        """Give each as a function that says which fault it found; wrong methods are the only one.

        Raises:
            AgentError: the agent cannot be made.
        """
        try:
            _check_signatures(self._spec)
        except Fault as fault:
            found = _found(fault)
            yield lambda: found
            return
        for examine in self._all(self._make()):
            yield partial(_examined, examine)

    def _make(self) -> Agent:
        return self._spec.make(**self._options)

    def _all(self, agent: Agent) -> Iterator[Callable[[], object]]:
        """Give games under all rules, most of them played by one agent, and special checks."""
        for rules, seed in _games(self._games):
            yield partial(examine_game, agent, _game(rules, seed), seed, self._seconds)
        for seed in range(_ROUNDS):
            for check in _CHECKS:
                yield partial(check, self._make, seed, self._seconds)


def _examined(examine: Callable[[], object]) -> FoundFault | None:
    try:
        examine()
    except Fault as fault:
        return _found(fault)
    return None


def _found(fault: Fault) -> FoundFault:
    seen = fault.observation
    return FoundFault(fault.kind, fault.text, "" if seen is None else format_position(seen))


def _check_signatures(spec: AgentSpec) -> None:
    for method, parameters in (("start", ("rules", "seed")), ("decide", ("observation",))):
        signature = inspect.signature(getattr(spec.factory, method))
        try:
            signature.bind("self", *parameters)
        except TypeError as error:
            wanted = ", ".join(("self", *parameters))
            raise Fault(
                "signature", f"{method} should take ({wanted}), but takes {signature}: {error}"
            ) from None


def _games(games: int) -> Iterator[tuple[Rules, int]]:
    """Give the games to play: ordinary ones, all combinations of rules, tiny boards."""
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


def _check_repeats(make: Maker, seed: int, seconds: float) -> None:
    """Equal seeds give equal games, also to an agent that has played another one between."""
    used = make()
    first = examine_game(used, _game(BEGINNER, seed), seed, seconds)
    examine_game(used, _game(BEGINNER, seed + 1), seed + 1, seconds)
    for agent, whose in ((make(), "a new agent"), (used, "the same agent, when started again,")):
        again = examine_game(agent, _game(BEGINNER, seed), seed, seconds)
        if _moves(first) != _moves(again):
            raise Fault(
                "repeats",
                f"{whose} plays another game under equal seeds: "
                "take all randomness from the seed given to start, and forget all in start",
                _parting(first, again, seed),
            )


def _moves(examined: Examined) -> list[tuple[Move, bool]]:
    return [(decision.move, decision.proved) for decision in examined.decisions]


def _parting(first: Examined, again: Examined, seed: int) -> Observation:
    """Give the position in which two games part."""
    game = _game(BEGINNER, seed)
    for one, other in zip(_moves(first), _moves(again), strict=False):
        if one != other:
            break
        game.play(one[0])
    return game.observation


def _check_undo(make: Maker, seed: int, seconds: float) -> None:
    """After an undo the observation does not follow the last one."""
    agent = make()
    played = examine_game(agent, _game(_LASTING, seed), seed, seconds)
    for kept in (0, len(played.decisions) // 2):
        game = _game(_LASTING, seed)
        for decision in played.decisions[:kept]:
            game.play(decision.move)
        while not game.is_over and _examine_other(agent, game, seconds, "undo"):
            pass


def _check_company(make: Maker, seed: int, seconds: float) -> None:
    """Let a person move between the agent's moves, so that it does not see each position."""
    agent, game = make(), _game(BEGINNER, seed)
    guarded("start", lambda: agent.start(BEGINNER.public(), seed), seconds, game.observation)
    person = Stream(seed, Purpose.SAMPLE)
    while not game.is_over and _examine_other(agent, game, seconds, "company"):
        for _ in range(2):
            closed = [i for i in game.observation.unopened if not game.observation.marks[i]]
            if game.is_over or not closed:
                break
            index = closed[person.below(len(closed))]
            game.play(Move(Action.OPEN, game.rules.grid.cell(index)))


def _examine_other(agent: Agent, game: Game, seconds: float, kind: str) -> Decision | None:
    """Ask for a move in a position that does not follow the one seen last."""
    try:
        return examine_move(agent, game, seconds)
    except Fault as fault:
        when = {"undo": "after an undo", "company": "after a person's moves"}[kind]
        text = f"{when}, {fault.text}: an observation that does not follow the one seen last "
        text += "(observation.follows) must be read as a whole"
        raise Fault(kind, text, fault.observation) from fault


def _check_unstarted(make: Maker, seed: int, seconds: float) -> None:
    """Before the first cell is open there is nothing to know, and nothing to fail on."""
    game = Game(BEGINNER, seed)
    agent = make()
    guarded("start", lambda: agent.start(BEGINNER.public(), seed), seconds, game.observation)
    ask(agent, game.observation, seconds)


def _check_whole(make: Maker, seed: int, seconds: float) -> None:
    """Games inside the native core are the very games that `decide` plays."""
    agent = make()
    game = _game(BEGINNER, seed)
    if not isinstance(agent, PlaysWhole) or game.board is None or game.first is None:
        return
    whole = agent.play_whole(BEGINNER, [game.board], game.first)
    seen = game.observation
    played = examine_game(agent, game, seed, seconds)
    found = (played.result, played.guesses, len(played.decisions))
    if whole and whole[0][:3] != found:
        text = f"play_whole gives (result, guesses, moves) {whole[0][:3]}, decide {found}"
        raise Fault("whole", text, seen)


_CHECKS = (_check_repeats, _check_undo, _check_company, _check_unstarted, _check_whole)


def _game(rules: Rules, seed: int) -> Game:
    return Game(rules, seed, rules.first_cell)
