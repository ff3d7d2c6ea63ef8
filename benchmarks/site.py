"""Compare the static site with the local server: size, start, clicks, answers and memory.

    .venv/bin/python benchmarks/site.py
    .venv/bin/python benchmarks/site.py --minutes 30    # watch memory for longer (0: not at all)

Needs the extras `web`, `site` and `test`, node, Pyodide and chromium. Times are medians in
milliseconds, with the machine's load; memory is that of the page's process.
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser_page import DESKTOP, Board, until
from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright
from site_server import built_site
from suites import positions
from web import CLICK_TO_DRAWN
from web_server import PATIENCE, web_server

from mineproof.notation.position_text import format_position
from mineproof.web.site_build import find_node

STARTS = 3
CLICKS = 40
ANSWERS = 100
GAMES = 20
BROTLI = """
const { brotliCompressSync } = require('node:zlib');
const { readFileSync } = require('node:fs');
const sizes = process.argv.slice(1).map((path) => {
  const bytes = readFileSync(path);
  return Math.min(bytes.length, brotliCompressSync(bytes).length);
});
console.log(sizes.reduce((sum, size) => sum + size, 0));
"""
ASKED = """
async ([name, fields]) => {
  const times = [];
  for (const at of fields) {
    const began = performance.now();
    await mineproof.app.connection.ask(name, { ...at, slot: 'timed' });
    times.push(performance.now() - began);
  }
  return times;
}
"""
MOMENTS = """
globalThis.moments = {};
new MutationObserver(() => {
  const state = document.documentElement.dataset.ready;
  if (state in moments) return;
  moments[state] = performance.now();
  requestAnimationFrame(() => { moments.drawn ??= performance.now(); });
}).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-ready'] });
"""
ANALYSED = """
async () => {
  const answer = await mineproof.app.ask('risks', { at: '3x1x1\\n1HH\\n' });
  return [answer, moments.drawn, moments.yes, performance.now()];
}
"""
KEPT = """
async () => (await (await caches.open('python of mineproof')).keys()).length > 0
"""
COLLECTED = "--js-flags=--expose-gc"


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the site with the local server.")
    parser.add_argument(
        "--minutes", type=float, default=1.0, help="minutes of autoplay and analyses"
    )
    minutes = parser.parse_args().minutes
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    site = built_site()
    sizes(site)
    with (
        sync_playwright() as playwright,
        web_server(Path(tempfile.mkdtemp())) as server,
        static_server(site) as address,
    ):
        path = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=[COLLECTED])
        starts(browser, address)
        starts(browser, address, slower=4)
        print(f"{'':34}{'server':>9}{'site':>9}")
        found = [answers(browser, place) for place in (server.address, address)]
        for name in found[0]:
            print(f"{name:34}" + "".join(f"{one[name]:9.2f}" for one in found) + " ms")
        slow = answers(browser, address, slower=4)["click to drawn, 16 x 30"]
        print(f"{'click to drawn, page slowed x 4':34}{'':9}{slow:9.2f} ms")
        if minutes > 0:
            memory(browser, address, minutes)
        browser.close()


def sizes(site: Path) -> None:
    """Print the size of the site, raw and compressed as hosts send it."""
    paths = [path for path in site.rglob("*") if path.is_file()]
    raw = sum(path.stat().st_size for path in paths)
    zipped = sum(
        min(path.stat().st_size, len(gzip.compress(path.read_bytes(), 9))) for path in paths
    )
    command = [find_node(), "-e", BROTLI, *map(str, paths)]
    brotli = int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    print(f"bytes: {raw / 1e6:.2f} MB, gzip {zipped / 1e6:.2f} MB, brotli {brotli / 1e6:.2f} MB")


@contextmanager
def static_server(folder: Path) -> Iterator[str]:
    """Serve the site with Python's own file server."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "http.server", str(port), "-b", "127.0.0.1", "-d", str(folder)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while socket.socket().connect_ex(("127.0.0.1", port)):
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.terminate()
        server.wait()


@contextmanager
def opened(browser: Browser, slower: int = 1) -> Iterator[tuple[BrowserContext, Page]]:
    """Return a page in a fresh browser, slowed down if requested."""
    context = browser.new_context(viewport=DESKTOP)
    context.set_default_timeout(4000 * PATIENCE)
    page = context.new_page()
    page.add_init_script(MOMENTS)
    if slower > 1:
        tools = context.new_cdp_session(page)
        tools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    yield context, page
    context.close()


