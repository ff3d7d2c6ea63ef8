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
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from mineproof import __version__
from mineproof.core.errors import InputError
from mineproof.web.browser import rehearse
from mineproof.web.bundle import bundled, minified
from mineproof.web.core_build import build_core
from mineproof.web.icon import icon

PACKAGES = {"pyodide": "314.0.7", "esbuild": "0.28.2"}
"""The npm packages that sites are built and tested with: Python for browsers, and a minifier."""
DOWNLOADED = Path.home() / ".cache" / "mineproof" / "npm"
"""Where npm packages are stored if the build downloads them."""
NPM_OPTIONS = ("--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1")
VARIABLE = "MINEPROOF_PYODIDE"
"""Environment variable with the folder of Pyodide's npm package, if it is not in `node_modules`."""
HERE = Path(__file__).parent
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
LEFT_OUT = (
    *("cli/", "lab/", "arena/", "gym/", "cs50check/", "py.typed", "_native"),
    *("cs50/runner.py", "cs50/rounds.py", "cs50/README.md"),
    *("match/batch.py", "match/checker.py", "match/engine", "match/isolated", "match/results.py"),
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
    notes: tuple[str, ...] = ()
    """What is missing although it should have been included, and why."""


def build_site(out: Path, pyodide: Path | None = None, *, with_core: bool = True) -> Size:
    """Write the whole site into a folder. If that fails, the folder is unchanged.

    Args:
        out: the folder. Files of an earlier site are overwritten; others stay.
        pyodide: the folder of Pyodide's npm package; by default it is searched for, and
            downloaded if it is missing.
        with_core: whether to include the C++ core, if it can be compiled. Without it, agents run
            in pure Python.

    Raises:
        InputError: node is missing, or Pyodide cannot be downloaded.
    """
    find_node()
    runtime = get_package("pyodide", pyodide)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}-") as folder:
        made = Path(folder) / "site"
        notes = _write_site(made, runtime, with_core)
        size = size_of(made)
        _move(made, out)
    return size._replace(notes=notes)


def _move(made: Path, out: Path) -> None:
    """Move the files of a site to their folder; the service worker, which lists them, is last."""
    if not out.exists():
        made.rename(out)
        return
    paths = [path.relative_to(made) for path in made.rglob("*") if path.is_file()]
    for path in sorted(paths, key=lambda path: (path.name == "sw.js", path)):
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (made / path).replace(out / path)


def _write_site(out: Path, runtime: Path, with_core: bool) -> tuple[str, ...]:
    """Write a site to a new folder, and return what it lacks."""
    (out / "pyodide").mkdir(parents=True)
    (out / "static" / "js").mkdir(parents=True)
    for name in ("style.css", "icon.svg"):
        shutil.copyfile(HERE / "static" / name, out / "static" / name)
    unwanted = shutil.ignore_patterns("sw.js", "pack.mjs", "*.d.ts", "core.wasm", *AT_THE_TOP)
    shutil.copytree(HERE / "site", out / "site", dirs_exist_ok=True, ignore=unwanted)
    notes = [_add_scripts(out), _add_core(out / "site" / "core.wasm") if with_core else ""]
    for name in AT_THE_TOP:
        shutil.copyfile(HERE / "site" / name, out / name)
    for name in RUNTIME:
        shutil.copyfile(runtime / name, out / "pyodide" / name)
    _pack(runtime, out / "site")
    (out / "index.html").write_text(_index(), "utf-8")
    for side in ICONS:
        (out / f"icon-{side}.png").write_bytes(icon(side))
    _write_built(out, runtime, has_core=(out / "site" / "core.wasm").exists())
    write_service_worker(out)
    return tuple(filter(None, notes))


