"""The service behind all pages: their games, their results, and the first message to a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from mineproof.backend import backend
from mineproof.core.clues import clue_rules
from mineproof.core.errors import InputError, WorkLimitError
from mineproof.core.rules import LEVELS
from mineproof.notation.codec import to_plain
from mineproof.notation.records import format_record
from mineproof.review.metrics import measure_record
from mineproof.review.results import judged, new_result
from mineproof.service import limits
from mineproof.service.games import Games
from mineproof.service.kept_coach import KeptCoach
from mineproof.service.page_game import PageGame
from mineproof.service.resources import Plain, Resources, Workers
from mineproof.session.storage import Storage


class Service(Resources):
    """Everything that pages share."""

    def __init__(  # noqa: PLR0913  (what a front end can pass in)
        self,
        store: Storage,
        workers: Workers,
        *,
        own_agents: Mapping[str, Plain | None] = {},
        first: str | None = None,
        about: Mapping[str, str] = {},
        listed: Sequence[Plain] = (),
    ) -> None:
        """Prepare a service.

        Args:
            store: stores games, results and settings.
            workers: answer questions and do other slow work.
            own_agents: agents with options, files (`FILE.py:Class`) or engines, offered with the
                others, each with its description (see `offer`). The first one helps the player.
            first: the text of the game or position that the first page should show.
            about: more fields of the first message: `version` and `transport`.
            listed: the plain forms of all agents, weakest first, if they are already known.
                Finding them loads all the code that agents use.

        Raises:
            AgentError: there is no such agent.
        """
        super().__init__(store, workers, tuple(own_agents), listed)
        self.offer(own_agents)
        self.first = first
        self._about = about
        self.games = Games(self)
        self.coach = KeptCoach(self, self.games)

    def hello(self) -> Plain:
        """Return what a page needs to start."""
        sizes = ("rows", "columns", "mines", "start")
        levels = {name: to_plain(rules) for name, rules in LEVELS.items()}
        return {
            **self._about,
            "backend": backend(),
            "agents": self.offered,
            "levels": {name: {key: one[key] for key in sizes} for name, one in levels.items()},
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

    def changed(self, game: PageGame) -> None:
        """Save a game soon. If it has just ended, measure it and count its result."""
        self.games.save_soon(game)
        if game.session.outcome is not None and game.session.known_metrics is None:
            counts, game.counted = not game.counted, True
            self.begin(self._end(game, counts))

    async def _end(self, game: PageGame, counts: bool) -> None:
        """Measure a game that has ended and show its metrics, then coach it and count it."""
        session = game.session
        saved = game.saved()[1]
        moment, record = (session.observation.serial, session.outcome), session.record()
        result = new_result(record, session.game_id, game.key, game.aided)
        text = await self.use_store(format_record, record)
        metrics = None
        with suppress(InputError, WorkLimitError):  # continue without metrics
            metrics = await self.run(0, measure_record, text)
        if moment == (session.observation.serial, session.outcome):
            session.known_metrics = metrics
            game.push_view()
        result["bbbv"] = None if metrics is None else metrics.solved
        try:
            if session.step and not self.coach.is_paused:
                result |= judged(await self.coach.check(game.key, {**saved, "record": text}))
        finally:
            if counts:
                await self.use_store(self.store.add_result, result)

    async def close(self) -> None:
        """Stop all background work and save all games."""
        await self.end_work()
        await self.use_store(self.games.save_all)
