"""Attacks by user agents, and agents' claims about their guesses."""

from __future__ import annotations

from pathlib import Path

from attacks import Broken, attack, expect, run


@attack("every guess has a positive risk")
def certain_guesses(_folder: Path) -> str:
    """Make agents guess in games in which they know little, and check what they claim."""
    import mineproof as mw

    rows = [
        ("backtracking", "9x9/10", {"clues": "withheld:0", "mine_count": "unknown"}),
        ("possibility", "9x9/20", {}),
        ("resolution:clues=model", "9x9/10", {"clues": "optimistic"}),
    ]
    guesses = 0
    for agent, level, options in rows:
        rules = mw.core.rules.with_options(mw.Rules.parse(level), **options)
        for seed in range(30):
            record = mw.play(mw.Game(rules, seed), mw.make_agent(agent))
            risks = [one.risk for one in record.steps if not one.proved and one.risk is not None]
            guesses += len(risks)
            if any(risk <= 0 for risk in risks):
                raise Broken(f"{agent}, seed {seed}: a guess with risk 0")
    return f"{guesses} guesses with a positive risk"


BAD_AGENTS = {
    "exits": "os._exit(0)",
    "raises": "raise BaseException('no')",
    "interrupts": "raise KeyboardInterrupt",
    "loops": "\n        while True: pass",
    "writes": "[os.write(f, b'garbage') for f in (3, 4)]",
    "closes": "os.closerange(3, 20)",
}
AGENT = """
import os
from mineproof import Action, Decision, Move, Reason
class Own:
    def start(self, rules, seed):
        self.seed, self.rules = seed, rules
    def decide(self, observation):
        {code}
        cell = observation.grid.cell(observation.unopened[0])
        return Decision(Move(Action.OPEN, cell), proved=False, reason=Reason("first"))
"""


@attack("games that an agent breaks off are failed, and the run continues")
def agents_that_break(folder: Path) -> str:
    """Play with agents that misbehave, and check them."""
    (folder / "agents").mkdir()
    for name, code in BAD_AGENTS.items():
        file = folder / "agents" / f"{name}.py"
        file.write_text(AGENT.format(code=code))
        who = ("--agent", f"{file}:Own", "--decision-seconds", 2)
        play = run("games", "--count", 3, "--level", "beginner", *who)
        expect(play, 0, "3 games" if name in ("writes", "closes") else "3 failed")
        if name == "exits":
            expect(run("agents", "--check", f"{file}:Own"), 2)
    return f"{len(BAD_AGENTS)} agents"


THIEF = """
import os
from mineproof import Action, Decision, Move, Reason
class Steal:
    def __reduce__(self):
        return (eval, ("(open({note!r}, 'a').write(str(__import__('os').getpid()) + ' '), ())[1]",))
class Own:
    def start(self, rules, seed):
        pass
    def decide(self, observation):
        cell = observation.grid.cell(observation.unopened[0])
        made = Decision(Move(Action.OPEN, cell), proved=False, reason=Reason("first"))
        object.__setattr__(made, "candidates", Steal())
        return made
"""


@attack("an agent's answer runs no code in the process with the board")
def thief_of_memory(folder: Path) -> str:
    """Answer with an object that runs code when it is unpickled."""
    note, file = folder / "note", folder / "thief.py"
    file.write_text(THIEF.format(note=str(note)))
    done = run("games", "--count", 3, "--level", "beginner", "--agent", f"{file}:Own")
    if note.exists():
        raise Broken(f"its code ran outside: {len(note.read_text().split())} times")
    return f"status {done.status}: {done.last}"
