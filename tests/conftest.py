"""Shared settings of all tests: tiers, optional packages and tools, and hypothesis profiles."""

from __future__ import annotations

import os
import secrets
from collections.abc import Generator
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import pytest
from hypothesis import HealthCheck, settings

HERE = Path(__file__).parent
FULL = tuple(
    HERE / name
    for name in (
        *("benchmarks", "gym", "lab", "wasm", "web"),
        *("cli/test_cli_games.py", "cli/test_cli_screen.py"),
        *("cs50/test_cs50_check.py", "cs50/test_cs50_command.py", "cs50/test_cs50_supervisor.py"),
        "cs50/test_cs50_window.py",
        *("match/test_isolated.py", "match/test_thieves.py"),
        *("native/test_checked_proofs.py", "native/test_sanitizers.py"),
        *("review/test_replays.py", "review/test_replays_fuzz.py"),
        *("search/test_deep_search.py", "test_damaged.py", "test_fuzz_seed.py"),
        *("test_home_documents.py", "test_home_release.py", "test_tiers.py"),
    )
)
"""Folders and files that `--quick` leaves out, in addition to tests with the marker `full`."""
QUICK_SECONDS = 3.0
"""A quick test that takes more CPU seconds than this is reported at the end of a run."""

PARTS = frozenset(
    {"native", "browser", "firefox", "webkit", "node", "sanitizers", "wasm", "extras"}
)
"""Optional parts of a test machine, such as a browser.

Tests that need a part named in `MINEPROOF_REQUIRE` must not be skipped.
"""


FUZZ_SEED = int(os.environ.get("MINEPROOF_FUZZ_SEED") or secrets.randbits(32))
"""The seed of tests that damage input.

Each run draws a new seed, unless the environment variable sets one. The processes of pytest-xdist,
and those that tests start, read it from that variable.
"""


class Require(Protocol):
    """The type of the fixture `require`."""

    def __call__(self, name: str, available: bool, why: str) -> None:
        """Skip the test if `available` is false, or fail it if `name` is required."""


def required_parts(text: str) -> frozenset[str]:
    """Return the names in `MINEPROOF_REQUIRE`, which are separated by commas.

    Raises:
        ValueError: if a name is not in `PARTS`. A misspelt name would require nothing.
    """
    names = frozenset(filter(None, (name.strip() for name in text.split(","))))
    if unknown := names - PARTS:
        raise ValueError(
            f"expected MINEPROOF_REQUIRE to list some of {', '.join(sorted(PARTS))}, "
            f"got {', '.join(sorted(unknown))}"
        )
    return names


def require_part(name: str, available: bool, why: str) -> None:
    """Skip the test if the part is missing, or fail the test if the part is required.

    Args:
        name: one of `PARTS`.
        available: whether the machine has what the test needs.
        why: what is missing, for the reader of the test's summary.
    """
    if name not in PARTS:
        raise ValueError(f"expected one of {', '.join(sorted(PARTS))}, got {name!r}")
    if available:
        return
    if name in required_parts(os.environ.get("MINEPROOF_REQUIRE", "")):
        pytest.fail(f"MINEPROOF_REQUIRE names {name}, but {why}", pytrace=False)
    pytest.skip(f"no {name} here: {why}", allow_module_level=True)


@pytest.fixture(scope="session")
def require() -> Require:
    """Return a function that skips a test, or fails it if `MINEPROOF_REQUIRE` names the part."""
    return require_part


def import_extra(name: str) -> Any:
    """Import a package that an extra provides; skip the test or file if it is not installed."""
    top = name.partition(".")[0]
    require_part("extras", find_spec(top) is not None, not_installed(top))
    return import_module(name)


