"""The texts that a page sends and that a store keeps, read safely: sizes and depths are limited."""

from __future__ import annotations

from typing import Any

from mineproof.notation.codec import from_plain
from mineproof.notation.text import load_json
from mineproof.service.limits import DEPTH, VALUES

Message = dict[str, Any]
SHOWN = 60
"""Characters of a text that an error quotes."""


def read_message(text: str) -> Message:
    """Read a message of a page: a JSON object of limited size, whose depth is not checked yet.

    Raises:
        NotationError: it is something else.
    """
    return from_plain(Message, load_json(text, "a message", values=VALUES), "a message")


def read_kept(text: str) -> Message:
    """Read what was kept on this machine: a JSON object that can be written again.

    Raises:
        NotationError: it is damaged.
    """
    return from_plain(Message, load_json(text, "what was kept", depth=DEPTH), "what was kept")
