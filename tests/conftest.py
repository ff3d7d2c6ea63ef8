"""What all tests share: parts that a machine may lack, and how hard hypothesis tries."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from typing import Protocol

import pytest
from hypothesis import HealthCheck, settings

PARTS = frozenset({"native", "browser", "node", "sanitizers", "wasm"})
"""What a machine may lack. `MINEPROOF_REQUIRE` lists those whose tests must not be skipped."""


FUZZ_SEED = int(os.environ.get("MINEPROOF_FUZZ_SEED") or secrets.randbits(32))
"""What tests that spoil input draw from: new in every run; the variable repeats one.

The processes of pytest-xdist and those that tests start find it in the variable.
"""


class Require(Protocol):
    """What the fixture `require` gives."""

    def __call__(self, name: str, available: bool, why: str) -> None:
        """Skip the test unless `available`; fail instead if `name` is required."""


def required_parts(text: str) -> frozenset[str]:
    """Read the value of `MINEPROOF_REQUIRE`: names with commas between them.

    Raises:
        ValueError: a name is not one of `PARTS`; a misspelt name would require nothing.
    """
    names = frozenset(filter(None, (name.strip() for name in text.split(","))))
    if unknown := names - PARTS:
        raise ValueError(
            f"expected MINEPROOF_REQUIRE to list some of {', '.join(sorted(PARTS))}, "
            f"got {', '.join(sorted(unknown))}"
        )
    return names


def require_part(name: str, available: bool, why: str) -> None:
    """Skip the test unless the part is there; fail instead if the part is required.

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
    pytest.skip(f"no {name} here: {why}")


@pytest.fixture(scope="session")
def require() -> Require:
    """Give the function that skips a test, or fails it where `MINEPROOF_REQUIRE` says so."""
    return require_part


def tell_fuzz_seed(config: pytest.Config) -> None:
    """Say how to spoil input in the same way again; a header would be hidden by `-q`."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and not hasattr(config, "workerinput"):
        reporter.ensure_newline()
        reporter.write_line(f"fuzz: MINEPROOF_FUZZ_SEED={FUZZ_SEED}")
        reporter.flush()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Tell the seed before anything can hang or crash."""
    tell_fuzz_seed(session.config)


def pytest_terminal_summary(config: pytest.Config) -> None:
    """Tell it again where readers of a long log look: before pytest's own last line."""
    tell_fuzz_seed(config)


def pytest_configure() -> None:
    """Refuse a misspelt `MINEPROOF_REQUIRE` before any test runs."""
    os.environ["MINEPROOF_FUZZ_SEED"] = str(FUZZ_SEED)  # for the processes that tests start
    try:
        required_parts(os.environ.get("MINEPROOF_REQUIRE", ""))
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None


SLOWLY_BUILT = frozenset({"wasm_core", "site", "home"})
"""The fixtures that compile the core as WebAssembly."""


def pytest_collection_finish(session: pytest.Session) -> None:
    """Compile before the first test, if one needs it: that takes longer than a test may."""
    wanted = {name for item in session.items for name in getattr(item, "fixturenames", ())}
    if session.config.option.collectonly or SLOWLY_BUILT.isdisjoint(wanted):
        return
    from mineproof.core.errors import InputError
    from mineproof.web import core_build

    with suppress(InputError, RuntimeError):  # the fixtures say what is missing or wrong
        core_build.ensure_core()


# `fast` tries the same examples in every run, so that a change is never blamed for another
# one's luck; `slow` looks for new ones: HYPOTHESIS_PROFILE=slow python3 run.py test
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
    # Hypothesis tries numbers and texts of the modules that are loaded: those that earlier
    # tests of the process happened to need are among them, and so examples would differ.
    with suppress(ImportError):  # in Pyodide there is no more of it than its names
        from hypothesis.internal.conjecture import providers

        providers._get_local_constants = lambda: providers._local_constants
