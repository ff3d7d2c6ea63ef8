"""How quick the window is: its start, from click to drawn, panning, autoplay.

    .venv/bin/python benchmarks/window.py

Needs the extra `window`; no screen. Prints milliseconds of CPU (median, 99th percentile, worst)
and, for what other processes take part in, of the clock, with the machine's load beside them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

import pygame

from mineproof.core.board import deal
from mineproof.core.clues import UNOPENED
from mineproof.core.grid import Cell
from mineproof.core.rules import EXPERT, Rules
from mineproof.session import Session
from mineproof.window.app import App
from mineproof.window.controller import Controller
from mineproof.window.pace import SPEEDS
from mineproof.window.screen import Screen

START = """
import time
from mineproof.window.opening import Wishes, open_window
open_window(Wishes()).tick()
print(time.process_time())
"""
FIRST = Cell(8, 15)
SEED = 7
FRAMES = 200
GAMES = 5


def timed(action: Callable[[], None]) -> float:
    """Give the milliseconds of CPU that something takes."""
    began = time.process_time()
    action()
    return 1000 * (time.process_time() - began)


def report(name: str, times: list[float]) -> None:
    """Print how long something took."""
    ordered = sorted(times)
    figures = (ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100], ordered[-1])
    print(f"{name:34}" + "".join(f"{figure:8.1f}" for figure in figures) + " ms")


def start() -> None:
    """Measure a new process until its first picture is drawn."""
    times = []
    for _ in range(5):
        began = time.perf_counter()
        done = subprocess.run([sys.executable, "-c", START], check=True, capture_output=True)
        times.append((1000 * (time.perf_counter() - began), 1000 * float(done.stdout)))
    report("start to first picture, clock", [clock for clock, _ in times])
    report("start to first picture, CPU", [cpu for _, cpu in times])


def opened(screen: Screen, rules: Rules) -> App:
    """Begin a game."""
    session = Session(rules, SEED, agent="random")
    app = App(screen, Controller(session, "exact"), welcome=False)
    app.controller.click(FIRST)
    app.tick()
    return app


def clicks(screen: Screen) -> None:
    """Open all safe cells of an expert board, one by one."""
    app = opened(screen, EXPERT)
    session = app.controller.session
    board = deal(EXPERT, SEED, FIRST)

    def click(index: int) -> None:
        place = app.camera.rect_of(session.rules.grid.cell(index)).center
        for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            app.handle(pygame.Event(kind, pos=place, button=1))
        app.tick()

    times = [
        timed(lambda index=index: click(index))
        for index in range(len(board.mined))
        if not board.mined[index] and session.observation.shown[index] == UNOPENED
    ]
    report("click to drawn, 16x30", times)
    app.controller.close()


def panning(screen: Screen) -> None:
    """Move a large board about."""
    app = opened(screen, Rules(100, 100, 1500))

    def frame() -> None:
        app.camera.move(-3, -2)
        app.draw()

    report("frame while panning, 100x100", [timed(frame) for _ in range(FRAMES)])
    app.controller.close()


def autoplay(screen: Screen) -> None:
    """Let the agent play as fast as possible."""
    app = opened(screen, EXPERT)
    controller = app.controller
    controller.pace.choose(len(SPEEDS) - 1)
    controller.ai_move()
    while controller.mind.busy:
        controller.mind.poll(0.01)
    began, moves = time.perf_counter(), 0
    for _ in range(GAMES):
        controller.new()
        controller.toggle_autoplay()
        while controller.autoplay:
            app.tick()
        moves += controller.session.step
    print(f"{'autoplay of exact, drawn':34}{moves / (time.perf_counter() - began):8.0f} moves a s")
    controller.close()


def main() -> None:
    """Measure and print."""
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"{'':34}{'median':>8}{'99 %':>8}{'worst':>8}")
    start()
    screen = Screen((1160, 740))
    clicks(screen)
    panning(screen)
    autoplay(screen)


if __name__ == "__main__":
    main()
