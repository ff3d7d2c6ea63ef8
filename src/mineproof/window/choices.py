"""What the choosers offer: the levels and the agents, each with a word about it."""

from __future__ import annotations

from mineproof.agents.registry import agents
from mineproof.core.rules import LEVELS, Rules
from mineproof.window.controller import Controller
from mineproof.window.controls import Control
from mineproof.window.overlays import Entry, Menu
from mineproof.window.panel import level_name


def make_menu(chooser: Control, controller: Controller) -> Menu:
    """Give the list of a chooser, with what is chosen now."""
    if chooser.command == "level":
        entries, chosen = level_entries(), level_name(controller.session.rules)
    else:
        entries, chosen = agent_entries(controller.agent), controller.agent
    names = [entry.name for entry in entries]
    marked = names.index(chosen) if chosen in names else 0
    return Menu(chooser.command, chooser.rect, entries, chosen, marked)


def take(menu: Menu, number: int, controller: Controller) -> None:
    """Choose an entry of a list."""
    name = menu.entries[number].name
    if menu.command == "agent":
        controller.choose_agent(name)
    else:
        controller.new(LEVELS[name])


def level_entries() -> list[Entry]:
    """List the levels."""
    return [Entry(name, _level(rules)) for name, rules in LEVELS.items()]


def agent_entries(current: str) -> list[Entry]:
    """List all agents, strongest first, and one of the user's own if it plays now."""
    known = [Entry(spec.id, spec.idea) for spec in reversed(agents().values())]
    if any(entry.name == current for entry in known):
        return known
    return [Entry(current, "as you named it"), *known]


def _level(rules: Rules) -> str:
    start = "first cell safe" if rules.first_cell is not None else "some cells open"
    return f"{rules.rows} x {rules.columns}, {rules.mines} mines, {start}"
