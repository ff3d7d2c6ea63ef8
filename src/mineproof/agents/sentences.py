"""`sentences`: sentences {cells} = count, and the subset rule to the fixpoint.

The agent of CS50's Minesweeper project and of the Lab 3 report. After each opened cell:

1. the cell is safe, and leaves every sentence;
2. its undetermined neighbours hold as many mines as its clue less the known mines: a sentence;
3. sentences with no mine, or with nothing but mines, mark their cells;
4. a sentence inside another one gives a third about the rest;
5. 3 and 4 are repeated until nothing new follows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Literal

from mineproof.agents.knowledge import KnowledgeAgent
from mineproof.agents.options import TrustedClues
from mineproof.agents.protocol import Knowledge
from mineproof.agents.registry import agent
from mineproof.core.clues import EXACT
from mineproof.core.decision import Decision, Reason
from mineproof.core.observation import Observation
from mineproof.inference.bounds import closed, tell_changes
from mineproof.inference.sentences import Sentence, SentenceBase, origin

MOST_UNKNOWN = 60
"""The mine count is used when no more cells than this are unknown: earlier it tells nothing."""


@agent(
    "sentences",
    idea="sentences {cells} = count, the subset rule to the fixpoint",
    source="CS50 AI, Minesweeper (002, 004), and the Lab 3 report (001)",
    proves="what follows by taking one set of cells out of another, again and again",
    cannot_prove="what needs clues that overlap in part, or trying out a case",
    strength=20,
)
class SentencesAgent(KnowledgeAgent):
    """Keeps sentences about unopened cells; guesses at random or stops when stuck."""

    def __init__(
        self,
        *,
        mine_count: Annotated[bool, "when stuck, the mine count is one more sentence"] = False,
        matching: Annotated[
            Literal["always", "stuck"], "use the subset rule after every move, or only when stuck"
        ] = "always",
        subset: Annotated[
            Literal["added", "in-place"],
            "the subset rule adds what is left of a sentence, or puts it in that one's place",
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
        """Start with no sentence."""
        self.base = SentenceBase(in_place=self._in_place)

    @property
    def counters(self) -> Counter[str]:
        """How large the knowledge base is and was, and how much was done with it."""
        base = self.base
        return Counter(
            {
                "sentences": len(base.sentences),
                "sentences at most": base.largest,
                "known cells": len(base.known),
                "subset rules": base.derived,
                "contradictions": base.contradictions,
            }
        )

    def learn(self, observation: Observation, changes: Iterable[int]) -> None:
        """Take in the opened cells and their clues, and infer what follows."""
        model = self.rules.clues if self._clues == "model" else EXACT
        tell_changes(self.base, observation, changes, model)
        if self._matching == "always":
            self.base.match()
        else:
            self.base.settle()
        self._conclude_findings()

    def think(self, observation: Observation) -> None:
        """Use the subset rule if that was put off, then the mine count."""
        self.base.match()
        self._conclude_findings()
        if self._mine_count and self.rules.mines is not None:
            self._count_mines(observation, self.rules.mines)

    def guess(self, observation: Observation) -> Decision | None:
        """Open any cell not known to be a mine, or stop."""
        if self._stuck == "stop":
            return None
        return self.guess_random(observation, "no sentence proves a cell: a random guess")

    def items(self) -> dict[str, tuple[str, ...]]:
        """Return the sentences, oldest first, and where each comes from."""
        return {"sentences": tuple(map(self._with_origin, self.base.sentences.values()))}

    def knowledge(self) -> Knowledge:
        """Return the sentences, and in the title how much was done with them."""
        shown = super().knowledge()
        shown.title = ", ".join(f"{name} {count}" for name, count in self.counters.items())
        return shown

    def _count_mines(self, observation: Observation, mines: int) -> None:
        """Add the sentence that all unknown cells together hold the mines that are left."""
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
