"""The `engine` fixture, which runs a test on both engines."""

from __future__ import annotations

import pytest
from conftest import Require
from layout_oracle import Engine, count_with

from mineproof.inference import counting
from mineproof.inference.counting import reference


@pytest.fixture(params=["python", "native"])
def engine(
    request: pytest.FixtureRequest, require: Require, monkeypatch: pytest.MonkeyPatch
) -> Engine:
    """Return the function `count(observation, prior, nodes, seconds)` of one engine."""
    if request.param == "python":
        monkeypatch.setattr(counting, "load", lambda: reference)
    else:
        require("native", counting.backend() != "python", "the native core does not count here")
    return count_with
