"""The layers of the design: the source files import only what their layer may import."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src"
SERVICE = SOURCE / "mineproof" / "service"

ROWS = (
    ("cs50", "backend", "workers", "wasm"),
    ("core",),
    ("notation",),
    ("inference",),
    ("search",),
    ("proof",),
    ("agents", "draw"),
    ("match",),
    ("gym", "generate", "arena"),
    ("review",),
    ("advice",),
    ("session", "lab", "cs50check"),
    ("service",),
    ("web",),
    ("cli",),
)
"""Each package may import itself and the rows above. Packages in a row do not import each other."""

RANK = {part: rank for rank, row in enumerate(ROWS) for part in row}
ROOT_PARTS = {"__init__": "the names for users", "__main__": "cli"}
FRONT_ENDS = (*ROWS[-2], *ROWS[-1])
BOARD = "web.notebook.show"
"""The one name for users that a front end defines: a board in a notebook."""
THIRD_PARTY = {
    "cli": {"click", "rich", "prompt_toolkit"},
    "web": {"starlette", "uvicorn", "anywidget", "traitlets", "IPython"},
    "lab": {"duckdb", "numpy", "scipy", "matplotlib", "distributed"},
    "workers": {"distributed"},
    "review": {"ms_toollib"},
    "match": {"pandas"},
    "arena": {"pandas"},
    "gym": {"gymnasium", "numpy"},
    "cs50": {"pygame", "minesweeper", "rounds"},
}
"""The third-party packages that a package may import."""
USERS_OF_WORKERS = {"workers", "match", "review", "lab", "arena", "cs50check", "web", "cli"}
"""The packages that may start processes. All other packages must also run in a browser."""


def part_of(name: str) -> str:
    """Return the subpackage that a module belongs to."""
    return name.split(".")[1] if "." in name else "__init__"


def imports(path: Path) -> Iterator[str]:
    """Return the full name of every module or name that a file imports."""
    package = path.relative_to(SOURCE).parent.parts
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            base = ".".join((*above, *filter(None, [node.module])))
            yield from (f"{base}.{alias.name}" for alias in node.names)


def complaint(importer: str, imported: str) -> str | None:
    """Return why a subpackage must not import a name, or None if it may."""
    top, _, rest = imported.partition(".")
    if top != "mineproof":
        allowed = THIRD_PARTY.get(importer, set())
        return None if top in sys.stdlib_module_names or top in allowed else "third party"
    target = rest.split(".")[0]
    if importer == "__init__":
        return "a front end" if target in FRONT_ENDS and rest != BOARD else None
    importer = ROOT_PARTS.get(importer, importer)
    if importer not in RANK:
        return "a part that is in no layer"
    if target not in RANK:  # a public name, imported from the package itself
        return None if importer in FRONT_ENDS else "the names for users"
    return wrong_direction(importer, target)


def wrong_direction(importer: str, target: str) -> str | None:
    """Return why a subpackage must not import another, or None if it may."""
    if importer == "core" and target != "core":
        return "outside the core"
    if target == "workers" and importer not in USERS_OF_WORKERS:
        return "processes"
    return None if target == importer or RANK[target] < RANK[importer] else "a layer above it"


def source_files() -> list[Path]:
    """Return all Python files and stubs of the package."""
    return sorted([*SOURCE.rglob("*.py"), *SOURCE.rglob("*.pyi")])


def test_imports_follow_the_layers() -> None:
    """No file imports a layer above its own, or a package that its layer must not use."""
    wrong = []
    for path in source_files():
        part = path.relative_to(SOURCE / "mineproof").parts[0].removesuffix(".py")
        if part == "_native.pyi":
            continue
        for name in imports(path):
            if (why := complaint(part, name)) is not None:
                wrong.append(f"{path.relative_to(SOURCE)} imports {name}: {why}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("importer", "imported", "expected"),
    [
        ("core", "mineproof.core.grid.Cell", None),
        ("core", "mineproof.backend.native", "outside the core"),
        ("core", "numpy", "third party"),
        ("notation", "mineproof.core.grid", None),
        ("notation", "mineproof.agents.basic", "a layer above it"),
        ("inference", "mineproof.backend", None),
        ("session", "mineproof.lab.store", "a layer above it"),
        ("session", "mineproof.workers.pool", "processes"),
        ("web", "mineproof.workers.pool", None),
        ("workers", "mineproof.core.errors", "a layer above it"),
        ("workers", "distributed", None),
        ("agents", "mineproof.Game", "the names for users"),
        ("agents", "rich.table", "third party"),
        ("cli", "rich.table", None),
        ("cli", "mineproof.__version__", None),
        ("web", "mineproof.cli.main", "a layer above it"),
        ("cs50", "mineproof.core.grid", "a layer above it"),
        ("__main__", "mineproof.cli.main.main", None),
        ("__init__", "mineproof.cli.main", "a front end"),
        ("utils", "mineproof.core", "a part that is in no layer"),
    ],
)
def test_complaint_knows_right_from_wrong(
    importer: str, imported: str, expected: str | None
) -> None:
    assert complaint(importer, imported) == expected


def test_relative_imports_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mineproof" / "core" / "grid.py"
    path.parent.mkdir(parents=True)
    path.write_text("from ..agents import basic\nfrom . import move\nimport os.path\n")
    monkeypatch.setitem(globals(), "SOURCE", tmp_path)
    found = list(imports(path))
    assert found == ["mineproof.agents.basic", "mineproof.core.move", "os.path"]


def loaded_by(script: str, *options: str) -> set[str]:
    """Return the names of all modules that Python has loaded at the end of a script."""
    words = f"import sys; sys.path[:0] = {[str(SOURCE)]}; {script}; print(*sys.modules)"
    command = [sys.executable, *options, "-c", words]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_the_service_has_no_import_cycles() -> None:
    """Its files can be sorted so that each imports only earlier ones, even inside functions."""
    files = {f"mineproof.service.{path.stem}": path for path in SERVICE.glob("[!_]*.py")}
    wanted = {
        name: {
            other for one in imports(path) for other in files if f"{one}.".startswith(f"{other}.")
        }
        for name, path in files.items()
    }
    order = list(TopologicalSorter(wanted).static_order())  # raises CycleError
    assert len(order) == len(files) > 10


def test_importing_the_package_loads_the_standard_library_only() -> None:
    found = {name.split(".")[0] for name in loaded_by("import mineproof", "-I", "-S")}
    assert not found - sys.stdlib_module_names - {"mineproof", "__main__"}


PLAYING = """
import asyncio
from mineproof.web.browser import BrowserGames
class Host:
    def send(self, *_words): pass
    keep = ask = cancel = send
async def play():
    games = BrowserGames(Host(), "[]", "", '[{"id": "champion", "takes_time": false}]')
    games.receive('{"do": "open", "n": 1, "cell": [0, 0]}')
    games.receive('{"do": "risks", "n": 2}')
    games.receive('{"do": "agent", "n": 3, "name": "champion"}')
    await asyncio.sleep(0.01)
asyncio.run(play())
"""
"""A script for the browser worker that holds the games: it makes a move and asks a question."""


@pytest.mark.parametrize("script", [PLAYING, "import mineproof.web.app"], ids=["site", "server"])
def test_who_holds_games_loads_nothing_that_answers(script: str) -> None:
    """A browser must finish all imports before the page can be played."""
    heavy = (
        "advice.analysis",
        "advice.proofs",
        "proof",
        "search",
        "review.coach",
        "review.verdicts",
        "service.answers",
    )
    loaded = loaded_by(f"exec({script!r})")
    assert "mineproof.service.page" in loaded
    assert not [name for name in loaded if name.startswith(tuple(f"mineproof.{x}" for x in heavy))]
