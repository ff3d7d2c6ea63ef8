"""Checks of what `MinesweeperAI` knows: `mark_mine`, `mark_safe` and `add_knowledge`."""

from __future__ import annotations

from mineproof.cs50check.case import Case, ContractError
from mineproof.cs50check.checks import Checks
from mineproof.cs50check.picture import show

checks = Checks()

LEARN = "MinesweeperAI.add_knowledge"
AROUND_1_1 = {(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)}


@checks.add("MinesweeperAI", "starts with empty sets and an empty list (given code)")
def _starts(case: Case) -> None:
    case.ai(4, 5)
    for name in ("moves_made", "mines", "safes"):
        case.expect(f"ai.{name}", set())
    case.expect("ai.knowledge", [])
    case.expect("(ai.height, ai.width)", (4, 5))
    case.run("ai = MinesweeperAI()")
    case.expect("(ai.height, ai.width)", (8, 8))


@checks.add("MinesweeperAI.mark_mine", "notes the mine and tells every sentence (given code)")
def _mark_mine(case: Case) -> None:
    case.ai(3, 3)
    case.run("ai.knowledge.append(Sentence({(0, 0), (0, 1)}, 1))")
    case.run("ai.knowledge.append(Sentence({(0, 1), (0, 2), (1, 1)}, 2))")
    case.run("ai.mark_mine((0, 1))")
    case.expect("ai.mines", {(0, 1)})
    case.expect_sentence({(0, 0)}, 0)
    case.expect_sentence({(0, 2), (1, 1)}, 1)


@checks.add("MinesweeperAI.mark_safe", "notes the cell and tells every sentence (given code)")
def _mark_safe(case: Case) -> None:
    case.ai(3, 3)
    case.run("ai.knowledge.append(Sentence({(0, 0), (0, 1)}, 1))")
    case.run("ai.mark_safe((0, 1))")
    case.expect("ai.safes", {(0, 1)})
    case.expect_sentence({(0, 0)}, 1)


@checks.add(LEARN, "marks the cell as a move that has been made")
def _move_made(case: Case) -> None:
    case.ai(4, 5).tell((1, 1), 1)
    case.expect("ai.moves_made", {(1, 1)})


@checks.add(LEARN, "marks the cell as safe")
def _safe(case: Case) -> None:
    case.ai(4, 5).tell((1, 1), 1)
    case.expect("ai.safes", {(1, 1)}, "The cell was opened and nothing happened: it is safe.")


@checks.add(LEARN, "adds the sentence of a cell in the middle of the board")
def _middle(case: Case) -> None:
    case.ai(4, 5).tell((1, 1), 2)
    case.expect_sentence(AROUND_1_1, 2, "A cell in the middle has eight neighbours.")


@checks.add(LEARN, "adds the sentence of a cell at the edge")
def _edge(case: Case) -> None:
    why = "A cell at the edge has five neighbours; none are off the board."
    case.ai(4, 5).tell((0, 2), 2)
    case.expect_sentence({(0, 1), (0, 3), (1, 1), (1, 2), (1, 3)}, 2, why)
    case.ai(4, 5).tell((2, 4), 2)
    case.expect_sentence({(1, 3), (1, 4), (2, 3), (3, 3), (3, 4)}, 2, why)


@checks.add(LEARN, "adds the sentence of a cell in a corner")
def _corner(case: Case) -> None:
    why = "A cell in a corner has three neighbours; none are off the board."
    case.ai(4, 5).tell((0, 0), 1)
    case.expect_sentence({(0, 1), (1, 0), (1, 1)}, 1, why)
    case.ai(4, 5).tell((3, 4), 1)
    case.expect_sentence({(2, 3), (2, 4), (3, 3)}, 1, why)


@checks.add(LEARN, "takes the opened cell out of the sentences that it has")
def _updates_sentences(case: Case) -> None:
    case.ai(4, 5).tell((0, 0), 1).tell((0, 1), 1)
    case.expect_sentence(
        {(1, 0), (1, 1)}, 1, "(0, 1) is safe now, so that the 1 at (0, 0) needs the other two."
    )


@checks.add(LEARN, "leaves mines that it knows out of a new sentence, and counts them off")
def _known_mines(case: Case) -> None:
    why = "Two of the four mines are known: two are left for the other six neighbours."
    for code in ("ai.mines.update({(0, 0), (0, 1)})", "ai.mines = {(0, 0), (0, 1)}"):
        case.ai(4, 5).run(code)
        case.tell((1, 1), 4)
        case.expect_sentence(AROUND_1_1 - {(0, 0), (0, 1)}, 2, why)


@checks.add(LEARN, "leaves safe cells that it knows out of a new sentence")
def _known_safes(case: Case) -> None:
    why = "Two neighbours are known to be safe: the two mines are among the other six."
    for code in ("ai.safes.update({(0, 0), (0, 1)})", "ai.safes = {(0, 0), (0, 1)}"):
        case.ai(4, 5).run(code)
        case.tell((1, 1), 2)
        case.expect_sentence(AROUND_1_1 - {(0, 0), (0, 1)}, 2, why)


@checks.add(LEARN, "knows that all neighbours of a 0 are safe")
def _zero(case: Case) -> None:
    case.ai(3, 4).tell((1, 1), 0)
    case.expect_safes(AROUND_1_1, "None of the neighbours is a mine.")
    case.expect("ai.mines", set(), "None of the neighbours is a mine.")


@checks.add(LEARN, "knows that all neighbours are mines when the clue is their number")
def _all_mines(case: Case) -> None:
    case.ai(3, 4).tell((0, 0), 3)
    case.expect_mines({(0, 1), (1, 0), (1, 1)}, "Three mines among three neighbours.")
    case.expect("ai.safes", {(0, 0)}, "The neighbours are mines, not safe.")


