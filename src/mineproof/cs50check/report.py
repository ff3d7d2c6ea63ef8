"""The report on a student's file as text.

A failed recommended check is advice. It is explained only if no required check fails, so that
mistakes come first.
"""

from __future__ import annotations

from mineproof.cs50check.case import FAIL, PASS, SKIPPED
from mineproof.cs50check.checks import RECOMMENDED
from mineproof.cs50check.supervisor import CheckResult, FileReport

LABELS = {True: ("expected", "got"), False: ("better", "now")}
"""Labels of the wanted and the actual result, for required and for recommended checks."""


def report_text(report: FileReport) -> str:
    """Return the results of all checks, with an explanation of each failure and a summary."""
    lines = [f"{report.file}: {len(report.results)} checks", ""]
    errors: set[str] = set()
    for result in report.results:
        lines.append(_title(result))
        if result in explained(report):
            seen = result.got in errors
            text = [f"    the same as above: {result.got}"] if seen else _details(result)
            lines += ["", *text, ""]
            errors.update([result.got] if stops_everything(result) else [])
    return "\n".join([*lines, "", summary(report)])


def summary(report: FileReport) -> str:
    """Return the result in a few sentences."""
    counts, total = report.counts, len(report.results)
    if counts[PASS] == total:
        return f"Well done! All {total} checks pass."
    words = [f"{counts[PASS]} of {total} checks pass."]
    if report.passed:
        words = ["Well done! All required checks pass, so your file is correct."]
        if counts[FAIL]:
            words.append("If you like, follow the advice above to make it tidier or faster.")
    elif report.fix_first is not None:
        words.append(f"Fix this first: {to_fix(report.fix_first)}")
        if len(explained(report)) < len(_written(report)):
            words.append("The advice is explained when all required checks pass.")
    if counts[SKIPPED]:
        words.append("Some checks were skipped.")
    return " ".join(words)


def to_fix(result: CheckResult) -> str:
    """Return what to fix: the error or endless loop if there is one, otherwise the behaviour."""
    if stops_everything(result):
        return f"{result.name} is {result.got}." if is_late(result) else f"{result.got}."
    return f"{result.name}: {result.behaviour}."


def is_late(result: CheckResult) -> bool:
    """Return whether the student's code was stopped because it ran too long."""
    return result.got.startswith("still running")


def stops_everything(result: CheckResult) -> bool:
    """Return whether the code raised an error or ran too long, regardless of the check."""
    return (result.is_error and not result.is_unwritten) or is_late(result)


def explained(report: FileReport) -> list[CheckResult]:
    """Return the failures that the report explains."""
    found = _written(report)
    return [one for one in found if one.required] or found


def _written(report: FileReport) -> list[CheckResult]:
    return [one for one in report.failures if not one.is_unwritten]


def _title(result: CheckResult) -> str:
    words = {PASS: "ok", SKIPPED: "skipped", FAIL: "FAIL" if result.required else "advice"}
    word = "TO DO" if result.is_unwritten else words[result.status]
    kind = "" if result.required else RECOMMENDED
    return f"{word:<9} {result.name}: {result.behaviour}{kind}"


def _details(result: CheckResult) -> list[str]:
    wanted, found = LABELS[result.required]
    lines = [f"    {'' if index else 'given':<10}{text}" for index, text in enumerate(result.given)]
    lines += [f"    {wanted:<10}{result.expected}", f"    {found:<10}{result.got}"]
    if result.position:
        lines += ["", *(f"        {line}" for line in result.position)]
    if result.why:
        lines += ["", f"    {result.why}"]
    return lines
