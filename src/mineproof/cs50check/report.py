"""What came out of the checks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from mineproof.cs50check.case import NO_ERROR

PASS, FAIL, SKIPPED = "pass", "fail", "skipped"


@dataclass(frozen=True)
class CheckResult:
    """One check, and how it went."""

    name: str
    behaviour: str
    required: bool
    status: str
    """`pass`, `fail` or `skipped`."""
    given: Sequence[str] = ()
    """The lines of code that were run."""
    expected: str = ""
    got: str = ""
    position: Sequence[str] = ()
    """The board, drawn."""
    why: str = ""

    @property
    def is_error(self) -> bool:
        """Whether the student's code raised an error."""
        return self.expected == NO_ERROR

    @property
    def is_unwritten(self) -> bool:
        """Whether the function is still as the skeleton has it."""
        return self.got.startswith("NotImplementedError")


@dataclass(frozen=True)
class FileReport:
    """All checks of a file."""

    file: str
    results: tuple[CheckResult, ...]

    @property
    def failures(self) -> tuple[CheckResult, ...]:
        """What failed."""
        return tuple(result for result in self.results if result.status == FAIL)

    @property
    def passed(self) -> bool:
        """Whether everything was checked and right."""
        return all(result.status == PASS for result in self.results)

    def to_json(self) -> dict[str, Any]:
        """Give plain data for `--json`."""
        counts = {
            status: sum(result.status == status for result in self.results)
            for status in (PASS, FAIL, SKIPPED)
        }
        return {
            "file": self.file,
            "passed": self.passed,
            "counts": counts,
            "checks": [asdict(result) for result in self.results],
        }

    def to_text(self) -> str:
        """Write the report for people."""
        lines = [f"{self.file}: {len(self.results)} checks", ""]
        errors: set[str] = set()
        for result in self.results:
            lines += _result_lines(result, result.got in errors)
            if result.is_error:
                errors.add(result.got)
        return "\n".join([*lines, "", self.summary()])

    def summary(self) -> str:
        """Say in a sentence or two how it went."""
        if self.passed:
            return f"All {len(self.results)} checks pass."
        good = sum(result.status == PASS for result in self.results)
        words = [f"{good} of {len(self.results)} checks pass."]
        required = [result for result in self.failures if result.required]
        if self.failures and not required:
            words.append("All that the contract asks is right; what fails is advised.")
        if self.failures:
            first = (required or self.failures)[0]
            words.append(f"Mend first: {first.name}: {first.behaviour}.")
        if any(result.status == SKIPPED for result in self.results):
            words.append("Some were not tried.")
        return " ".join(words)


def _result_lines(result: CheckResult, seen: bool) -> list[str]:
    words = {PASS: "ok", SKIPPED: "not tried", FAIL: "FAIL"}
    word = words[result.status]
    advised = "" if result.required else " (advised)"
    title = f"{word:<9} {result.name}: {result.behaviour}{advised}"
    if result.status != FAIL:
        return [title]
    if result.is_unwritten:
        return [f"{'TO DO':<9} {title[10:]}"]
    if seen:
        return [title, "", f"    the same error as above: {result.got}", ""]
    return [title, "", *_details(result), ""]


def _details(result: CheckResult) -> list[str]:
    facts = {"given": result.given, "expected": (result.expected,), "got": (result.got,)}
    lines = []
    for word, texts in facts.items():
        for place, text in enumerate(texts):
            lines.append(f"    {word if place == 0 else '':<10}{text}")
    if result.position:
        lines += ["", *(f"        {line}" for line in result.position)]
    if result.why:
        lines += ["", f"    {result.why}"]
    return lines
