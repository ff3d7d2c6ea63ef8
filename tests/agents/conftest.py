"""Fixtures for the tests of agents."""

from __future__ import annotations

import pytest
from conftest import Require

from mineproof.backend import native


@pytest.fixture(autouse=True)
def _deep_has_its_core(request: pytest.FixtureRequest, require: Require) -> None:
    """Skip the tests of `deep` if the C++ core is missing: `deep` does not work without it."""
    if "[deep" in request.node.name:
        require("native", native is not None, "the agent deep needs the native core")
