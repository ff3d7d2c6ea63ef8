"""An engine that breaks or stretches the protocol in the way that its argument names."""

from __future__ import annotations

import mmap
import os
import random
import sys
import time

MODE = sys.argv[1]
if MODE == "reserves":  # as Java does: it uses only a little of its address space
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000  # MAP_NORESERVE
    SPACE = mmap.mmap(-1, 16 * 1024**3, flags)


def say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def unopened(rows: list[str]) -> list[str]:
    return [f"{r} {c}" for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "H"]


def misbehave(rows: list[str]) -> None:
    """Send a wrong answer to the command `position`."""
    cell = unopened(rows)[0]
    opened = "0 0"  # the first cell
    answers = {
        "all-at-once": [f"open 0 {c}" for c, sign in enumerate(rows[0]) if sign == "H"] + ["done"],
        "reserves": [f"open {cell}", "done"],
        "no-move": ["done"],
        "no-done": [f"open {cell}"],
        "nonsense": ["hello", "done"],
        "off-board": ["open 99 99", "done"],
        "already-open": [f"open {opened}", "done"],
        "contradictory": [f"mark {cell}", f"open {cell}", "done"],
        "twice": [f"open {cell}", f"open {cell}", "done"],
        "not-marked": [f"unmark {cell}", "done"],
        "bad-risk": [f"open {cell} risk 1.5", "done"],
        "stop-and-move": ["stop", f"open {cell}", "done"],
        "info": ["info thinking"] * 2000,
        "error": ["error out of ideas"],
        "ends-badly": [f"open {cell}", "done"],
        "ends-fatally": [f"open {cell}", "done"],
        "dices": [f"open {random.choice(unopened(rows))}", "done"],
        "boasts": [f"open {cell} proved", "done"],
        "agrees": [f"open {cell}", "done"],
        "stays": [f"open {cell}", "done"],
        "leaves": [f"open {cell}", "done"],
        "out-of-turn": [f"open {cell}", "done", f"open {cell}"],
    }
    if MODE in answers:
        say(*answers[MODE])
    else:
        do_harm()


def do_harm() -> None:
    if MODE == "long-line":
        sys.stdout.write("x" * 10_000_000)
        sys.stdout.flush()
    elif MODE == "endless":
        while True:
            sys.stdout.write("open 0 0\n" * 1000)
    elif MODE == "binary":
        sys.stdout.buffer.write(b"\xff\xfe\x00\x01\n")
        sys.stdout.flush()
    elif MODE == "dies":
        sys.stderr.write("Segmentation fault (not really)\n")
        sys.stderr.flush()
        os._exit(3)
    elif MODE == "memory":
        hog = [bytearray(50_000_000)]
        while True:
            hog.append(bytearray(os.urandom(1) * 50_000_000))
    elif MODE == "forks" and os.fork() == 0:  # a detached child that keeps the pipe open
        os.setsid()
    time.sleep(60)


for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "mep":
        if MODE == "deaf":
            time.sleep(60)
        say(*(["what?"] if MODE == "no-mep" else ["id name bad", "option speed 3 how fast", "ok"]))
    elif word == "position":
        misbehave(rest.split("/"))
    elif word == "game" and MODE == "refuses":
        say("error not these rules")
    elif word == "end" and MODE == "ends-badly":
        say("error I was winning")
    elif word == "set" and MODE == "leaves":
        goodbye = rest.split()[1]
        say("ok")
    elif word == "quit":
        if MODE == "stays":
            time.sleep(60)
        break
    elif word == "end" and MODE == "ends-fatally":
        os._exit(3)
    elif word in ("game", "end", "set") or (word != "quit" and MODE == "agrees"):
        say("ok")
    else:
        say(f"error unknown {word}")
if MODE == "leaves":
    with open(goodbye, "a") as file:
        file.write(f"{word}\n")
