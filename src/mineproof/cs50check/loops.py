"""Explanations of loops that never end, from the source and the variables of the running code."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from typing import Any, NamedTuple

LOOP_SECONDS = 5.0
"""The CPU time that a line of the checker's code may take. A correct file needs milliseconds."""
CHOOSING = ("make_safe_move", "make_random_move")
"""The functions that choose a cell."""
NEWS = (
    "Count only real news: a cell that was in neither self.mines nor self.safes, "
    "or a sentence that was not in self.knowledge."
)


class EndlessLoopError(BaseException):
    """A line of code ran too long. A student's `except Exception` does not catch it."""


def running_lines(error: BaseException, file: str) -> list[RunningLine]:
    """Return the lines of the student's file that an error passed through, outermost first."""
    running, trace = [], error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        # An error that interrupts the code may come at an instruction without a line number.
        lines = [line for start, _, line in code.co_lines() if line and start <= trace.tb_lasti]
        if code.co_filename == file:
            running.append(RunningLine(lines[-1], trace.tb_frame.f_locals, code.co_name))
        trace = trace.tb_next
    return running


class RunningLine(NamedTuple):
    """A line of the student's file that was running, with its variables and its function."""

    line: int
    names: dict[str, Any]
    function: str


def explain_loop(file: str, running: list[RunningLine]) -> str:
    """Explain why the code did not end, as far as it can be seen, or return nothing.

    Args:
        file: the path of the student's file.
        running: the lines that were running, from the outermost call to the innermost.
    """
    try:
        loops = list(_loops(ast.parse("".join(linecache.getlines(file))), running))
        for loop in loops:
            if cause := _cause(loop):
                return _never_ends(loop, cause)
        whiles = [loop for loop in loops if isinstance(loop, ast.While)]
        return _never_ends(whiles[0], _state(running)) if whiles else ""
    except Exception:  # the student's objects may be unusual
        return ""


def _never_ends(loop: ast.For | ast.While, cause: str) -> str:
    head = ast.unparse(loop).partition("\n")[0]
    return f"The loop in line {loop.lineno} (`{head}`) never ends because {cause}"


def _loops(tree: ast.Module, running: list[RunningLine]) -> Iterator[ast.For | ast.While]:
    """Yield the loops that were running, outermost first."""
    for one in running:
        for node in ast.walk(tree):
            if not isinstance(node, ast.For | ast.While):
                continue
            if node.lineno <= one.line <= (node.end_lineno or 0):
                yield node


def _cause(loop: ast.For | ast.While) -> str:
    """Return why a loop never ends, if its source code shows this; otherwise an empty string."""
    inside = [node for line in loop.body for node in ast.walk(line)]
    if isinstance(loop, ast.For):
        return _grows(ast.unparse(loop.iter), inside)
    if any(isinstance(node, ast.Break | ast.Return | ast.Raise) for node in inside):
        return ""
    if isinstance(loop.test, ast.Constant):
        return "nothing leaves it: it has no `break` and no `return`."
    return _never_false(loop.test.id, inside) if isinstance(loop.test, ast.Name) else ""


def _grows(looped: str, inside: list[ast.AST]) -> str:
    added = {f"{looped}.{name}" for name in ("append", "extend", "insert")}
    if not any(isinstance(node, ast.Call) and ast.unparse(node.func) in added for node in inside):
        return ""
    return (
        f"it adds to `{looped}` while it goes through that list, so it never reaches the end. "
        f"Loop over a copy, `list({looped})`, and add a sentence only if it is new."
    )


def _never_false(name: str, inside: list[ast.AST]) -> str:
    values = [
        node.value
        for node in inside
        if isinstance(node, ast.Assign)
        and any(isinstance(one, ast.Name) and one.id == name for one in node.targets)
    ]
    is_touched = any(isinstance(node, ast.Name) and node.id == name for node in inside)
    if values and not all(isinstance(one, ast.Constant) and one.value for one in values):
        return ""
    if is_touched and not values:  # for example `pending.pop()`
        return ""
    return (
        f"nothing in it sets `{name}` to False. Set it to False at the start of each round, "
        "and to True only when the round finds something new."
    )


def _state(running: list[RunningLine]) -> str:
    """Return what the running function or the AI's sentences show."""
    if any(one.function in CHOOSING for one in running):
        return (
            "it looks for an allowed cell when none is left. Collect all allowed cells in a list "
            "first, and return None if the list is empty."
        )
    owners: list[Any] = [one.names.get("self") for one in running]
    knowledge: list[Any] = next((ai.knowledge for ai in owners if hasattr(ai, "knowledge")), [])
    for one in knowledge:
        if not 0 <= one.count <= len(one.cells):
            return (
                f"it makes ever new sentences that cannot be true, such as {one}. The difference "
                "of two sentences has the count of the larger one minus that of the smaller one, "
                "and the smaller one must be part of the larger one."
            )
    different = len({(frozenset(one.cells), one.count) for one in knowledge})
    if different < len(knowledge):
        return (
            f"it adds sentences that it already has: self.knowledge contains {len(knowledge)} "
            f"sentences, but only {different} different ones. {NEWS}"
        )
    return f"it finds the same things again and counts them as new. {NEWS}"
