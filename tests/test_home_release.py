"""Release files: the sdist and the wheels with and without the core, installed and used."""

from __future__ import annotations

import email
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from command_output import output
from conftest import Require

from mineproof.web.core_build import READY, ZIG

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build" / f"wheel-{sys.implementation.cache_tag}"
"""The build folder. It is kept, so that CMake compiles only what has changed."""
WORKFLOWS = ROOT / ".github" / "workflows"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def build(kind: str, source: Path, out: Path, options: str = "{}", **variables: str) -> Path:
    """Build an `sdist` or a `wheel` with the build backend. Return the file."""
    code = (
        f"from scikit_build_core.build import build_{kind}; build_{kind}({str(out)!r}, {options})"
    )
    output(sys.executable, "-P", "-c", code, folder=source, **variables)
    (made,) = out.iterdir()
    return made


def installer(python: Path) -> list[str]:
    """Return the start of a command that installs into an environment, with uv or pip."""
    if uv := shutil.which("uv"):
        return [uv, "pip", "install", "-q", "--python", str(python)]
    has_pip = importlib.util.find_spec("pip") is not None
    pip = sys.executable if has_pip else getattr(sys, "_base_executable", sys.executable)
    return [pip, "-m", "pip", "--python", str(python), "install", "-q"]


def packed(wheel: Path) -> set[str]:
    """Return the files of a wheel, without its metadata and the built core."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    return {name for name in names if ".dist-info/" not in name and "/_native." not in name} | {
        name for name in names if name.endswith(".pyi")
    }


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sdist and return the folder to which it unpacks."""
    folder = tmp_path_factory.mktemp("sdist")
    made = build("sdist", ROOT, folder / "out")
    with tarfile.open(made) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    (found,) = (folder / "unpacked").iterdir()
    return found


