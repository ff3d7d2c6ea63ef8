"""The page of all public names: signatures and docstrings, as the program has them."""

from __future__ import annotations

import ast
import enum
import inspect
import re
import textwrap
from collections.abc import Iterator
from typing import Any

import mineproof

HEAD = """# All names

Every public name of `import mineproof`, with its signature and what it says of itself.
[Python](python.md) shows them at work.
This page is written by `python docs/make_pages.py`.
"""
SELF = ("self", "cls")


def api_page() -> str:
    """Write the page."""
    values = {name: getattr(mineproof, name) for name in sorted(mineproof.__all__)}
    functions = {name: value for name, value in values.items() if inspect.isfunction(value)}
    classes = {name: value for name, value in values.items() if isinstance(value, type)}
    errors = {name: kind for name, kind in classes.items() if issubclass(kind, Exception)}
    rest = {name: value for name, value in values.items() if name not in functions | classes}
    parts = [HEAD, "## Functions\n"]
    parts += [function_part("###", name, value) for name, value in functions.items()]
    parts.append("## Classes\n")
    parts += [class_part(name, kind) for name, kind in classes.items() if name not in errors]
    parts.append("## Errors\n")
    parts += [error_row(name, kind) for name, kind in errors.items()]
    parts.append("\n## Levels\n")
    parts += [f"- `{name}`: {constant(value)}" for name, value in rest.items()]
    return "\n".join(parts) + "\n"


def function_part(mark: str, name: str, value: Any) -> str:
    """Write a function or method: its signature, then what it says."""
    return f"{mark} {name}\n\n{signature(name, value)}\n{markdown(inspect.getdoc(value) or '')}"


def signature(name: str, value: Any) -> str:
    """Write the signature as Python, one argument a line where it is long."""
    arguments, gives = parts_of(inspect.signature(value))
    line = f"{name}({', '.join(arguments)}){gives}"
    if len(line) > 90:
        line = f"{name}(\n" + "".join(f"    {one},\n" for one in arguments) + f"){gives}"
    return f"```python\n{line}\n```\n"


def parts_of(found: inspect.Signature) -> tuple[list[str], str]:
    """Give the arguments of a signature, and what it gives with its arrow; annotations are text."""
    arguments = []
    for one in found.parameters.values():
        if one.kind is one.KEYWORD_ONLY and not any("*" in before for before in arguments):
            arguments.append("*")
        star = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        kind = "" if one.annotation is one.empty else f": {kind_text(one.annotation)}"
        default = "" if one.default is one.empty else f" = {default_text(one.default)}"
        arguments.append(f"{star}{one.name}{kind}{default}")
    empty = found.return_annotation in (found.empty, None)  # None where a class is made
    return arguments, "" if empty else f" -> {kind_text(found.return_annotation)}"


def kind_text(annotation: Any) -> str:
    """Write a kind of value."""
    if isinstance(annotation, str):
        return annotation
    return getattr(annotation, "__forward_arg__", None) or annotation.__name__


def default_text(value: Any) -> str:
    """Write a default: plain values as Python does, others by their own text."""
    plain = value is None or isinstance(value, bool | int | float | str | tuple)
    return repr(value) if plain and not isinstance(value, enum.Enum) else str(value)


def markdown(doc: str) -> str:
    """Turn the parts `Args:` and `Raises:` of a docstring into lists."""
    told, *parts = re.split(r"^(Args|Raises|Returns|Yields):\n", doc, flags=re.M)
    text = told.strip() + "\n"
    for title, body in zip(parts[::2], parts[1::2], strict=True):
        items = re.sub(r"\n {4,}", " ", textwrap.dedent(body)).strip().splitlines()
        text += f"\n{title}:\n\n" + "".join(f"- {item_text(item)}\n" for item in items)
    return text


def item_text(item: str) -> str:
    """Write one argument or error with its name as code."""
    return re.sub(r"^(\**\w+): ", r"`\1`: ", item)


def class_part(name: str, kind: type) -> str:
    """Write a class: how it is made, its fields, properties and methods."""
    text = f"### {name}\n\n"
    if not issubclass(kind, enum.Enum):
        text += signature(name, kind).replace(" -> None", "") + "\n"
    text += markdown(inspect.getdoc(kind) or "")
    told = [*fields(kind), *members(kind)]
    return text + ("\n" + "\n".join(told) + "\n" if told else "")


def fields(kind: type) -> Iterator[str]:
    """Write the fields that a class states, each with the text below it."""
    if issubclass(kind, enum.Enum):
        yield from (f"- `{one.name}`: `{one.value!r}`" for one in kind)
        return
    body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(body, ast.ClassDef)
    for node, after in zip(body.body, [*body.body[1:], None], strict=True):
        name = ast.unparse(node.target) if isinstance(node, ast.AnnAssign) else "_"
        if isinstance(node, ast.AnnAssign) and not name.startswith("_"):
            is_told = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            told = f": {' '.join(str(after.value.value).split())}" if is_told else ""
            yield f"- `{name}: {ast.unparse(node.annotation)}`{told}"


def members(kind: type) -> Iterator[str]:
    """Write the properties and methods that a class states, with their first lines."""
    for name, value in vars(kind).items():
        plain = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        getter = getattr(plain, "fget", None) or getattr(plain, "func", None)
        if name.startswith("_") or not (inspect.isfunction(plain) or getter):
            continue
        told = (inspect.getdoc(plain) or "").partition("\n")[0]
        arguments, gives = parts_of(inspect.signature(getter or plain))
        shown = "" if getter else f"({', '.join(one for one in arguments if one not in SELF)})"
        yield f"- `{name}{shown}{gives.replace(' -> ', ': ') if getter else gives}`: {told}"


def error_row(name: str, kind: type) -> str:
    """Write an error: what it is, and what it is a kind of."""
    told = (inspect.getdoc(kind) or "").partition("\n")[0]
    return f"- `{name}` ({', '.join(f'`{one.__name__}`' for one in kind.__bases__)}): {told}"


def constant(value: Any) -> str:
    """Say what a constant is."""
    if isinstance(value, dict):
        return "all levels by their names: " + ", ".join(f"`{name}`" for name in value)
    return f"`{value.level}`, start `{value.start}`"
