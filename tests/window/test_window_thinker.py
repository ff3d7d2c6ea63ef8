"""The process that thinks: order of questions, answers nobody wants, and its end."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest

from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules
from mineproof.window.thinker import Thinker
from mineproof.window.thinking import ANSWERS, Answer, Mind, Question, answer

BLANK = Observation(PublicRules(3, 3, 2), bytes([9] * 9))


@pytest.fixture
def thinker() -> Iterator[Thinker]:
    """Give a thinker of one's own, which may be ended."""
    made = Thinker()
    yield made
    made.close()


def wait(thinker: Thinker) -> None:
    """Let all answers come."""
    deadline = time.monotonic() + 60
    while thinker.busy:
        assert time.monotonic() < deadline
        thinker.poll(0.01)


def test_answers_come(thinker: Thinker) -> None:
    """A question is answered once, and then nothing is waited for."""
    got: list[Answer] = []
    thinker.ask(Question("risks", BLANK), got.append)
    assert thinker.waits_for("risks")
    assert not got
    wait(thinker)
    assert len(got) == 1
    assert list(got[0].value.values) == pytest.approx([2 / 9] * 9)
    assert not thinker.waits_for("risks")
    assert thinker.seconds == 0


def test_the_latest_question_of_a_kind_counts(thinker: Thinker) -> None:
    """An older question of the same kind gets no answer; one of another kind does."""
    got: list[str] = []
    thinker.ask(Question("risks", BLANK), lambda _: got.append("old"))
    thinker.ask(Question("decide", BLANK, "basic"), lambda _: got.append("other"))
    thinker.ask(Question("risks", BLANK), lambda _: got.append("new"))
    wait(thinker)
    assert sorted(got) == ["new", "other"]


def test_dropped_answers_are_not_used(thinker: Thinker) -> None:
    """Nobody hears of an answer that is not wanted any more."""
    got: list[Answer] = []
    thinker.ask(Question("risks", BLANK), got.append)
    thinker.drop()
    wait(thinker)
    assert got == []


def test_a_process_that_dies(thinker: Thinker) -> None:
    """A process that is killed is noticed, and the next question starts another one."""
    got: list[Answer] = []
    thinker.ask(Question("risks", BLANK), got.append)
    wait(thinker)
    os.kill(thinker._process.pid, 9)
    thinker.ask(Question("risks", BLANK), got.append)
    wait(thinker)
    thinker.ask(Question("risks", BLANK), got.append)
    wait(thinker)
    assert got[-1].error is None
    assert got[1].error is None or "process ended" in got[1].error


def test_closing_ends_the_process(thinker: Thinker) -> None:
    """No process is left behind."""
    thinker.ask(Question("risks", BLANK), lambda _: None)
    wait(thinker)
    pid = thinker._process.pid
    thinker.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_an_agent_is_kept_within_a_game() -> None:
    """The same agent goes on from what it knows; another game, or agent, gets a new one."""
    mind = Mind()
    first = mind.advisor(Question("decide", BLANK, "basic", (1, 5)))
    assert mind.advisor(Question("why", BLANK, "basic", (1, 5))) is first
    assert mind.advisor(Question("why", BLANK, "basic", (2, 5))) is not first
    assert mind.advisor(Question("why", BLANK, "random", (2, 5))) is not first


def test_errors_become_texts() -> None:
    """Nothing that a question can contain ends the process."""
    wrong = Observation(PublicRules(2, 2, 1), bytes([1, 9, 9, 3]))
    for kind in ANSWERS:
        found = answer(Mind(), Question(kind, wrong, "nobody"))
        assert found.error or kind == "may guess"
    assert answer(Mind(), Question("nonsense", wrong, "basic")).error
