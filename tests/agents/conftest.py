"""What the tests of agents share."""

from __future__ import annotations

import pytest
from conftest import Require

from mineproof.backend import native


@pytest.fixture(autouse=True)
def _deep_has_its_core(request: pytest.FixtureRequest, require: Require) -> None:
    """Leave out the cases of `deep` where there is no native core: it plays by nothing else."""
    if "[deep" in request.node.name:
        require("native", native is not None, "the agent deep needs the native core")
