"""Says what is wrong with an agent: plays it under all rules and checks its contract.

Every fault is one plain sentence with the position in which it showed. No fault found is no
proof that there is none, but each check has caught a real mistake.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product

from mineproof.agents.examination import (
    Examined,
    ask,
    examine_game,
    examine_move,
    guarded,
)
from mineproof.agents.faults import Fault
from mineproof.agents.loading import parse_agent
from mineproof.agents.protocol import Agent, PlaysWhole
from mineproof.agents.registry import AgentSpec
from mineproof.core.game import Game
from mineproof.core.move import Move
from mineproof.core.observation import Observation
from mineproof.core.rules import BEGINNER, Rules, with_options
from mineproof.notation.position import format_position

GAMES = 200
"""How many ordinary games are played, besides one under each combination of rules."""
SECONDS = 10.0
"""How long an agent may think about one move before it counts as hanging."""
_SMALL = Rules(5, 5, 4)
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
class Finding:
    """One fault of an agent."""

    kind: str
    text: str
    """One plain sentence."""
    position: str = ""
    """Where it showed, as `.mine` text; empty where no position has to do with it."""


@dataclass
class Report:
    """What a check found; a kind of fault is reported once."""

    games: int = 0
    findings: list[Finding] = field(default_factory=list)

    def add(self, fault: Fault) -> None:
        """Note a fault unless there is one of its kind already."""
        if all(fault.kind != finding.kind for finding in self.findings):
            seen = fault.observation
            position = "" if seen is None else format_position(seen)
            self.findings.append(Finding(fault.kind, fault.text, position))


def check_agent(name: str, games: int = GAMES, seconds: float = SECONDS) -> Report:
    """Look for faults in an agent.

    Args:
        name: the text that names it: `my_agent.py:MyAgent`, an id, with options or without.
        games: how many ordinary games to play, besides those under other rules.
        seconds: how long one move may take.

    Raises:
        AgentError: there is no such file, class or agent, or it cannot be made.
    """
    report = Report()
    spec, options = parse_agent(name)
    try:
        _check_signatures(spec)
        agent = spec.make(**options)
    except Fault as fault:
        report.add(fault)
        return report
    for rules, seed in _games(games):
        _try(report, agent, rules, seed, seconds)
    for seed in range(10):
        for check in (_check_repeats, _check_undo, _check_unstarted, _check_whole):
            try:
                check(lambda: spec.make(**options), seed, seconds)
            except Fault as fault:
                report.add(fault)
    return report


def _try(report: Report, agent: Agent, rules: Rules, seed: int, seconds: float) -> None:
    report.games += 1
    try:
        examine_game(agent, _game(rules, seed), seed, seconds)
    except Fault as fault:
        report.add(fault)


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
    return with_options(rules, **options)  # type: ignore[arg-type]


Maker = Callable[[], Agent]


def _check_repeats(make: Maker, seed: int, seconds: float) -> None:
    """Equal seeds give equal games, also to an agent that has played another one between."""
    used = make()
    first = examine_game(used, _game(BEGINNER, seed), seed, seconds)
    examine_game(used, _game(BEGINNER, seed + 1), seed + 1, seconds)
    for agent, whose in ((make(), "a new agent"), (used, "the same agent, started again")):
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
    """After an undo, or a move of a person's, the observation does not follow the last one."""
    agent = make()
    ahead = _game(BEGINNER, seed)
    played = examine_game(agent, ahead, seed, seconds)
    for kept in (0, len(played.decisions) // 2):
        game = _game(BEGINNER, seed)
        for decision in played.decisions[:kept]:
            game.play(decision.move)
        try:
            while not game.is_over and examine_move(agent, game, seconds) is not None:
                pass
        except Fault as fault:
            text = f"after an undo, {fault.text}: look at the whole observation when it does "
            text += "not follow the one seen last (observation.follows)"
            raise Fault("undo", text, fault.observation) from fault


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


def _game(rules: Rules, seed: int) -> Game:
    return Game(rules, seed, rules.first_cell)
