"""The table of all messages that a page can send, and the class that reads them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, make_dataclass
from enum import Enum
from functools import cached_property, partial
from inspect import isawaitable, signature
from typing import Annotated, Any, get_type_hints

from mineproof.core.errors import CodedError, InputError
from mineproof.core.grid import Cell
from mineproof.notation.codec import Between, from_plain
from mineproof.notation.text import check_depth, load_json, quote
from mineproof.service import commands, limits
from mineproof.service.fields import Count, OptionalText, RuleFields, read_fields
from mineproof.service.page_game import PageGame
from mineproof.service.page_state import FAILED, Answer, PageState, Send, log
from mineproof.service.player_words import refusal
from mineproof.service.resources import Plain, Question
from mineproof.service.service import Service
from mineproof.session.storage import DEPTH


class Where(Enum):
    """Where and when the function for a message runs."""

    NOW = "here, before the next message is read"
    IN_ORDER = "here, as a method of the game, after all earlier commands of that game"
    TASK = "here, while workers or the store do the work; a later message can cancel it"
    TO_THE_END = "as a task that cannot be cancelled, even if the page disconnects"
    QUESTION = "in a worker; the function returns the values to send to it"


@dataclass(frozen=True)
class Entry:
    """A message that a page can send. Its fields are the parameters of `run`."""

    run: Callable[..., Any]
    """Called with the fields, after the page, or after the game and the page's number."""
    where: Where
    more: type = object
    """A dataclass with additional fields, which `run` takes as keyword arguments."""
    seconds: float = limits.QUICK_SECONDS
    """The time limit for answering a question. With more time than this default, a question queues
    behind other long ones."""
    store: Callable[[PageState, str], None] | None = None
    """Called with the page and the answer."""

    @cached_property
    def request(self) -> type:
        """A dataclass with all fields of the message, for the codec to read."""
        hints = get_type_hints(self.run, include_extras=True)
        own = [
            (name, hints[name], field(default=MISSING if one.default is one.empty else one.default))
            for name, one in signature(self.run).parameters.items()
            if name not in ("self", "page", "_page") and one.kind is not one.VAR_KEYWORD
        ]
        return make_dataclass("Request", own, bases=(self.more,), frozen=True, kw_only=True)


@dataclass(frozen=True)
class CellField:
    """A cell. The game checks whether it is on the board."""

    cell: Cell


@dataclass(frozen=True)
class AnalysisFields:
    """Options of an analysis."""

    seconds: Annotated[float, Between(0.001, 10**9)] = limits.ANALYSIS_SECONDS
    flags_are_mines: bool = False
    deep: bool = False


NOW, IN_ORDER, TASK, TO_THE_END, QUESTION = Where
about_position = partial(Entry, commands.position, QUESTION)
long_question = partial(Entry, where=QUESTION, seconds=limits.ANALYSIS_SECONDS)


def entries(where: Where, *runs: Callable[..., Any]) -> dict[str, Entry]:
    """Return the messages with the names of these functions."""
    return {run.__name__: Entry(run, where) for run in runs}


TABLE: dict[str, Entry] = {
    **entries(IN_ORDER, PageGame.open, PageGame.chord, PageGame.mark, PageGame.undo),
    **entries(IN_ORDER, PageGame.redo, PageGame.restart, PageGame.pause, PageGame.look),
    **entries(IN_ORDER, PageGame.stop, PageGame.load),
    "new": Entry(PageGame.new, IN_ORDER, RuleFields),
    **entries(NOW, commands.agent, commands.lessons, commands.cancel),
    "position": Entry(commands.past_position, NOW),
    **entries(TASK, commands.agent_move, commands.play_from, commands.open_game, commands.moves),
    **entries(TASK, commands.share, commands.games, commands.forget_game, commands.statistics),
    **entries(TASK, commands.export, commands.coach_kept),
    "another": Entry(commands.another, TASK, RuleFields),
    **entries(TO_THE_END, commands.erase, commands.settings, commands.drill_done),
    "import": Entry(commands.import_data, TO_THE_END),
    **dict.fromkeys(("risks", "hint", "may_guess", "win_chances"), about_position()),
    "why": about_position(CellField),
    "analysis": long_question(commands.position, more=AnalysisFields),
    **dict.fromkeys(("decide", "knowledge"), Entry(commands.asked_agent, QUESTION)),
    "verdict": Entry(commands.move_before, QUESTION),
    "drill": Entry(commands.due_drill, QUESTION),
    "review": long_question(commands.record),
    "coach": long_question(commands.coach_file, store=commands.store_coached),
    "coaching": Entry(commands.coached_games, QUESTION),
    "race": long_question(commands.racers, more=RuleFields, seconds=limits.RACE_SECONDS),
    "series": long_question(commands.series, more=RuleFields, seconds=limits.RACE_SECONDS),
}


