"""The service behind all pages: their games, what is kept, and who answers questions."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from mineproof.agents.loading import parse_agent
from mineproof.agents.registry import agents
from mineproof.backend import backend
from mineproof.core.clues import clue_rules
from mineproof.core.errors import InputError, WorkLimitError
from mineproof.core.rules import LEVELS
from mineproof.notation.codec import to_plain
from mineproof.service import fields, limits
from mineproof.service.files import Opened
from mineproof.service.games import Games
from mineproof.service.page import Page
from mineproof.service.page_game import PageGame
from mineproof.service.positions import Plain, Report
from mineproof.service.questions import QUESTIONS
from mineproof.service.results import result_of


class Storage(Protocol):
    """What keeps games, results and settings; a front end passes one in."""

    def save_game(self, key: str, fields: Plain) -> None:
        """Keep a game under its key."""

    def load_game(self, key: str) -> Plain | None:
        """Give a game that was kept; None if there is none.

        Raises:
            InputError: it is damaged.
        """

    def forget_game(self, key: str) -> None:
        """Drop a game."""

    def put_aside(self, key: str) -> None:
        """Keep a damaged game out of the way."""

    def games(self) -> list[str]:
        """Give the keys of all games that are kept, the latest first."""

    def date(self, key: str) -> float:
        """Say when a game was kept last, in seconds as `time.time` has them; 0: never."""

    def add_result(self, fields: Plain) -> None:
        """Keep the result of a game."""

    def results(self) -> list[Plain]:
        """Give the latest results, the oldest first."""

    def erase_results(self) -> None:
        """Forget all results."""

    def settings(self) -> Plain:
        """Give the settings that are remembered."""

    def change_settings(self, values: Plain) -> None:
        """Remember further settings."""


@dataclass(frozen=True)
class Errand:
    """A question on its way to whoever answers it."""

    name: str
    values: Plain
    seconds: float
    is_long: bool
    key: str
    """The game it is about: who answered about it before may know it already."""
    asker: int
    """Who asks: nobody is to wait for all questions of another."""


Answerer = Callable[[Errand, Report], Awaitable[Any]]
"""Lets `questions.make_answerer`'s function answer somewhere; raises what it raises."""


Aside = Callable[[Callable[[], Any], int], Awaitable[Any]]
"""Calls a function in another process, for some page, and gives what it gives."""
Threaded = Callable[[Callable[[], Any]], Awaitable[Any]]
"""Calls a function in a thread: to read and write files."""


async def at_once(work: Callable[[], Any], _page: int = 0) -> Any:
    """Do it here: there is nobody else to wait."""
    return work()


NOTHING: Mapping[str, str] = {}
LATE, MOMENT = 1.2, 0.2
"""Who answers knows its time and ends by itself; this much later it is ended."""
SHORT = 2.0
"""A question that may take no more seconds does not wait behind long ones."""


