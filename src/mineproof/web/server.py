"""Starts the server on a port of this machine, with a token in its address."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable

import uvicorn

from mineproof.core.errors import InputError
from mineproof.service import limits
from mineproof.web.app import Server
from mineproof.web.guard import Guard

HOST = "127.0.0.1"
CONNECTIONS = 400
"""Maximum number of open connections."""
AT_A_TIME = 16 * 1024
"""Bytes to read from a page before other pages get their turn."""


class _Announcing(uvicorn.Server):
    """A server that calls a function when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the server, then call the function."""
        await super().startup(sockets=sockets)
        if self.started:
            self._ready()


def listen(port: int) -> socket.socket:
    """Return a socket bound to a port of this machine. Port 0 means any free port.

    Raises:
        InputError: the port is in use.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, AT_A_TIME)
    try:
        listener.bind((HOST, port))
    except (OSError, OverflowError) as error:
        listener.close()
        raise InputError(f"cannot use port {port}: {error}") from None
    return listener


def run(server: Server, port: int, show: Callable[[str], None]) -> None:
    """Serve until Ctrl-C.

    Args:
        server: the server.
        port: the port, or 0 for a free one.
        show: called with the address when the server is ready.
    """
    token = secrets.token_urlsafe(16)
    with listen(port) as listener:
        number = listener.getsockname()[1]
        address = f"http://{HOST}:{number}/{token}/"
        hosts = (f"{HOST}:{number}", f"localhost:{number}")

        config = uvicorn.Config(
            Guard(server.application(), token, hosts),
            log_level="error",
            access_log=False,
            ws="websockets-sansio",
            ws_max_size=limits.MESSAGE_BYTES,
            ws_per_message_deflate=False,
            limit_concurrency=CONNECTIONS,
            timeout_graceful_shutdown=1,
            server_header=False,
        )
        _Announcing(config, lambda: show(address)).run(sockets=[listener])