class Page(PageState):
    """An open page. A transport connects it, passes it every message, and closes it."""

    @classmethod
    async def connect(cls, service: Service, send: Send, key: str | None = None) -> Page:
        """Return a page with its game; `key` names the game that it showed before.

        Raises:
            BusyError: too many games are open.
        """
        opened, service.first = service.first, None
        find = service.games.find(key) if opened is None else service.games.another()
        page = cls(service, send, await find)
        answer = fault = None
        if opened is not None:
            try:
                answer = await page.game.load(page.number, opened)
            except CodedError as error:
                fault = error
        page.greet((answer or {}).get("position", ""))
        if fault is not None:
            page.push("refused", **refusal(fault))
        return page

    def greet(self, position: str = "") -> None:
        """Send the page everything it needs to start, and optionally a position to analyse."""
        self.push("hello", **self.service.hello(), **commands.here(self), position=position)
        self.push_damaged()

    def receive(self, text: str | None) -> None:
        """Read a message from the page, and answer it or start a task that answers it."""
        number = None
        try:
            if text is None:
                raise InputError("expected text, got bytes")
            message = read_message(text)
            number = from_plain(Count, message.get("n"), 'field "n"')
            check_depth(message, "a message", DEPTH)
            self._begin(number, message)
        except InputError as error:
            self.post({"n": number, **refusal(error)})
        except Exception:  # report the error to the page, and keep serving
            log.exception("a command failed")
            self.post({"n": number, **refusal(FAILED)})

    def _begin(self, number: int, message: Plain) -> None:
        name = from_plain(str, message.get("do"), 'field "do"')
        entry = TABLE.get(name)
        if entry is None:
            raise InputError(f"expected a command, got {quote(name)}")
        values = dict(vars(read_fields(entry.request, message)))
        slot = from_plain(OptionalText, message.get("slot"), 'field "slot"') or name
        if entry.where is NOW:
            self.post({"n": number, **entry.run(self, **values)})
        elif entry.where is IN_ORDER:
            self.begin_in_order(number, partial(self._change, self.game, entry, values))
        elif entry.where is TO_THE_END:
            self.service.begin(self.answer(number, partial(entry.run, self, **values)))
        elif entry.where is TASK:
            self.begin(number, slot, partial(entry.run, self, **values))
        else:
            self.begin(number, slot, partial(self._ask, number, name, entry, values))

    async def _change(self, game: PageGame, entry: Entry, values: Plain) -> Answer:
        """Change the game. Return the command's own answer, or else the new view."""
        answer = await entry.run(game, self.number, **values)
        return answer or {"key": game.key, "view": self.changed(game)}

    async def _ask(self, number: int, name: str, entry: Entry, values: Plain) -> str:
        """Have a worker answer a question; send parts of the answer as they arrive."""
        seconds = min(values.pop("seconds", entry.seconds), entry.seconds)
        asked = entry.run(self, **values)
        asked = await asked if isawaitable(asked) else asked
        is_long = entry.seconds > limits.QUICK_SECONDS and seconds > limits.SHORT_SECONDS
        question = Question(name, asked, seconds, is_long, self.game.key, self.number)
        answer = await self.service.workers.answer(
            question, lambda part: self._send(f'{{"n":{number},"part":{part}}}')
        )
        if entry.store is not None:
            entry.store(self, answer)
        return f'{{"{name}":{answer}}}'


def read_message(text: str) -> Plain:
    """Read a page's message: a JSON object of limited size. The nesting depth is checked later.

    Raises:
        NotationError: the text is not such an object.
    """
    found = load_json(text, "a message", values=limits.VALUES)
    return from_plain(Plain, found, "a message")