class Service:
    """All that pages share."""

    save_seconds = limits.SAVE_SECONDS
    """How long after a move its game is kept; moves in between are kept with it."""

    def __init__(  # noqa: PLR0913  (what a front end can pass in)
        self,
        store: Storage,
        answerer: Answerer,
        *,
        own_agent: str = "",
        own_spec: Plain | None = None,
        first: Opened | None = None,
        about: Mapping[str, str] = NOTHING,
        listed: Sequence[Plain] = (),
        aside: Aside = at_once,
        threaded: Threaded = at_once,
    ) -> None:
        """Prepare a service.

        Args:
            store: keeps games, results and settings.
            answerer: lets questions be answered.
            own_agent: an agent with options or `FILE.py:Class`, offered beside the others.
            own_spec: what it is; see `offer`.
            first: what the first page is to show.
            about: what else the page is told at first: `version` and `transport`.
            listed: all agents as `to_plain` writes them, weakest first, where they are
                known already: to look at them loads all that they reason with.
            aside: works out without holding up other pages.
            threaded: reads and writes files without holding them up.

        Raises:
            AgentError: there is no such agent.
        """
        self.store = store
        self._listed = {one["id"]: one for one in listed or to_plain(list(agents().values()))}
        quick = [id for id, one in self._listed.items() if not one["takes_time"]]
        self.agent = own_agent or quick[-1]
        self._answerer = answerer
        self.aside = aside
        self.threaded = threaded
        self._own_agent, self._own_spec = "", Plain()
        if own_agent:
            self.offer(own_agent, own_spec)
        self._about = about
        self._background: set[asyncio.Task[None]] = set()
        self._saving: set[str] = set()
        self.games = Games(self, first)

    # ---- agents

    def offer(self, own_agent: str, own_spec: Plain | None = None) -> None:
        """Offer somebody's own agent beside the others, in the place of one offered before.

        Args:
            own_agent: the text that names it.
            own_spec: what `to_plain` writes of its `AgentSpec`, found out where no game is. Without
                that it is found here, and the agent's file runs in the process with the games.

        Raises:
            AgentError: there is no such agent.
        """
        spec = own_spec or to_plain(parse_agent(own_agent)[0])  # a fault is said now
        self._own_agent, self._own_spec = own_agent, {**spec, "id": own_agent}

    @property
    def has_own(self) -> bool:
        """Whether an agent of somebody's own is offered."""
        return bool(self._own_agent)

    def check_agent(self, name: str) -> str:
        """Give the name of an agent back if pages may choose it: no page names a file.

        Raises:
            InputError: they may not, or its options do not fit.
        """
        if name and name == self._own_agent:  # tried at the start; its code runs elsewhere
            return name
        if name in self._listed:  # without options there is nothing to check
            return name
        spec = agents().get(name.partition(":")[0])
        if spec is None or names_a_file(name):
            shown = name[: fields.SHOWN]
            text = f"expected an agent of the list, got {shown!r}"
            raise InputError(text, code="unknown-agent", name=shown)
        spec.make(**parse_agent(name)[1])
        return name

    def is_agent(self, name: str) -> bool:
        """Say whether pages may choose an agent."""
        try:
            return self.check_agent(name) == name
        except InputError:
            return False

    def is_own(self, name: str) -> bool:
        """Say whether an agent is somebody's own, not one of this package."""
        return names_a_file(name)

    # ---- what a page needs to begin

    def hello(self) -> Plain:
        """Give what a page needs to begin."""
        listed = dict(self._listed)
        if self.has_own:
            listed[self._own_agent] = self._own_spec
        return {
            **self._about,
            "backend": backend(),
            "agents": list(listed.values()),
            "levels": {
                name: {
                    "rows": rules.rows,
                    "columns": rules.columns,
                    "mines": rules.mines,
                    "start": str(rules.start),
                }
                for name, rules in LEVELS.items()
            },
            "clue_rules": [
                {
                    "name": rule.name,
                    "words": rule.words,
                    "parameter": rule.parameter_words,
                    "usual": rule.parameter_default,
                }
                for rule in clue_rules()
            ],
            "limits": {
                "cells": limits.CELLS,
                "message": limits.MESSAGE_BYTES,
                "seconds": limits.ANALYSIS_SECONDS,
                "racers": limits.RACERS,
                "no_guess": True,
            },
            "settings": self.store.settings(),
        }

    # ---- questions

    async def ask(self, page: Page, name: str, values: Plain, report: Report) -> Any:
        """Have a question of a page answered."""
        return await self._answer(name, values, page.game.key, id(page), report)

    async def _answer(self, name: str, values: Plain, key: str, asker: int, report: Report) -> Any:
        question = QUESTIONS[name]
        seconds = values.setdefault("seconds", question.seconds)
        is_long = question.is_long and seconds > SHORT
        errand = Errand(name, values, seconds * LATE + MOMENT, is_long, key, asker)
        return await self._answerer(errand, report)

    # ---- what happens beside

    def changed(self, game: PageGame, was_under_way: bool) -> None:
        """Keep a game in a moment; once it has ended, review it and count its result."""
        self.keep(game)
        if was_under_way and game.session.outcome is not None:
            counts, game.counted = not game.counted, True
            if counts:
                values = {"record": game.session.save()}
                self.background(self._count(values, result_of(game)))

    def keep(self, game: PageGame) -> None:
        """Keep a game in a moment."""
        if game.key not in self._saving:
            self._saving.add(game.key)
            self.background(self._save(game))

    def is_saved(self, game: PageGame) -> bool:
        """Say whether a game is kept as it stands."""
        return game.key not in self._saving

    async def _save(self, game: PageGame) -> None:
        await asyncio.sleep(self.save_seconds)
        self._saving.discard(game.key)
        if game.is_heavy:  # its session is not changed while it is written
            await self.threaded(partial(self.games.save, game))
        elif game.session.step:
            await self.threaded(partial(self.store.save_game, game.key, game.saved()))

    async def _count(self, values: Plain, result: Plain) -> None:
        """Review a game that has ended, and keep its result; it counts without a review too."""
        try:
            found = await self._answer("review", values, result["key"], 0, lambda _part: None)
            result |= {
                "proved": found["proved"],
                "judged": found["moves"],
                "avoidable": found["avoidable"],
                "luck": found["luck"],
            }
        except (InputError, WorkLimitError):
            pass
        finally:
            await self.threaded(partial(self.store.add_result, result))

    def background(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something without waiting for it."""
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def close(self) -> None:
        """End what goes on beside, and keep all games."""
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        self.games.save_all()


def names_a_file(name: str) -> bool:
    """Say whether the text of an agent names a file: such code is somebody's own."""
    lowered = name.lower()
    return ".py" in lowered or (lowered.startswith("cs50") and ":" in lowered)
