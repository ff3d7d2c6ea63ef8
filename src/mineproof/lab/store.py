"""The store of an experiment: a folder with a manifest and Parquet parts, one a chunk.

A part is written beside its place and moved there, so it is there as a whole or not at all.
Only parts that the manifest names are read: nothing is counted twice.
"""

from __future__ import annotations

import json
import os
import platform
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any, Literal

import duckdb
import numpy as np

from mineproof.backend import backend
from mineproof.core.errors import InputError, NotationError
from mineproof.lab.board_search import DEALT
from mineproof.lab.catalogue import parse_experiment, write_experiment
from mineproof.lab.chunks import Chunk
from mineproof.lab.experiment import Experiment
from mineproof.lab.figure import COLUMNS, SIDES
from mineproof.lab.metrics import GAME_COLUMNS
from mineproof.lab.work import ChunkAnswer
from mineproof.notation.codec import Length, from_plain, plain_form, to_plain
from mineproof.notation.files import lock_file, write_whole
from mineproof.notation.text import decode, load_json, shown

MANIFEST = "manifest.json"
PARTS = "parts"
VERSION: Literal[2] = 2
MAGIC = b"PAR1"
"""How a file of Parquet begins and ends."""
KEY = "chunk"
"""Under this name a part says which chunk's games it holds: one that was copied counts nothing."""
_KEY = re.compile("[0-9a-f]{8,64}")
PACKAGES = ("mineproof", "duckdb", "numpy", "scipy", "matplotlib", "distributed")


@plain_form("*", omit_defaults=True)
@dataclass(frozen=True)
class StoredRun:
    """What ran an experiment: versions, machine, times."""

    started: str
    versions: Mapping[str, str]
    backend: str
    machine: str
    system: str
    cores: int | None
    command: tuple[str, ...]
    finished: str = ""
    seconds: float | None = None

    def __post_init__(self) -> None:
        """Reject runs that do not name the version."""
        if "mineproof" not in self.versions:
            raise NotationError("expected the version of mineproof, got none")


@dataclass(frozen=True)
class Manifest:
    """What was played in a folder, and which parts belong to it."""

    version: Literal[1, 2]
    """In version 1 a figure had one claim, in words."""
    experiment: dict[str, Any]
    games: int
    """Games of each condition."""
    seeds: tuple[int, int]
    """The first and the last."""
    runs: Annotated[tuple[StoredRun, ...], Length(least=1)]
    chunks: tuple[str, ...]
    """The keys of the chunks, which name their parts."""

    def __post_init__(self) -> None:
        """Reject keys that could name any other file."""
        for key in self.chunks:
            if not _KEY.fullmatch(key):
                raise NotationError(f"expected the keys of chunks, got {shown(key)}")


