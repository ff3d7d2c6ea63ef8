"""The service behind all pages: their games, their results, and what a page needs to begin."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from mineproof.backend import backend
from mineproof.core.clues import clue_rules
from mineproof.core.errors import InputError, WorkLimitError
from mineproof.core.rules import LEVELS
from mineproof.notation.records import format_record
from mineproof.service import limits
from mineproof.service.files import Opened
from mineproof.service.games import Games
from mineproof.service.page_game import PageGame, measured
from mineproof.service.questions import Question
from mineproof.service.resources import Plain, Resources, Storage, Workers
from mineproof.service.results import result_of

NOTHING: Mapping[str, str] = {}


class Service(Resources):
    """All that pages share."""

    def __init__(  # noqa: PLR0913  (what a front end can pass in)
        self,
        store: Storage,
        workers: Workers,
        *,
        own_agent: str = "",
        own_spec: Plain | None = None,
        first: Opened | None = None,
        about: Mapping[str, str] = NOTHING,
        listed: Sequence[Plain] = (),
    ) -> None:
        """Prepare a service.

        Args:
            store: keeps games, results and settings.
            workers: where questions are answered, and where long work is done.
            own_agent: an agent with options or `FILE.py:Class`, offered beside the others.
            own_spec: what it is; see `offer`.
            first: what the first page is to show.
            about: what else the page is told at first: `version` and `transport`.
            listed: all agents as `to_plain` writes them, weakest first, if they are
                known already: to look at them loads all that they reason with.

        Raises:
            AgentError: there is no such agent.
        """
        super().__init__(store, workers, own_agent, listed)
        if own_agent:
            self.offer(own_agent, own_spec)
        self.first = first
        self._about = about
        self.games = Games(self)

    def hello(self) -> Plain:
        """Return what a page needs to begin."""
        return {
            **self._about,
            "backend": backend(),
            "agents": self.offered,
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

    def changed(self, game: PageGame, was_in_progress: bool) -> None:
        """Keep a game in a moment; once it has ended, measure it and count its result."""
        self.games.keep(game)
        if game.session.outcome is not None and game.metrics is None:
            counts = was_in_progress and not game.counted
            game.counted = game.counted or counts
            self.begin(self._end(game, counts))

    async def _end(self, game: PageGame, counts: bool) -> None:
        """Work out the figures of a game that has ended, and show them; then count its result."""
        moment, result = game.moment, result_of(game.session, game.key, game.aided)
        text = await self.use_store(format_record, game.session.record())
        try:
            metrics = await self.run(0, measured, text)
        except (InputError, WorkLimitError):  # the game has ended without figures, too
            metrics = None
        if game.moment == moment:
            game.measure(moment, metrics)
            game.tell()
        if counts:
            result["bbbv"] = None if metrics is None else metrics.solved
            await self._count(text, result)

    async def _count(self, record: str, result: Plain) -> None:
        """Review a game that has ended, and keep its result; it counts without a review too."""
        values = {"record": record, "wins": False}
        question = Question("review", values, limits.ANALYSIS_SECONDS, True, result["key"])
        try:
            found = json.loads(await self.ask(question))
            result |= {
                "proved": found["proved"],
                "judged": found["moves"],
                "avoidable": found["avoidable"],
                "luck": found["luck"],
            }
        except (InputError, WorkLimitError):
            pass
        finally:
            await self.use_store(self.store.add_result, result)

    async def close(self) -> None:
        """End what goes on in the background, and keep all games."""
        await self.end_work()
        self.games.save_all()
