"""The experiments that come with Mineproof, and groups of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from mineproof.core.errors import InputError
from mineproof.lab.experiment import Experiment
from mineproof.lab.experiments import capstone, general, lab3, rutgers
from mineproof.lab.files import read_experiment

GROUPS = {
    "documents": "all reproductions of the source documents",
    "capstone": "the Capstone report (000)",
    "lab3": "the Lab 3 report (001)",
    "rutgers": "the Rutgers report (003)",
    "general": "what the documents do not have",
    "all": "everything",
}


@cache
def experiments() -> dict[str, Experiment]:
    """Give all built-in experiments by name."""
    modules = (capstone, lab3, rutgers, general)
    return {one.name: one for module in modules for one in module.EXPERIMENTS}


def members(group: str) -> list[Experiment]:
    """Give the experiments of a group."""
    documents = [*capstone.EXPERIMENTS, *lab3.EXPERIMENTS, *rutgers.EXPERIMENTS]
    return {
        "documents": documents,
        "capstone": list(capstone.EXPERIMENTS),
        "lab3": list(lab3.EXPERIMENTS),
        "rutgers": list(rutgers.EXPERIMENTS),
        "general": list(general.EXPERIMENTS),
        "all": [*documents, *general.EXPERIMENTS],
    }[group]


def find(name: str) -> list[Experiment]:
    """Give the experiments that a name means: a group, one of ours, or a TOML file.

    Raises:
        InputError: there is none of that name, or the file is no experiment.
    """
    if name.endswith(".toml"):
        return [read_experiment(Path(name))]
    if name in GROUPS:
        return members(name)
    known = experiments()
    if name not in known:
        names = ", ".join([*GROUPS, *known])
        raise InputError(f"expected an experiment ({names}) or FILE.toml, got {name!r}")
    return [known[name]]