class Store:
    """The folder of one experiment."""

    def __init__(self, folder: Path | str) -> None:
        """Name the folder; it need not exist."""
        self.folder = Path(folder)
        self.parts = self.folder / PARTS
        self._read: tuple[object, duckdb.DuckDBPyConnection] | None = None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other runs out of the folder; the lock goes when the process does.

        Raises:
            InputError: another run is using it.
        """
        self.parts.mkdir(parents=True, exist_ok=True)
        with (self.folder / ".lock").open("w") as file:
            lock_file(file, self.folder)
            for torn in self.parts.glob("*.tmp"):
                torn.unlink()
            yield

    def has(self, chunk: Chunk) -> bool:
        """Say whether a chunk is finished."""
        return _is_whole(self.part(chunk.key))

    def part(self, key: str) -> Path:
        """Give the path of a chunk's part."""
        return self.parts / f"{key}.parquet"

    def write(self, chunk: Chunk, answer: ChunkAnswer) -> None:
        """Write the part of a chunk, as a whole or not at all."""
        torn = self.parts / f"{chunk.key}.tmp"
        try:
            _write_parquet(torn, chunk, answer)
        except duckdb.IOException as error:  # most likely the disk is full
            torn.unlink(missing_ok=True)
            raise OSError(f"expected to write {torn}, got: {error}") from None
        with torn.open("rb") as file:
            os.fsync(file.fileno())
        torn.replace(self.part(chunk.key))

    def wins(self, chunk: Chunk) -> list[bool]:
        """Say of each game of a finished chunk whether it was won, in the order of seeds."""
        sql = "SELECT result = 'win' FROM read_parquet(?) ORDER BY seed"
        with duckdb.connect() as database:
            rows = database.execute(sql, [str(self.part(chunk.key))]).fetchall()
        return [bool(won) for (won,) in rows]

    def begin(self, experiment: Experiment, chunks: Sequence[Chunk], games: int) -> None:
        """Write the manifest before a run: what is played, and where."""
        runs = self.manifest.runs if (self.folder / MANIFEST).exists() else ()
        manifest = Manifest(
            VERSION,
            write_experiment(experiment),
            games,
            (experiment.seed, experiment.seed + games - 1),
            (*runs, _run()),
            tuple(chunk.key for chunk in chunks),
        )
        self._write_manifest(manifest)

    def end(self, seconds: float) -> None:
        """Note in the manifest that the run came to its end."""
        manifest = self.manifest
        ended = replace(manifest.runs[-1], finished=_now(), seconds=round(seconds, 1))
        self._write_manifest(replace(manifest, runs=(*manifest.runs[:-1], ended)))

    @property
    def manifest(self) -> Manifest:
        """The manifest.

        Raises:
            NotationError: there is none, or it is no manifest of this version.
        """
        path = self.folder / MANIFEST
        try:
            return from_plain(Manifest, load_json(decode(path.read_bytes()), "a manifest"))
        except FileNotFoundError:
            raise NotationError(f"expected the manifest of a run, got no {path}") from None
        except NotationError as error:
            raise NotationError(
                f"{path} is not the manifest of a run: {error} (without that file the same run "
                "goes on with its parts)"
            ) from None

    @property
    def experiment(self) -> Experiment:
        """The experiment as it was run."""
        manifest, path = self.manifest, str(self.folder / MANIFEST)
        return _experiment(json.dumps(manifest.experiment), manifest.version, path)

    @property
    def finished(self) -> list[Path]:
        """The parts of the chunks that are finished."""
        paths = (self.part(key) for key in self.manifest.chunks)
        return [path for path in paths if _is_whole(path)]

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """Ask the games a question in SQL; they are the table `games`.

        Raises:
            NotationError: no chunk is finished, or a part is damaged.
        """
        return self._database().execute(sql).fetchall()

    def _database(self) -> duckdb.DuckDBPyConnection:
        """Read the parts that are finished, and keep them as long as they are the same."""
        paths = self.finished
        if not paths:
            raise NotationError(f"expected finished chunks in {self.folder}, got none")
        marks = tuple((str(path), path.stat().st_mtime_ns) for path in paths)
        if self._read is None or self._read[0] != marks:
            self._read = marks, self._load([str(path) for path in paths])
        return self._read[1]

    def _load(self, paths: list[str]) -> duckdb.DuckDBPyConnection:
        database = duckdb.connect()
        try:
            self._check_keys(database, paths)
            database.read_parquet(paths, union_by_name=True).create("games")
            for name, kind in GAME_COLUMNS.items():  # parts written before there was one lack it
                database.execute(f"ALTER TABLE games ADD COLUMN IF NOT EXISTS {name} {kind}")
            # So do those of before boards were searched for: theirs were dealt.
            database.execute("ALTER TABLE games ADD COLUMN IF NOT EXISTS boards VARCHAR")
            database.execute(f"UPDATE games SET boards = '{DEALT}' WHERE boards IS NULL")
        except duckdb.Error as error:
            reason = str(error).splitlines()[0]
            raise NotationError(
                f"expected whole parts in {self.parts}, got: {reason} (without that part the "
                "same run plays its games again)"
            ) from None
        return database

    def _check_keys(self, database: duckdb.DuckDBPyConnection, paths: list[str]) -> None:
        """Refuse a part that holds the games of another chunk; those of 0.1 do not say."""
        sql = "SELECT file_name, decode(value) FROM parquet_kv_metadata(?) WHERE decode(key) = ?"
        for path, key in database.execute(sql, [paths, KEY]).fetchall():
            if path != str(self.part(key)):
                raise NotationError(
                    f"expected the games of this chunk in {path}, got those of {key} (without "
                    "that part the same run plays its games again)"
                )

    def _write_manifest(self, manifest: Manifest) -> None:
        write_whole(self.folder / MANIFEST, json.dumps(to_plain(manifest), indent=1).encode())


