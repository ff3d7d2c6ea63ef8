"""Builds the page as a static site that any web host can serve.

The parts come from the package itself, from Pyodide's npm package and from the core compiled to
WebAssembly. `docs/site.md` explains how they work together.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from mineproof import __version__
from mineproof.core.errors import InputError
from mineproof.web.browser import rehearse
from mineproof.web.core_build import build_core
from mineproof.web.icon import icon

PYODIDE = "314.0.7"
"""The version of the npm package that sites are built and tested with."""
VARIABLE = "MINEPROOF_PYODIDE"
"""Environment variable with the folder of the npm package, if it is not in `node_modules`."""
HERE = Path(__file__).parent
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
LEFT_OUT = (
    *("cli/", "lab/", "arena/", "gym/", "cs50check/", "py.typed", "_native"),
    *("cs50/runner.py", "cs50/rounds.py", "cs50/README.md"),
    *("match/batch.py", "match/isolated.py", "match/many.py", "match/results.py"),
    *("workers/batch.py", "workers/cluster.py", "workers/pool.py"),
    *("review/chains_svg.py", "review/replay_writing.py"),
)
"""Files of the package that a site does not need, such as the command line and worker processes.
From `web`, only the files in `IN_BROWSER` are packed."""
IN_BROWSER = ("__init__.py", "browser.py")
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; base-uri 'none'; "
    "form-action 'none'; object-src 'none'"
)
HEAD = f"""<meta http-equiv="Content-Security-Policy" content="{POLICY}">
  <meta name="theme-color" content="#17456b">
  <link rel="manifest" href="manifest.webmanifest">
  <link rel="apple-touch-icon" href="icon-192.png">
  <link rel="stylesheet" href="site/site.css">
  <link rel="modulepreload" href="site/games.js">
  <script type="module" src="site/carrier.js"></script>
"""
LOADING = """<div id="loading" role="status"><progress max="1" value="0" aria-label="Loading">\
</progress><span>Loading …</span></div>
"""
AT_THE_TOP = ("NOTICES.txt", "manifest.webmanifest")
ICONS = (192, 512)
"""The sizes of the icons, as in `site/manifest.webmanifest`."""


class Size(NamedTuple):
    """The size of a site in bytes."""

    raw: int
    gzipped: int


def build_site(out: Path, pyodide: Path | None = None, *, with_core: bool = True) -> Size:
    """Write the whole site into a folder.

    Args:
        out: the folder. Files of an earlier site are overwritten; others stay.
        pyodide: the folder of Pyodide's npm package; searched for by default.
        with_core: whether to include the C++ core. Without it, agents run in pure Python.

    Raises:
        InputError: node, Pyodide or the compiler of the core is missing.
    """
    runtime = find_pyodide(pyodide)
    out.mkdir(parents=True, exist_ok=True)
    (out / "pyodide").mkdir(exist_ok=True)
    shutil.copytree(HERE / "static", out / "static", dirs_exist_ok=True)
    unwanted = shutil.ignore_patterns("sw.js", "pack.mjs", "*.d.ts", "core.wasm", *AT_THE_TOP)
    shutil.copytree(HERE / "site", out / "site", dirs_exist_ok=True, ignore=unwanted)
    for name in AT_THE_TOP:
        shutil.copyfile(HERE / "site" / name, out / name)
    for name in RUNTIME:
        shutil.copyfile(runtime / name, out / "pyodide" / name)
    if with_core:
        build_core(out / "site" / "core.wasm")
    _pack(runtime, out / "site")
    (out / "index.html").write_text(_index(), "utf-8")
    (out / "static" / "index.html").unlink()
    for side in ICONS:
        (out / f"icon-{side}.png").write_bytes(icon(side))
    _write_built(out, runtime, has_core=with_core)
    write_service_worker(out)
    return size_of(out)


def find_pyodide(given: Path | None = None) -> Path:
    """Return the folder of Pyodide's npm package.

    Raises:
        InputError: it is missing, or has the wrong version.
    """
    named = given or os.environ.get(VARIABLE)
    above = (Path.cwd(), *HERE.resolve().parents)
    folders = [Path(named)] if named else [one / "node_modules" / "pyodide" for one in above]
    for folder in folders:
        if (folder / "package.json").is_file():
            version = json.loads((folder / "package.json").read_text("utf-8")).get("version")
            if version != PYODIDE:
                raise InputError(f"expected pyodide {PYODIDE}, got {version} in {folder}")
            return folder.resolve()
    raise InputError(
        f"Pyodide's npm package is not in {' or '.join(map(str, folders[:2]))}. "
        f"Run `npm install pyodide@{PYODIDE}`, or pass its folder with --pyodide"
    )


def find_node() -> str:
    """Return the path of node, which runs Pyodide while a site is built.

    Raises:
        InputError: it is not installed.
    """
    found = shutil.which("node")
    if found is None:
        raise InputError("node is not installed; it is needed to compile the package (nodejs.org)")
    return found


def _pack(runtime: Path, out: Path) -> None:
    """Compile the standard library and the package, and compress each as a whole."""
    with tempfile.TemporaryDirectory() as folder:
        words = [HERE / "site" / "pack.mjs", runtime, HERE.parent, folder, *left_out()]
        command = [find_node(), *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise InputError(f"node failed to compile the package: {done.stderr[-2000:]}")
        for path in Path(folder).iterdir():
            packed = gzip.compress(path.read_bytes(), 9, mtime=0)
            (out / path.with_suffix(".pack").name).write_bytes(packed)


def left_out() -> tuple[str, ...]:
    """Return the name prefixes of all files that are not packed."""
    web = (f"web/{path.name}" for path in HERE.iterdir() if path.name not in IN_BROWSER)
    return (*LEFT_OUT, *web)


def _index() -> str:
    """Return the page with the site's additions."""
    text = (HERE / "static" / "index.html").read_text("utf-8")
    main = '  <script type="module" src="static/js/main.js"></script>\n'
    extras = main + '  <script type="module" src="site/extras.js"></script>\n'
    assert main in text
    preloads = "".join(
        f'  <link rel="modulepreload" href="static/js/{path.name}">\n'
        for path in sorted((HERE / "static" / "js").glob("*.js"))
    )
    text = text.replace(main, f"  {HEAD}{preloads}{extras}")
    lanes = '<div id="lanes" hidden></div>\n'
    assert lanes in text
    return text.replace(lanes, f"{lanes}        {LOADING}", 1)


