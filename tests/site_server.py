"""The static site for the tests, built again only if its sources change, and a server for it."""

from __future__ import annotations

import fcntl
import functools
import hashlib
import http.server
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mineproof.web import site_build

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "build" / "site"


class StaticSite:
    """A site that is served below a path, as on a host with many sites."""

    def __init__(self, folder: Path, port: int, below: str = "some/where/") -> None:
        self.folder = folder
        self.address = f"http://127.0.0.1:{port}/{below}"


def built_site() -> Path:
    """Build the site, unless it was built from the same sources."""
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run in several processes
        site = KEPT / _state()
        if not (site / "sw.js").exists():  # the file that is written last
            for old in KEPT.iterdir():
                if old.is_dir():
                    shutil.rmtree(old)
            site_build.build_site(site)
        return site


def _state() -> str:
    paths = [*(ROOT / "src" / "mineproof").rglob("*"), *(ROOT / "native").rglob("*.[ch]pp")]
    digest = hashlib.sha256(str(site_build.find_package("pyodide")).encode())
    for path in sorted(paths):
        if path.is_file() and path.suffix not in (".pyc", ".so"):
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


class _Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, *arguments: Any, below: str, **options: Any) -> None:
        self._below = "/" + below
        super().__init__(*arguments, **options)

    def translate_path(self, path: str) -> str:
        """Return the path of a file. Only files below the site's path exist."""
        inside = path.startswith(self._below)
        return super().translate_path("/" + path[len(self._below) :] if inside else "/nothing")

    def log_message(self, format: str, *arguments: Any) -> None:
        """Log nothing."""


@contextmanager
def served(folder: Path, below: str = "some/where/") -> Iterator[StaticSite]:
    """Serve a folder."""
    handler = functools.partial(_Handler, directory=str(folder), below=below)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield StaticSite(folder, server.server_port, below)
        finally:
            server.shutdown()
            thread.join()
