"""Safe file writing: atomic, and by only one process at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO

from mineproof.core.errors import InputError


@contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Add the file's name to errors raised in the `with` block.

    Python omits it if, say, the disk is full.
    """
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise


def write_whole(path: Path, data: bytes) -> None:
    """Write a file atomically. If the process is killed or the disk is full, the old file remains.

    The data is on the disk before the file gets its name, so even a power failure leaves either the
    old file or the new one.

    Raises:
        OSError: if the file cannot be written; the error contains its name.
    """
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    with naming(path):
        try:
            with new.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            new.replace(path)
        except BaseException:
            with suppress(OSError):
                new.unlink(missing_ok=True)
            raise


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file; see `write_file`."""
    write_file(path, text.encode())


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file atomically, or write directly to a device or a pipe.

    Raises:
        OSError: if the file cannot be written; the error contains its name.
    """
    target = Path(path).resolve()  # write to the file that a link points to
    if target.exists() and not target.is_file():
        with naming(path):
            target.write_bytes(data)
    else:
        write_whole(target, data)


def open_locked(path: Path) -> BinaryIO:
    """Open a file for reading and appending, and lock it. Create it if it does not exist.

    Raises:
        InputError: if another process has locked the file, or it is a folder or a device.
        OSError: if the file cannot be opened.
    """
    if path.exists() and not path.is_file():
        raise InputError(f"cannot write to {path}: it is a folder or a device. Use a regular file")
    file = path.open("a+b")
    try:
        lock_file(file, path)
    except BaseException:
        file.close()
        raise
    return file


def lock_file(file: IO[Any], path: Path) -> None:
    """Lock an open file against other processes. The lock ends with this process.

    Raises:
        InputError: if another process has locked it.
    """
    try:
        import fcntl
    except ImportError:  # this system has no file locks
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise InputError(f"{path} is in use by another run. Wait until it has finished") from None
