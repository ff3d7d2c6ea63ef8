"""Run coroutines in a separate thread, because a browser test may block the main thread."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Value = TypeVar("Value")


def run_async(coroutine: Coroutine[Any, Any, Value]) -> Value:
    """Run a coroutine until it finishes, and return its result."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
