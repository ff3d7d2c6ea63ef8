"""Files written so that nothing is lost: whole or not at all, and by one process at a time."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, BinaryIO

from mineproof.core.errors import InputError


def write_whole(path: Path, data: bytes) -> None:
    """Write a file beside its place and move it there: a kill or a full disk leaves the old one.

    Raises:
        OSError: it cannot be written; what was there before is there still.
    """
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        new.write_bytes(data)
        new.replace(path)
    except BaseException as error:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        if isinstance(error, OSError):
            error.filename = str(path)  # a full disk names none, and nobody asked for `new`
        raise


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file; see `write_file`."""
    write_file(path, text.encode())


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file as `write_whole` does; a device or a pipe is written as it stands.

    Raises:
        OSError: it cannot be written; the error has its name.
    """
    place = Path(path).resolve()  # the file behind a link, not the link
    if place.exists() and not place.is_file():
        place.write_bytes(data)
    else:
        write_whole(place, data)


def open_alone(path: Path) -> BinaryIO:
    """Open a file to read and to append, for this process alone; it is made where there is none.

    Raises:
        InputError: another process has it, or it is no file that can be cut and resumed.
        OSError: it cannot be opened.
    """
    if path.exists() and not path.is_file():
        raise InputError(f"expected a file to write to, got {path}, a folder or a device")
    file = path.open("a+b")
    try:
        keep_to_oneself(file, path)
    except BaseException:
        file.close()
        raise
    return file


def keep_to_oneself(file: IO[Any], path: Path) -> None:
    """Keep other processes from a file that is open; the lock goes when the process does.

    Raises:
        InputError: another process has it.
    """
    try:
        import fcntl
    except ImportError:  # no such locks on this system: two runs at once are the user's care
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise InputError(f"expected no other run at {path}, got one that is going on") from None
