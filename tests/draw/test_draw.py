"""Pictures of positions and games, in SVG and PNG."""

from __future__ import annotations

import math
import pickle
import re
import struct
import subprocess
import sys
import zlib
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import mineproof
from mineproof.cli.main import mineproof_command
from mineproof.core.board import Board
from mineproof.core.errors import InputError
from mineproof.core.move import Move
from mineproof.draw import HEAT_CAPTION, compose, picture_of
from mineproof.draw.games import MOST_MOVES, animation_svg, changes, strip_svg
from mineproof.draw.pixels import HOLD, animation_png, board_png, pixels
from mineproof.draw.svg import board_svg, resized
from mineproof.draw.tiles import (
    DARK,
    LIGHT,
    Note,
    Tile,
    arrow,
    colour_of,
    percent,
    rgb,
    shapes,
    tiles_of,
)
from mineproof.notation.records import Record, Step, write_records

SVG = "{http://www.w3.org/2000/svg}"
TEXT = "5x4x3\n001FH\n002HH\n112HH\nHHHHH\n"
STYLE = Path(__file__).parents[2] / "src/mineproof/web/static/style.css"


def game(agent: str = "exact", seed: int = 7, level: str = "beginner") -> Record:
    return mineproof.play(mineproof.Game(level, seed), mineproof.make_agent(agent), player=agent)


