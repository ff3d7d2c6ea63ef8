"""A Minesweeper engine without any library: it reasons with one clue at a time, else guesses."""

import random
import sys


def neighbours(rows, row, column):
    for r in range(max(0, row - 1), min(len(rows), row + 2)):
        for c in range(max(0, column - 1), min(len(rows[0]), column + 2)):
            if (r, c) != (row, column):
                yield r, c


def deduce(rows):
    mines, safe = set(), set()
    for looking_for in (mines, safe):  # first all mines, then all safe cells
        for r, row in enumerate(rows):
            for c in (c for c, sign in enumerate(row) if sign.isdigit()):
                around = list(neighbours(rows, r, c))
                unopened = {(i, j) for i, j in around if rows[i][j] in "HF"}
                left = int(row[c]) - sum(rows[i][j] == "M" for i, j in around)
                if looking_for is mines and left == len(unopened):
                    mines |= unopened
                elif looking_for is safe and left == len(unopened & mines):
                    safe |= {(i, j) for i, j in unopened - mines if rows[i][j] == "H"}
    return safe, mines


def moves(rows, choice, trusted):
    safe, mines = deduce(rows) if trusted else (set(), set())
    if safe:
        return [f"open {r} {c} proved" for r, c in sorted(safe)]
    unopened = [(r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "H"]
    rest = [cell for cell in unopened if cell not in mines]
    return ["open {} {}".format(*choice.choice(rest))] if rest else ["stop"]


for line in sys.stdin:
    word, _, rest = line.rstrip("\r\n").partition(" ")
    if word == "mep":
        print("id name simple", "id version 1", "ok", sep="\n")
    elif word == "game":
        rules = dict(part.split("=") for part in rest.split()[3:])
        choice = random.Random(int(rules["seed"]))
        trusted = rules.get("clues", "exact").split(":")[0] in ("exact", "withheld")
        print("error I do not mark mines" if rules.get("goal") == "mark" else "ok")
    elif word == "position":
        print(*moves(rest.split("/"), choice, trusted), "done", sep="\n")
    elif word == "end":
        print("ok")
    elif word == "quit":
        break
    else:
        print("error unknown", line.rstrip())
    sys.stdout.flush()
