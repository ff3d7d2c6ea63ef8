"""Ctrl-C: it ends a command with status 130 and without a traceback, at any moment.

While modules are imported, and after the command has ended, the process exits immediately. While
the command runs, Ctrl-C raises `KeyboardInterrupt`, so that the command can finish its files.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys

INTERRUPTED = 130
"""The exit status after Ctrl-C."""


def exit_at_once() -> None:
    """Make Ctrl-C end the process immediately."""
    signal.signal(signal.SIGINT, _exit)


def raise_interrupts() -> None:
    """Make Ctrl-C raise `KeyboardInterrupt`, if `exit_at_once` was called before."""
    if signal.getsignal(signal.SIGINT) is _exit:
        sys.unraisablehook = _raise_later
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _exit(_number: int, _frame: object) -> None:
    os._exit(INTERRUPTED)


def _raise_later(event: sys.UnraisableHookArgs) -> None:
    """Repeat an interrupt that came where Python ignores exceptions, such as in a callback."""
    if event.exc_type is KeyboardInterrupt:
        _thread.interrupt_main()
    else:
        sys.__unraisablehook__(event)
