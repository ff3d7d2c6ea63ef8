"""Experiments as TOML files: those that come with Mineproof, and the user's own.

Both go through the same reader. A file is one experiment, or it has several in
`[[experiments]]`; what stands above them holds for all of them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, asdict, fields, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from mineproof.core.errors import InputError, NotationError, did_you_mean
from mineproof.lab.experiment import Experiment, Setting
from mineproof.lab.figure import Claim, Figure, Reported
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
Made = TypeVar("Made")
_LISTS = ("agents", "probes")
_TYPES: dict[str, tuple[str, tuple[type, ...]]] = {
    "str": ("text", (str,)),
    "bool": ("true or false", (bool,)),
    "int": ("a whole number", (int,)),
    "int | None": ("a whole number", (int, type(None))),
    "float": ("a number", (int, float)),
    "float | None": ("a number", (int, float, type(None))),
    "str | float": ("text or a number", (str, int, float)),
    "Mapping[str, str]": ("a table", (dict,)),
    "Mapping[str, tuple[str, ...]]": ("a table", (dict,)),
}
"""What a field may be, by its annotation; the others are checked where they are read."""


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
    several = _tables(table.pop("experiments"), f"{path}, experiments")
    found = [parse_experiment(_under(table, one), _place(path, one)) for one in several]
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


def _place(path: Path, table: Mapping[str, Any]) -> str:
    return f"{path}, {table['name']}" if "name" in table else str(path)


def _under(shared: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Put what all experiments of a file share below what one says itself."""
    rules = [table.get("rules", {}) for table in (shared, own)]
    if all(isinstance(one, dict) for one in rules):
        return {**shared, **own, "rules": {**rules[0], **rules[1]}}
    return {**shared, **own}


def parse_experiment(table: Mapping[str, Any], place: str) -> Experiment:
    """Make an experiment of plain values.

    Raises:
        NotationError: a field is unknown, missing or of the wrong type.
    """
    given = dict(table)
    figures = _tables(given.pop("figures", []), f"{place}, figures")
    for name in _LISTS:
        if name in given:
            given[name] = _texts(given[name], f"{place}, {name}")
    _check_fields(Experiment, given, place)
    given["rules"] = _settings(given.get("rules", {}), f"{place}, rules")
    given["vary"] = _varied(given.get("vary", {}), f"{place}, vary")
    made = tuple(_figure(figure, place) for figure in figures)
    return _made(Experiment, {"question": "", **given, "figures": made}, place)


def _made(kind: type[Made], given: Mapping[str, Any], place: str) -> Made:
    """Make something of checked fields; it checks itself whether they fit together."""
    try:
        return kind(**given)
    except InputError as error:
        raise NotationError(f"{place}: {error}") from None


def write_experiment(experiment: Experiment) -> dict[str, Any]:
    """Give an experiment as plain values, which `parse_experiment` reads."""
    return asdict(experiment)


def _figure(table: Mapping[str, Any], place: str) -> Figure:
    given = dict(table)
    reported = _tables(given.pop("reported", []), f"{place}, reported")
    for point in reported:
        _check_fields(Reported, point, f"{place}, reported")
    claims = tuple(
        _claim(one, f"{place}, claims")
        for one in _tables(given.pop("claims", []), f"{place}, claims")
    )
    for name in ("series", "baseline"):
        if name in given:
            texts = [given[name]] if isinstance(given[name], str) else given[name]
            given[name] = _texts(texts, f"{place}, {name}")
    _check_fields(Figure, given, f"{place}, figures")
    given["where"] = _chosen(given.get("where", {}))
    numbers = tuple(Reported(**point) for point in reported)
    return _made(Figure, {**given, "claims": claims, "reported": numbers}, place)


def _claim(table: Mapping[str, Any], place: str) -> Claim:
    given = dict(table)
    _check_fields(Claim, given, place)
    given["of"] = _chosen(given.get("of", {}))
    given["than"] = {name: str(value) for name, value in given.get("than", {}).items()}
    return _made(Claim, given, place)


def _chosen(table: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Read which values of columns are meant: one each, or a list."""
    lists = {name: one if isinstance(one, (list, tuple)) else [one] for name, one in table.items()}
    return {name: tuple(map(str, one)) for name, one in lists.items()}


def _check_fields(kind: type, given: Mapping[str, Any], place: str) -> None:
    """Refuse unknown and missing fields, and values of the wrong type."""
    known = {field.name: field for field in fields(kind)}
    for name, value in given.items():
        if name not in known:
            raise NotationError(f"expected fields {', '.join(known)} in {place}, got {name!r}")
        wanted, types = _TYPES.get(str(known[name].type), ("", (object,)))
        if not isinstance(value, types) or (isinstance(value, bool) and wanted.endswith("number")):
            raise NotationError(f"expected {wanted} for {name} in {place}, got {value!r}")
    for name, field in known.items():
        needed = field.default is MISSING and field.default_factory is MISSING
        if needed and name not in given and name != "question":
            raise NotationError(f"expected the field {name} in {place}, got none")


def _tables(value: object, place: str) -> list[dict[str, Any]]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(one, dict) for one in value):
        raise NotationError(f"expected tables in {place}, got {value!r}")
    return list(value)


def _texts(value: object, place: str) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(one, str) for one in value):
        raise NotationError(f"expected a list of texts in {place}, got {value!r}")
    return tuple(value)


def _settings(value: object, place: str) -> dict[str, Setting]:
    if not isinstance(value, Mapping):
        raise NotationError(f"expected a table in {place}, got {value!r}")
    return {str(name): _setting(one, f"{place}, {name}") for name, one in _flat(value)}


def _varied(value: object, place: str) -> dict[str, tuple[Setting, ...]]:
    if not isinstance(value, Mapping):
        raise NotationError(f"expected a table in {place}, got {value!r}")
    found: dict[str, tuple[Setting, ...]] = {}
    for name, values in _flat(value):
        if not isinstance(values, (list, tuple)) or not values:
            raise NotationError(f"expected a list of values in {place}, {name}, got {values!r}")
        found[name] = tuple(_setting(one, f"{place}, {name}") for one in values)
    return found


def _flat(table: Mapping[Any, Any]) -> list[tuple[str, Any]]:
    """Write `option = {matching = ...}`, which TOML makes of `option.matching`, as one name."""
    found: list[tuple[str, Any]] = []
    for name, value in table.items():
        if name == "option" and isinstance(value, Mapping):
            found += [(f"option.{key}", one) for key, one in value.items()]
        else:
            found.append((str(name), value))
    return found


def _setting(value: object, place: str) -> Setting:
    if not isinstance(value, (str, int, float, bool)):
        raise InputError(f"expected text, a number or true or false in {place}, got {value!r}")
    return value
