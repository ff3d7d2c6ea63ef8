"""Verdicts on claims: as claimed, not as claimed, or cannot tell."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from lab_small import every, small

from mineproof.lab.catalogue import members
from mineproof.lab.figure import Claim, Figure, Reported
from mineproof.lab.running import carry_out, prepare
from mineproof.lab.store import Store
from mineproof.lab.tables import Point
from mineproof.lab.trends import TREND_JUDGES, ClaimVerdict, needed
from mineproof.lab.verdicts import Judgement, judge
from mineproof.match.certainty import Estimate, share
from mineproof.workers.batch import Here

KEPT, BROKEN, OPEN = ClaimVerdict.KEPT, ClaimVerdict.BROKEN, ClaimVerdict.OPEN
WON = Figure("f", "F", "won", x="mines")


def along(*values: float, half: float = 0.01, games: int = 1000) -> list[Point]:
    """Return one series of points, at 0, 1, 2 and more mines."""
    return [
        Point("", "a", number, Estimate(value, value - half, value + half, games))
        for number, value in enumerate(values)
    ]


@pytest.mark.parametrize(
    ("expect", "values", "verdict"),
    [
        ("rises", (0.1, 0.5), KEPT),
        ("rises", (0.1, 0.3, 0.2, 0.5), BROKEN),  # the values fall from 0.3 to 0.2
        ("falls", (0.1, 0.5), BROKEN),
        ("falls", (0.5, 0.499, 0.5), OPEN),  # the intervals overlap
        ("linear", (0.1, 0.2, 0.3), KEPT),
        ("linear", (0.1, 0.1, 0.1, 0.9), BROKEN),
        ("levels-off", (0.1, 0.6, 0.8, 0.82), KEPT),
        ("levels-off", (0.1, 0.3, 0.6, 0.9), BROKEN),
        ("levels-off", (0.1, 0.2), OPEN),
    ],
)
def test_movements_are_judged(
    expect: str, values: tuple[float, ...], verdict: ClaimVerdict
) -> None:
    assert TREND_JUDGES[expect](WON, Claim("it does", expect), along(*values)).verdict is verdict


@pytest.mark.parametrize("expect", ["rises", "falls", "linear", "levels-off"])
def test_wide_intervals_cannot_tell(expect: str) -> None:
    points = along(0.3, 0.5, 0.35, 0.55, half=0.4, games=12)
    assert TREND_JUDGES[expect](WON, Claim("it does", expect), points).verdict is OPEN


def test_twelve_games_are_no_proof() -> None:
    """With 12 games each, a drop from 91.7 to 58.3 % neither confirms nor refutes a claim."""
    points = [Point("", "a", at, share(won, 12)) for at, won in ((11, 11), (110, 7))]
    shown = TREND_JUDGES["falls"](WON, Claim("it falls", "falls"), points)
    assert shown.verdict is OPEN
    assert shown.numbers == (
        "91.7\u00a0% (64.6 to 98.5) at mines = 11",
        "58.3\u00a0% (32.0 to 80.7) at mines = 110",
    )
    assert 20 < shown.needed < 200
    many = [Point("", "a", at, share(100 * won, 1200)) for at, won in ((11, 11), (110, 7))]
    assert TREND_JUDGES["falls"](WON, Claim("it falls", "falls"), many).verdict is KEPT


def test_no_change_is_shown_by_many_games_only() -> None:
    """Values that stay equal refute a rise only if enough games were played."""
    claim = Claim("it rises", "rises", margin=0.02)
    for games, verdict in ((5000, BROKEN), (12, OPEN)):
        points = along(0.5, 0.5, 0.501, half=0.004, games=games)
        assert TREND_JUDGES["rises"](WON, claim, points).verdict is verdict


def test_needed_games_follow_the_square_of_the_noise() -> None:
    """Half the difference needs four times as many games.

    If there is no difference, the number is 0.
    """
    assert needed(100, 0.1, 0.1) == pytest.approx(1200, rel=0.05)
    assert needed(100, 0.05, 0.1) == pytest.approx(4700, rel=0.05)
    assert needed(100, 0.0, 0.1) == 0


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    experiment = small(
        agents=("sentences", "random"),
        rules={"level": "6x6/6", "explosion": "continue", "start": "opening"},
        vary={"mines": (4, 8), "mine_count": ("known", "unknown")},
        source="a report",
    )
    found = Store(tmp_path_factory.mktemp("out") / "small")
    carry_out(prepare(experiment, 120, found), Here(), every)
    return found


def judged(store: Store, figure: Figure = WON, **claim: object) -> Judgement:
    found = judge(store, figure, Claim("so", **claim))  # type: ignore[arg-type]
    assert found is not None
    return found


SENTENCES: Mapping[str, tuple[str, ...]] = {"agent": ("sentences",), "mine_count": ("known",)}


@pytest.mark.parametrize(
    ("expect", "verdict"), [("more", KEPT), ("less", BROKEN), ("differs", KEPT), ("same", BROKEN)]
)
def test_sides_are_compared_board_by_board(
    store: Store, expect: str, verdict: ClaimVerdict
) -> None:
    found = judged(store, expect=expect, of=SENTENCES, than={"agent": "random"})
    assert found.verdict is verdict
    assert found.document == "a report"
    assert found.games == 120
    assert found.decisive.evidence.numbers[1].startswith("random ")
    assert "p < 0.001" in found.text or expect == "same"


def test_what_is_the_same_is_no_more(store: Store) -> None:
    """An agent that ignores the mine count plays the same games if it is unknown."""
    of, than = {"agent": ("random",), "mine_count": ("known",)}, {"mine_count": "unknown"}
    steps = Figure("s", "S", "steps", x="mines")
    assert judged(store, steps, expect="same", of=of, than=than).verdict is KEPT
    assert judged(store, steps, expect="more", of=of, than=than).verdict is BROKEN
    assert judged(store, steps, expect="differs", of=of, than=than).verdict is BROKEN


def test_other_boards_are_compared_as_such(store: Store) -> None:
    """Conditions that use different boards are compared without pairing."""
    hits = Figure("h", "H", "hits", x="agent", kind="bars")
    of = {"agent": ("random",), "mines": ("8",), "mine_count": ("known",)}
    found = judged(store, hits, expect="more", of=of, than={"mines": "4"})
    assert found.verdict is KEPT
    flat = judged(store, expect="flatter", of=SENTENCES, than={"agent": "random"})
    assert flat.verdict in ClaimVerdict


def test_ranges_hold_everywhere_or_somewhere(store: Store) -> None:
    """A point outside the range refutes a claim, unless the claim says `somewhere`."""
    steps = Figure("s", "S", "steps", x="mines")
    points = judged(store, steps, expect="rises", of=SENTENCES).parts[0].points
    first, last = (point.estimate.value for point in points)

    def verdict(**claim: object) -> ClaimVerdict:
        return judged(store, steps, expect="within", of=SENTENCES, **claim).verdict

    middle = (first + last) / 2
    assert verdict(low=0.0) is KEPT
    assert verdict(high=middle) is BROKEN
    assert verdict(high=middle, somewhere=True) is KEPT
    assert verdict(high=middle, up_to=4) is KEPT
    assert verdict(high=first, up_to=4) is OPEN
    assert verdict(high=first / 2, somewhere=True) is BROKEN


def test_reported_numbers_are_judged_within_their_samples(store: Store) -> None:
    """A reported value agrees if it is plausible given the win rate measured here."""
    won = judged(store, expect="rises", of=SENTENCES).parts[0].points[0]
    for value, games, verdict in (
        (won.estimate.value, 10, KEPT),
        (won.estimate.value, 100, OPEN),  # too few games were played
        (1 - won.estimate.value, 10, BROKEN),
        (1 - won.estimate.value, 1000, BROKEN),
    ):
        number = Reported(4, value, "so many", games=games)
        figure = Figure("f", "F", "won", x="mines", reported=(number,))
        found = judged(store, figure, expect="agrees", of=SENTENCES)
        assert found.verdict is verdict
        assert found.decisive.evidence.numbers[1] == "reported: so many"


def test_a_claim_about_nobody_has_no_verdict(store: Store) -> None:
    claim = Claim("so", "rises", of={"agent": ("champion",)})
    assert judge(store, WON, claim) is None
    assert judge(store, WON, Claim("so", "agrees")) is None


def test_every_claim_of_the_documents_can_be_judged(tmp_path: Path) -> None:
    """Each claim in the built-in experiments refers to conditions that are played."""
    for experiment in members("documents"):
        claims = [(figure, claim) for figure in experiment.figures for claim in figure.claims]
        assert all(claim.source or claim.document for _, claim in claims)
        if experiment.name in ("rutgers-limit", "lab3-density", "capstone-matching"):
            found = Store(tmp_path / experiment.name)
            carry_out(prepare(experiment, 1, found), Here(), every)
            judged = [judge(found, figure, claim) for figure, claim in claims]
            assert all(one is not None and "?" not in one.text for one in judged)
            texts = [one.text for one in judged if one is not None]
            is_unsure = any("(a single game)" in text for text in texts)
            assert is_unsure is (experiment.name == "capstone-matching"), texts
