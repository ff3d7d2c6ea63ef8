"""Both engines: every test that asks for `engine` runs on each."""

from __future__ import annotations

import pytest
from conftest import Require
from layout_oracle import Engine

from mineproof.inference import counting
from mineproof.inference.counting import reference


@pytest.fixture(params=["python", "native"])
def engine(request: pytest.FixtureRequest, require: Require) -> Engine:
    """Give `count(observation, prior, nodes, seconds)` of one engine."""
    if request.param == "python":
        return reference.count
    require("native", counting.backend() != "python", "the native core does not count here")
    count: Engine = counting.load().count
    return count