def uses(root: ElementTree.Element) -> list[tuple[str, int, int]]:
    """Return the drawing, row and column of every tile that is always visible."""
    found = root.findall(f"{SVG}use")
    return [(u.attrib["href"], int(u.attrib["y"]) // 28, int(u.attrib["x"]) // 28) for u in found]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_are_those_of_the_page(theme: str) -> None:
    blocks = re.findall(r":root([^{]*)\{([^}]*)\}", STYLE.read_text("utf-8"))
    wanted = "" if theme == "light" else '[data-theme="dark"]'
    body = next(body for selector, body in blocks if selector.strip() == wanted)
    page = dict(re.findall(r"--([\w-]+): (#\w{6});", body))
    palette = LIGHT if theme == "light" else DARK
    assert {name: page[name] for name in palette} == palette


def test_a_position_becomes_an_svg_with_every_cell() -> None:
    root = ElementTree.fromstring(mineproof.draw(TEXT))
    drawn = uses(root)
    assert [(row, column) for _, row, column in drawn] == [
        (row, column) for row in range(4) for column in range(5)
    ]
    defined = {f"#{g.attrib['id']}": g for g in root.findall(f"{SVG}defs/{SVG}g")}
    signs = "001FH002HH112HHHHHHH"
    assert len({(sign, name) for sign, (name, _, _) in zip(signs, drawn, strict=True)}) == 5
    colours = [set(map(colour_name, defined[name])) for name, *_ in drawn]
    assert ["n1" in colour for colour in colours] == [sign == "1" for sign in signs]


def test_themes_decide_the_colours() -> None:
    both, light, dark = (mineproof.draw(TEXT, theme=name) for name in ("auto", "light", "dark"))
    assert ("prefers-color-scheme" in both) > ("prefers-color-scheme" in light + dark)
    assert LIGHT["n2"] in light
    assert DARK["n2"] in dark
    assert LIGHT["n2"] not in dark
    with pytest.raises(mineproof.InputError, match=r"expected a theme \(light, dark, auto\)"):
        mineproof.draw(TEXT, theme="blue")


def test_pictures_on_one_page_share_no_names() -> None:
    names = [
        set(re.findall(r'id="([^"]+)"|\.([\w-]+)\{', mineproof.draw(TEXT, theme=theme)))
        for theme in ("light", "dark")
    ]
    assert names[0]
    assert not names[0] & names[1]
    assert mineproof.draw(TEXT) == mineproof.draw(TEXT)


def test_risks_are_drawn_as_they_are() -> None:
    tiles, columns, caption = compose(TEXT, risks=True)
    facts = mineproof.analyse(TEXT, moves=False)
    flat = [risk for row in facts.risk for risk in row]
    assert [tile.percent for tile in tiles] == [percent(risk) for risk in flat]
    assert columns == 5
    assert caption == HEAT_CAPTION
    assert compose(TEXT, risks=facts.risk)[0] == tiles
    assert compose(TEXT, risks=flat)[0] == tiles
    with pytest.raises(mineproof.InputError, match="expected 20 risks, one per cell, got 3"):
        mineproof.draw(TEXT, risks=[0.1, 0.2, 0.3])


def test_only_proved_cells_get_0_or_100_percent() -> None:
    risks = [0.0, 1e-9, 0.004, 0.125, 0.996, 1 - 1e-12, 1.0, None, math.nan]
    assert [percent(risk) for risk in risks] == [0, 1, 1, 12, 99, 99, 100, None, None]


def test_a_proof_outlines_its_clues_and_cells() -> None:
    found = mineproof.explain(TEXT, (0, 4))
    tiles, _, caption = compose(TEXT, proof=(0, 4))
    noted = {divmod(i, 5): tile.notes for i, tile in enumerate(tiles) if tile.notes}
    assert found.proved == "safe"
    assert set(noted[0, 4]) >= {"safe", "target"}
    lit = {cell for cell, notes in noted.items() if "clue" in notes}
    assert lit >= set(found.clues)
    assert lit == {clue for step in found.steps for clue in step.clues} | set(found.clues)
    assert caption == found.text
    assert found._repr_svg_() == mineproof.draw(TEXT, proof=found)
    assert "".join(found.text.split()) in "".join(
        "".join(ElementTree.fromstring(found._repr_svg_() or "").itertext()).split()
    )


def test_notebooks_show_everything() -> None:
    record = game()
    ended = record.replay()
    shown = [
        ended._repr_svg_(),
        ended.observation._repr_svg_(),
        record._repr_svg_(),
        mineproof.analyse(TEXT, moves=False)._repr_svg_(),
        mineproof.explain(TEXT, (3, 0))._repr_svg_(),
        mineproof.deal("beginner", 3, (0, 0))._repr_svg_(),
        mineproof.deal_no_guess("beginner", 3)._repr_svg_(),
    ]
    for picture in shown:
        assert ElementTree.fromstring(picture or "").tag == f"{SVG}svg"
    assert len(set(shown)) == 7
    assert mineproof.Board(200, 200, bytes(40_000))._repr_svg_() is None
    huge = mineproof.Game("200x200/100", first=(0, 0))
    assert huge._repr_svg_() is None
    assert huge.observation._repr_svg_() is None
    with pytest.raises(mineproof.InputError, match="up to 10,000 cells, got 40,000"):
        mineproof.draw(huge)
    assert picture_of(7) is None


def test_a_record_shows_a_bar_for_each_move() -> None:
    record = game("basic", seed=8)
    root = ElementTree.fromstring(record._repr_svg_() or "")
    bars = [bar for bar in root.findall(f"{SVG}rect") if bar.find(f"{SVG}title") is not None]
    assert len(bars) == len(record.steps)
    guesses = [bar for bar in bars if bar.attrib["class"].endswith("-guess")]
    assert len(guesses) == record.guesses > 0


def frames(record: Record) -> list[list[Tile]]:
    """Return the tiles at the start, after each move, and at the end with all mines."""
    playing = record.begin()
    found = [tiles_of(playing.observation)]
    for step in record.steps:
        playing.play(step.move)
        note: Note = "last" if step.proved else "guess"
        place = record.rules.grid.index(step.move.cell)
        found.append(tiles_of(playing.observation, notes={place: (note,)}))
    if record.outcome is not None:
        found.append(tiles_of(playing.observation, playing.board))
    return found


@pytest.mark.parametrize("begun", [False, True])
def test_changes_give_every_picture_of_a_game(begun: bool) -> None:
    """Applying the changes one by one gives the picture after each move."""
    record = game("exact", seed=7)
    assert record.first is not None
    marks = tuple(Step(Move(word, (8, 8))) for word in ("mark", "unmark"))
    if not begun:
        opened = Step(Move("open", record.first))
        record = replace(record, first=None, steps=(opened, *record.steps))
    for one in (record, replace(record, steps=(*record.steps[:2], *marks), outcome=None)):
        now: dict[int, Tile] = {}
        for picture, whole in zip(changes(one), frames(one), strict=True):
            assert all(now.get(index) != tile for index, tile in picture.items())
            now.update(picture)
            assert now == dict(enumerate(whole))


def test_games_that_are_too_large_or_too_long_are_rejected_before_the_work() -> None:
    large = Record(mineproof.Rules(1000, 1000, 9), 0, None, (), (), None)
    for draw in (changes, animation_svg, strip_svg):
        with pytest.raises(InputError, match="expected a board of up to 10,000 cells"):
            draw(large)
    endless = [Step(Move(word, (8, 8))) for word in ("mark", "unmark")] * MOST_MOVES
    long = replace(game("basic", seed=5), steps=tuple(endless))
    for draw in (changes, animation_svg, strip_svg):
        with pytest.raises(InputError, match="expected a game of up to 20,000 moves, got 40,000"):
            draw(long)
    assert long._repr_svg_() is large._repr_svg_() is None


def test_too_many_pixels_are_rejected_before_the_work() -> None:
    tiles = [Tile(".")] * 10_000
    with pytest.raises(InputError, match="expected up to 50,000,000 pixels, got 655,360,000"):
        board_png(tiles, 100, side=256)
    far = [{0: Tile("1"), 9999: Tile("1")}, {0: Tile("2"), 9999: Tile("2")}] * 100
    with pytest.raises(InputError, match="expected up to 1,000,000,000 pixels"):
        animation_png([dict(enumerate(tiles)), *far], 100)


@pytest.mark.parametrize("player", ["\x1b[31m", "\x00\x01", "a\nb\x0b", "\ud800", "\ufffe", "<&>"])
def test_any_player_name_gives_valid_xml(player: str) -> None:
    record = replace(game("basic", seed=5), player=player)
    for picture in (animation_svg(record), strip_svg(record)):
        ElementTree.fromstring(picture.encode())


def test_an_animation_shows_each_position_at_its_time() -> None:
    """At each moment of the animation, the topmost tiles show the current position."""
    record = game("basic", seed=5)
    pictures, seconds = frames(record), 0.5
    root = ElementTree.fromstring(animation_svg(record, seconds=seconds))
    total = len(pictures) * seconds + HOLD
    for number, tiles in enumerate(pictures):
        now = (number + 0.5) * seconds / total
        top = {(row, column): name for name, row, column in uses(root)}
        for group in root.findall(f"{SVG}g"):
            if is_shown(group, now):
                top.update({(row, column): name for name, row, column in uses(group)})
        kinds = {top[divmod(i, record.rules.columns)]: shapes(t) for i, t in enumerate(tiles)}
        for index, tile in enumerate(tiles):
            assert kinds[top[divmod(index, record.rules.columns)]] == shapes(tile)


def is_shown(group: ElementTree.Element, now: float) -> bool:
    """Return whether an animated group is visible at a fraction of the total time."""
    moves = group.find(f"{SVG}animate")
    assert moves is not None
    times = [float(time) for time in moves.attrib["keyTimes"].split(";")]
    values = moves.attrib["values"].split(";")
    assert times[0] == 0
    assert times == sorted(times)
    return [value for time, value in zip(times, values, strict=True) if time <= now][-1] == (
        "visible"
    )


def test_markup_in_a_name_is_escaped() -> None:
    record = mineproof.play(
        mineproof.Game("3x3/1"), mineproof.make_agent("basic"), player="<b>&me</b>"
    )
    for picture in (record._repr_svg_() or "", animation_svg(record)):
        assert "<b>&me</b>" in "".join(ElementTree.fromstring(picture).itertext())


def chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    """Split a PNG file into its chunks, and verify their checksums."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    found, place = [], 8
    while place < len(data):
        (length,) = struct.unpack_from(">I", data, place)
        kind, body = data[place + 4 : place + 8], data[place + 8 : place + 8 + length]
        (check,) = struct.unpack_from(">I", data, place + 8 + length)
        assert check == zlib.crc32(kind + body)
        found.append((kind, body))
        place += 12 + length
    return found


def unpacked(body: bytes, width: int) -> bytes:
    """Return the pixels of a PNG file that uses no filters."""
    raw, length = zlib.decompress(body), 3 * width + 1
    assert not any(raw[::length])
    return b"".join(raw[start + 1 : start + length] for start in range(0, len(raw), length))


@pytest.mark.parametrize(("theme", "palette"), [("light", LIGHT), ("dark", DARK)])
def test_pixels_have_the_colours_of_their_cells(theme: str, palette: dict[str, str]) -> None:
    tiles = [Tile(" "), Tile("."), Tile("*"), Tile(".", 37)]
    width, height, painted = pixels(tiles, 2, 20, theme)
    assert (width, height, len(painted)) == (40, 40, 4800)
    wanted = ("open", "closed", "boom", "heat-37")
    for number, name in enumerate(wanted):
        row, column = divmod(number, 2)
        place = 3 * ((row * 20 + 10) * 40 + column * 20 + 2)
        assert tuple(painted[place : place + 3]) == rgb(colour_of(name, palette))


def colour_name(path: ElementTree.Element) -> str:
    """Return the name of a path's colour, which is its last class without the prefix."""
    return path.attrib["class"].split()[-1].split("-", 1)[1].removesuffix("-line")


def covers(path: ElementTree.Element, middles: list[complex]) -> list[bool]:
    """Return whether a path covers each point, with its line or with its filled area."""
    text = path.attrib["d"]
    assert re.fullmatch(r"M[\d. L]+Z?", text)
    corners = [complex(*map(float, at.split())) for at in text.strip("MZ").split("L")]
    pieces = list(pairwise([*corners, corners[0]] if text.endswith("Z") else corners))
    line = [
        a + (b - a) * n / 60 for a, b in pieces for n in range(0, 61, 2 if abs(b - a) > 4 else 20)
    ]
    half = float(path.attrib["stroke-width"]) / 2

    def is_inside(at: complex) -> bool:
        crossed = [(a, b) for a, b in pieces if (a.imag > at.imag) != (b.imag > at.imag)]
        shares = [(a, b, (at.imag - a.imag) / (b.imag - a.imag)) for a, b in crossed]
        return sum(at.real < (a + (b - a) * share).real for a, b, share in shares) % 2 == 1

    return [
        min(abs(at - each) for each in line) <= half or (text.endswith("Z") and is_inside(at))
        for at in middles
    ]


LOOKS = [
    *(Tile(sign) for sign in " 12345678.-*mxF"),
    *(Tile(".", percent) for percent in (0, 9, 37, 68, 99, 100)),
    Tile(".", notes=("step",)),
    Tile(".", notes=("safe", "target")),
    Tile("2", notes=("clue",)),
]


@pytest.mark.parametrize("tile", LOOKS, ids=str)
def test_svg_and_pixels_agree(tile: Tile) -> None:
    """Away from edges, the PNG and the SVG have the same colours."""
    root, side = ElementTree.fromstring(board_svg([tile], 1, "light")), 56
    (drawn,) = root.findall(f"{SVG}defs/{SVG}g")
    middles = [complex(x + 0.5, y + 0.5) / 2 for y, x in product(range(side), repeat=2)]
    top = ["page"] * len(middles)
    for path in drawn:
        covered = zip(top, covers(path, middles), strict=True)
        top = [colour_name(path) if is_covered else below for below, is_covered in covered]
    painted, seen = pixels([tile], 1, side)[2], set()
    for row, column in product(range(1, side - 1), repeat=2):
        around = {
            top[(row + down) * side + column + right]
            for down, right in product((-1, 0, 1), repeat=2)
        }
        if len(around) == 1:
            seen |= around
            at = 3 * (row * side + column)
            (name,) = around
            assert tuple(painted[at : at + 3]) == rgb(colour_of(name, LIGHT)), (row, column)
    assert seen >= {*map(colour_name, drawn)} - {"closed-top"}


def test_every_sign_looks_different() -> None:
    tiles = [Tile(sign) for sign in " 12345678.-*mxF"] + [Tile(".", p) for p in range(101)]
    painted = {pixels([tile], 1, 24)[2] for tile in tiles}
    assert len(painted) == len(tiles)


def test_a_png_holds_the_pixels() -> None:
    tiles, columns, _ = compose(TEXT, risks=True)
    (_, head), (kind, body), end = chunks(board_png(tiles, columns, side=16))
    assert struct.unpack(">2I5B", head) == (80, 64, 8, 2, 0, 0, 0)
    assert (kind, end) == (b"IDAT", (b"IEND", b""))
    assert unpacked(body, 80) == pixels(tiles, columns, 16)[2]


def test_an_animated_png_ends_with_the_last_picture() -> None:
    record = game("basic", seed=5)
    pictures, columns = frames(record), record.rules.columns
    parts = chunks(animation_png(changes(record), columns, side=8))
    assert struct.unpack(">2I", dict(parts)[b"acTL"]) == (len(pictures), 0)
    numbers = [body[:4] for kind, body in parts if kind in (b"fcTL", b"fdAT")]
    assert numbers == [struct.pack(">I", number) for number in range(len(numbers))]
    wide = 8 * columns
    canvas = bytearray(3 * wide * 8 * record.rules.rows)
    for (kind, frame), (_, body) in zip(parts[2:-1:2], parts[3:-1:2], strict=True):
        assert kind == b"fcTL"
        _, width, height, left, top = struct.unpack(">5I", frame[:20])
        painted = unpacked(body if frame[:4] == bytes(4) else body[4:], width)
        for row in range(height):
            place = 3 * ((top + row) * wide + left)
            canvas[place : place + 3 * width] = painted[3 * row * width : 3 * (row + 1) * width]
    assert bytes(canvas) == pixels(pictures[-1], columns, 8)[2]


def test_the_command_draws_positions_and_games(tmp_path: Path) -> None:
    position, record = tmp_path / "p.mine", tmp_path / "r.json"
    position.write_text(TEXT)
    write_records(record, [game()])
    run(f"draw {position} --risks --why 0,4 --theme dark", tmp_path / "a.svg")
    tiles = mineproof.draw(TEXT, risks=True, proof=(0, 4), theme="dark")
    assert (tmp_path / "a.svg").read_text("utf-8") == tiles
    run(f"draw {position} --risks --theme dark --why 0 4 --force", tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text("utf-8") == tiles
    run(f"draw {record}", tmp_path / "b.svg")
    run("draw beginner:s7 --agent exact", tmp_path / "c.svg")
    assert (tmp_path / "b.svg").read_bytes() == (tmp_path / "c.svg").read_bytes()
    assert b"<animate " in (tmp_path / "b.svg").read_bytes()
    run(f"draw {record} --move 2 --side 10", tmp_path / "d.png")
    positions = compose(game().positions()[1])
    assert (tmp_path / "d.png").read_bytes() == board_png(*positions[:2], side=10)
    run(f"draw {record} --side 8", tmp_path / "e.png")
    assert b"acTL" in (tmp_path / "e.png").read_bytes()


def run(words: str, out: Path, status: int = 0) -> str:
    done = CliRunner().invoke(mineproof_command, [*words.split(), "--out", str(out)])
    assert done.exit_code == status, done.output
    return done.output


@pytest.mark.parametrize(
    ("words", "name", "message"),
    [
        ("beginner:s7", "x.gif", "expected --out FILE.svg or FILE.png, got"),
        ("beginner:s7 --risks", "x.svg", "--risks, --why and --graph need --move"),
        ("beginner:s7 --move 9999", "x.svg", "expected move from 1 to"),
        ("beginner:sx", "x.svg", "not a game id"),
        ("nothing.mine", "x.svg", "there is no file"),
        ("FILE --move 1", "x.svg", "move needs a game"),
        ("FILE --why 9,9", "x.svg", "expected a cell on the 4x5 board"),
        ("FILE --side 5", "x.png", "expected a whole number from 8 to 256"),
    ],
)
def test_bad_input_of_the_command(tmp_path: Path, words: str, name: str, message: str) -> None:
    (tmp_path / "p.mine").write_text(TEXT)
    printed = run(f"draw {words.replace('FILE', str(tmp_path / 'p.mine'))}", tmp_path / name, 2)
    assert message in " ".join(printed.split())
    assert not (tmp_path / name).exists()


def test_the_end_of_a_game_shows_mines_and_wrong_flags() -> None:
    board = Board.from_mines(1, 5, [2, 4])
    lost = mineproof.Game("1x5/2", first=(0, 0), board=board)
    lost.play("mark 0,3")
    lost.play("open 0,2")
    assert [tile.sign for tile in compose(lost)[0]] == [" ", "1", "*", "x", "m"]


def test_importing_the_package_loads_no_drawing() -> None:
    script = (
        "import mineproof, sys; print([n for n in sys.modules if n.startswith('mineproof.dr')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['mineproof.draw']"


def test_a_board_is_drawn_with_its_mines() -> None:
    """The picture shows every clue and every mine."""
    board = mineproof.Board.from_mines(2, 3, [(0, 0)])
    picture = mineproof.draw(board)
    seen = mineproof.Observation(mineproof.PublicRules(2, 3, 1), board.shown)
    assert picture == board_svg(tiles_of(seen, board), 3)
    assert pickle.loads(pickle.dumps(picture)).paint() == picture.paint()
    with pytest.raises(mineproof.InputError, match="only a Game or a Record has moves"):
        mineproof.draw(board, animate=True)


def test_a_picture_shows_and_saves_itself(tmp_path: Path) -> None:
    """`draw` returns SVG text that a notebook shows and that goes to SVG and PNG files."""
    picture = mineproof.draw(TEXT, risks=True)
    assert picture._repr_svg_() == picture
    picture.save(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text("utf-8") == picture
    mineproof.draw(TEXT, risks=True, size=16).save(tmp_path / "a.png")
    tiles, columns, _ = compose(TEXT, risks=True)
    assert (tmp_path / "a.png").read_bytes() == board_png(tiles, columns, side=16)
    with pytest.raises(mineproof.InputError, match=r"ends in \.svg or \.png, got x\.gif"):
        picture.save("x.gif")
    record = game()
    assert mineproof.draw(record, move=2) == mineproof.draw(record.positions()[1])
    with pytest.raises(TypeError, match=r"expected a Game, .*, got bytes$"):
        mineproof.draw(b"5x4x3")  # type: ignore[arg-type]


def test_highlights_arrows_and_size_are_in_svg_and_png(tmp_path: Path) -> None:
    """Outlines have their colours, and an arrow covers the cells between its ends."""
    lit = {(0, 2): "red", (3, 4): "green"}
    tiles, columns, _ = compose(TEXT, highlights=lit)
    assert {divmod(i, 5): tile.ring for i, tile in enumerate(tiles) if tile.ring} == {
        (0, 2): "danger",
        (3, 4): "safe",
    }
    picture = mineproof.draw(TEXT, highlights=[(0, 2)], arrows=[((3, 0), (3, 4))], size=56)
    root = ElementTree.fromstring(picture)
    plain = ElementTree.fromstring(mineproof.draw(TEXT))
    assert int(root.attrib["width"]) == 2 * int(plain.attrib["width"])
    (layer,) = root.findall(f"{SVG}g")
    assert len(layer) == 2
    picture.save(tmp_path / "a.png")
    arrow_shapes = arrow((3, 0), (3, 4))
    wide, _, painted = pixels(compose(TEXT, highlights=[(0, 2)])[0], columns, 56, over=arrow_shapes)
    body = dict(chunks((tmp_path / "a.png").read_bytes()))[b"IDAT"]
    assert unpacked(body, wide) == painted

    def colour_at(x: int, y: int) -> tuple[int, ...]:
        return tuple(painted[3 * (y * wide + x) :][:3])

    accent = rgb(LIGHT["accent"])
    middle = int(3.5 * 56)
    assert all(colour_at(x, middle) == accent for x in range(30, 4 * 56 + 30))
    assert colour_at(10, middle) == colour_at(4 * 56 + 46, middle) != accent
    assert colour_at(2 * 56 + 6, 28) == accent


def test_the_graph_connects_clues_with_unknown_cells(tmp_path: Path) -> None:
    """Each clue has a line and a dot for each of its cells; what one clue proves is outlined."""
    picture = mineproof.draw("5x1x?\n1H-H1", graph=True)
    assert not ElementTree.fromstring(picture).findall(f"{SVG}g"), "single clues prove all"
    assert "danger-line" in picture
    assert "danger-line" not in mineproof.draw("5x1x?\n1H-H1")
    text = "5x1x?\nH1H1H"
    (layer,) = ElementTree.fromstring(mineproof.draw(text, graph=True)).findall(f"{SVG}g")
    assert len(layer) == 2 * 4
    red = mineproof.draw("5x3x?\nHHHHH\nHH2HH\nHHHHH", graph=True)
    assert "danger-line{stroke" in red, "lines have their colour, which no tile uses here"
    (tmp_path / "p.mine").write_text(text)
    run(f"draw {tmp_path / 'p.mine'} --graph", tmp_path / "p.svg")
    assert "lines: a clue" in (tmp_path / "p.svg").read_text()


def test_games_and_records_animate(tmp_path: Path) -> None:
    record = game()
    picture = mineproof.draw(record, animate=True, seconds=0.5, size=14)
    half = resized(animation_svg(record, seconds=0.5), 14)
    assert picture == picture._repr_svg_() == half
    picture.save(tmp_path / "a.png")
    wanted = animation_png(changes(record), 9, side=14, seconds=0.5)
    assert (tmp_path / "a.png").read_bytes() == wanted
    playing = record.begin()
    for step in record.steps[:3]:
        playing.play(step.move)
    root = ElementTree.fromstring(mineproof.draw(playing, animate=True))
    assert f"3. {record.steps[2].move.action}" in "".join(root.itertext())
    with pytest.raises(InputError, match="Omit the other options"):
        mineproof.draw(record, animate=True, risks=True)
    with pytest.raises(InputError, match="only a Game or a Record has moves"):
        mineproof.draw(TEXT, animate=True)
    with pytest.raises(InputError, match=r"seconds from 0\.02 to 60, got 0"):
        mineproof.draw(record, animate=True, seconds=0)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"proof": "x"}, r"expected a cell as \(row, column\), got 'x'"),
        ({"risks": 3}, "expected risks as True, False or one number per cell, got int"),
        ({"size": "x"}, "expected the size as a whole number, got str"),
        ({"highlights": 3}, "expected highlights as cells .* got int"),
        ({"highlights": [3]}, r"expected a cell as \(row, column\), got 3"),
        ({"arrows": [(0, 0)]}, "expected arrows as pairs of cells, .* got list"),
    ],
)
def test_wrong_types_are_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        mineproof.draw(TEXT, **given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"size": 3}, "expected cells of 8 to 256 pixels, got 3"),
        ({"highlights": {(0, 0): "pink"}}, r"a colour \(blue, green, red, yellow\), got 'pink'"),
        ({"highlights": [(9, 9)]}, "expected a cell on the 4x5 board"),
        ({"arrows": [((0, 0), (0, 0))]}, r"between two cells, got \(0, 0\) twice"),
    ],
)
def test_wrong_values_are_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        mineproof.draw(TEXT, **given)
