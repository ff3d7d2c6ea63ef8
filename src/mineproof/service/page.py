"""Everything that a page can say, in one table; reads its messages and never blocks other pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import Enum
from functools import partial
from inspect import isawaitable
from typing import Annotated, Any

from mineproof.core.errors import CodedError, InputError
from mineproof.core.grid import Cell
from mineproof.generate import DrillKind
from mineproof.notation.codec import Between, Length, from_plain
from mineproof.notation.text import check_depth
from mineproof.service import commands, limits
from mineproof.service.files import Opened
from mineproof.service.messages import SHOWN, Message, read_message
from mineproof.service.page_game import PageGame
from mineproof.service.page_state import FAILED, Answer, PageState, Send, log
from mineproof.service.player_words import refusal
from mineproof.service.resources import Plain
from mineproof.service.rule_fields import OptionalText, RuleFields, Text
from mineproof.service.service import Service

Count = Annotated[int, Between(0, 2**31)]

# ---- the fields of each message, read by the codec


@dataclass(frozen=True)
class Nothing:
    """No fields."""


@dataclass(frozen=True)
class OfCell:
    """A cell; the game says whether it is on the board."""

    cell: Cell


@dataclass(frozen=True)
class PauseFields:
    """Whether the clock is to stop."""

    on: bool = True


@dataclass(frozen=True)
class AtPosition:
    """A position: the game as it stands, after so many steps, or a `.mine` text."""

    at: Count | Text | None = None
    clues: OptionalText = None


@dataclass(frozen=True)
class AtCell(AtPosition, OfCell):
    """A cell of a position."""


@dataclass(frozen=True)
class AtAgent(AtPosition):
    """An agent that is asked about a position."""

    agent: OptionalText = None


@dataclass(frozen=True)
class AtAnalysis(AtPosition):
    """A position, and how to analyse it."""

    seconds: Annotated[float, Between(0.001, 10**9)] = limits.ANALYSIS_SECONDS
    flags_are_mines: bool = False


@dataclass(frozen=True)
class AtMove:
    """A step of the game, by default the last one."""

    at: Count | None = None


@dataclass(frozen=True)
class AgentMove:
    """An agent, and whether it may guess."""

    agent: OptionalText = None
    guess: bool = True


@dataclass(frozen=True)
class PlayFrom:
    """A step of the game, and whether the mines are drawn anew."""

    at: Count
    fresh: bool = False


@dataclass(frozen=True)
class ReviewFields:
    """Whether a review has win chances."""

    wins: bool = True


@dataclass(frozen=True)
class CoachFile:
    """A file of games as base64; with `first`, the games before it are forgotten."""

    name: Text
    data: Annotated[str, Length(limits.FILE_CHARACTERS)]
    first: bool = False


@dataclass(frozen=True)
class Racers:
    """The names of agents."""

    agents: Annotated[list[str], Length(limits.RACERS, 1)]


@dataclass(frozen=True)
class RaceFields(RuleFields, Racers):
    """The agents of a race, and its board: that of this game, or of the rules."""

    same: bool = False


@dataclass(frozen=True)
class LoadFields:
    """A text, or a file as base64 with its name."""

    text: OptionalText = None
    name: Text = ""
    data: Annotated[str, Length(limits.FILE_CHARACTERS)] | None = None


@dataclass(frozen=True)
class Key:
    """The key of a game."""

    key: Text


@dataclass(frozen=True)
class Name:
    """The name of an agent."""

    name: Text


@dataclass(frozen=True)
class StepNumber:
    """A step of the game."""

    step: Count


@dataclass(frozen=True)
class ImportData:
    """What was exported."""

    data: Any = None


@dataclass(frozen=True)
class SettingsValues:
    """Settings to remember."""

    values: Annotated[dict[str, Any], Length(limits.SETTINGS)]


@dataclass(frozen=True)
class DrillDone:
    """A kind of drill, and whether the answer was right."""

    kind: DrillKind
    right: bool = False


@dataclass(frozen=True)
class QuestionNumber:
    """The number of a question."""

    question: Count


# ---- the table


class Where(Enum):
    """Where the function of a message runs."""

    AT_ONCE = "here, before the next message is read"
    IN_TURN = "here, in a method of the game, after the changes of the game before it"
    JOB = "here, while workers or the store do the work; a later one takes it back"
    TO_THE_END = "the same, but nothing takes it back, not even the end of the page"
    QUESTION = "in a worker: the function here says what goes there"


@dataclass(frozen=True)
class Entry:
    """A message that a page can send."""

    request: type
    """Its fields."""
    run: Callable[..., Any]
    """What is called with the page, or with the game and the page's number, and the fields."""
    where: Where
    seconds: float = limits.QUICK_SECONDS
    """The time limit of a question."""
    is_long: bool = False
    """Whether a question waits behind other long ones."""
    counts_as_help: bool = False
    """Whether the time of a game in progress is no record any more."""
    keep: Callable[[PageState, Plain, str], None] | None = None
    """Called with the page, the fields and the answer."""