@lru_cache(maxsize=64)
def _experiment(text: str, version: int, path: str) -> Experiment:
    """Read an experiment; once, for its conditions take a while to make."""
    table = json.loads(text)
    if version == 1:
        try:
            table = {**table, "figures": [_with_claims(one) for one in table["figures"]]}
        except (KeyError, TypeError, IndexError, ValueError):
            raise NotationError(f"expected the figures of version 1 in {path}") from None
    return parse_experiment(table, path)


def _with_claims(figure: dict[str, Any]) -> dict[str, Any]:
    """Turn the one claim that a figure of version 1 had into claims."""
    found = dict(figure)
    says, expect = found.pop("claim"), found.pop("expect")
    if not expect:
        claim = f"The source says: {says}" if says else ""
        return {**found, "note": " ".join(filter(None, (claim, found["note"])))}
    base = found["baseline"][0] if found["baseline"] else ""
    than = {found["series"][-1]: base} if expect in SIDES else {}
    return {**found, "claims": [{"says": says or found["title"], "expect": expect, "than": than}]}


def stores(folder: Path) -> list[Store]:
    """Give all experiments that were run into a folder.

    Raises:
        InputError: there is none.
    """
    found = [Store(path.parent) for path in sorted(folder.glob(f"*/{MANIFEST}"))]
    if not found:
        raise InputError(f"expected experiments that were run in {folder}, got none")
    return found


def _is_whole(path: Path) -> bool:
    """Say whether a part is there to its last byte, as far as its end shows."""
    try:
        with path.open("rb") as file:
            file.seek(-len(MAGIC), os.SEEK_END)
            return file.read() == MAGIC
    except OSError:
        return False


def _write_parquet(path: Path, chunk: Chunk, answer: ChunkAnswer) -> None:
    """Write games with what is known of their condition."""
    games = {name: _array(values) for name, values in answer.columns.items()}
    chosen = [f"conditions.{name}" for name in COLUMNS]
    chosen += [
        f"{'games.' + name if name in games else 'NULL'}::{kind} AS {name}"
        for name, kind in GAME_COLUMNS.items()
    ]
    select = (
        f"SELECT {', '.join(chosen)} FROM games JOIN {_conditions(chunk)} "
        "ON games.condition = conditions.condition ORDER BY games.condition, seed"
    )
    database = _writer()
    database.register("games", games)
    options = f"FORMAT parquet, KV_METADATA {{{KEY}: {_literal(chunk.key)}}}"
    database.execute(f"COPY ({select}) TO {_literal(str(path))} ({options})")
    database.unregister("games")


def _conditions(chunk: Chunk) -> str:
    """Write the conditions of a chunk as a table in SQL, each with its number."""
    rows = (
        ", ".join([str(number), *(_literal(one.columns[name]) for name in COLUMNS)])
        for number, one in enumerate(chunk.conditions)
    )
    table = f"conditions(condition, {', '.join(COLUMNS)})"
    return f"(VALUES {', '.join(f'({row})' for row in rows)}) AS {table}"


@cache
def _writer() -> duckdb.DuckDBPyConnection:
    """Open the database that writes parts: once, for it takes longer than a part."""
    return duckdb.connect()


def quoted(text: str) -> str:
    """Write text as SQL."""
    return "'" + text.replace("'", "''") + "'"


def _literal(value: str | int | float | None) -> str:
    """Write a value as SQL."""
    if value is None:
        return "NULL::VARCHAR"
    if isinstance(value, str):
        return quoted(value)
    return f"{value!r}::{'DOUBLE' if isinstance(value, float) else 'INTEGER'}"


def _array(values: list[Any]) -> Any:
    """Make an array that the database can read, with what is missing masked."""
    filler = next((value for value in values if value is not None), 0)
    if isinstance(filler, str):
        return np.array(values, dtype=object)
    kind = np.float64 if isinstance(filler, float) else np.uint64
    if None not in values:
        return np.array(values, dtype=kind)
    missing = [value is None for value in values]
    filled = [filler if value is None else value for value in values]
    return np.ma.masked_array(np.array(filled, dtype=kind), mask=missing)


def _run() -> StoredRun:
    """Describe what runs: versions, backend, machine, the time."""
    versions = {}
    for name in PACKAGES:
        with suppress(PackageNotFoundError):
            versions[name] = version(name)
    return StoredRun(
        _now(),
        {"python": platform.python_version(), **versions},
        backend(),
        platform.machine(),
        f"{platform.system()} {platform.release()}",
        os.cpu_count(),
        (Path(sys.argv[0]).name, *sys.argv[1:]),
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
