"""What an answer may cost."""

from __future__ import annotations

import time
from typing import NamedTuple

NODE_BYTES = 128
"""The memory of a state that is counted, at most, with the tables around it."""


class Budget(NamedTuple):
    """The time and the memory that an answer may take; what is left of both, as it is passed on."""

    seconds: float = 10.0
    memory: int = 1 << 30
    """Bytes."""

    @property
    def nodes(self) -> int:
        """How many states fit into the memory."""
        return max(1, self.memory // NODE_BYTES)

    @property
    def words(self) -> str:
        """The bounds, as a message says them."""
        return f"{self.seconds:g} s and {self.memory / 1e9:.2g} GB"

    def since(self, started: float) -> Budget:
        """Give what is left of the time that began at a moment of `time.monotonic`."""
        return self._replace(seconds=max(0.01, self.seconds - (time.monotonic() - started)))


USUAL = Budget()
