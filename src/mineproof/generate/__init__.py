"""Boards made to order: no-guess boards, with the proof that each can be solved."""
