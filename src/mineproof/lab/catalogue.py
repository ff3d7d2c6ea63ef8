"""Experiments as TOML files: those that come with Mineproof, and the user's own.

Both go through the same reader. A file is one experiment, or it has several in
`[[experiments]]`; what stands above them holds for all of them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from mineproof.core.errors import InputError, NotationError, did_you_mean
from mineproof.lab.experiment import Experiment
from mineproof.notation.codec import from_plain, to_plain
from mineproof.notation.text import decode, read_file

FOLDER = Path(__file__).with_name("experiments")
"""Where the files of our own experiments are."""
DOCUMENTS = {
    "capstone": "the Capstone report (000)",
    "lab3": "the Lab 3 report (001)",
    "rutgers": "the Rutgers report (003)",
}
"""The groups that repeat a source document."""
FILES = {"rutgers": ("rutgers", "rutgers-more")}
"""The files of a group that has several."""
GROUPS = {
    "documents": "all reproductions of the source documents",
    **DOCUMENTS,
    "general": "what the documents do not have",
    "all": "everything",
}
MOST_BYTES = 256 * 2**10
"""How large an experiment's file may be: ours have up to 10 KB."""
MOST_DOTS = 200
"""How many dots a line of it may have, and so the parts of a key."""


@cache
def experiments() -> dict[str, Experiment]:
    """Give all built-in experiments by name."""
    return {one.name: one for one in members("all")}


def members(group: str) -> list[Experiment]:
    """Give the experiments of a group."""
    groups = {"documents": (*DOCUMENTS,), "all": (*DOCUMENTS, "general")}.get(group, (group,))
    files = [name for one in groups for name in FILES.get(one, (one,))]
    return [one for name in files for one in _built_in(name)]


@cache
def _built_in(name: str) -> tuple[Experiment, ...]:
    return tuple(read_experiments(FOLDER / f"{name}.toml"))


def find(name: str) -> list[Experiment]:
    """Give the experiments that a name means: a group, one of ours, or a TOML file.

    Raises:
        InputError: there is none of that name, or the file is no experiment.
    """
    if name.endswith(".toml"):
        return [replace(one, file=name) for one in read_experiments(Path(name))]
    if name in GROUPS:
        return members(name)
    known = experiments()
    if name not in known:
        names = ", ".join([*GROUPS, *known])
        near = did_you_mean(name, (*GROUPS, *known))
        raise InputError(f"expected an experiment ({names}) or FILE.toml, got {name!r}{near}")
    return [known[name]]


def read_experiments(path: Path) -> list[Experiment]:
    """Read the experiments of a TOML file.

    Raises:
        NotationError: the file is no experiment; the message names the place.
        OSError: the file cannot be read.
    """
    try:
        table = tomllib.loads(_checked(decode(read_file(path, MOST_BYTES))))
    except ValueError as error:  # ours, that of TOML, or a number of thousands of digits
        raise NotationError(f"expected TOML in {path}, got: {error}") from None
    except RecursionError:
        raise NotationError(f"expected TOML in {path}, got values nested too deeply") from None
    if "experiments" not in table:
        return [parse_experiment({"name": path.stem, **table}, str(path))]
    several = from_plain(list[dict[str, Any]], table.pop("experiments"), f"{path}, experiments")
    found = [
        parse_experiment(_under(table, one), ", ".join([str(path), str(one.get("name", number))]))
        for number, one in enumerate(several, 1)
    ]
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise NotationError(f"expected different names in {path}, got {name} twice")
    return found


def _checked(text: str) -> str:
    """Give text that is read in good time: each part of a dotted key is read once for all others.

    Raises:
        NotationError: a line has too many dots.
    """
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MOST_DOTS:
            raise NotationError(f"expected up to {MOST_DOTS} dots in a line, got more", number)
    return text


def _under(shared: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Put what all experiments of a file share below what one says itself."""
    rules = [table.get("rules", {}) for table in (shared, own)]
    if all(isinstance(one, dict) for one in rules):
        return {**shared, **own, "rules": {**rules[0], **rules[1]}}
    return {**shared, **own}


def parse_experiment(table: Mapping[str, Any], where: str) -> Experiment:
    """Make an experiment of plain values.

    Raises:
        NotationError: a field is unknown, missing or of the wrong type.
    """
    complete = _changed({"question": "", **table}, rules=_flat, vary=_flat, figures=_figures)
    return from_plain(Experiment, complete, where)


def write_experiment(experiment: Experiment) -> dict[str, Any]:
    """Return an experiment as plain values, which `parse_experiment` reads."""
    return dict(to_plain(experiment))


# ---- What a file may say in short. Values of a wrong type are left to the codec.


def _changed(table: Any, **changes: Callable[[Any], Any]) -> Any:
    """Return a table with its fields changed, as far as it has them."""
    if not isinstance(table, Mapping):
        return table
    return {**table, **{name: make(table[name]) for name, make in changes.items() if name in table}}


def _each(values: Any, make: Callable[[Any], Any]) -> Any:
    """Change every value of a list or a table."""
    if isinstance(values, Mapping):
        return {name: make(value) for name, value in values.items()}
    return [make(value) for value in values] if isinstance(values, (list, tuple)) else values


def _figures(tables: Any) -> Any:
    changes = {"series": _listed, "baseline": _listed, "where": _chosen, "claims": _claims}
    return _each(tables, lambda one: _changed(one, **changes))


def _claims(tables: Any) -> Any:
    return _each(tables, lambda one: _changed(one, of=_chosen, than=_texts))


def _listed(value: Any) -> Any:
    """Return a list for a text or number that stands alone."""
    return [value] if isinstance(value, (str, int, float)) else value


def _texts(values: Any) -> Any:
    """Write numbers and truth values as text, as columns have them."""
    return _each(values, lambda value: str(value) if isinstance(value, (int, float)) else value)


def _chosen(table: Any) -> Any:
    """Read which values of columns are meant: one each, or a list."""
    return _each(table, lambda values: _texts(_listed(values)))


def _flat(table: Any) -> Any:
    """Write `option = {matching = ...}`, which TOML makes of `option.matching`, as one name."""
    options = table.get("option") if isinstance(table, Mapping) else None
    if not isinstance(options, Mapping):
        return table
    flat = {f"option.{name}": value for name, value in options.items()}
    return {**{name: value for name, value in table.items() if name != "option"}, **flat}