def _add_scripts(out: Path) -> str:
    """Join the page's scripts, and minify all scripts and the style sheet.

    Return why that was done without esbuild, or an empty string.
    """
    main, joined = (folder / "static" / "js" / "main.js" for folder in (HERE, out))
    others = [*out.glob("s*/*.js"), *out.glob("s*/*.css")]
    try:
        tools = get_package("esbuild").parent / ".bin"
        minify = (shutil.which("esbuild", path=tools), "--minify", "--log-level=error")
        _run("esbuild failed", *minify, "--bundle", "--format=esm", f"--outfile={joined}", main)
        to = (f"--outdir={out}", f"--outbase={out}", "--allow-overwrite")
        _run("esbuild failed", *minify, *to, *others)
    except (InputError, OSError) as error:
        joined.write_text(bundled(main), "utf-8")
        for path in others:
            path.write_text(minified(path.read_text("utf-8")), "utf-8")
        return f"without esbuild, the page's scripts are larger ({_first_line(error)})"
    return ""


def _add_core(out: Path) -> str:
    """Add the C++ core to a site; return why that is impossible, or an empty string."""
    try:
        build_core(out)
    except (InputError, RuntimeError, OSError) as error:
        return f"without the C++ core, agents are slower ({_first_line(error)})"
    return ""


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]


def get_package(name: str, given: Path | None = None) -> Path:
    """Return the folder of an npm package, and download it with npm if it is missing.

    Raises:
        InputError: npm is missing or fails, or `given` is not the right package.
    """
    try:
        return find_package(name, given)
    except InputError:
        npm = shutil.which("npm")
        if given or npm is None or (name == "pyodide" and os.environ.get(VARIABLE)):
            raise
    DOWNLOADED.mkdir(parents=True, exist_ok=True)
    version = PACKAGES[name]
    with tempfile.TemporaryDirectory(dir=DOWNLOADED) as folder:
        made = Path(folder) / name
        what = f"npm could not download {name} {version}"
        _run(what, npm, "install", "--prefix", made, *NPM_OPTIONS, f"{name}@{version}")
        with suppress(OSError):  # another process was faster
            made.rename(DOWNLOADED / f"{name}-{version}")
    return find_package(name)


def find_package(name: str, given: Path | None = None) -> Path:
    """Return the folder of an npm package.

    Raises:
        InputError: it is missing, or the given one has the wrong version.
    """
    wanted = PACKAGES[name]
    named = given or (os.environ.get(VARIABLE) if name == "pyodide" else None)
    above = (Path.cwd(), *HERE.resolve().parents, DOWNLOADED / f"{name}-{wanted}")
    for folder in [Path(named)] if named else [one / "node_modules" / name for one in above]:
        version = None
        if (folder / "package.json").is_file():
            version = json.loads((folder / "package.json").read_text("utf-8")).get("version")
        if version == wanted:
            return folder.resolve()
        if named and version is not None:
            raise InputError(f"expected {name} {wanted}, got {version} in {folder}")
    raise InputError(
        f"the npm package {name} is not in {named or above[0] / 'node_modules'}. "
        f"Install npm (nodejs.org), or run `npm install {name}@{wanted}`"
    )


def _run(failure: str, *command: object) -> None:
    """Run a program.

    Raises:
        InputError: the program failed. The message contains the end of what it printed.
    """
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise InputError(f"{failure}: {done.stderr.strip()[-2000:]}")


def find_node() -> str:
    """Return the path of node, which runs Pyodide while a site is built.

    Raises:
        InputError: it is not installed.
    """
    found = shutil.which("node")
    if found is None:
        raise InputError("node is not installed. Building a site needs node and npm (nodejs.org)")
    return found


def _pack(runtime: Path, out: Path) -> None:
    """Compile the standard library and the package, and compress each as a whole."""
    with tempfile.TemporaryDirectory() as folder:
        words = (HERE / "site" / "pack.mjs", runtime, HERE.parent, folder, *left_out())
        _run("node failed to compile the package", find_node(), *words)
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
    text = text.replace(main, f"  {HEAD}{extras}")
    lanes = '<div id="lanes" data-when="race+single" hidden></div>\n'
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
