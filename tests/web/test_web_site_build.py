"""Building the static site: its parts, its size, and the errors if a part is missing."""

from __future__ import annotations

import gzip
import io
import json
import marshal
import os
import re
import struct
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from site_server import StaticSite
from test_imports import SOURCE, imports

from mineproof.cli import site as command
from mineproof.core.errors import InputError
from mineproof.draw.pixels import paint
from mineproof.web import bundle, pack, site_build
from mineproof.web.icon import COLOURS, TICK, icon

ROOT = Path(__file__).parents[2]
MOST_GZIPPED = 6_500_000
MOST_OF_THE_PAGE = 90_000
"""The maximum size of the page in gzipped bytes, without Python and the core."""


def test_a_site_is_whole_and_small(site: StaticSite) -> None:
    """The site is within its size limit, lists every file, and includes the licences."""
    size = site_build.size_of(site.folder)
    assert size.gzipped < MOST_GZIPPED < size.raw
    page = [p for p in site.folder.rglob("*") if p.suffix in (".html", ".css", ".js", ".svg")]
    assert sum(len(gzip.compress(path.read_bytes(), 9)) for path in page) < MOST_OF_THE_PAGE
    worker = (site.folder / "sw.js").read_text("utf-8")
    listed = json.loads(worker.partition("const FILES = ")[2].partition(";")[0])
    present = {p.relative_to(site.folder).as_posix() for p in site.folder.rglob("*") if p.is_file()}
    assert set(listed) == present - {"sw.js"}
    notices = (site.folder / "NOTICES.txt").read_text("utf-8")
    for words in ("MIT License", "Mozilla Public License", "PYTHON SOFTWARE FOUNDATION LICENSE"):
        assert words in notices
    assert f"Pyodide {site_build.PACKAGES['pyodide']}" in notices


def test_all_addresses_are_relative(site: StaticSite) -> None:
    """The site works at any path and names no other host."""
    index = (site.folder / "index.html").read_text("utf-8")
    addresses = re.findall(r'(?:href|src)="([^"]+)"', index)
    assert len(addresses) >= 8
    for address in addresses:
        assert not address.startswith(("/", "http"))
        assert address.startswith("#") or (site.folder / address).is_file(), address


def test_scripts_are_bundled_and_minified() -> None:
    """The bundle has no comments, imports or exports. No text spans several lines."""
    page = ROOT / "src" / "mineproof" / "web" / "static" / "js"
    for path in (*page.glob("*.js"), *(page.parents[1] / "site").glob("*.js")):
        lines = bundle.minified(path.read_text("utf-8")).splitlines()
        assert all(line.count("`") % 2 == 0 for line in lines), path
    script = bundle.bundled(page / "main.js") + bundle.bundled(page / "notebook.js")
    assert not re.search(r"^\s*(/\*|//|import |export )", script, re.MULTILINE)
    assert script.count("(() => {") >= len(list(page.glob("*.js")))


def test_the_packages_are_those_that_tests_use() -> None:
    wanted = json.loads((ROOT / "package.json").read_text("utf-8"))["devDependencies"]
    assert site_build.PACKAGES.items() <= wanted.items()


def test_nothing_that_is_packed_needs_what_is_left_out() -> None:
    """Packed modules import no omitted modules, except some that are useless in a browser."""
    left_out, package = site_build.left_out(), SOURCE / "mineproof"
    missing = set()
    for path in package.rglob("*.py"):
        if path.relative_to(package).as_posix().startswith((*left_out, "__main__")):
            continue
        for name in imports(path):  # including those inside functions
            parts = name.split(".")
            files = ("/".join(parts[1:end]) + ".py" for end in (len(parts) - 1, len(parts)))
            missing |= {
                one for one in files if one.startswith(left_out) and (package / one).exists()
            }
    assert missing == {"arena/many.py", "match/isolated.py", "web/notebook.py"}


def test_the_first_hello_is_a_new_game() -> None:
    """The first `hello` message has all fields except the key of a game."""
    hello = site_build.first_hello()
    assert hello["loading"]
    assert hello["view"]["step"] == 0
    assert (hello["key"], hello["transport"]) == ("", "browser")
    assert len(hello["agents"]) > 5


