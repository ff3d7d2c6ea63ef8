"""The store of an experiment: a folder with a manifest and one Parquet result file per chunk.

A result file is written under a temporary name and then renamed, so it is never incomplete. Only
files that the manifest lists are read, so no game is counted twice.
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
from mineproof.core.words import counted
from mineproof.lab.board_search import DEALT
from mineproof.lab.catalogue import parse_experiment
from mineproof.lab.chunks import Chunk
from mineproof.lab.experiment import Experiment
from mineproof.lab.figure import COLUMNS, SIDES, TEXTS
from mineproof.lab.metrics import GAME_COLUMNS
from mineproof.lab.work import ChunkAnswer, Won
from mineproof.notation.codec import Length, from_plain, plain_form, to_plain
from mineproof.notation.files import lock_file, write_whole
from mineproof.notation.plain_readers import shown
from mineproof.notation.text import decode, load_json

MANIFEST = "manifest.json"
PARTS = "parts"
VERSION: Literal[2] = 2
MAGIC = b"PAR1"
"""The first and last bytes of a Parquet file."""
KEY = "chunk"
"""The metadata key of a result file that holds its chunk, to detect copies of other files."""
_KEY = re.compile("[0-9a-f]{8,64}")
PACKAGES = ("mineproof", "duckdb", "numpy", "scipy", "matplotlib", "distributed")


@plain_form("*", omit_defaults=True)
@dataclass(frozen=True)
class StoredRun:
    """A run of an experiment: versions, machine and times."""

    started: str
    versions: Mapping[str, str]
    backend: str
    machine: str
    system: str
    cores: int | None
    command: tuple[str, ...]
    finished: str = ""
    seconds: float | None = None
    salt: str = ""
    """Random digits from which the seeds of the user's own agents were made."""
    isolated: bool = True
    """False if the user's own agents ran in the processes that play the games."""

    def __post_init__(self) -> None:
        if "mineproof" not in self.versions:
            raise NotationError("the version of mineproof is missing")


@dataclass(frozen=True)
class Manifest:
    """The experiment in a folder, its runs, and the list of its result files."""

    version: Literal[1, 2]
    """In version 1, a figure had a single claim, stored as text."""
    experiment: dict[str, Any]
    games: int
    """Games per condition."""
    seeds: tuple[int, int]
    """The first and the last seed."""
    runs: Annotated[tuple[StoredRun, ...], Length(least=1)]
    chunks: tuple[str, ...]
    """The keys of the chunks, which are the names of their result files."""

    def __post_init__(self) -> None:
        for key in self.chunks:
            if not _KEY.fullmatch(key):
                raise NotationError(f"expected the key of a chunk, got {shown(key)}")


