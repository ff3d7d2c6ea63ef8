"""The local server: the page's files, a web socket per page, and workers for questions."""

from __future__ import annotations

import asyncio
import gc
import json
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from mineproof import __version__
from mineproof.agents.loading import is_foreign
from mineproof.core.errors import WorkLimitError
from mineproof.match.isolated import described
from mineproof.service import Page, Service, Storage, Workers
from mineproof.service.answering import make_answerer
from mineproof.service.limits import QUICK_SECONDS, BusyError
from mineproof.service.player_words import refusal
from mineproof.service.resources import Question, Report
from mineproof.workers.errors import AnswerError, CrowdedError, DeadlineError, WorkerDiedError
from mineproof.workers.pool import Pool
from mineproof.workers.worker import Worker

STATIC = str(files("mineproof.web") / "static")
QUICK_WORKERS = 2
LONG_WORKERS = 2
WORKER_BYTES = 3 * 1024**3
"""Maximum address space of a worker process."""
OUTBOX_BYTES = 4 * 1024 * 1024
"""Maximum size of a page's unsent messages. Beyond it, the page is disconnected."""
TRY_LATER = 1013
SWITCH_SECONDS = 0.001
"""Maximum time that another thread may delay the event loop."""


class Server:
    """A service, its workers, and the application that transports its messages."""

    def __init__(
        self, store: Storage, own_agents: Iterable[str] = (), first: str | None = None
    ) -> None:
        """Prepare a server. Nothing runs before its application starts.

        Args:
            store: stores games, results and settings.
            own_agents: agents with options, files (`FILE.py:Class`) or engines, offered with the
                others. The first one helps the player.
            first: the text of the game or position that the first page should show.
        """
        about = {"version": __version__, "transport": "server"}
        # This process holds the games, so it must never load a user's agent file.
        own = {name: described(name) if is_foreign(name) else None for name in own_agents}
        self.service = Service(
            store,
            Workers(self._answer, self._run, self._use_store),
            own_agents=own,
            first=first,
            about=about,
        )
        # One thread. The event loop still gets a turn every millisecond.
        self._thread = ThreadPoolExecutor(1)

    async def _use_store(self, work: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def _run(self, job: Callable[[], Any], page: int) -> Any:
        with _coded_errors(QUICK_SECONDS):
            return await self._jobs.ask(job, seconds=QUICK_SECONDS, client=page)

    async def _answer(self, question: Question, report: Report) -> str:
        pool = self._long if question.is_long else self._quick
        with _coded_errors(question.seconds):
            found: str = await pool.ask(
                (question.name, question.values, question.seconds),
                seconds=question.deadline,
                key=question.key,
                client=question.page,
                part=report,
            )
            return found

    @asynccontextmanager
    async def life(self, _app: Starlette) -> AsyncIterator[None]:
        """Run the workers as long as the application runs. Moves have priority over them."""
        sys.setswitchinterval(SWITCH_SECONDS)
        self.service.hello()  # load all modules before the first page connects
        gc.freeze()  # these objects stay, so searching them for garbage would only delay moves
        self._quick = Pool([_worker(nice=5) for _ in range(QUICK_WORKERS)])
        self._long = Pool([_worker(nice=10) for _ in range(LONG_WORKERS)])
        self._jobs = Pool([Worker(make_caller, memory=WORKER_BYTES, nice=5)])
        pools = self._quick, self._long, self._jobs
        self.service.begin(_warm_up(pools))
        try:
            yield
        finally:
            await self.service.close()
            for pool in pools:
                await pool.close()
            self._thread.shutdown(wait=False, cancel_futures=True)

    def application(self) -> Starlette:
        """Return the application that answers requests."""

        async def page(_request: Request) -> FileResponse:
            return FileResponse(f"{STATIC}/index.html")

        async def socket(websocket: WebSocket) -> None:
            await Connection(websocket).run(self.service, websocket.query_params.get("game"))

        routes = [
            Route("/", page),
            WebSocketRoute("/socket", socket),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]
        return Starlette(routes=routes, lifespan=self.life)


@contextmanager
def _coded_errors(seconds: float) -> Iterator[None]:
    """Turn a worker's failures into errors with codes for the page."""
    try:
        yield
    except CrowdedError as error:
        raise BusyError(f"{error}; try again in a moment") from None
    except DeadlineError:
        text = f"no answer within {seconds:g} s"
        raise WorkLimitError(text, code="deadline", seconds=seconds) from None
    except (WorkerDiedError, AnswerError) as error:
        raise WorkLimitError(str(error), code="worker-died") from None
    except MemoryError:
        raise WorkLimitError("out of memory", code="out-of-memory") from None


async def _warm_up(pools: Iterable[Pool]) -> None:
    """Start the workers before the first question comes, in the order of the pools."""
    for pool in pools:
        await pool.warm_up()


def make_caller() -> Callable[[Callable[[], Any], Any], Any]:
    """Return a function that calls the functions sent to a worker."""
    return lambda job, _report: job()


def _worker(nice: int) -> Worker:
    return Worker(partial(make_answerer, isolated=True), memory=WORKER_BYTES, nice=nice)


class Connection:
    """A web socket and its unsent messages."""

    def __init__(self, socket: WebSocket) -> None:
        """Serve a socket that the guard has accepted."""
        self._socket = socket
        self._outbox: asyncio.Queue[str] = asyncio.Queue()
        self._unsent = 0
        self._too_slow = asyncio.Event()

    async def run(self, service: Service, key: str | None) -> None:
        """Send and receive messages until the page disconnects or falls too far behind."""
        await self._socket.accept()
        try:
            page = await Page.connect(service, self._send, key or None)
        except BusyError as error:
            await self._socket.send_text(json.dumps({"push": "refused", **refusal(error)}))
            await self._socket.close(TRY_LATER)
            return
        work = [asyncio.create_task(one) for one in (self._read(page), self._write(), self._drop())]
        try:
            await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in work:
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)
            page.close()

    def _send(self, text: str) -> None:
        if self._unsent > OUTBOX_BYTES:  # the page does not read its messages
            self._too_slow.set()
            return
        self._unsent += len(text)
        self._outbox.put_nowait(text)

    async def _read(self, page: Page) -> None:
        with suppress(WebSocketDisconnect):
            while True:
                event = await self._socket.receive()
                if event["type"] == "websocket.disconnect":
                    return
                page.receive(event.get("text"))
                await asyncio.sleep(0)  # a page that sends endlessly must not starve others

    async def _write(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            while True:
                text = await self._outbox.get()
                await self._socket.send_text(text)
                self._unsent -= len(text)

    async def _drop(self) -> None:
        await self._too_slow.wait()