def test_missing_parts_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Pyodide, with another version of it, or without node, the error says what to do."""
    monkeypatch.setenv(site_build.VARIABLE, str(tmp_path))
    with pytest.raises(InputError, match=r"npm install pyodide@\d+"):
        site_build.find_package("pyodide")
    (tmp_path / "package.json").write_text('{"version": "0.1"}')
    with pytest.raises(InputError, match=r"expected pyodide [\d.]+, got 0\.1"):
        site_build.find_package("pyodide", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="node is not installed"):
        site_build.find_node()


FAKE_NPM = """#!/bin/sh
echo "$@" >> "$0.log"
case "$*" in *esbuild*) touch "$0.broken";; esac
test -e "$0.broken" && { echo "network is down" >&2; exit 1; }
mkdir -p "$3/node_modules"
cp -r PYODIDE "$3/node_modules/pyodide"
"""


@pytest.mark.full
def test_one_command_builds_a_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, site: StaticSite
) -> None:
    """Pyodide is downloaded once, a missing core is explained, and no half site is left.

    If esbuild cannot be downloaded, the scripts are joined without it.
    """
    package = site_build.find_package("pyodide")
    home, tools = tmp_path / "home", tmp_path / "tools"
    tools.mkdir()
    npm = tools / "npm"
    npm.write_text(FAKE_NPM.replace("PYODIDE", str(package)))
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    monkeypatch.delenv(site_build.VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(site_build, "DOWNLOADED", home)
    found, out = site_build.find_package, tmp_path / "public"

    def outside(name: str, given: Path | None = None) -> Path:
        """Search as an installed package does, which has no `node_modules` above it."""
        with monkeypatch.context() as away:
            away.setattr(site_build, "HERE", tmp_path)
            return found(name, given)

    monkeypatch.setattr(site_build, "find_package", outside)
    (tools / "npm.broken").touch()
    done = CliRunner().invoke(command.command, ["--out", str(out)])
    assert isinstance(done.exception, InputError)
    assert "npm could not download pyodide" in str(done.exception)
    assert "network is down" in str(done.exception)
    (tools / "npm.broken").unlink()

    def no_core(_out: Path) -> None:
        raise InputError("compiling the core needs the package ziglang")

    monkeypatch.setattr(site_build, "build_core", no_core)
    monkeypatch.setattr(site_build, "_pack", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        site_build.build_site(out)
    assert {path.name for path in tmp_path.iterdir()} == {"home", "tools"}
    monkeypatch.undo()
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    monkeypatch.setattr(site_build, "DOWNLOADED", home)
    monkeypatch.setattr(site_build, "find_package", outside)
    monkeypatch.setattr(site_build, "build_core", no_core)
    monkeypatch.chdir(tmp_path)
    out.mkdir()
    (out / "CNAME").write_text("mines.example")
    done = CliRunner().invoke(command.command, ["--out", str(out)])
    assert done.exit_code == 0, done.output
    assert "agents are slower (compiling the core needs the package ziglang)" in done.output
    assert "scripts are larger (npm could not download esbuild" in done.output
    assert (out / "static" / "js" / "main.js").read_text("utf-8").startswith("const $words")
    assert (tools / "npm.log").read_text().count("pyodide@") == 2
    names = {p.relative_to(out).as_posix() for p in out.rglob("*") if p.is_file()}
    whole = {p.relative_to(site.folder).as_posix() for p in site.folder.rglob("*") if p.is_file()}
    assert names == (whole | {"CNAME"}) - {"site/core.wasm"}
    assert '"core":false' in (out / "site" / "built.js").read_text("utf-8")


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command prints the folder and the size of the site."""

    def build(out: Path, pyodide: Path | None, *, with_core: bool) -> site_build.Size:
        assert (out, pyodide, with_core) == (tmp_path, None, False)
        return site_build.Size(13_400_000, 6_200_000)

    monkeypatch.setattr(site_build, "build_site", build)
    monkeypatch.setattr(site_build, "find_node", str)
    done = CliRunner().invoke(command.command, ["--out", str(tmp_path), "--no-core"])
    assert done.exit_code == 0
    assert "building the site" in done.stderr
    assert f"{tmp_path}: 13.40 MB, 6.20 MB gzipped" in done.output


def test_icons_are_pictures() -> None:
    """The icon is a white tick on blue."""
    made = icon(64)
    assert made.startswith(b"\x89PNG")
    assert struct.unpack(">II", made[16:24]) == (64, 64)
    rows = paint([TICK], 64, COLOURS)
    blue = rows[1][3:6]
    assert blue == bytes.fromhex("17456b")
    assert rows[32][3 * 38 : 3 * 39] == b"\xff\xff\xff"
    assert any(blue < rows[34][3 * x : 3 * x + 3] < b"\xff\xff\xff" for x in range(64))


# ---- packs


def test_packs_hold_compiled_files(tmp_path: Path) -> None:
    """Python files are compiled without docstrings. Equal files give equal archives."""
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "one.py").write_text('"""Words."""\nVALUE = 7\n')
    (tmp_path / "data.txt").write_text("data")
    (tmp_path / "left.py").write_text("")
    files = list(pack.folder(tmp_path, "top", ["left"]))
    packed = pack.pack(files)
    assert packed == pack.pack(files)
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.namelist() == ["top/data.txt", "top/part/one.pyc"]
        assert archive.read("top/data.txt") == b"data"
        names: dict[str, object] = {}
        exec(marshal.loads(archive.read("top/part/one.pyc")[16:]), names)
    assert names["VALUE"] == 7
    assert names.get("__doc__") is None


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("json/decoder.py", True),
        ("encodings/utf_8.py", True),
        ("encodings/cp1252.py", False),
        ("asyncio/events.py", True),
        ("codeop.py", True),
        ("code.py", False),
        ("email/message.py", False),
        ("logging/__init__.py", True),
        ("logging/config.py", False),
        ("multiprocessing/process.py", True),
        ("multiprocessing/pool.py", False),
        ("statistics.py", True),
        ("_pyodide/_core_docs.py", True),
    ],
)
def test_the_library_is_trimmed(tmp_path: Path, name: str, kept: bool) -> None:
    """Modules that cannot work in a browser are omitted, unless others import them."""
    with zipfile.ZipFile(tmp_path / "library.zip", "w") as archive:
        archive.writestr(name, "")
        archive.mkdir("folder")
    found = [one for one, _ in pack.library(tmp_path / "library.zip")]
    assert found == ([name] if kept else [])
