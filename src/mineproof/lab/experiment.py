"""Experiments as data: agents, rules, varied settings and figures.

Every combination of an agent and the varied values is a *condition*. Game i of every condition
has the seed `seed + i`, so agents under the same rules play the same boards.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Annotated

from mineproof.agents.loading import is_foreign, parse_agent
from mineproof.core.errors import InputError, NotationError
from mineproof.core.grid import Cell
from mineproof.core.random import check_seed
from mineproof.core.rules import Rules, StartKind, with_options
from mineproof.lab.board_search import DEALT, BoardSearch
from mineproof.lab.figure import PLAIN, Figure, check_name, one_of
from mineproof.lab.metrics import METRICS, PROBES
from mineproof.match.batch import check_player
from mineproof.match.isolated import described
from mineproof.notation.codec import Length

Setting = str | int | float | bool
SETTINGS = ("level", "size", "mines", "density", "start", "given", *PLAIN)
"""The settings that can be set or varied. `option.NAME` also varies an option of the agents."""
MOST_GAMES = 10_000_000
"""The maximum number of games per condition."""


@dataclass(frozen=True)
class Condition:
    """One agent under one set of rules. For a board set, they are the rules of its first board."""

    agent: str
    level: str
    rules: Rules
    first: Cell | None
    boards: BoardSearch = DEALT

    @property
    def columns(self) -> dict[str, str | int | float | None]:
        """The values of `COLUMNS`, which are stored with each game."""
        rules, cells = self.rules, self.rules.grid.size
        given = rules.given_count
        return {
            "agent": self.agent,
            "level": self.level,
            "rows": rules.rows,
            "columns": rules.columns,
            "cells": cells,
            "mines": rules.mines,
            "density": rules.mines / cells,
            "start": str(rules.start),
            "times": float(rules.start.times),
            "given": given,
            "given_share": given / cells,
            "first": None if self.first is None else f"{self.first.row},{self.first.column}",
            "goal": rules.goal.value,
            "explosion": rules.explosion.value,
            "clues": str(rules.clues),
            "mine_count": rules.mine_count.value,
            "flood": "flood" if rules.flood else "no flood",
            "boards": str(self.boards),
        }


def check_games(games: int) -> None:
    """Reject a number of games that is out of range.

    Raises:
        NotationError: it is below 1 or above `MOST_GAMES`.
    """
    if type(games) is not int or not 1 <= games <= MOST_GAMES:
        raise NotationError(f"expected 1 to {MOST_GAMES:,} games per condition, got {games!r}")


@dataclass(frozen=True)
class Experiment:
    """A question to answer by playing games."""

    name: str
    title: str
    question: str
    agents: tuple[str, ...]
    rules: Mapping[str, Setting] = field(default_factory=dict)
    vary: Mapping[str, Annotated[tuple[Setting, ...], Length(least=1)]] = field(
        default_factory=dict
    )
    games: int = 1000
    """Games per condition."""
    quick: int = 12
    """Games per condition with `--quick`."""
    seed: int = 0
    probes: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    source: str = ""
    """The document that the experiment reproduces."""
    file: str = ""
    """The user's file from which the experiment was read."""

    def __post_init__(self) -> None:
        check_name(self.name)
        if not self.agents:
            raise NotationError(f"the experiment {self.name} has no agents")
        for name in (*self.rules, *self.vary):
            if not name.startswith("option."):
                one_of(name, SETTINGS, "a setting", self.name)
        for probe in self.probes:
            one_of(probe, PROBES, "a probe", self.name)
        check_games(self.games)
        check_games(self.quick)
        check_seed(self.seed)
        self._check_figures()

    def _check_figures(self) -> None:
        names = [figure.name for figure in self.figures]
        for figure in self.figures:
            if names.count(figure.name) > 1:
                raise NotationError(
                    f"expected different names for figures, got {figure.name} twice"
                )
            probe = METRICS[figure.metric].needs
            if probe and probe not in self.probes:
                raise NotationError(
                    f"the metric {figure.metric} of {figure.name} needs the probe {probe}. Add it "
                    f"to `probes` in {self.name}"
                )

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        """All conditions: each agent with each combination of the varied values.

        Raises:
            NotationError: a setting is not valid. The message names the experiment.
        """
        names = list(self.vary)
        found: dict[Condition, None] = {}
        for values in product(*(self.vary[name] for name in names)):
            settings = {**self.rules, **dict(zip(names, values, strict=True))}
            for agent in self.agents:
                try:
                    found.update(dict.fromkeys(_conditions(agent, settings)))
                except InputError as error:
                    raise NotationError(f"experiment {self.name}: {error}") from None
        return tuple(found)


