"""The guard: host, origin, token, and the headers of every response."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from mineproof.web.guard import REFUSED, Guard

HOST = "127.0.0.1:8000"
OWN = f"http://{HOST}"


async def page(_request: Request) -> PlainTextResponse:
    return PlainTextResponse("in")


async def socket(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.send_text("in")
    await websocket.close()


@pytest.fixture
def client() -> TestClient:
    """Return a client of a guarded application."""
    routes = [Route("/", page, methods=["GET", "POST"]), WebSocketRoute("/socket", socket)]
    guarded = Guard(Starlette(routes=routes), "secret", [HOST, "localhost:8000"])
    return TestClient(guarded, base_url=OWN)


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/secret/", {}, 200),
        ("/secret/", {"host": "localhost:8000"}, 200),
        ("/secret/", {"origin": OWN}, 200),
        ("/secret/", {"host": "evil.example"}, 421),
        ("/secret/", {"host": "evil.example:8000"}, 421),
        ("/secret/", {"host": "127.0.0.1:8001"}, 421),
        ("/secret/", {"origin": "http://evil.example"}, 403),
        ("/secret/", {"origin": "null"}, 403),
        ("/secret/", {"origin": "http://127.0.0.1:8001"}, 403),
        ("/", {}, 200),
        ("/enter.js", {}, 200),
        ("/", {"host": "evil.example"}, 421),
        ("/", {"origin": "http://evil.example"}, 403),
        ("/static/", {}, 404),
        ("/secre/", {}, 404),
        ("/secrets/", {}, 404),
        ("/öffne/", {}, 404),
    ],
)
def test_requests(client: TestClient, path: str, headers: dict[str, str], status: int) -> None:
    """A request needs the right host and token, and no foreign origin."""
    answer = client.get(path, headers=headers)
    assert answer.status_code == status
    assert answer.headers["content-security-policy"].startswith("default-src 'self'")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "secret" not in answer.text


def test_changes_need_our_origin(client: TestClient) -> None:
    """A request that is not GET or HEAD is rejected without an origin."""
    assert client.post("/secret/").status_code == 403
    assert client.post("/secret/", headers={"origin": OWN}).status_code == 200


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/secret/socket", {}),
        ("/secret/socket", {"origin": "http://evil.example"}),
        ("/secret/socket", {"origin": OWN, "host": "evil.example"}),
        ("/socket", {"origin": OWN}),
        ("/wrong/socket", {"origin": OWN}),
    ],
)
def test_sockets_are_refused(client: TestClient, path: str, headers: dict[str, str]) -> None:
    """A socket needs the right host, origin and token."""
    with (
        pytest.raises(WebSocketDisconnect) as caught,
        client.websocket_connect(path, headers={"host": HOST, **headers}),
    ):
        pass
    assert caught.value.code == REFUSED


def test_our_own_socket_is_let_in(client: TestClient) -> None:
    headers = {"host": HOST, "origin": OWN}
    with client.websocket_connect("/secret/socket", headers=headers) as found:
        assert found.receive_text() == "in"