class Store:
    """The folder of one experiment."""

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self.results = self.folder / PARTS
        self._read: tuple[object, duckdb.DuckDBPyConnection] | None = None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder against other runs; the lock ends with the process.

        Raises:
            InputError: another run uses the folder.
        """
        self.results.mkdir(parents=True, exist_ok=True)
        with (self.folder / ".lock").open("w") as file:
            lock_file(file, self.folder)
            for torn in self.results.glob("*.tmp"):
                torn.unlink()
            yield

    def has(self, chunk: Chunk) -> bool:
        """Return whether a chunk is finished."""
        return _is_complete(self.result_path(chunk.key))

    def result_path(self, key: str) -> Path:
        """Return the path of a chunk's result file."""
        return self.results / f"{key}.parquet"

    def write(self, chunk: Chunk, answer: ChunkAnswer) -> None:
        """Write the result file of a chunk, completely or not at all."""
        torn = self.results / f"{chunk.key}.tmp"
        try:
            _write_parquet(torn, chunk, answer)
        except duckdb.IOException as error:  # most likely the disk is full
            torn.unlink(missing_ok=True)
            raise OSError(f"cannot write {torn}: {error}") from None
        with torn.open("rb") as file:
            os.fsync(file.fileno())
        torn.replace(self.result_path(chunk.key))

    def wins(self, chunk: Chunk) -> list[Won]:
        """Return whether each game of a finished chunk was won (None: refused), by seed."""
        sql = "SELECT nullif(result, 'refused') = 'win' FROM read_parquet(?) ORDER BY seed"
        with duckdb.connect() as database:
            rows = database.execute(sql, [str(self.result_path(chunk.key))]).fetchall()
        return [won for (won,) in rows]

    def unfinished(self) -> str:
        """Return how many games of each agent failed or were refused; empty if there are none."""
        sql = "SELECT agent, result, count(*) FROM every WHERE result IN ('failed', 'refused')"
        rows = self.query(f"{sql} GROUP BY ALL ORDER BY ALL")
        return ", ".join(f"{agent}: {counted(n, 'game')} {result}" for agent, result, n in rows)

    def begin(self, experiment: Experiment, chunks: Sequence[Chunk], games: int) -> None:
        """Write the manifest before a run starts."""
        runs = self.manifest.runs if (self.folder / MANIFEST).exists() else ()
        manifest = Manifest(
            VERSION,
            to_plain(experiment),
            games,
            (experiment.seed, experiment.seed + games - 1),
            (*runs, replace(_run(), **_own(chunks))),
            tuple(chunk.key for chunk in chunks),
        )
        self._write_manifest(manifest)

    def end(self, seconds: float) -> None:
        """Record in the manifest that the run has ended."""
        manifest = self.manifest
        ended = replace(manifest.runs[-1], finished=_now(), seconds=round(seconds, 1))
        self._write_manifest(replace(manifest, runs=(*manifest.runs[:-1], ended)))

    @property
    def manifest(self) -> Manifest:
        """The manifest.

        Raises:
            NotationError: it is missing or not valid.
        """
        path = self.folder / MANIFEST
        try:
            return from_plain(Manifest, load_json(decode(path.read_bytes()), "a manifest"))
        except FileNotFoundError:
            raise NotationError(f"{path} is missing, so there are no results to read") from None
        except NotationError as error:
            raise NotationError(
                f"{path} is not the manifest of a run: {error}. Delete it and repeat the run to "
                "use its finished results"
            ) from None

    @property
    def salt(self) -> str:
        """The salt of the last run with the user's own agents; empty if there is none."""
        if not (self.folder / MANIFEST).exists():
            return ""
        return next((run.salt for run in reversed(self.manifest.runs) if run.salt), "")

    @property
    def experiment(self) -> Experiment:
        """The experiment as it was run."""
        manifest, path = self.manifest, str(self.folder / MANIFEST)
        return _experiment(json.dumps(manifest.experiment), manifest.version, path)

    @property
    def finished(self) -> list[Path]:
        """The result files of the finished chunks."""
        paths = (self.result_path(key) for key in self.manifest.chunks)
        return [path for path in paths if _is_complete(path)]

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """Return the rows of an SQL query.

        The games are the table `games`; `every` also has those that an engine refused.

        Raises:
            NotationError: no chunk is finished, or a result file is damaged.
        """
        return self._database().execute(sql).fetchall()

    def _database(self) -> duckdb.DuckDBPyConnection:
        """Return a database with the finished results, which is reused until they change."""
        paths = self.finished
        if not paths:
            raise NotationError(f"{self.folder} has no finished results")
        marks = tuple((str(path), path.stat().st_mtime_ns) for path in paths)
        if self._read is None or self._read[0] != marks:
            self._read = marks, self._load([str(path) for path in paths])
        return self._read[1]

    def _load(self, paths: list[str]) -> duckdb.DuckDBPyConnection:
        database = duckdb.connect()
        try:
            self._check_keys(database, paths)
            database.read_parquet(paths, union_by_name=True).create("every")
            for name, kind in GAME_COLUMNS.items():  # files of older versions lack some columns
                database.execute(f"ALTER TABLE every ADD COLUMN IF NOT EXISTS {name} {kind}")
            # In versions without `boards`, all boards were dealt.
            database.execute("ALTER TABLE every ADD COLUMN IF NOT EXISTS boards VARCHAR")
            database.execute(f"UPDATE every SET boards = '{DEALT}' WHERE boards IS NULL")
            played = "SELECT * FROM every WHERE result <> 'refused'"
            database.execute(f"CREATE VIEW games AS {played}")
        except duckdb.Error as error:
            reason = str(error).splitlines()[0]
            raise NotationError(
                f"cannot read the results in {self.results}: {reason}. Delete the damaged file and "
                "repeat the run to play its games again"
            ) from None
        return database

    def _check_keys(self, database: duckdb.DuckDBPyConnection, paths: list[str]) -> None:
        """Reject a file with games from another chunk. Files from version 0.1 cannot be checked."""
        sql = "SELECT file_name, decode(value) FROM parquet_kv_metadata(?) WHERE decode(key) = ?"
        for path, key in database.execute(sql, [paths, KEY]).fetchall():
            if path != str(self.result_path(key)):
                raise NotationError(
                    f"{path} contains the games of another chunk, {key}. Delete it and repeat the "
                    "run to play its games again"
                )

    def _write_manifest(self, manifest: Manifest) -> None:
        write_whole(self.folder / MANIFEST, json.dumps(to_plain(manifest), indent=1).encode())