@checks.add(LEARN, "reads its older sentences again when it learns of a safe cell")
def _older_mines(case: Case) -> None:
    case.ai(2, 3).tell((0, 0), 1).tell((0, 2), 0)
    case.expect_mines(
        {(1, 0)}, "The 0 makes (0, 1) and (1, 1) safe: the 1 at (0, 0) has only (1, 0) left."
    )


@checks.add(LEARN, "reads its older sentences again when it learns of a mine")
def _older_safes(case: Case) -> None:
    case.ai(1, 4).tell((0, 2), 1).tell((0, 0), 1)
    case.expect_mines({(0, 1)}, "It is the only neighbour of (0, 0).")
    case.expect_safes({(0, 3)}, "The mine at (0, 1) is the one that the 1 at (0, 2) speaks of.")


@checks.add(LEARN, "concludes from a new sentence inside an older one")
def _subset_new_inside(case: Case) -> None:
    case.ai(2, 4).tell((0, 1), 1).tell((0, 0), 1)
    case.expect_safes(
        {(0, 2), (1, 2)},
        "The one mine next to (0, 1) is next to (0, 0) too: (0, 2) and (1, 2) are safe.",
    )


@checks.add(LEARN, "concludes from a new sentence around an older one")
def _subset_new_around(case: Case) -> None:
    case.ai(2, 4).tell((0, 0), 1).tell((0, 1), 1)
    case.expect_safes(
        {(0, 2), (1, 2)},
        "The same clues as in the opposite order: each pair has to be tried both ways.",
    )


@checks.add(LEARN, "adds what is left of a sentence that contains another")
def _subset_sentence(case: Case) -> None:
    case.ai(3, 6)
    case.run("ai.knowledge.append(Sentence({(0, 0), (0, 1), (0, 2)}, 1))")
    case.run("ai.knowledge.append(Sentence({(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)}, 2))")
    case.tell((2, 5), 1)
    case.expect_sentence({(0, 3), (0, 4)}, 1, "{A, B, C} = 1 and {A, B, C, D, E} = 2: {D, E} = 1.")


@checks.add(LEARN, "keeps both sentences when it adds a third")
def _keeps_parents(case: Case) -> None:
    larger, smaller = {(0, 0), (0, 1), (0, 2), (0, 3)}, {(0, 0), (0, 1)}
    case.ai(3, 6)
    case.run(f"ai.knowledge.append(Sentence({show(larger)}, 2))")
    case.run(f"ai.knowledge.append(Sentence({show(smaller)}, 1))")
    case.tell((2, 5), 1)
    case.expect_sentence({(0, 2), (0, 3)}, 1, "{a, b, c, d} = 2 and {a, b} = 1: {c, d} = 1.")
    case.expect_sentence(larger, 2, "The larger sentence is still true, and may be needed again.")
    case.run("ai.knowledge.append(Sentence({(0, 1), (0, 2)}, 1))")
    case.tell((2, 3), 1)
    case.expect_sentence({(0, 0), (0, 3)}, 1, "{a, b, c, d} = 2 and {b, c} = 1: {a, d} = 1.")


@checks.add(LEARN, "goes on until nothing new follows")
def _fixpoint(case: Case) -> None:
    pairs = [((0, j), (0, j + 1)) for j in range(8)]
    case.ai(3, 12)
    for pair in reversed(pairs):
        case.run(f"ai.knowledge.append(Sentence({show(set(pair))}, 1))")
    case.run("ai.mark_mine((0, 0))")
    case.tell((2, 11), 1)
    why = "Each sentence decides the next one: (0, 0) is a mine, so (0, 1) is safe, and so on."
    case.expect_safes({(0, 1), (0, 3), (0, 5), (0, 7)}, why)
    case.expect_mines({(0, 2), (0, 4), (0, 6), (0, 8)}, why)


@checks.add(LEARN, "applies the cells and sentences that others have put in", required=False)
def _others_knowledge(case: Case) -> None:
    case.ai(3, 6)
    case.run("ai.knowledge = [Sentence({(0, 0), (0, 1), (0, 2)}, 1)]")
    case.run("ai.safes = {(0, 0)}")
    case.run("ai.moves_made = {(0, 0)}")
    case.tell((2, 5), 1)
    case.expect_sentence({(0, 1), (0, 2)}, 1, "(0, 0) is known to be safe.")
    case.expect("ai.moves_made", {(0, 0), (2, 5)})


@checks.add(LEARN, "leaves no empty sentence in the knowledge", required=False)
def _no_empty(case: Case) -> None:
    case.ai(3, 4).tell((0, 0), 0).tell((0, 3), 1).tell((2, 0), 0)
    empty = [sentence for sentence in case.peek("ai.knowledge") if not sentence.cells]
    if empty:
        raise ContractError(
            "no sentence without cells",
            f"ai.knowledge is {show(case.peek('ai.knowledge'))}",
            "An empty sentence says nothing, is contained in every other, and costs time.",
        )


@checks.add(LEARN, "keeps each sentence once", required=False)
def _no_duplicates(case: Case) -> None:
    case.ai(4, 5).tell((1, 1), 2).tell((1, 1), 2).tell((0, 0), 1).tell((0, 1), 1)
    knowledge = list(case.peek("ai.knowledge"))
    repeated = [s for place, s in enumerate(knowledge) if s in knowledge[:place]]
    if repeated:
        raise ContractError(
            "no sentence twice in ai.knowledge",
            f"{show(repeated[0])} is there {knowledge.count(repeated[0])} times",
            "Add a sentence only if it is not in the knowledge; cells that become known may "
            "make two sentences equal later on.",
        )
