"""Experiments in TOML files: the built-in ones and the user's own.

A file contains one experiment, or several under `[[experiments]]`. Settings above them apply to
all experiments in the file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from mineproof.core.errors import InputError, NotationError, did_you_mean
from mineproof.lab.experiment import Experiment
from mineproof.notation.codec import from_plain
from mineproof.notation.files import read_toml

FOLDER = Path(__file__).with_name("experiments")
"""The folder with the built-in experiments."""
DOCUMENTS = {
    "capstone": "the Capstone report (000)",
    "lab3": "the Lab 3 report (001)",
    "rutgers": "the Rutgers report (003)",
}
"""The groups that reproduce a source document, with the document's name."""
GROUPS = {
    "documents": "all experiments of the source documents",
    **DOCUMENTS,
    "general": "experiments beyond the documents",
    "all": "everything",
}
MOST_BYTES = 256 * 2**10
"""The maximum size of a file. The built-in files have up to 10 KB."""


@cache
def experiments() -> dict[str, Experiment]:
    """Return all built-in experiments by name."""
    return {one.name: one for one in members("all")}


def members(group: str) -> list[Experiment]:
    """Return the experiments of a group, which may have several files."""
    groups = {"documents": (*DOCUMENTS,), "all": (*DOCUMENTS, "general")}.get(group, (group,))
    return [one for name in groups for one in _built_in(name)]


@cache
def _built_in(group: str) -> tuple[Experiment, ...]:
    paths = sorted(FOLDER.glob(f"{group}*.toml"), key=lambda path: path.stem)
    return tuple(one for path in paths for one in read_experiments(path))


def find(name: str) -> list[Experiment]:
    """Return all experiments in a group or a TOML file, or one built-in experiment by name.

    Raises:
        InputError: the name is unknown, or the file is not an experiment.
    """
    if name.endswith(".toml"):
        return [replace(one, file=name) for one in read_experiments(Path(name))]
    if name in GROUPS:
        return members(name)
    if name in experiments():
        return [experiments()[name]]
    names = [*GROUPS, *experiments()]
    wanted = f"an experiment ({', '.join(names)}) or FILE.toml"
    raise InputError(f"expected {wanted}, got {name!r}{did_you_mean(name, names)}")


def read_experiments(path: Path) -> list[Experiment]:
    """Read the experiments of a TOML file.

    Raises:
        NotationError: the file is not an experiment. The message says where the mistake is.
        OSError: the file cannot be read.
    """
    table = read_toml(path, MOST_BYTES)
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
            raise NotationError(f"{path} has two experiments with the name {name}")
    return found


def _under(shared: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Combine the shared settings of a file with those of one experiment, which take precedence."""
    rules = [table.get("rules", {}) for table in (shared, own)]
    if all(isinstance(one, dict) for one in rules):
        return {**shared, **own, "rules": {**rules[0], **rules[1]}}
    return {**shared, **own}


def parse_experiment(table: Mapping[str, Any], where: str) -> Experiment:
    """Return the experiment that plain values describe.

    Raises:
        NotationError: a field is unknown, missing or of the wrong type.
    """
    complete = _changed({"question": "", **table}, rules=_flat, vary=_flat, figures=_figures)
    return from_plain(Experiment, complete, where)


# ---- Abbreviations in files. The codec rejects values of a wrong type later.


def _changed(table: Any, **changes: Callable[[Any], Any]) -> Any:
    """Return a table in which the given fields, if present, are converted."""
    if not isinstance(table, Mapping):
        return table
    return {**table, **{name: make(table[name]) for name, make in changes.items() if name in table}}


def _each(values: Any, make: Callable[[Any], Any]) -> Any:
    """Convert every value of a list or a table."""
    if isinstance(values, Mapping):
        return {name: make(value) for name, value in values.items()}
    return [make(value) for value in values] if isinstance(values, (list, tuple)) else values


def _figures(tables: Any) -> Any:
    changes = {"series": _listed, "baseline": _listed, "where": _chosen, "claims": _claims}
    return _each(tables, lambda one: _changed(one, **changes))


def _claims(tables: Any) -> Any:
    return _each(tables, lambda one: _changed(one, of=_chosen, than=_texts))


def _listed(value: Any) -> Any:
    """Return a single string or number as a list."""
    return [value] if isinstance(value, (str, int, float)) else value


def _texts(values: Any) -> Any:
    """Return numbers and booleans as text, in the form that the columns use."""
    return _each(values, lambda value: str(value) if isinstance(value, (int, float)) else value)


def _chosen(table: Any) -> Any:
    """Return the chosen values of each column as a list of strings."""
    return _each(table, lambda values: _texts(_listed(values)))


def _flat(table: Any) -> Any:
    """Join nested names: TOML parses `option.matching = ...` as `option = {matching = ...}`."""
    options = table.get("option") if isinstance(table, Mapping) else None
    if not isinstance(options, Mapping):
        return table
    flat = {f"option.{name}": value for name, value in options.items()}
    return {**{name: value for name, value in table.items() if name != "option"}, **flat}