@pytest.fixture(scope="module")
def pure_wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a wheel from the sdist without a compiler."""
    return build("wheel", sdist, tmp_path_factory.mktemp("pure"), CXX="no-such-compiler")


def test_the_sdist_has_all_that_a_build_needs(sdist: Path) -> None:
    """The sdist has every source of the core, and no file that belongs to this machine."""
    for path in [
        *filter(Path.is_file, (ROOT / "native").rglob("*")),
        ROOT / "CMakeLists.txt",
        ROOT / "README.md",
    ]:
        assert (sdist / path.relative_to(ROOT)).read_bytes() == path.read_bytes(), path
    assert not any((sdist / name).exists() for name in (".venv", "build", "node_modules", ".git"))


def test_without_a_compiler_there_is_a_pure_wheel(pure_wheel: Path) -> None:
    """The pure wheel is for every Python 3 and every system, and has the page and all texts."""
    assert pure_wheel.name.endswith("-py3-none-any.whl")
    names = packed(pure_wheel)
    source = ROOT / "src" / "mineproof"
    wanted = {f"mineproof/{path.relative_to(source).as_posix()}" for path in source.rglob("*.py")}
    wanted |= {"mineproof/service/lessons.toml", "mineproof/web/static/index.html"}
    wanted |= {f"mineproof/{path.relative_to(ROOT)}" for path in (ROOT / "examples").glob("*.py")}
    wanted |= {"mineproof/examples/beginner.evf", "mineproof/examples/engines/simple.py"}
    assert wanted <= names
    assert not any(name.endswith((".so", ".pyd")) for name in names)


def test_the_package_index_shows_a_readme_that_works(pure_wheel: Path) -> None:
    """Links and pictures have full addresses. The address is written in one place only."""
    with zipfile.ZipFile(pure_wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        metadata = email.message_from_bytes(archive.read(name))
    address = PROJECT["tool"]["dynamic-metadata"][0]["address"]
    urls = dict(line.split(", ") for line in metadata.get_all("Project-URL", []))
    assert set(urls) == {"Repository", "Documentation", "Changelog", "Issues"}
    assert all(url.startswith(address) for url in urls.values())
    linked = re.findall(r'\]\(([^)#]+)|(?:src|srcset)="([^"]+)', str(metadata.get_payload()))
    assert len(linked) > 40
    tag = f"v{PROJECT['project']['version']}"
    for url in map("".join, linked):
        kind = "raw" if "/pictures/" in url else "blob"
        start, path = url[: len(f"{address}/{kind}/{tag}/")], url.partition(f"/{tag}/")[2]
        assert start == f"{address}/{kind}/{tag}/"
        assert (ROOT / path).is_file(), path
    texts = [*ROOT.glob("*.*"), *ROOT.glob("docs/**/*.*"), *ROOT.glob("src/**/*.py")]
    named = [path for path in texts if path.is_file() and address.encode() in path.read_bytes()]
    assert named == [ROOT / "pyproject.toml"]


def test_a_wheel_carries_the_core_for_browsers(sdist: Path, tmp_path: Path) -> None:
    """With the core for browsers in the wheel, a site can be built without a compiler."""
    source = shutil.copytree(sdist, tmp_path / "source")
    (source / "src" / "mineproof" / "web" / "site" / "core.wasm").write_bytes(b"\0asm")
    made = build("wheel", source, tmp_path / "out", CXX="no-such-compiler")
    with zipfile.ZipFile(made) as archive:
        archive.extractall(tmp_path / "installed")
    code = "from mineproof.web import core_build; print(core_build.ensure_core().read_bytes())"
    installed = str(tmp_path / "installed")
    # -S: do not find this checkout, from which the tests run.
    printed = output(sys.executable, "-PSc", code, folder=tmp_path, PYTHONPATH=installed)
    assert printed == "b'\\x00asm'\n"


def test_releases_build_the_core_for_browsers_first() -> None:
    """Releases compile the core for browsers with the pinned compiler, before any wheel."""
    workflow = (WORKFLOWS / "wheels.yml").read_text("utf-8")
    assert f"ziglang=={ZIG}" in workflow
    assert PROJECT["project"]["optional-dependencies"]["site"] == [f"ziglang=={ZIG}"]
    assert workflow.count("needs: core\n") == 2
    assert READY.relative_to(ROOT).as_posix() in workflow
    assert PROJECT["tool"]["scikit-build"]["sdist"]["include"] == [
        READY.relative_to(ROOT).as_posix()
    ]


@pytest.fixture(scope="module")
def wheel(require: Require, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel with its core."""
    has_compiler = any(map(shutil.which, (os.environ.get("CXX", "c++"), "g++", "clang++")))
    require("native", has_compiler and bool(shutil.which("cmake")), "no compiler or no cmake")
    launcher = {"CMAKE_CXX_COMPILER_LAUNCHER": "ccache"} if shutil.which("ccache") else {}
    shared = {"CCACHE_BASEDIR": str(ROOT), "CCACHE_NOHASHDIR": "1", **launcher}
    options = repr({"build-dir": str(BUILD)})
    folder = tmp_path_factory.mktemp("wheel")
    return build("wheel", ROOT, folder, options, MINEPROOF_REQUIRE="native", **shared)


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python of a new environment, outside the checkout, with the wheel installed."""
    home = tmp_path_factory.mktemp("home")
    output(sys.executable, "-m", "venv", "--without-pip", home, folder=home)
    found = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    wish = f"mineproof[web] @ {wheel.as_uri()}"
    output(*installer(found), "-c", str(ROOT / "constraints.txt"), wish, folder=home)
    return found


@pytest.mark.timeout(1800)  # a first build compiles everything
def test_the_wheel_works_in_a_new_environment(
    wheel: Path, pure_wheel: Path, python: Path, tmp_path: Path
) -> None:
    """With only the wheel, every command works or says what to install.

    This is one test, because parallel tests must not share a build folder.
    """
    assert packed(wheel) == packed(pure_wheel)
    shutil.copy(ROOT / "tests" / "use_every_command.py", tmp_path)
    printed = output(python, "-P", tmp_path / "use_every_command.py", folder=tmp_path)
    assert printed.startswith(str(python.parents[1].resolve())), printed
    assert " native\n" in printed
    command = [str(python), "-P", "-m", "mineproof", "lab", "run", "ladder"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, "mineproof[lab]" in done.stderr) == (2, True)


def test_wheels_for_release_use_the_stable_abi() -> None:
    """One wheel serves Python 3.12 and later; 3.11 has a separate one."""
    wheels = PROJECT["tool"]["cibuildwheel"]
    assert wheels["config-settings"]["wheel.py-api"] == "cp312"
    assert "cp311-*" in wheels["build"]
    assert "use_every_command.py" in wheels["test-command"]
    assert "SKBUILD_SABI_COMPONENT" in (ROOT / "CMakeLists.txt").read_text("utf-8")


def test_classifiers_name_what_is_supported() -> None:
    """The classifiers list the Python versions of the wheels and the three systems."""
    classifiers = PROJECT["project"]["classifiers"]
    built = re.findall(r"cp3(\d+)-", PROJECT["tool"]["cibuildwheel"]["build"])
    assert {f"Programming Language :: Python :: 3.{minor}" for minor in built} <= set(classifiers)
    assert sum(one.startswith("Operating System :: ") for one in classifiers) == 3


def test_workflows_have_nothing_to_be_warned_of() -> None:
    """The tool zizmor checks the syntax, permissions and pins of the workflows."""
    zizmor = shutil.which("zizmor", path=str(Path(sys.executable).parent))
    if zizmor is None:
        pytest.skip("zizmor is not installed")
    names = {path.stem for path in WORKFLOWS.glob("*.yml")}
    assert {"tests", "wheels", "docs"} <= names
    options = ("--offline", "--no-progress", "--min-confidence", "medium")
    output(zizmor, *options, WORKFLOWS, folder=ROOT)


def test_workflows_ask_for_little() -> None:
    """Each workflow starts with read access or less.

    Only jobs that need more permissions get them.
    """
    little = re.compile(r"^permissions:( \{\}|\n  contents: read)\n\n", re.M)
    for path in WORKFLOWS.glob("*.yml"):
        assert little.search(path.read_text("utf-8")), path.name