AT_ONCE, IN_TURN, JOB, TO_THE_END, QUESTION = Where
LONG, RACE = limits.ANALYSIS_SECONDS, limits.RACE_SECONDS
TABLE: dict[str, Entry] = {
    "open": Entry(OfCell, PageGame.open, IN_TURN),
    "chord": Entry(OfCell, PageGame.chord, IN_TURN),
    "mark": Entry(OfCell, PageGame.mark, IN_TURN),
    "undo": Entry(Nothing, PageGame.undo, IN_TURN),
    "redo": Entry(Nothing, PageGame.redo, IN_TURN),
    "restart": Entry(Nothing, PageGame.restart, IN_TURN),
    "pause": Entry(PauseFields, PageGame.pause, IN_TURN),
    "stop": Entry(Nothing, PageGame.stop, IN_TURN),
    "new": Entry(RuleFields, PageGame.new, IN_TURN),
    "load": Entry(LoadFields, PageGame.load, IN_TURN),
    "agent": Entry(Name, commands.agent, AT_ONCE),
    "agent_move": Entry(AgentMove, commands.agent_move, JOB),
    "play_from": Entry(PlayFrom, commands.play_from, JOB),
    "another": Entry(RuleFields, commands.another, JOB),
    "open_game": Entry(Key, commands.open_game, JOB),
    "position": Entry(StepNumber, commands.past_position, AT_ONCE),
    "moves": Entry(Nothing, commands.moves, JOB),
    "share": Entry(Nothing, commands.share, JOB),
    "games": Entry(Nothing, commands.games, JOB),
    "forget_game": Entry(Key, commands.forget_game, JOB),
    "statistics": Entry(Nothing, commands.statistics, JOB),
    "erase": Entry(Nothing, commands.erase, TO_THE_END),
    "export": Entry(Nothing, commands.export, JOB),
    "import": Entry(ImportData, commands.take_in, TO_THE_END),
    "settings": Entry(SettingsValues, commands.settings, TO_THE_END),
    "drill_done": Entry(DrillDone, commands.drill_done, TO_THE_END),
    "lessons": Entry(Nothing, commands.lessons, AT_ONCE),
    "cancel": Entry(QuestionNumber, commands.cancel, AT_ONCE),
    "risks": Entry(AtPosition, commands.position, QUESTION, counts_as_help=True),
    "why": Entry(AtCell, commands.position, QUESTION, counts_as_help=True),
    "hint": Entry(AtPosition, commands.position, QUESTION, counts_as_help=True),
    "may_guess": Entry(AtPosition, commands.position, QUESTION, counts_as_help=True),
    "decide": Entry(AtAgent, commands.asked_agent, QUESTION, counts_as_help=True),
    "knowledge": Entry(AtAgent, commands.asked_agent, QUESTION, counts_as_help=True),
    "win_chances": Entry(AtPosition, commands.position, QUESTION, counts_as_help=True),
    "analysis": Entry(
        AtAnalysis, commands.position, QUESTION, LONG, is_long=True, counts_as_help=True
    ),
    "verdict": Entry(AtMove, commands.move_before, QUESTION),
    "drill": Entry(Nothing, commands.due_drill, QUESTION),
    "review": Entry(ReviewFields, commands.record, QUESTION, LONG, is_long=True),
    "coach": Entry(
        CoachFile, commands.coach_file, QUESTION, LONG, is_long=True, keep=commands.keep_coached
    ),
    "coaching": Entry(Nothing, commands.coached_games, QUESTION),
    "race": Entry(RaceFields, commands.racers, QUESTION, RACE, is_long=True),
}


