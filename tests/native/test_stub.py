"""The committed stub of the native core says what the built module is."""

from __future__ import annotations

import ast
from pathlib import Path

from conftest import Require

from mineproof.backend import native

ROOT = Path(__file__).parents[2]
STUB = ROOT / "src" / "mineproof" / "_native.pyi"


def normal(source: str) -> str:
    """Give source text free of layout and comments."""
    return ast.unparse(ast.parse(source))


def test_stub_matches_the_built_module(require: Require) -> None:
    """Signatures, types and docstrings in the stub are those that nanobind reports."""
    require("native", native is not None, "the native core is not built")
    from nanobind.stubgen import StubGen

    assert native is not None
    generator = StubGen(native)
    generator.put(native)
    message = "the stub is out of date; `make stub` writes it anew"
    assert normal(STUB.read_text("utf-8")) == normal(generator.get()), message
