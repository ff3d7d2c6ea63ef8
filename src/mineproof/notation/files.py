"""Reading files of limited size, and safe writing: atomic, by one process at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import IO, Any, BinaryIO

from mineproof.core.errors import InputError, NotationError
from mineproof.notation.text import decode

MOST_BYTES = 256 * 2**20
"""Maximum number of bytes to read from a file or a stream. A record with a million cells takes 5
MB, and a board file with half a million expert boards fits. Endless input such as `/dev/zero` is
rejected."""
MOST_SOURCE = 16 * 2**20
"""Maximum size of a program (a student's file or a user's agent), or of an unpacked upload."""

MOST_DOTS = 200
"""Maximum number of dots in a line of TOML: parsing a dotted key takes quadratic time."""


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the contents of a text file, which may be compressed (`.gz`, `.xz`).

    Raises:
        NotationError: if the file is not text.
        OSError: if the file cannot be read.
    """
    return decode(unpacked(read_file(path), os.fspath(path)))


def unpacked(data: bytes, name: str, most: int = MOST_BYTES) -> bytes:
    """Return the contents of a gzip or xz file; other data unchanged.

    Raises:
        NotationError: if the file is damaged, or unpacks to more than `most` bytes.
    """
    for start, packer in ((b"\x1f\x8b", "gzip"), (b"\xfd7zXZ\0", "lzma")):
        if data.startswith(start):
            try:
                with import_module(packer).open(BytesIO(data)) as file:
                    return read_stream(file, name, most)
            except NotationError:
                raise
            except Exception as error:  # each packer raises several types, and lzma may be missing
                raise NotationError(f"cannot unpack {name}: {error}", file=name) from None
    return data


def read_file(path: str | os.PathLike[str], most: int = MOST_BYTES) -> bytes:
    """Return the contents of a file, unless it is too large or endless.

    Raises:
        NotationError: if it has more than `most` bytes; the message names the file.
        OSError: if it cannot be read.
    """
    with Path(path).open("rb") as file:
        return read_stream(file, os.fspath(path), most)


def read_stream(stream: IO[bytes], name: str, most: int = MOST_BYTES) -> bytes:
    """Return the rest of a stream, unless it has more than `most` bytes; see `read_file`."""
    data = stream.read(most + 1)
    if len(data) > most:
        raise NotationError(f"{name} is too large: the limit is {_size(most)}", file=name)
    return data


def _size(count: int) -> str:
    for unit, size in (("MiB", 2**20), ("KiB", 2**10)):
        if count % size == 0:
            return f"{count // size} {unit}"
    return f"{count} bytes"


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


def read_toml(path: Path, most: int) -> dict[str, Any]:
    """Read a TOML file of limited size.

    Raises:
        NotationError: it is not valid TOML, or a line has too many dots.
        OSError: it cannot be read.
    """
    import tomllib  # few programs need it

    try:
        text = decode(read_file(path, most))
        for number, line in enumerate(text.split("\n"), 1):
            if line.count(".") > MOST_DOTS:
                raise NotationError(f"a line may have at most {MOST_DOTS} dots", number)
        return tomllib.loads(text)
    except ValueError as error:  # also raised for a number with thousands of digits
        raise NotationError(f"{path} is not valid TOML: {error}") from None
    except RecursionError:
        raise NotationError(f"{path} is not valid TOML: it is nested too deeply") from None


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
