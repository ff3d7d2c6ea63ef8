"""What an answer may cost."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager
from typing import NamedTuple

from mineproof.inference.counting.work import MEMORY, QuestionBounds, bounded


class Budget(NamedTuple):
    """The time and the memory that an answer may take; what is left of both, as it is passed on."""

    seconds: float = 10.0
    memory: int = MEMORY
    """Bytes."""

    def since(self, started: float) -> Budget:
        """Give what is left of the time that began at a moment of `time.monotonic`."""
        return self._replace(seconds=max(0.01, self.seconds - (time.monotonic() - started)))

    def kept(self) -> AbstractContextManager[QuestionBounds]:
        """Keep these bounds in a block."""
        return bounded(self.seconds, self.memory)


USUAL = Budget()
