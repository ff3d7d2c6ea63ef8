"""Pictures of whole games: the last position with a strip of moves, and an animation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from mineproof.core.errors import InputError
from mineproof.core.move import Action
from mineproof.core.words import percent
from mineproof.draw.pixels import HOLD
from mineproof.draw.svg import MARGIN, OWN, SIZE, TEXT, Canvas, check_size, text_line
from mineproof.draw.tiles import Note, Tile, tile_of, tiles_of
from mineproof.notation.records import Record, Step

MOST_MOVES = 20_000
"""Maximum number of moves to draw. Each move adds about a kilobyte to an SVG."""
SECONDS = 0.35
"""Seconds per move in an animation."""
STRIP = 24
"""Height of the strip of moves."""


def changes(record: Record) -> list[dict[int, Tile]]:
    """Return the pictures of a game: before the first move, after each move, and at the end.

    The first picture has all tiles, by index; each later one has only the tiles that changed.

    Raises:
        InputError: the board is too large, or the game too long.
    """
    check_game(record)
    game = record.begin()
    now = tiles_of(game.observation)
    found, noted = [dict(enumerate(now))], 0
    for step in record.steps:
        game.play(step.move)
        index = game.rules.grid.index(step.move.cell)
        note: Note = "last" if step.proved else "guess"
        seen = game.observation
        touched = {*seen.changes, noted, index}
        new = {at: tile_of(seen, at, (note,) if at == index else ()) for at in sorted(touched)}
        found.append(_differing(now, new))
        noted = index
    if record.outcome is not None:
        found.append(_differing(now, dict(enumerate(tiles_of(game.observation, game.board)))))
    return found


def _differing(now: list[Tile], new: dict[int, Tile]) -> dict[int, Tile]:
    """Update a picture with new tiles, and return the tiles that changed."""
    differing = {index: tile for index, tile in new.items() if tile != now[index]}
    for index, tile in differing.items():
        now[index] = tile
    return differing


def check_game(record: Record) -> None:
    """Raise an InputError if a game has too many cells or moves to be drawn."""
    check_size(record.rules.rows, record.rules.columns)
    if len(record.steps) > MOST_MOVES:
        raise InputError(
            f"expected a game of up to {MOST_MOVES:,} moves, got {len(record.steps):,}"
        )


def strip_svg(record: Record, theme: str = "auto") -> str:
    """Draw the end of a game, and a strip with one bar per move."""
    check_game(record)
    rules, game = record.rules, record.replay()
    canvas = Canvas(rules.rows, rules.columns, theme, record.summary)
    tiles = tiles_of(game.observation, game.board if game.is_over else None)
    canvas.add(canvas.use(tile, index) for index, tile in enumerate(tiles))
    canvas.add(_bars(record.steps, canvas.width - 2 * MARGIN, rules.rows * SIZE + MARGIN + 12))
    canvas.bottom += STRIP + 8
    return canvas.text()


def _bars(steps: Sequence[Step], room: int, top: int) -> Iterator[str]:
    """Draw one bar per move: short for a flag, and taller for a riskier guess."""
    wide = min(10.0, room / max(1, len(steps)))
    for number, step in enumerate(steps):
        colour, share = _bar(step)
        high = max(2.0, share * STRIP)
        yield (
            f'<rect class="{OWN}{colour}" x="{MARGIN + number * wide:.5g}" '
            f'y="{top + STRIP - high:.4g}" width="{0.8 * wide:.3g}" height="{high:.3g}" rx="1">'
            f"<title>{number + 1}: {step_text(step)}</title></rect>"
        )


def _bar(step: Step) -> tuple[str, float]:
    if step.move.action is not Action.OPEN and step.move.action is not Action.CHORD:
        return "accent", 0.2
    if step.proved:
        return "safe", 0.4
    return "guess", 0.6 + 0.4 * (step.risk if step.risk is not None else 0.5)


def step_text(step: Step) -> str:
    """Return a move in words, and whether it was proved."""
    text = f"{step.move.action} {step.move.cell}"
    if step.move.action is not Action.OPEN or step.proved is None:
        return text
    # A risk of 0 means that the player had no estimate for this guess.
    risk = f", risk {percent(step.risk)}" if step.risk else ""
    return f"{text}, proved" if step.proved else f"{text}, a guess{risk}"


def animation_svg(record: Record, theme: str = "auto", seconds: float = SECONDS) -> str:
    """Draw a game as an animation that repeats forever.

    The last position is at the bottom. Each earlier tile covers it for as long as the tile was
    visible. If a program does not animate the picture, it shows the end of the game.
    """
    rules, pictures = record.rules, changes(record)
    canvas = Canvas(rules.rows, rules.columns, theme)
    last = {index: tile for picture in pictures for index, tile in picture.items()}
    canvas.add(canvas.use(tile, index) for index, tile in sorted(last.items()))
    total = len(pictures) * seconds + HOLD
    for (start, end), alike in groupby(sorted(_spans(pictures)), key=lambda span: span[:2]):
        uses = "".join(canvas.use(pictures[start][index], index) for _, _, index in alike)
        canvas.add([_shown(uses, start * seconds / total, end * seconds / total, total)])
    canvas.add(_captions(record, canvas.bottom, len(pictures), seconds))
    canvas.bottom += TEXT
    return canvas.text()


def _spans(pictures: Sequence[Mapping[int, Tile]]) -> Iterator[tuple[int, int, int]]:
    """For each replaced tile, yield (its first picture, the picture that replaces it, its cell)."""
    starts: dict[int, int] = {}
    for number, picture in enumerate(pictures):
        for index in picture:
            if index in starts:
                yield starts[index], number, index
            starts[index] = number


def _captions(record: Record, top: int, pictures: int, seconds: float) -> Iterator[str]:
    total = pictures * seconds + HOLD
    texts = ["the start", *(f"{n}. {step_text(step)}" for n, step in enumerate(record.steps, 1))]
    starts = [number * seconds / total for number in range(len(texts) + 1)]
    for text, (start, end) in zip(texts, pairwise(starts), strict=True):
        yield _shown(text_line(text, top), start, end, total)
    yield _shown(text_line(record.summary, top), starts[-1], 1, total, stays=True)


def _shown(content: str, start: float, end: float, total: float, stays: bool = False) -> str:
    """Return an SVG group that is visible from `start` to `end`, as shares of the total time."""
    times, values = ["0"], ["visible" if start == 0 else "hidden"]
    if start > 0:
        times.append(f"{start:.5f}")
        values.append("visible")
    if end < 1:
        times.append(f"{end:.5f}")
        values.append("hidden")
    return (
        f'<g visibility="{"visible" if stays else "hidden"}">'
        f'<animate attributeName="visibility" dur="{total:.3f}s" repeatCount="indefinite" '
        f'calcMode="discrete" keyTimes="{";".join(times)}" values="{";".join(values)}"/>'
        f"{content}</g>"
    )
