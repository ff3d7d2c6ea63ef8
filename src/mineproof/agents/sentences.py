"""`sentences`: sentences {cells} = count, and the subset rule until nothing new follows.

The agent of CS50's Minesweeper project and of the Lab 3 report. After each opened cell:

1. The cell is safe and is removed from every sentence.
2. A new sentence says how many mines its undetermined neighbours contain: its clue minus the proved
mines.
3. A sentence whose cells are all safe, or all mines, proves its cells.
4. If a sentence's cells are a subset of another's, a third sentence covers the remaining cells.
5. Steps 3 and 4 are repeated until nothing new follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from mineproof.agents.knowledge import KnowledgeAgent
from mineproof.agents.options import TrustedClues
from mineproof.agents.registry import agent
from mineproof.core.clues import EXACT, UNOPENED
from mineproof.core.decision import Decision, Reason
from mineproof.core.observation import Observation
from mineproof.inference.knowledge import closed, clues_to_read
from mineproof.inference.sentences import Sentence, SentenceBase, origin

MOST_UNKNOWN = 60
"""Use the mine count only if at most this many cells are unknown: earlier it proves nothing."""


@agent(
    "sentences",
    idea="sentences {cells} = count, and the subset rule until nothing new follows",
    source="CS50 AI, Minesweeper (002, 004), and the Lab 3 report (001)",
    proves="cells that follow from repeatedly subtracting one set of cells from another",
    cannot_prove="cells that need partly overlapping clues, or assumptions",
    strength=20,
)
class SentencesAgent(KnowledgeAgent):
    """Keeps sentences about unopened cells; when stuck, guesses at random or stops."""

    def __init__(
        self,
        *,
        mine_count: Annotated[bool, "when stuck, add the mine count as a sentence"] = False,
        matching: Annotated[
            Literal["always", "stuck"], "use the subset rule after every move, or only when stuck"
        ] = "always",
        subset: Annotated[
            Literal["added", "in-place"],
            "the subset rule adds the new sentence, or replaces the larger one with it",
        ] = "added",
        stuck: Annotated[Literal["random", "stop"], "what to do when nothing is proved"] = "random",
        clues: TrustedClues = "trust",
    ) -> None:
        """Set the options."""
        self._mine_count = mine_count
        self._matching = matching
        self._in_place = subset == "in-place"
        self._stuck = stuck
        self._clues = clues

    def forget(self) -> None:
        """Start with an empty knowledge base."""
        self.base = SentenceBase(in_place=self._in_place)

    @property
    def counters(self) -> Mapping[str, int]:
        """Statistics about the knowledge base: its size and the work done on it."""
        base = self.base
        return {
            "sentences": len(base.sentences),
            "sentences at most": base.largest,
            "known cells": len(base.known),
            "subset rules": base.derived,
            "contradictions": base.contradictions,
        }

    def learn(self, observation: Observation, changes: Iterable[int]) -> None:
        """Add the opened cells and their clues, and draw conclusions."""
        for index in clues_to_read(self.base.note, observation, changes):
            self._read(observation, index)
        if self._matching == "always":
            self.base.match()
        else:
            self.base.settle()
        self._conclude_findings()

    def think(self, observation: Observation) -> None:
        """Apply the subset rule if that was postponed, then use the mine count."""
        self.base.match()
        self._conclude_findings()
        if self._mine_count and self.rules.mines is not None:
            self._count_mines(observation, self.rules.mines)

    def guess(self, observation: Observation) -> Decision | None:
        """Open a random cell that is not a proved mine, or stop."""
        if self._stuck == "stop":
            return None
        why = "no sentence proves a cell, so this is a random guess"
        return self.guess_random(observation, why)

    def items(self) -> dict[str, tuple[str, ...]]:
        """Return the sentences with their origins, oldest first."""
        return {"sentences": tuple(map(self._with_origin, self.base.sentences.values()))}

    def _read(self, observation: Observation, index: int) -> None:
        """Add the sentence of an open cell's clue."""
        shown, near = observation.shown[index], observation.grid.neighbours(index)
        if shown < UNOPENED:
            rule = self.rules.clues if self._clues == "model" else EXACT
            self.base.tell(closed(observation, near), rule.bounds(shown, len(near)), clue=index)

    def _count_mines(self, observation: Observation, mines: int) -> None:
        """Add the sentence that all unknown cells together contain the remaining mines."""
        cells = closed(observation, range(observation.grid.size))
        if sum(i not in self.base.known for i in cells) <= MOST_UNKNOWN:
            self.base.count_mines(cells, mines)
            self._conclude_findings()

    def _conclude_findings(self) -> None:
        reasons: dict[int, Reason] = {}
        for finding in self.base.take_findings():
            sentence = finding.sentence
            reason = reasons.get(id(sentence))
            if reason is None:
                reason = reasons[id(sentence)] = self._reason(sentence)
            self.conclude(finding.cell_index, finding.mined, reason)

    def _reason(self, sentence: Sentence) -> Reason:
        return sentence.evidence().reason(self._with_origin(sentence), self.rules.grid)

    def _with_origin(self, sentence: Sentence) -> str:
        grid = self.rules.grid
        return f"{sentence.text(grid)}, from {origin(sentence, grid)}"
