"""All that a person can do in the window, without a pixel: drives a session and its agent.

Agents and the exact engine think in processes of their own (`Thinker`); what they answer is
used only if the position is still the one they were asked about.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from mineproof.agents.loading import parse_agent
from mineproof.agents.protocol import Knowledge
from mineproof.core.clues import UNOPENED
from mineproof.core.decision import Decision
from mineproof.core.errors import InputError
from mineproof.core.grid import Cell
from mineproof.core.rules import Rules
from mineproof.play.luck import Luck
from mineproof.play.match import step_of
from mineproof.session import Hint, Session, State, Why
from mineproof.session.advisor import first_decision
from mineproof.session.hints import make_hint
from mineproof.session.reasons import GuessAnswer
from mineproof.window import notes
from mineproof.window.insight import Insight
from mineproof.window.notes import Note
from mineproof.window.pace import Pace
from mineproof.window.thinker import Thinker
from mineproof.window.thinking import Answer, Question, Risks

LUCK_CELLS = 10_000
"""Beyond so many cells the figures of a game take too long to work out."""
SLICE = 0.012
"""Seconds of a frame that the fastest autoplay may use."""


class Controller:
    """A game, the agent beside it, and what of its knowledge is shown."""

    def __init__(
        self,
        session: Session,
        agent: str,
        *,
        mind: Thinker | None = None,
        analyst: Thinker | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin with a session.

        Args:
            session: the game; its own agent is never asked, since that could take long.
            agent: who helps instead, in a process.
            mind: the process that the agent runs in.
            analyst: the process that works out risks.
            now: the time in seconds.

        Raises:
            AgentError: there is no such agent.
        """
        parse_agent(agent)
        self.session = session
        self.agent = agent
        self.mind = mind or Thinker(now)
        self.analyst = analyst or Thinker(now)
        self.autoplay = False
        self.stops_at_guesses = False
        self.pace = Pace(now)
        self.shows_inference = False
        self.shows_heat = False
        self.explains = False
        self.insight = Insight()
        self.note = notes.beginning(session)
        self._now = now
        self._game = 0
        self._asked_why: Cell | None = None
        self._hint: Hint | None = None
        self._hint_step = 0

    # ---- a game begins

    def new(self, rules: Rules | None = None) -> None:
        """Begin another game."""
        self.session.new(rules)
        self._begun()

    def new_from_id(self, text: str) -> None:
        """Begin the game of an id, or say what is wrong with the text."""
        try:
            self.session.new_from_id(text.strip())
        except InputError as error:
            self.note = notes.refused(error)
            return
        self._begun()

    def reset(self) -> None:
        """Begin the same board again."""
        self.session.restart()
        self._begun()

    def choose_agent(self, name: str) -> None:
        """Take another agent as helper."""
        try:
            parse_agent(name)
        except InputError as error:
            self.note = notes.refused(error)
            return
        self.agent = name
        self.stop()
        self.note = Note(f"{self.agent_name} helps from now on", _idea(name))
        self._changed()

    # ---- what a player does

    def click(self, cell: Cell) -> None:
        """Open a cell, or chord on a clue; what cannot be done is left alone."""
        if self.session.observation.is_marked(cell):
            return
        if self.session.observation[cell] == UNOPENED:
            self._try(self.session.open, cell)
        else:
            self._try(self.session.chord, cell, quietly=True)

    def mark(self, cell: Cell) -> None:
        """Mark a cell, or take its mark away."""
        if self.session.observation[cell] == UNOPENED:
            self._try(self.session.toggle_mark, cell)

    def chord(self, cell: Cell) -> None:
        """Open all unmarked neighbours of a clue that has its marks."""
        self._try(self.session.chord, cell)

    def undo(self) -> None:
        """Take a move back."""
        self.autoplay = False
        self._try(self.session.undo)

    def redo(self) -> None:
        """Make an undone move again."""
        self.autoplay = False
        self._try(self.session.redo)

    def pause(self) -> None:
        """Stop the clock, or let it run again."""
        paused = self.session.state is State.PAUSED
        self.stop()
        self.session.pause(not paused)
        self.note = notes.PAUSED if self.session.state is State.PAUSED else Note("Go on")

    # ---- what the agent does

    def ai_move(self) -> None:
        """Let the agent make one move."""
        self.autoplay = False
        self._ask_for_move()

    def toggle_autoplay(self) -> None:
        """Let the agent play on, or stop it."""
        if self.autoplay:
            self.stop()
        elif self._can_move():
            self.autoplay = True
            self.pace.begin()

    def stop(self) -> None:
        """Stop autoplay and an agent that is thinking about its move."""
        self.autoplay = False
        if self.mind.waits_for("decide"):
            self.mind.drop()
            self.note = Note(f"{self.agent_name} was stopped", "The position is as it was.")

    # ---- what is shown

    def toggle_inference(self) -> None:
        """Show what the agent has proved, or hide it."""
        self.shows_inference = not self.shows_inference
        self._look()

    def toggle_heat(self) -> None:
        """Show the risk of every cell, or hide it."""
        self.shows_heat = not self.shows_heat
        self._look()

    def toggle_why(self, cell: Cell | None = None) -> None:
        """Explain cells under the pointer from now on, or no more."""
        self.explains = not self.explains
        self._asked_why = None
        self.note = Note("Why?", "Point at an unopened cell to see what is known of it.")
        if not self.explains:
            self.note = Note()
        elif cell is not None:
            self.explain(cell)

    def toggle_guesses(self) -> None:
        """Let autoplay stop before guesses, or not."""
        self.stops_at_guesses = not self.stops_at_guesses

    def explain(self, cell: Cell) -> None:
        """Ask what is known of a cell, if reasons are wanted and it was not asked last."""
        session = self.session
        if not self.explains or cell == self._asked_why or not self._has_begun():
            return
        if session.outcome is not None or session.observation[cell] != UNOPENED:
            return
        self._asked_why = cell
        self._ask(self.analyst, "why", self._explained, cell=cell)

    def hint(self) -> None:
        """Give a hint; each time it is asked for, one step more."""
        if not self._can_move():
            return
        if self._hint is not None:
            self._hint_step = min(self._hint_step + 1, len(self._hint.steps) - 1)
            self.note = notes.hint_step(self._hint, self._hint_step)
        elif self._has_begun():
            self._ask(self.mind, "hint", self._hinted)
        else:
            self._hinted(make_hint(first_decision(self.session.rules)))

    def may_guess(self) -> None:
        """Say whether a guess is called for."""
        if self._can_move() and self._has_begun():
            self._ask(self.analyst, "may guess", self._guess_judged)
        elif self._can_move():
            self.note = notes.BEGIN

    @property
    def agent_name(self) -> str:
        """The agent as it is called in sentences: without the folders of its file."""
        return re.sub(r"[^:=,]*[/\\]", "", self.agent)

    @property
    def thinking(self) -> str:
        """Whom the window waits for; nothing if answers come at once."""
        if self.mind.seconds > 0.3 and self.mind.waits_for("decide"):
            return f"{self.agent_name} is thinking ({self.mind.seconds:.0f} s). Esc stops it."
        if max(self.mind.seconds, self.analyst.seconds) > 0.5:
            return "Thinking ... you can go on playing."
        return ""

    # ---- time goes by

    def update(self) -> bool:
        """Take in answers and let autoplay go on; says whether something came."""
        came = self.analyst.poll()
        came |= self.mind.poll()
        self.insight.grow_old(self.session.observation, self._now())
        until = self._now() + SLICE
        while self.autoplay and self._is_due():
            self._ask_for_move()
            came |= self.mind.poll(max(0.0, until - self._now()))
            if self._now() >= until or self.mind.waits_for("decide"):
                break
        return came

    def close(self) -> None:
        """End the processes."""
        self.mind.close()
        self.analyst.close()

    # ---- inside

    def _is_due(self) -> bool:
        return self.pace.is_due and not self.mind.waits_for("decide")

    def _has_begun(self) -> bool:
        return self.session.step > 0 or self.session.rules.first_cell is None

    def _can_move(self) -> bool:
        return self.session.state in (State.READY, State.PLAYING)

    def _try(self, command: Callable[..., None], *cells: Cell, quietly: bool = False) -> None:
        try:
            command(*cells)
        except InputError as error:
            if not quietly:
                self.note = notes.refused(error)
            return
        self.note = Note()
        self._changed()

    def _ask_for_move(self) -> None:
        if not self._can_move() or self.mind.waits_for("decide"):
            return
        if self._has_begun():
            self._ask(self.mind, "decide", self._decided)
        else:
            self._decided(first_decision(self.session.rules))

    def _decided(self, decision: Decision | None) -> None:
        if decision is None:
            self.autoplay = False
            self.note = notes.stuck(self.agent_name)
        elif self.autoplay and self.stops_at_guesses and not decision.proved:
            self.autoplay = False
            self.note = notes.would_guess(self.agent_name, decision)
        else:
            self._make(decision)

    def _make(self, decision: Decision) -> None:
        try:
            self.session.accept(step_of(decision))
        except InputError as error:
            self.autoplay = False
            self.note = notes.failed(self.agent_name, str(error))
            return
        self.note = notes.moved(self.agent_name, decision)
        self.pace.moved()
        self._changed()

    def _begun(self) -> None:
        self._game += 1
        self.stop()
        self.note = notes.beginning(self.session)
        self.insight.forget(self.session.observation)
        self._changed()

    def _changed(self) -> None:
        """Want no answers about the position before, and look at the new one."""
        self.mind.drop()
        self.analyst.drop()
        self._asked_why = self._hint = None
        self.insight.changed(self._now())
        if self.session.outcome is not None:
            self._finish()
        self._look()

    def _finish(self) -> None:
        self.autoplay = False
        self.insight.forget(self.session.observation)
        self.note = notes.ended(self.session)
        if self.session.rules.grid.size <= LUCK_CELLS:
            self.note = notes.ended(self.session, self.session.metrics)
            self._ask(self.analyst, "luck", self._judged, record=self.session.record())

    def _look(self) -> None:
        """Ask for what is to be shown and is not known yet."""
        if self.session.outcome is not None or not self._has_begun():
            return
        observation = self.session.observation
        if self.shows_inference and not self.insight.knows(observation):
            self._ask(self.mind, "knowledge", self._known)
        if self.shows_heat and not self.insight.rates(observation):
            self._ask(self.analyst, "risks", self._rated)

    def _known(self, knowledge: Knowledge | None) -> None:
        self.insight.take_knowledge(knowledge, self.session.observation)
        if knowledge is None:
            self.note = notes.NO_KNOWLEDGE

    def _rated(self, risks: Risks) -> None:
        self.insight.take_risks(risks, self.session.observation)

    def _explained(self, why: Why) -> None:
        self.note = notes.because(why)

    def _hinted(self, hint: Hint) -> None:
        self._hint, self._hint_step = hint, 0
        self.note = notes.hint_step(hint, 0)

    def _guess_judged(self, answer: GuessAnswer) -> None:
        self.note = notes.guess_answer(answer)

    def _judged(self, luck: Luck) -> None:
        if self.session.outcome is not None:
            self.note = notes.ended(self.session, self.session.metrics, luck)

    def _ask(self, thinker: Thinker, kind: str, then: Callable[[Any], None], **more: Any) -> None:
        """Ask about the position as it is now; errors become a note."""
        observation = self.session.observation
        game = (self._game, self.session.seed)
        question = Question(kind, observation, self.agent, game, **more)

        def take(answer: Answer) -> None:
            if answer.error is None:
                then(answer.value)
                return
            self.autoplay = False
            self.note = notes.failed(
                "The engine" if kind in ENGINE else self.agent_name, answer.error
            )

        thinker.ask(question, take)


ENGINE = frozenset({"risks", "luck", "why", "may guess"})
"""Questions that no agent is asked."""


def _idea(name: str) -> str:
    idea = parse_agent(name)[0].idea
    return notes.sentence(idea) if idea else ""
