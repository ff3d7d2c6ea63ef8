"""Proofs confirmed by a SAT solver, which shares no code with the search for them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pysat.card import CardEnc
from pysat.examples.optux import OptUx
from pysat.formula import WCNF, IDPool
from pysat.solvers import Cadical153

from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.grid import Cell
from mineproof.core.observation import Observation
from mineproof.proof.explanation import Explanation


def has_layout(
    seen: Observation,
    clues: Collection[Cell],
    cell: Cell,
    mined: bool,
    mines: bool,
    *,
    known: Mapping[Cell, bool] | None = None,
) -> bool:
    """Return whether a SAT solver finds a layout that fits clues, a cell's value and known cells.

    If `mines` is true, the mine count must hold too.
    """
    pool = IDPool()
    variable = {index: pool.id(index) for index in seen.unopened}
    target = variable[seen.grid.index(cell)]
    with Cadical153() as solver:
        solver.add_clause([target if mined else -target])
        for other, value in (known or {}).items():
            literal = variable[seen.grid.index(other)]
            solver.add_clause([literal if value else -literal])
        groups = [(seen.grid.neighbours(seen.grid.index(clue)), seen[clue]) for clue in clues]
        if mines and seen.rules.mines is not None:
            groups.append((list(range(len(seen.shown))), seen.rules.mines))
        for near, number in groups:
            literals = [variable[i] for i in near if i in variable]
            bound = number - sum(seen.shown[i] == EXPLODED for i in near)
            for clause in CardEnc.equals(literals, bound, vpool=pool).clauses:
                solver.add_clause(clause)
        return bool(solver.solve())


def check_by_sat(seen: Observation, found: Explanation) -> None:
    """Check that the clues refute the opposite value, and that every clue is needed."""
    opposite = found.proved == "safe"
    counted = found.uses_mine_count
    assert not has_layout(seen, found.clues, found.cell, opposite, counted)
    for clue in found.clues:
        rest = [other for other in found.clues if other != clue]
        assert has_layout(seen, rest, found.cell, opposite, counted), (found.cell, clue)
    if counted:
        clues = [seen.grid.cell(i) for i, code in enumerate(seen.shown) if code < UNOPENED]
        assert has_layout(seen, clues, found.cell, opposite, False)


def check_steps_by_sat(seen: Observation, found: Explanation) -> None:
    """Check that each step follows from its clues and the earlier conclusions."""
    known: dict[Cell, bool] = {}
    groups: set[Cell] = set()
    for step in found.steps:
        clues = groups | set(step.clues)
        if step.proved is None:
            groups = clues
            continue
        mined = step.proved == "mined"
        for cell in step.cells:
            assert not has_layout(seen, clues, cell, not mined, step.uses_mine_count, known=known)
        known.update(dict.fromkeys(step.cells, mined))
    assert known[found.cell] == (found.proved == "mined")


def fewest_clues(seen: Observation, found: Explanation) -> int:
    """Return the smallest number of clues that prove a cell, computed by OptUx."""
    pool = IDPool()
    variable = {index: pool.id(index) for index in seen.unopened}
    formula = WCNF()
    target = variable[seen.grid.index(found.cell)]
    formula.append([target if found.proved == "safe" else -target])
    for clue, code in enumerate(seen.shown):
        near = [variable[i] for i in seen.grid.neighbours(clue) if i in variable]
        if code >= UNOPENED or not near:
            continue
        chosen = pool.id(("clue", clue))
        for clause in CardEnc.equals(near, code, vpool=pool).clauses:
            formula.append([-chosen, *clause])
        formula.append([chosen], weight=1)
    with OptUx(formula) as solver:
        solver.compute()
        return int(solver.cost)
