"""Measure how fast the page draws clicks, explains, gives hints, pans, and serves other pages.

    .venv/bin/python benchmarks/web.py

Needs the extras `web` and `test`, and chromium. It prints milliseconds (median, 95th percentile,
worst) and frames per second, with the machine's load.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser_page import Board, open_page
from playwright.sync_api import Browser, Page, sync_playwright
from web_server import Tab, WebServer, web_server

CLICKS = 60
ANSWERS = 100
GAMES = 8
MOVES = 40

CLICK_TO_DRAWN = """
async ([count, button]) => {
  const { app } = mineproof;
  const board = mineproof.boards.main;
  const times = [];
  let known = null;
  board.canvas.setPointerCapture = () => {}; // these pointers are not real ones
  // The click itself draws a frame for the pressed cell: only one after the answer counts.
  app.show = (view) => {
    known = board.frames;
    Object.getPrototypeOf(app).show.call(app, view);
  };
  for (let i = 0; i < count && app.view.end === null; i += 1) {
    const { x, y } = board.point(board.grid.cell(board.grid.letters.indexOf('H')));
    const box = board.canvas.getBoundingClientRect();
    const fields = { clientX: box.x + x, clientY: box.y + y, pointerId: 1, pointerType: 'mouse',
      bubbles: true, button };
    known = null;
    const began = performance.now();
    board.canvas.dispatchEvent(new PointerEvent('pointerdown', fields));
    board.canvas.dispatchEvent(new PointerEvent('pointerup', fields));
    while (known === null || board.frames === known) {
      await new Promise((done) => setTimeout(done, 0));
    }
    times.push(performance.now() - began);
  }
  return times;
}
"""
ADVICE = """
async (cell) => {
  const { advice, boards } = mineproof;
  const drawn = async (act) => {
    const began = performance.now();
    await act();
    const { frames } = boards.main;
    while (boards.main.frames === frames) await new Promise((done) => setTimeout(done, 0));
    return performance.now() - began;
  };
  advice.clear();
  const hint = await drawn(() => advice.hint());
  return [await drawn(() => advice.why(cell)), hint];
}
"""
PAN = """
async () => {
  const board = mineproof.boards.main;
  const frames = [];
  let last = performance.now();
  for (let i = 0; i < 180; i += 1) {
    board.camera = { ...board.camera, x: -i * 4, y: -i * 3 };
    board.refresh();
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    frames.push(now - last);
    last = now;
  }
  return frames.slice(5);
}
"""


def main() -> None:
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    folder = Path(tempfile.mkdtemp())
    began = time.perf_counter()
    with web_server(folder) as server:
        print(f"start to first address        {1000 * (time.perf_counter() - began):8.0f} ms")
        others(server)
        with sync_playwright() as playwright:
            path = shutil.which("chromium")
            browser = playwright.chromium.launch(executable_path=path)
            in_browser(browser, server)
            browser.close()


def others(server: WebServer) -> None:
    """Time the moves of one page while another page runs endless analyses."""
    text = "\n".join(["60x60x1200", *["H" * 60, "H3" * 30] * 30, ""])
    with Tab(server) as player, Tab(server) as hostile:
        report("answer, server idle", [move(player, seed) for seed in range(ANSWERS)])
        numbers = [hostile.send("analysis", at=text, slot=str(i)) for i in range(4)]
        hostile.receive()
        report("answer, endless analyses", [move(player, seed) for seed in range(ANSWERS)])
        for number in numbers:
            hostile.send("cancel", question=number)


def move(tab: Tab, seed: int) -> float:
    """Start a game and open a cell. Return how long opening took, in milliseconds."""
    tab.ask("new", level="expert", seed=str(seed))
    began = time.perf_counter()
    tab.ask("open", cell=[8, 15])
    return 1000 * (time.perf_counter() - began)


def in_browser(browser: Browser, server: WebServer) -> None:
    """Time clicks and panning in the browser."""
    with open_page(browser, server, viewport={"width": 1366, "height": 768}) as page:
        board = Board(page)
        board.new_game(level="expert", seed=7)
        board.click((8, 15))
        report("mark to drawn, 16 x 30", page.evaluate(CLICK_TO_DRAWN, [CLICKS, 2]))
        opens = []
        for seed in range(CLICKS):  # the first cell is never a mine, so open one per game
            board.new_game(level="expert", seed=seed)
            opens += page.evaluate(CLICK_TO_DRAWN, [1, 0])
        report("open to drawn, 16 x 30", opens)
        advice(page, board)
        pan(page, board, "panning 100 x 100")
        page.keyboard.press("0")
        pan(page, board, "panning 100 x 100, whole board")


def advice(page: Page, board: Board) -> None:
    """Time reasons and hints in the middle of expert games."""
    whys, hints = [], []
    for seed in range(GAMES):
        board.new_game(level="expert", seed=seed, start="opening")
        board.click((8, 15))
        for number in range(MOVES):
            page.evaluate("mineproof.agent.step()")
            if page.evaluate("mineproof.app.view.end !== null"):
                break
            if number % 4 == 3:
                cell = page.evaluate("mineproof.app.about('hint').then(hint => hint.cell)")
                closed = page.evaluate(
                    "mineproof.boards.main.grid.cell(mineproof.boards.main.grid.letters.indexOf('H'))"
                )
                why, hint = page.evaluate(ADVICE, cell or closed)
                whys.append(why)
                hints.append(hint)
    report("why to drawn, expert", whys)
    report("hint to drawn, expert", hints)


def pan(page: Page, board: Board, name: str) -> None:
    """Time the frames while a large board moves."""
    board.new_game(level="100x100/1500", seed=7)
    board.click((50, 50))
    frames = page.evaluate(PAN)
    report(name, frames)
    print(f"{'':30}{1000 / statistics.mean(frames):8.1f} frames per second")


def report(name: str, times: list[float]) -> None:
    """Print the median, the 95th percentile and the worst time."""
    ordered = sorted(times)
    late = ordered[int(0.95 * (len(ordered) - 1))]
    print(f"{name:30}{statistics.median(ordered):8.1f}{late:8.1f}{ordered[-1]:8.1f} ms")


if __name__ == "__main__":
    main()