def _conditions(agent: str, settings: Mapping[str, Setting]) -> list[Condition]:
    """Return the condition for these settings; one per cell if the first cell is `every`."""
    rules = rules_of(settings)
    options = {
        name.removeprefix("option."): value
        for name, value in settings.items()
        if name.startswith("option.")
    }
    text = _with_options(agent, options)
    check_player(text)
    level = str(settings.get("level", rules.level))
    level = level if {"size", "mines", "density"}.isdisjoint(settings) else rules.level
    first = str(settings.get("first", ""))
    cells = list(rules.grid.cells()) if first == "every" else [_first(first, rules)]
    boards = BoardSearch.parse(str(settings.get("boards", DEALT)))
    if boards.listed:
        if others := set(settings) - {"boards", *(f"option.{name}" for name in options)}:
            raise NotationError(f"a board set has its own rules. Omit {', '.join(sorted(others))}")
        deal = boards.deals[0]
        return [Condition(text, boards.listed, deal.rules, deal.first, boards)]
    return [Condition(text, level, rules, cell, boards) for cell in cells]


def _with_options(agent: str, options: Mapping[str, Setting]) -> str:
    """Return the agent's text with the options that this agent accepts."""
    known = _option_names(agent) if options else ()
    for name, value in options.items():
        if name in known:
            written = ("on" if value else "off") if isinstance(value, bool) else value
            comma = "," if ":" in agent else ":"
            agent = f"{agent}{comma}{name}={written}"
    return agent


def _option_names(agent: str) -> Container[str]:
    """Return the option names of an agent. A user's agent file is not run in this process."""
    if not is_foreign(agent):
        return parse_agent(agent)[0].options
    return [option["name"] for option in described(agent)["options"]]


def rules_of(settings: Mapping[str, Setting]) -> Rules:
    """Return the rules that settings describe.

    Raises:
        RulesError: the rules contradict each other or are out of range.
    """
    rules = Rules.parse(str(settings.get("level", "expert")))
    size = str(settings.get("size", f"{rules.rows}x{rules.columns}"))
    size = size if "x" in size.lower() else f"{size}x{size}"
    mines = settings.get("mines", settings.get("density", rules.mines))
    rules = replace(Rules.parse(f"{size}/{mines}"), start=rules.start)
    given = {"start": f"given:{settings['given']}"} if "given" in settings else {}
    flood = settings.get("flood")
    if flood is not None and not isinstance(flood, bool):
        raise NotationError(f"expected true or false for flood, got {flood!r}")
    texts = {
        name: str(settings[name])
        for name in ("start", "goal", "explosion", "clues", "mine_count")
        if name in settings
    }
    return with_options(rules, flood=flood, **{**texts, **given})


def _first(text: str, rules: Rules) -> Cell | None:
    """Return the first cell from text: the standard cell, a named cell, or ROW,COLUMN."""
    if rules.start.kind is StartKind.GIVEN:
        if text:
            raise NotationError(
                f"games that start with given cells have no first cell, got {text!r}"
            )
        return None
    row, column = (rules.rows - 1) // 2, (rules.columns - 1) // 2
    named = {
        "": rules.first_cell,
        "corner": Cell(0, 0),
        "edge": Cell(0, column),
        "middle": Cell(row, column),
    }
    if text in named:
        return named[text]
    numbers = text.split(",")
    if len(numbers) != 2 or not all(one.strip().isdecimal() for one in numbers):
        raise NotationError(
            f"expected corner, edge, middle, every or ROW,COLUMN as first cell, got {text!r}"
        )
    cell = Cell(int(numbers[0]), int(numbers[1]))
    rules.grid.index(cell)
    return cell
