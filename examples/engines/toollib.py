"""ms_toollib as an engine: it opens the cell with the lowest risk (pip install ms-toollib)."""

import sys
from importlib.metadata import version

import ms_toollib

CODES = {"H": 10, "F": 10, "M": 11} | {str(clue): clue for clue in range(9)}


def moves(rows, mines):
    board = [[CODES[sign] for sign in row] for row in rows]
    risks = ms_toollib.cal_probability_onboard(board, mines)[0]
    cells = [
        (risks[r][c], r, c)
        for r, row in enumerate(rows)
        for c, sign in enumerate(row)
        if sign == "H" and risks[r][c] < 1
    ]
    safe = [f"open {r} {c} proved risk 0" for risk, r, c in cells if risk == 0]
    if safe or not cells:
        return safe or ["stop"]
    risk, r, c = min(cells)
    return [f"open {r} {c} risk {risk:.6f}"]


mines = 0
for line in sys.stdin:
    word, _, rest = line.rstrip("\r\n").partition(" ")
    if word == "mep":
        name = f"id version {version('ms-toollib')}"
        print("id name ms_toollib", name, "id author eee555", "ok", sep="\n")
    elif word == "game":
        size, *rules = rest.split()[2:]
        mines = 0 if size == "?" else int(size)
        unusual = [rule for rule in rules if not rule.startswith(("seed=", "start=", "flood="))]
        print(f"error I only play classic rules, not {unusual[0]}" if unusual else "ok")
    elif word == "position":
        print(*moves(rest.split("/"), mines), "done", sep="\n")
    elif word == "end":
        print("ok")
    elif word == "quit":
        break
    else:
        print("error unknown", line.rstrip())
    sys.stdout.flush()
