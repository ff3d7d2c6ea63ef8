"""What the line under the board says."""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.core.decision import Decision
from mineproof.core.grid import Cell
from mineproof.play.luck import Luck
from mineproof.play.metrics import Metrics
from mineproof.session import Hint, Session, State, Why
from mineproof.session.reasons import GuessAnswer


@dataclass(frozen=True)
class Note:
    """A short title, a sentence or two, and the cells that they speak of."""

    title: str = ""
    text: str = ""
    tone: str = "plain"
    """How it is meant: plain, good, bad or guess."""
    cell: Cell | None = None
    clues: tuple[Cell, ...] = ()
    conclusions: tuple[Cell, ...] = ()


BEGIN = Note(
    "Open any cell to begin",
    "Left click opens, right click marks a mine. F1 tells the rest.",
)
GIVEN = Note(
    "Some cells are open to begin with",
    "Left click opens, right click marks a mine. F1 tells the rest.",
)
PAUSED = Note("Paused", "The clock stands still. Press P to go on.")
NO_KNOWLEDGE = Note("This agent does not show what it knows", "Choose another one to see more.")


def beginning(session: Session) -> Note:
    """Say how a game begins."""
    return BEGIN if session.rules.first_cell is not None else GIVEN


def refused(error: Exception) -> Note:
    """Say why something was not possible."""
    return Note("That is not possible", sentence(str(error)), "bad")


def failed(agent: str, error: str) -> Note:
    """Say that an agent failed."""
    return Note(f"{agent} failed", sentence(error), "bad")


def moved(agent: str, decision: Decision) -> Note:
    """Say what an agent did and why."""
    reason = decision.reason
    verb = f"{decision.move.action}s" if decision.proved else f"guesses and {decision.move.action}s"
    risk = "" if decision.proved else _risk(decision.risk)
    return Note(
        f"{agent} {verb} {decision.move.cell}{risk}",
        sentence(reason.text),
        "plain" if decision.proved else "guess",
        decision.move.cell,
        reason.clues,
        reason.conclusions,
    )


def would_guess(agent: str, decision: Decision) -> Note:
    """Say that autoplay stopped before a guess."""
    return Note(
        f"{agent} proves nothing and would guess {decision.move.cell}{_risk(decision.risk)}",
        f"{sentence(decision.reason.text)} AI move makes the guess.",
        "guess",
        decision.move.cell,
    )


def stuck(agent: str) -> Note:
    """Say that an agent does not go on."""
    return Note(
        f"{agent} is stuck",
        "It proves nothing and does not guess. Move yourself, or choose another agent.",
        "guess",
    )


def because(why: Why) -> Note:
    """Say what is known of a cell and why."""
    title, tone = {
        "safe": (f"{why.cell} is safe", "good"),
        "mined": (f"{why.cell} is a mine", "bad"),
        None: (f"{why.cell} is not proved{_risk(why.risk)}", "guess"),
    }[why.proved]
    return Note(title, sentence(why.text), tone, why.cell, why.clues, why.conclusions)


def hint_step(hint: Hint, place: int) -> Note:
    """Give one step of a hint; the last one says what to do."""
    step, count = hint.steps[place], len(hint.steps)
    title = f"Hint {place + 1} of {count}" if count > 1 else "Hint"
    more = "" if place == count - 1 else " H tells more."
    last = step.cells[0] if place == count - 1 and step.cells else None
    clues = () if last is not None else step.cells
    tone = "plain" if hint.proved else "guess"
    return Note(title, sentence(step.text) + more, tone, last, clues)


def guess_answer(answer: GuessAnswer) -> Note:
    """Answer whether a guess is called for, without saying where to look instead."""
    if answer.allowed:
        return Note("You may guess now", sentence(answer.text.partition(": ")[2]), "guess")
    return Note("No need to guess", "Some cell is proved safe. H tells where to look.", "good")


def ended(session: Session, metrics: Metrics | None = None, luck: Luck | None = None) -> Note:
    """Sum a game up that has ended."""
    won = session.state is State.WON
    title = {State.WON: "Won", State.LOST: "Lost"}.get(session.state, "Given up")
    parts = [f"{session.seconds:.1f} s"]
    if metrics is not None:
        parts.append(f"3BV {metrics.solved} of {metrics.bbbv}")
        parts.append(f"{metrics.clicks} clicks")
        if metrics.efficiency is not None:
            parts.append(f"efficiency {metrics.efficiency:.0%}")
    if session.deaths:
        parts.append(f"{session.deaths} undone explosion{'s' if session.deaths > 1 else ''}")
    text = ", ".join(parts) + "."
    if luck is not None:
        text += f" {_luck(luck)}"
    if not won:
        text += " U takes the last move back."
    return Note(title, text, "good" if won else "bad")


def percent(risk: float) -> str:
    """Write a risk with one decimal; what is not proved never reads as if it were."""
    if 0 < risk < 0.001:
        return "under 0.1%"
    if 0.999 < risk < 1:
        return "over 99.9%"
    return f"{risk:.1%}"


def sentence(text: str) -> str:
    """Give a text a capital letter and a full stop."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def _luck(luck: Luck) -> str:
    count = len(luck.guesses)
    if not count:
        return "No guesses: every cell was proved safe."
    if count == 1:
        return f"One guess; the chance of surviving it was {percent(luck.chance)}."
    return f"{count} guesses; the chance of surviving them was {percent(luck.chance)}."


def _risk(risk: float | None) -> str:
    return "" if risk is None else f", risk {percent(risk)}"
