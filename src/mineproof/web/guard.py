"""Who may speak to the server: this machine's own page, by host, origin and token.

A page of another site can send requests to 127.0.0.1 too. It cannot know the token, its
`Origin` is its own, and a name that it points at 127.0.0.1 shows in `Host`.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; object-src 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
REFUSED = 4403
"""The close code of a socket that was refused."""


class Guard:
    """Lets through what comes from the page and refuses the rest."""

    def __init__(self, app: ASGIApp, token: str, hosts: Iterable[str]) -> None:
        """Protect an application.

        Args:
            app: what answers the requests that are let through; it sees the path after the token.
            token: the first part of every path.
            hosts: the values of `Host` that are ours, `127.0.0.1:8000` and the like.
        """
        self._app = app
        self._token = token.encode()
        self._hosts = frozenset(hosts)
        self._origins = frozenset(f"http://{host}" for host in self._hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request or socket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        status = self._status(scope)
        if status == 200:
            await self._app(self._inside(scope), receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": REFUSED})
        else:
            await _refusal(status)(scope, receive, _with_headers(send))

    def _status(self, scope: Scope) -> int:
        headers = Headers(scope=scope)
        if headers.getlist("host") not in [[host] for host in self._hosts]:
            return 421
        if not self._origin_fits(scope, headers):
            return 403
        found = str(scope["path"]).removeprefix("/").partition("/")[0]
        return 200 if secrets.compare_digest(found.encode(), self._token) else 404

    def _origin_fits(self, scope: Scope, headers: Headers) -> bool:
        """Sockets and changes need our origin; reading needs no foreign one."""
        origins = headers.getlist("origin")
        reads = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        return not origins if reads and not origins else origins in [[o] for o in self._origins]

    def _inside(self, scope: Scope) -> Scope:
        """Take the token off the path."""
        root = f"/{self._token.decode()}"
        return {**scope, "root_path": scope.get("root_path", "") + root}


def _refusal(status: int) -> Response:
    words = {
        403: "expected a request of this page's own origin",
        404: "expected the address that `mineproof web` printed, with its token",
        421: "expected the host 127.0.0.1 or localhost with this server's port",
    }
    return PlainTextResponse(words[status] + "\n", status)


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
        await send(message)

    return sending
