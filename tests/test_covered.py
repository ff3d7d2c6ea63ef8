"""Every module has a test file of its own, or a line in `covered_by.txt` that names one."""

from __future__ import annotations

import ast
from pathlib import Path

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "mineproof"
LIST = TESTS / "covered_by.txt"


def modules() -> list[str]:
    """List all modules that hold code, by their paths in the package."""
    return [
        str(path.relative_to(SOURCE))
        for path in sorted(SOURCE.rglob("*.py"))
        if len(ast.parse(path.read_text("utf-8")).body) > 1
    ]


def has_own_test(module: str) -> bool:
    """Say whether a test file bears the module's name, in a folder of its room or at the top."""
    name, room = Path(module).stem, Path(module).parts[0]
    files = [*TESTS.glob("test_*.py"), *(TESTS / room).glob("test_*.py")]
    return any(f"_{name}_" in f"{file.stem}_" for file in files)


def listed() -> dict[str, str]:
    """Read the list: `module: test`, one a line."""
    lines = LIST.read_text("utf-8").splitlines()
    pairs = [line.split(": ") for line in lines if line and not line.startswith("#")]
    return dict(pairs)


def test_every_module_is_covered_by_a_test_that_can_be_found() -> None:
    """By name, or by the list."""
    known = listed()
    assert [one for one in modules() if not has_own_test(one) and one not in known] == []


def test_the_list_is_true() -> None:
    """It names modules without a test of their own, and tests that exist and speak of them."""
    present = set(modules())
    for module, test in listed().items():
        assert module in present, f"{module} does not exist"
        assert not has_own_test(module), f"{module} has a test of its own"
        text = (TESTS / test).read_text("utf-8")
        words = (Path(module).stem, Path(module).parent.name)
        assert any(word in text for word in words), f"{test} says nothing of {module}"
