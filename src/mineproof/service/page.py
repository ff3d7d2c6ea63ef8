"""A page that is connected: reads its messages, sends answers, never blocks others."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Awaitable, Callable
from functools import partial
from inspect import isawaitable
from typing import TYPE_CHECKING, Any

from mineproof.core.errors import CodedError, IllegalMoveError, InputError
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.generate.no_guess import NotDealtError, in_a_moment
from mineproof.notation.game_id import GameId
from mineproof.notation.records import Step
from mineproof.service import fields, limits
from mineproof.service.fields import Message
from mineproof.service.limits import BusyError
from mineproof.service.page_game import (
    COMMANDS,
    Dealt,
    PageGame,
    branched,
    change,
    read_rules,
    remember_mines,
)
from mineproof.service.player_words import refusal
from mineproof.service.positions import Plain, to_plain
from mineproof.service.questions import QUESTIONS
from mineproof.service.requests import REQUESTS

if TYPE_CHECKING:
    from mineproof.service.service import Service

_log = logging.getLogger(__name__)
FAILED = CodedError("internal error (see the log)", code="internal")
CANCELLED = CodedError("cancelled", code="cancelled")
Send = Callable[[str], None]
"""Takes a message for the page; whoever carries it decides when to give a slow page up."""
Answering = Callable[[], Awaitable[dict[str, Any] | str]]
"""Gives an answer, or its JSON text where that is long."""


class Page:
    """One open page. A transport makes it, hands it every message, and closes it."""

    def __init__(self, service: Service, send: Send, key: str | None = None) -> None:
        """Connect a page; `key` names the game that it showed before.

        Raises:
            BusyError: too many games are open.
        """
        self.service = service
        self._send = send
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._slots: dict[str, int] = {}
        self.coached: list[Plain] = []
        """What the coach said of the games that this page showed it."""
        self.game: PageGame
        self.game, position = service.games.attach(self, key)
        self.greet(position)

    def greet(self, position: str = "") -> None:
        """Tell the page all that it needs to begin; `position` is what it is to analyse."""
        here = {"key": self.game.key, "view": self.game.view(), "position": position}
        self.push("hello", **self.service.hello(), **here)
        self.tell_damaged()

    def tell_damaged(self) -> None:
        """Say which games could not be read and were put aside."""
        for key in self.service.games.damaged():
            text = f"expected games that are whole, got {key}, put aside"
            self.push("refused", **refusal(InputError(text, code="damaged-game", key=key)))

    def close(self) -> None:
        """Let go of the game; questions under way are taken back."""
        for task in self._tasks.values():
            task.cancel()
        self.service.games.detach(self, self.game)

    def move_to(self, game: PageGame) -> None:
        """Look at another game."""
        if game is not self.game:
            self.service.games.detach(self, self.game)
        self.game = game

    def push(self, kind: str, **values: Any) -> None:
        """Send the page something it did not ask for."""
        self._post({"push": kind, **values})

    def changed(self, was_under_way: bool) -> dict[str, Any]:
        """Tell other pages with the same game what has changed; count a game that has ended."""
        view = self.game.view()
        self._tell(self.game, view)
        self.service.changed(self.game, was_under_way)
        return view

    def _tell(self, game: PageGame, view: dict[str, Any]) -> None:
        for page in game.pages - {self}:
            page.push("view", view=view)

    # ---- reading

    def receive(self, text: str | None) -> None:
        """Take in a message of the page: do it now, or begin to answer it."""
        number = None
        try:
            if text is None:
                raise InputError("expected text, got bytes")
            message = fields.read_message(text)
            number = message["n"]
            fields.check_depth(message)
            with in_a_moment():
                self._do(message)
        except InputError as error:
            self._post({"n": number, **refusal(error)})
        except Exception:  # a fault of ours: the page is told, and the service goes on
            _log.exception("a command failed")
            self._post({"n": number, **refusal(FAILED)})

    def _do(self, message: Message) -> None:
        name, number = message["do"], message["n"]
        if name == "cancel":
            self._cancel(fields.a_count(message, "question"))
            self._post({"n": number})
        elif name in COMMANDS or name in REQUESTS:
            self._do_at_once(message)
        elif name == "coach":
            self.begin(message, partial(self._coach, message))
        elif name in QUESTIONS and not QUESTIONS[name].is_inner:
            self.begin(message, partial(self._answered, name, message))
        elif name == "agent_move":
            self.begin(message, partial(self._agent_move, message))
        elif name == "play_from":
            self.begin(message, partial(self._play_from, message))
        else:
            raise InputError(f"expected a command, got {name[: fields.SHOWN]!r}")

    def _do_at_once(self, message: Message) -> None:
        """Do what takes a moment; only a board that is hard to find makes it wait for that."""
        name, game = message["do"], self.game
        if name in COMMANDS and (game.pending or self._is_heavy(message)):
            self.begin_aside(message, game)
            return
        try:
            done = self._done(message)
        except NotDealtError as missing:
            self.begin(message, partial(self._do_dealt, message, missing))
        else:
            if done is not None:
                self._post({"n": message["n"], **done})

    def _is_heavy(self, message: Message) -> bool:
        """Say whether a command is about a board that others should not wait for."""
        if message["do"] == "new":
            return limits.is_heavy(read_rules(message, self.game.session.rules))
        return self.game.is_heavy

    def _done(self, message: Message) -> dict[str, Any] | None:
        name = message["do"]
        if name in REQUESTS:
            return REQUESTS[name](self, message)
        under_way = self.game.is_under_way
        COMMANDS[name](self.game, message)
        return {"view": self.changed(under_way)}

    async def _do_dealt(self, message: Message, missing: NotDealtError) -> dict[str, Any]:
        remember_mines(await self._deal(missing))
        done = self._done(message)
        assert done is not None
        return done

    def begin_aside(self, message: Message, game: PageGame, counts: bool = True) -> None:
        """Change a game in another process; one command after the other."""
        if message["do"] == "new" and not message.get("seed") and (seed := game.some_seed()):
            message = {**message, "seed": str(seed)}
        # A page that goes away must not leave the work half done: this task goes on.
        task = asyncio.create_task(self._change(message, game, counts))
        game.pending += 1

        def end(done: asyncio.Task[dict[str, Any]]) -> None:
            game.pending -= 1
            if not done.cancelled():
                done.exception()  # seen, though perhaps nobody waits for it

        task.add_done_callback(end)
        try:
            self.begin(message, lambda: asyncio.shield(task), slot=f"aside {message['n']}")
        except BusyError:
            task.cancel()
            raise

    async def _change(self, message: Message, game: PageGame, counts: bool) -> dict[str, Any]:
        async with game.turn:
            under_way = game.is_under_way and counts
            work = partial(change, game.key, game.parcel(), message)
            answer: dict[str, Any]
            try:
                parcel, answer = await self.aside(work)
            except NotDealtError as missing:
                dealt = await self._deal(missing)
                parcel, answer = await self.aside(partial(work, dealt=dealt))
            if parcel is None:
                return answer
            game.unpack(parcel)
        self._tell(game, answer["view"])
        self.service.changed(game, under_way)
        return answer

    async def do_later(self, message: Message) -> None:
        """Do what takes a while without being asked, and tell the page then."""
        answer = await self._change(message, self.game, counts=False)
        self.push("view", view=answer["view"])

    async def _deal(self, missing: NotDealtError) -> Dealt:
        """Have a board dealt where nobody else waits."""
        rules, seed, first = missing.rules, missing.seed, missing.first
        wanted = {"id": str(GameId(rules, seed, first))}
        mines = await self.service.ask(self, "deal", wanted, lambda _part: None)
        return Dealt(rules, seed, first, mines)

    async def aside(self, work: Callable[[], Any]) -> Any:
        """Call a function where it holds up no other page."""
        return await self.service.aside(work, id(self))

    async def about_game(self, work: Callable[[], Any]) -> Any:
        """Call a function about the game, here if that takes no time."""
        return await self.aside(work) if self.game.is_heavy else work()

    async def seen_at(self, step: int) -> Observation:
        """Give the position after a step of the game."""
        session = self.game.session
        if step == session.step:
            return session.observation
        found: Observation = await self.about_game(partial(session.observation_at, step))
        return found

    # ---- questions

    async def _answered(self, name: str, message: Message) -> dict[str, Any] | str:
        answer = await self._ask(name, message)
        return f'{{"{name}":{answer}}}' if QUESTIONS[name].is_written else {name: answer}

    async def _ask(self, name: str, message: Message) -> Any:
        question, number = QUESTIONS[name], message["n"]
        values: dict[str, Any] = {}
        for read in question.readers:
            found = read(self, message)
            values |= await found if isawaitable(found) else found
        if question.aids and self.game.is_under_way and not isinstance(message.get("at"), str):
            self.game.aided = True
        return await self.service.ask(self, name, values, partial(self._post_part, number))

    async def _coach(self, message: Message) -> dict[str, Any]:
        """Judge the games of a file, and keep what is said of them beside those before."""
        if fields.a_flag(message, "first"):
            self.coached.clear()
        answer = await self._ask("coach", message)
        self.coached += [{**report, "record": None} for report in answer]
        if len(self.coached) > limits.COACHED:
            del self.coached[limits.COACHED :]
            raise InputError(f"expected at most {limits.COACHED} games at once")
        return {"coach": answer}

    async def _agent_move(self, message: Message) -> dict[str, Any]:
        """Let the agent make one move; a guess only where guesses are wanted."""
        game, session = self.game, self.game.session
        before = (session.seed, session.step)
        decision = await self._ask("decide", {**message, "at": None})
        now = (session.seed, session.step)
        if now != before or game.session is not session or self.game is not game or game.pending:
            raise IllegalMoveError("expected the same position, but the game went on meanwhile")
        made = decision is not None and (
            decision["proved"] or fields.a_flag(message, "guess", True)
        )
        if not made:
            return {"decision": decision, "made": False, "view": game.view()}
        move = Move(Action(decision["action"]), Cell(*decision["cell"]))
        step = Step(move, decision["proved"], decision["risk"], decision["reason"])
        return {"decision": decision, "made": True, "view": await self._accept(game, step)}

    async def _accept(self, game: PageGame, step: Step) -> dict[str, Any]:
        """Make an agent's move, and give the view after it."""
        under_way = game.is_under_way
        try:
            if not game.is_heavy:
                with in_a_moment():
                    game.accept(step)
                return self.changed(under_way)
        except NotDealtError:
            pass  # another process waits for the board
        game.pending += 1
        try:
            answer = await self._change({"do": "agent_move", "step": step}, game, counts=True)
        finally:
            game.pending -= 1
        view: dict[str, Any] = answer["view"]
        return view

    async def _play_from(self, message: Message) -> dict[str, Any]:
        """Go on from a step, in a game of its own: on the same board, or on a fresh layout."""
        game, step = self.game, fields.a_count(message, "at", self.game.session.steps)
        mines = None
        if fields.a_flag(message, "fresh"):
            position = to_plain(await self.seen_at(step))
            wanted = {"position": position, "layout_seed": secrets.randbits(64)}
            mines = await self.service.ask(self, "fresh_layout", wanted, lambda _part: None)
        session = await self.aside(partial(branched, game.session, step, mines))
        if self.game is not game:
            raise IllegalMoveError("expected the same game, but another is shown meanwhile")
        self.move_to(self.service.games.another(self))
        self.game.take_up(session)
        return {"key": self.game.key, "view": self.changed(False)}

    def begin(self, message: Message, answer: Answering, slot: str = "") -> None:
        """Begin to answer a message; a later one in the same slot makes it void."""
        number = message["n"]
        slot = slot or fields.an_optional_text(message, "slot") or message["do"]
        if slot in self._slots:  # a newer question of the same kind makes the older one void
            self._cancel(self._slots[slot])
        if len(self._tasks) >= limits.QUESTIONS_EACH or number in self._tasks:
            raise BusyError("expected fewer questions at once from one page")
        self._slots[slot] = number
        task = asyncio.create_task(self._answer(number, answer))
        self._tasks[number] = task
        task.add_done_callback(lambda done: self._forget(done, number, slot))

    def _forget(self, task: asyncio.Task[None], number: int, slot: str) -> None:
        if task.cancelled():
            self._post({"n": number, **refusal(CANCELLED), "cancelled": True})
        self._tasks.pop(number, None)
        if self._slots.get(slot) == number:
            del self._slots[slot]

    def _cancel(self, number: int) -> None:
        task = self._tasks.pop(number, None)
        if task is not None:
            task.cancel()

    async def _answer(self, number: int, answering: Answering) -> None:
        answer: dict[str, Any] | str
        try:
            answer = await answering()
        except CodedError as error:
            answer = refusal(error)
        except Exception:
            _log.exception("a question failed")
            answer = refusal(FAILED)
        if isinstance(answer, str):
            self._send(f'{{"n":{number},{answer[1:]}')
        else:
            self._post({"n": number, **answer})

    def _post_part(self, number: int, part: Any) -> None:
        if isinstance(part, str):
            self._send(f'{{"n":{number},"part":{part}}}')
        else:
            self._post({"n": number, "part": part})

    def _post(self, message: dict[str, Any]) -> None:
        try:
            text = json.dumps(message, separators=(",", ":"), allow_nan=False)
        except (ValueError, TypeError, RecursionError):  # the page must not wait for ever
            _log.exception("an answer cannot be written")
            text = json.dumps({"n": message.get("n"), **refusal(FAILED)})
        self._send(text)
