"""How the failures of an agent are told."""

from __future__ import annotations

from mineproof.core.observation import Observation


class Fault(Exception):  # noqa: N818  (a fault of the agent, not of the program)
    """Something an agent did against its contract."""

    def __init__(self, kind: str, text: str, observation: Observation | None = None) -> None:
        """Say what, in one sentence, and in which position."""
        super().__init__(text)
        self.kind = kind
        self.text = text
        self.observation = observation


def told(error: BaseException) -> str:
    """Tell an exception in one line, with the place where it was raised."""
    import traceback

    what = f"{type(error).__name__}: {error}".rstrip(": ")
    frames = traceback.extract_tb(error.__traceback__)
    return f"{what} ({frames[-1].filename}, line {frames[-1].lineno})" if frames else what