def not_installed(name: str) -> str:
    """Return a message with the missing packages and the command that installs them."""
    return f"{name} is not installed (`python3 run.py test --full` installs every extra)"


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Skip a test file that imports a package from an extra that is not installed."""
    report = yield
    error = report.call.excinfo.value.__cause__ if report.failed and report.call.excinfo else None
    if isinstance(error, ModuleNotFoundError) and is_foreign(error.name or ""):
        try:
            require_part("extras", False, not_installed(error.name or ""))
        except pytest.skip.Exception as skip:
            report.outcome = "skipped"
            report.longrepr = (str(collector.path), 1, f"Skipped: {skip.msg}")
        except pytest.fail.Exception as failure:
            report.longrepr = failure.msg
    return report


def is_foreign(module: str) -> bool:
    """Return whether a module belongs neither to the package nor to the tests."""
    top = module.partition(".")[0]
    return top != "mineproof" and not any(HERE.rglob(f"{top}.py"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out tests that are marked full")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip the folders that `--quick` leaves out, so that they are not even imported."""
    return (config.getoption("quick") and is_full(collection_path)) or None


def is_full(path: Path) -> bool:
    """Return whether `FULL` lists a file or one of its folders."""
    return any(map(path.is_relative_to, FULL))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests that `FULL` lists. With `--quick`, deselect marked tests."""
    for item in items:
        if is_full(item.path):
            item.add_marker(pytest.mark.full)
    if config.getoption("quick"):
        items[:] = [item for item in items if item.get_closest_marker("full") is None]


def tell_fuzz_seed(config: pytest.Config) -> None:
    """Print the seed with which the run can be repeated. `-q` would hide a header."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and not hasattr(config, "workerinput"):
        reporter.ensure_newline()
        reporter.write_line(f"fuzz: MINEPROOF_FUZZ_SEED={FUZZ_SEED}")
        reporter.flush()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Print the seed before anything can hang or crash."""
    tell_fuzz_seed(session.config)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Record the CPU time of a test and its child processes, which other load hardly affects."""
    before = sum(os.times()[:4])
    try:
        return (yield)
    finally:
        item.user_properties.append(("processor seconds", sum(os.times()[:4]) - before))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Report slow quick tests, and print the seed again before pytest's last line."""
    slow = [
        f"{seconds:.1f} s for {report.nodeid}"
        for report in terminalreporter.getreports("passed")
        for name, seconds in report.user_properties
        if name == "processor seconds" and seconds > QUICK_SECONDS and "full" not in report.keywords
    ]
    if slow:
        terminalreporter.section("slow for quick tests: speed them up or mark them full")
        terminalreporter.write_line("\n".join(slow))
    tell_fuzz_seed(config)


def pytest_configure() -> None:
    """Reject a misspelt `MINEPROOF_REQUIRE` before any test runs."""
    os.environ["MINEPROOF_FUZZ_SEED"] = str(FUZZ_SEED)  # for the processes that tests start
    try:
        required_parts(os.environ.get("MINEPROOF_REQUIRE", ""))
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None


def needs_wasm(item: pytest.Item) -> bool:
    """Return whether a test needs the WebAssembly core."""
    home = getattr(getattr(item, "callspec", None), "params", {}).get("home")
    return home == "site" or not {"wasm_core", "site"}.isdisjoint(getattr(item, "fixturenames", ()))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Compile the WebAssembly core before the tests, because it takes longer than a test may."""
    if session.config.option.collectonly or not any(map(needs_wasm, session.items)):
        return
    from mineproof.core.errors import InputError
    from mineproof.web import core_build

    with suppress(InputError, RuntimeError):  # the fixtures report what is missing or wrong
        core_build.ensure_core()


# `fast` tries the same examples in every run, so that a failure is never due to chance;
# `slow` looks for new ones: HYPOTHESIS_PROFILE=slow python3 run.py test
_SLOW_MACHINES = [HealthCheck.too_slow]
settings.register_profile(
    "fast", max_examples=50, deadline=None, derandomize=True, suppress_health_check=_SLOW_MACHINES
)
settings.register_profile(
    "slow", max_examples=2000, deadline=None, suppress_health_check=_SLOW_MACHINES
)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "fast")
settings.load_profile(PROFILE)
if PROFILE == "fast":
    # Hypothesis uses constants of the loaded modules as examples. Earlier tests in the same
    # process may have loaded more modules, so the examples would differ between runs.
    with suppress(ImportError):  # Pyodide has only a stub of hypothesis
        from hypothesis.internal.conjecture import providers

        providers._get_local_constants = lambda: providers._local_constants
