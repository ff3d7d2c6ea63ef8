"""One server for all tests of a process that only need some server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from web_server import WebServer, web_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    """Run a server."""
    with web_server(tmp_path_factory.mktemp("data")) as running:
        yield running
