"""Coroutines in tests, each in a thread of its own: a browser test may hold this one's loop."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Value = TypeVar("Value")


def run_async(coroutine: Coroutine[Any, Any, Value]) -> Value:
    """Run a coroutine to its end and give what it returns."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