# ---- the page


class Page(PageState):
    """One open page. A transport connects it, hands it every message, and closes it."""

    @classmethod
    async def connect(cls, service: Service, send: Send, key: str | None = None) -> Page:
        """Return a page with its game; `key` names the game that it showed before.

        Raises:
            BusyError: too many games are open.
        """
        opened, service.first = service.first, None
        if opened is None:
            page = cls(service, send, await service.games.find(key))
            page.greet()
            return page
        page = cls(service, send, await service.games.another())
        await page._open_first(opened)
        return page

    async def _open_first(self, opened: Opened) -> None:
        """Greet the first page with what it is to show."""
        position, fault = "", None
        try:
            answer = await self.game.load(self.number, opened.text)
            position = (answer or {}).get("position", "")
        except CodedError as error:
            fault = error
        self.greet(position)
        if fault is not None:
            self.push("refused", **refusal(fault))

    def greet(self, position: str = "") -> None:
        """Tell the page all that it needs to begin; `position` is what it is to analyse."""
        self.push("hello", **self.service.hello(), **commands.here(self), position=position)
        self.push_damaged()

    def receive(self, text: str | None) -> None:
        """Take in a message of the page: do it now, or begin to answer it."""
        number = None
        try:
            if text is None:
                raise InputError("expected text, got bytes")
            message = read_message(text)
            number = from_plain(Count, message.get("n"), 'field "n"')
            check_depth(message, "a message", limits.DEPTH)
            self._begin(number, message)
        except InputError as error:
            self.post({"n": number, **refusal(error)})
        except Exception:  # the page is told, and the service goes on
            log.exception("a command failed")
            self.post({"n": number, **refusal(FAILED)})

    def _begin(self, number: int, message: Message) -> None:
        name = from_plain(str, message.get("do"), 'field "do"')
        entry = TABLE.get(name)
        if entry is None:
            raise InputError(f"expected a command, got {name[:SHOWN]!r}")
        names = [field.name for field in fields(entry.request)]
        known = {name: message[name] for name in names if name in message}
        values = dict(vars(from_plain(entry.request, known)))
        slot = from_plain(OptionalText, message.get("slot"), 'field "slot"') or name
        if entry.where is AT_ONCE:
            self.post({"n": number, **entry.run(self, **values)})
        elif entry.where is IN_TURN:
            self.begin_in_turn(number, partial(self._change, self.game, entry, values))
        elif entry.where is TO_THE_END:
            self.service.begin(self.answer(number, partial(entry.run, self, **values)))
        elif entry.where is JOB:
            self.begin(number, slot, partial(entry.run, self, **values))
        else:
            self.begin(number, slot, partial(self._answered, number, name, entry, values))

    async def _change(self, game: PageGame, entry: Entry, values: Plain) -> Answer:
        """Change the game; the answer is the new view, unless the change has its own."""
        was_in_progress = game.is_in_progress
        answer = await entry.run(game, self.number, **values)
        return answer or {"key": game.key, "view": self.changed(game, was_in_progress)}

    async def _answered(self, number: int, name: str, entry: Entry, values: Plain) -> str:
        """Have a question answered; the answer stands under the question's name."""
        seconds = min(values.pop("seconds", entry.seconds), entry.seconds)
        asked = entry.run(self, **values)
        asked = await asked if isawaitable(asked) else asked
        if entry.counts_as_help and not isinstance(values.get("at"), str):
            self.count_help()
        answer = await self.ask(number, name, asked, seconds, entry.is_long)
        if entry.keep is not None:
            entry.keep(self, values, answer)
        return f'{{"{name}":{answer}}}'
