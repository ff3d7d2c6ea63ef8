"""Protection of the local server: only its own page may talk to it.

Pages of other sites can send requests to 127.0.0.1 too. The guard recognises them, because they
do not know the token, they send their own `Origin`, and a domain name that they point at
127.0.0.1 appears in `Host`.
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
ENTRY = {
    "/": (
        '<!doctype html><html lang="en"><title>Mineproof</title><script defer src="enter.js">'
        "</script><p>Open the address that <code>mineproof web</code> printed, then this link "
        "again.</html>",
        "text/html",
    ),
    "/enter.js": (
        "const home = localStorage.getItem('home') ?? '';\n"
        "if (/^\\/[\\w-]+\\/$/.test(home)) location.replace(home + location.hash);\n",
        "text/javascript",
    ),
}
"""The page behind a shared link. A browser that has visited the page knows the token."""
REFUSED = 4403
"""The close code of a rejected socket."""


class Guard:
    """Passes on requests from the page and rejects all others."""

    def __init__(self, app: ASGIApp, token: str, hosts: Iterable[str]) -> None:
        """Protect an application.

        Args:
            app: answers requests from the page. It sees the path after the token.
            token: the first part of every path.
            hosts: the allowed values of `Host`, such as `127.0.0.1:8000`.
        """
        self._app = app
        self._token = token.encode()
        self._hosts = frozenset(hosts)
        self._origins = frozenset(f"http://{host}" for host in self._hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request or a socket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        status = self._status(scope)
        if status == 404 and scope["type"] == "http" and scope["path"] in ENTRY:
            text, kind = ENTRY[scope["path"]]
            await Response(text, media_type=kind)(scope, receive, _with_headers(send))
        elif status == 200:
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
        """Check the origin. Only GET and HEAD requests may omit it."""
        origins = headers.getlist("origin")
        reads = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        return not origins if reads and not origins else origins in [[o] for o in self._origins]

    def _inside(self, scope: Scope) -> Scope:
        """Return the scope without the token in its path."""
        root = f"/{self._token.decode()}"
        return {**scope, "root_path": scope.get("root_path", "") + root}


def _refusal(status: int) -> Response:
    words = {
        403: "expected a request from this server's own page",
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