@lru_cache(maxsize=64)
def _experiment(text: str, version: int, path: str) -> Experiment:
    """Return the experiment of a manifest. It is cached, because making its conditions is slow."""
    table = json.loads(text)
    if version == 1:
        try:
            table = {**table, "figures": [_with_claims(one) for one in table["figures"]]}
        except (KeyError, TypeError, IndexError, ValueError):
            raise NotationError(f"the figures in {path} do not follow format 1") from None
    return parse_experiment(table, path)


def _with_claims(figure: dict[str, Any]) -> dict[str, Any]:
    """Convert a figure from version 1, in which a figure had a single claim as text."""
    found = dict(figure)
    says, expect = found.pop("claim"), found.pop("expect")
    if not expect:
        claim = f"The source says: {says}" if says else ""
        return {**found, "note": " ".join(filter(None, (claim, found["note"])))}
    base = found["baseline"][0] if found["baseline"] else ""
    than = {found["series"][-1]: base} if expect in SIDES else {}
    return {**found, "claims": [{"says": says or found["title"], "expect": expect, "than": than}]}


def stores(folder: Path) -> list[Store]:
    """Return the stores of all experiments in a folder.

    Raises:
        InputError: there are none.
    """
    found = [Store(path.parent) for path in sorted(folder.glob(f"*/{MANIFEST}"))]
    if not found:
        raise InputError(f"{folder} has no results. Run one with `mineproof lab run`")
    return found


def _is_complete(path: Path) -> bool:
    """Return whether a result file exists and its last bytes are those of a complete file."""
    try:
        with path.open("rb") as file:
            file.seek(-len(MAGIC), os.SEEK_END)
            return file.read() == MAGIC
    except OSError:
        return False


def _write_parquet(path: Path, chunk: Chunk, answer: ChunkAnswer) -> None:
    """Write games together with the columns of their conditions."""
    conditions = [one.columns for one in chunk.conditions for _ in range(chunk.count)]
    columns = {**answer.columns, **{name: [one[name] for one in conditions] for name in COLUMNS}}
    chosen = [f"{name}::VARCHAR AS {name}" if name in TEXTS else name for name in COLUMNS]
    chosen += [
        f"{name if name in columns else 'NULL'}::{kind} AS {name}"
        for name, kind in GAME_COLUMNS.items()
    ]
    database = _writer()
    database.register("games", {name: _array(values) for name, values in columns.items()})
    options = f"FORMAT parquet, KV_METADATA {{{KEY}: {quoted(chunk.key)}}}"
    select = f"SELECT {', '.join(chosen)} FROM games"
    database.execute(f"COPY ({select}) TO {quoted(str(path))} ({options})")
    database.unregister("games")


@cache
def _writer() -> duckdb.DuckDBPyConnection:
    """Return the database that writes result files. It is opened once, because that is slow."""
    return duckdb.connect()


def quoted(text: str) -> str:
    """Return text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def _array(values: list[Any]) -> Any:
    """Return an array that the database can read. Strings and None need an array of objects."""
    array = np.array(values)
    return array if array.dtype.kind in "iuf" else array.astype(object)


def _own(chunks: Sequence[Chunk]) -> dict[str, Any]:
    """Return how the user's own agents run, if there are any."""
    own = next((chunk for chunk in chunks if chunk.salt), None)
    return {} if own is None else {"salt": own.salt, "isolated": own.isolated}


def _run() -> StoredRun:
    """Return a description of this run: versions, backend, machine and start time."""
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