def _write_built(out: Path, runtime: Path, has_core: bool) -> None:
    """Write the file with build information for the scripts."""
    lock = json.loads((runtime / "pyodide-lock.json").read_text("utf-8"))
    fetched = ["pyodide/pyodide.asm.wasm", "site/library.pack", "site/mineproof.pack"]
    built = {
        "version": __version__,
        "core": has_core,
        "python": _state([*(out / "pyodide").iterdir(), *(out / "site").iterdir()]),
        "sizes": {name: (out / name).stat().st_size for name in fetched},
        "lock": json.dumps({"info": lock["info"], "packages": {}}),
        "hello": first_hello(),
    }
    text = f"export const BUILT = {json.dumps(built, separators=(',', ':'))};\n"
    (out / "site" / "built.js").write_text(text, "utf-8")


def _state(paths: Iterable[Path]) -> str:
    """Return a hash of files."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        if path.name != "built.js":  # the hash goes into this file
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def first_hello() -> Mapping[str, Any]:
    """Return the first message for a page whose service is still loading."""
    hello: dict[str, Any] = json.loads(rehearse())
    hello["view"] |= {"key": "", "seed": "", "id": None}
    return {**hello, "key": "", "loading": True}


def write_service_worker(out: Path) -> None:
    """Write the service worker; its version is a hash of all other files."""
    paths = sorted(path for path in out.rglob("*") if path.is_file() and path.name != "sw.js")
    files = {
        path.relative_to(out).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()[:24]
        for path in paths
        if not path.name.startswith(".")
    }
    listed = json.dumps(files, indent=1)
    version = hashlib.sha256(listed.encode()).hexdigest()[:12]
    text = (HERE / "site" / "sw.js").read_text("utf-8")
    text = text.replace("{{version}}", version).replace("{{files}}", listed)
    (out / "sw.js").write_text(text, "utf-8")


def size_of(site: Path) -> Size:
    """Return the size of a site, raw and gzipped."""
    raw = gzipped = 0
    for path in site.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            raw += len(content)
            gzipped += min(len(content), len(gzip.compress(content, 9)))
    return Size(raw, gzipped)
