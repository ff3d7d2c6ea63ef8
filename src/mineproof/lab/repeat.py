"""The command that plays an experiment again, as one may type it."""

from __future__ import annotations

import shlex

from mineproof.core.errors import InputError
from mineproof.lab.catalogue import experiments, find
from mineproof.lab.compare import DUEL
from mineproof.lab.experiment import Experiment
from mineproof.lab.store import Store


def is_quick(store: Store) -> bool:
    """Say whether a run was one with `--quick`."""
    experiment, games = store.experiment, store.manifest["games"]
    return bool(games == experiment.quick < experiment.games)


def repeat_command(store: Store) -> str:
    """Write the command that plays the same games."""
    experiment, games = store.experiment, store.manifest["games"]
    if experiment.name.startswith(DUEL):
        return _written(["compare", *experiment.agents, *_flags(experiment), "--games", str(games)])
    name = experiment.file or experiment.name
    if not experiment.file and name not in experiments():  # made by a version that kept no file
        return shlex.join(store.manifest["runs"][-1]["command"])
    agents = [word for agent in _other_agents(experiment, name) for word in ("--agent", agent)]
    if is_quick(store):
        return _written(["run", name, *agents, "--quick"])
    more = [] if games == experiment.games else ["--games", str(games)]
    return _written(["run", name, *agents, *more])


def _written(words: list[str]) -> str:
    return shlex.join(["mineproof", "lab", *words])


def _flags(experiment: Experiment) -> list[str]:
    """Give the rules of a comparison as flags."""
    words = ["--seed", str(experiment.seed)] if experiment.seed else []
    for name, value in experiment.rules.items():
        if isinstance(value, bool):
            words.append(f"--{name}" if value else f"--no-{name}")
        else:
            words += [f"--{name.replace('_', '-')}", str(value)]
    return words


def _other_agents(experiment: Experiment, name: str) -> tuple[str, ...]:
    """Give who played instead of the experiment's own agents."""
    try:
        own = next(one for one in find(name) if one.name == experiment.name)
    except (InputError, OSError, StopIteration):  # the file is gone, or is another one now
        return ()
    return () if own.agents == experiment.agents else experiment.agents