def starts(browser: Browser, address: str, slower: int = 1) -> None:
    """Measure the first and the second visit: the time until the board and an analysis appear."""
    first: list[list[float]] = []
    second: list[list[float]] = []
    for _ in range(STARTS):
        with opened(browser, slower) as (_, page):
            first.append(visit(page, lambda: page.goto(address)))
            until(page, "() => navigator.serviceWorker.ready.then(found => found.active !== null)")
            page.wait_for_timeout(9000)  # this also prepares faster later visits
            until(page, KEPT)
            page.wait_for_timeout(1000)
            second.append(visit(page, page.reload))
    words = "" if slower == 1 else f", page slowed x {slower}"
    for name, times in (("first visit", first), ("second visit", second)):
        drawn, ready, analysed = (statistics.median(values) for values in zip(*times, strict=True))
        steps = f"board {drawn:.0f}, plays {ready:.0f}, exact analysis {analysed:.0f} ms"
        print(f"{name + words:34}{steps}")


def visit(page: Page, go: Any) -> list[float]:
    """Return the milliseconds until the board appears, can be played, and has an exact analysis.

    The page itself measures the times from the start of its navigation, because on a busy machine
    its driver may be informed late.
    """
    go()
    page.wait_for_selector("html[data-ready=yes]")
    answer, *found = page.evaluate(ANALYSED)
    assert answer["risks"]["exact"]
    return list(found)


def ready(page: Page, address: str) -> None:
    """Open the page, and end the demonstration of a first visit."""
    page.goto(address)
    page.wait_for_selector("html[data-ready=yes]")
    page.keyboard.press("Escape")


def answers(browser: Browser, address: str, slower: int = 1) -> dict[str, float]:
    """Return the median times of clicks and questions."""
    with opened(browser, slower) as (_, page):
        ready(page, address)
        board = Board(page)
        stuck = [{"at": format_position(one)} for one in positions("expert-stuck")[:ANSWERS]]
        page.evaluate(ASKED, ["risks", stuck[:10]])
        found = {"exact risks, stuck expert": page.evaluate(ASKED, ["risks", stuck])}
        champion = [{**one, "agent": "champion"} for one in stuck]
        found["champion decides, stuck expert"] = page.evaluate(ASKED, ["decide", champion])
        board.new_game("expert", 7)
        board.click((8, 15))
        found["click to drawn, 16 x 30"] = page.evaluate(CLICK_TO_DRAWN, [CLICKS, 2])
        return {name: statistics.median(times) for name, times in found.items()}


def memory(browser: Browser, address: str, minutes: float) -> None:
    """Print the memory of the page after some games, then during autoplay."""
    with opened(browser) as (_, page):
        ready(page, address)
        for seed in range(GAMES):
            play_game(page, seed)
        busy = megabytes()
        page.wait_for_timeout(20_000)  # meanwhile the worker for reviews ends
        print(f"memory after {GAMES} games: {busy:.0f} MB, at rest {megabytes():.0f} MB")
        began, seed, shown = time.monotonic(), GAMES, 0.0
        while time.monotonic() - began < 60 * minutes:
            play_game(page, seed)
            seed += 1
            passed = (time.monotonic() - began) / 60
            if passed >= shown:
                shown += max(1, minutes / 6)
                before, heap = megabytes(), collect(page)
                rest = f"{megabytes():.0f} MB without garbage, {heap:.1f} MB of it for scripts"
                print(f"  {passed:4.1f} min, {seed} games: {before:.0f} MB, {rest}", flush=True)


def collect(page: Page) -> float:
    """Collect garbage in the page and its workers. Return the page's heap in MB."""
    for worker in page.workers:
        with suppress(Error):  # the worker has just ended
            worker.evaluate("gc()")
    page.evaluate("gc()")
    page.wait_for_timeout(2000)
    tools = page.context.new_cdp_session(page)
    used = tools.send("Runtime.getHeapUsage")["usedSize"]
    tools.detach()
    return float(used) / 1e6


def play_game(page: Page, seed: int) -> None:
    """Autoplay a game to its end, with an analysis and a hint in the middle."""
    Board(page).new_game("intermediate", seed, start="opening")
    page.evaluate("mineproof.app.command('open', { cell: [8, 8] })")
    for number in range(200):
        if number == 10:
            page.evaluate("mineproof.app.ask('hint')")
            page.evaluate("mineproof.app.ask('analysis', { seconds: 2 })")
        page.evaluate("mineproof.app.command('agent_move', { guess: true })")
        if page.evaluate("mineproof.app.view.end !== null"):
            break


def megabytes() -> float:
    """Return the memory of the largest page in the browser that this process started."""
    largest = 0
    for status in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if "--type=renderer" in status.read_text() and is_ours(int(status.parent.name)):
                text = (status.parent / "smaps_rollup").read_text()
                found = re.search(r"^Pss: +(\d+)", text, re.M)
                largest = max(largest, int(found[1]) if found else 0)
        except OSError:
            continue  # the process has ended
    return largest / 1024


def is_ours(process: int) -> bool:
    """Return whether a process descends from this one."""
    while process > 1:
        if process == os.getpid():
            return True
        process = int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])
    return False


if __name__ == "__main__":
    main()
