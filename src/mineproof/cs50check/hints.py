"""What an exception in a student's code usually means, in words."""

from __future__ import annotations

# Part of "Class: message" -> what to do. The first that fits is given.
_HINTS = (
    ("NotImplementedError", "This function is not written yet."),
    (
        "changed size during iteration",
        "A loop goes over a set while marking a cell takes it out of that set. Loop over a copy: "
        "`for cell in set(cells):`.",
    ),
    (
        "not subscriptable",
        "`random.choice` needs a list or a tuple, not a set: `random.choice(list(cells))`.",
    ),
    (
        "Cannot choose from an empty sequence",
        "There is nothing to choose from: then the function has to return None.",
    ),
    (
        "unhashable type: 'Sentence'",
        "Sentences can be compared, but not put into a set or used as keys: keep them in a list.",
    ),
    (
        "'NoneType' object is not iterable",
        "Something gave None where a set is expected: return `set()` when nothing is known.",
    ),
    (
        "ModuleNotFoundError",
        "The file has to stand alone: only modules that come with Python can be imported.",
    ),
    ("KeyError", "`set.remove` fails if the cell is not there: test it first, or use `discard`."),
    ("IndexError", "A cell may be off the board: corners have 3 neighbours, edges 5."),
    ("RecursionError", "A function calls itself without end: stop when nothing new was found."),
    ("MemoryError", "The knowledge grows without end: add a sentence only if it is new."),
    ("EOFError", "The file asks for `input`, which nobody can answer here."),
    ("SystemExit", "The file ends the program: a function must return, not exit."),
)


def hint(error: BaseException) -> str:
    """Say what an exception usually means; nothing where nothing is known of it."""
    text = f"{type(error).__name__}: {error}"
    return next((words for part, words in _HINTS if part in text), "")
