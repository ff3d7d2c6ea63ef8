"""Game ids through the system's clipboard."""

from __future__ import annotations

from contextlib import suppress

import pygame

from mineproof.window.controller import Controller
from mineproof.window.notes import Note

LONGEST = 100_000
"""Characters of a text that is pasted; ids are shorter."""


def copy_game(controller: Controller) -> None:
    """Copy the id of the game, where it has one."""
    identity = controller.session.game_id
    if identity is None:
        return
    with suppress(pygame.error):
        pygame.scrap.put_text(identity)
        controller.note = Note("Copied", f"{identity} gives this game again: Ctrl+V.")


def paste_game(controller: Controller) -> None:
    """Begin the game whose id was copied, or say that it is none."""
    text = ""
    with suppress(pygame.error):
        text = pygame.scrap.get_text()
    if text:
        controller.new_from_id(text[:LONGEST])
