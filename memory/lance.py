"""The `lancedb` extra: a table per project in its folder, registered in the state folder, with ids, digests and
vectors, but no texts. It has no approximate index: 100,000 vectors are searched faster than the library loads. One
process writes at a time; a table that another has replaced is opened again.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import secrets
import shutil
import sqlite3
import stat
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from mind_skills.errors import RefusedPathError, StoreError
from mind_skills.errors.records import LanceError
from mind_skills.memory.encoders import DEFAULT_INDEX, REBUILD_HINT, Encoder, compute_digest
from mind_skills.memory.features import build_searchable_text
from mind_skills.memory.index import RecordCallback, do_nothing
from mind_skills.memory.model import Record
from mind_skills.memory.records import Records
from mind_skills.store.atomic import Folder
from mind_skills.store.database import Database
from mind_skills.store.git import add_exclude_pattern, has_exclude_pattern, remove_exclude_pattern
from mind_skills.store.home import ensure_folder
from mind_skills.store.light_dataclasses import dataclass
from mind_skills.store.processes import Lock
from mind_skills.store.project import digest_text, resolve_project

Encode = Callable[[Mapping[int, str]], Mapping[int, bytes]]
"""Takes texts, keyed by the numbers of their records, and returns their vectors with the same keys."""
PACKAGE = "lancedb"
SUFFIX = ".lance"
COLUMNS = ("id", "n", "project", "digest", "encoder", "vector")
_TABLE_ID_KEY = b"mind-skills"
_PRIMARY_KEY = {"lance-schema:unenforced-primary-key": "true"}
"""Without a primary key, two processes that merge the same new id insert it twice, even with a lock (LanceDB 0.40)."""
_VERSIONS_PER_COMPACTION = 64
"""Number of versions after which the table is compacted: each merge adds a version and a file."""
MAX_QUERY_RECORDS = 2_000
"""Maximum number of records written during a query: hashing takes one or two seconds, copying stored vectors less."""
_BATCH_SIZE = 512


def is_lancedb_installed() -> bool:
    """Return whether LanceDB is installed, without importing it."""
    return importlib.util.find_spec(PACKAGE) is not None


@dataclass(frozen=True, slots=True)
class TableLocation:
    """A table's ``path``, and its project's main checkout ``root``, common git folder ``git_folder`` and id ``project``."""

    path: str
    root: str
    git_folder: str
    project: str

    @property
    def pattern(self) -> str:
        """The git exclude pattern for the table, and for temporary and damaged tables next to it."""
        relative_path = os.path.relpath(self.path, self.root).replace(os.sep, "/")
        return f"**/{relative_path.removesuffix(SUFFIX)}*{SUFFIX}*"


def locate_table(root: str, relative_path: str = DEFAULT_INDEX) -> TableLocation:
    """Return the location of the table of the project at ``root``, shared by its worktrees. Raises LanceError."""
    project = resolve_project(project_folder=root)
    base = os.path.dirname(project.git_folder) if os.path.basename(project.git_folder) == ".git" else project.root
    is_project = project.git_folder or os.path.isdir(os.path.join(base, ".claude"))
    if not root or not is_project or base == os.path.realpath(os.path.expanduser("~")):
        raise LanceError(
            f"{base} is not a project, so no index is created in it", "Run the command inside a repository."
        )
    parts = relative_path.split("/")
    if not relative_path.endswith(SUFFIX) or os.path.isabs(relative_path) or not {"", ".", ".."}.isdisjoint(parts):
        message = f"{relative_path} is not a relative path that stays inside the project and ends in {SUFFIX}"
        raise LanceError(message, f"The default is {DEFAULT_INDEX}.")
    return TableLocation(os.path.join(base, *parts), base, project.git_folder, project.id)


def prepare_folder(location: TableLocation) -> None:
    """Create the missing private parent folders, and exclude the table from commits. Raises LanceError,
    RefusedPathError, UnwritablePathError.
    """
    check_location(location)
    path = location.root
    try:
        for component in Path(location.path).relative_to(location.root).parts[:-1]:
            path = os.path.join(path, component)
            if not os.path.isdir(path):
                Path(path).mkdir(mode=0o700)
    except OSError as error:
        raise LanceError(
            f"{path} cannot be created: {error.strerror}", "Check that the project is writable."
        ) from error
    if location.git_folder:
        add_exclude_pattern(location.git_folder, location.pattern)


def check_location(location: TableLocation) -> None:
    """Raise RefusedPathError if the table or a folder between it and ``root`` is a link or not a folder."""
    path = location.root
    for component in Path(location.path).relative_to(location.root).parts:
        path = os.path.join(path, component)
        try:
            mode = os.lstat(path).st_mode
        except (FileNotFoundError, NotADirectoryError):
            return
        if not stat.S_ISDIR(mode):
            raise RefusedPathError(f"{path} is a symbolic link or not a folder", "Replace it with a real folder.")


@dataclass(frozen=True, slots=True)
class RegisteredTable:
    """A row of ``memory_indexes``: ``table_id`` (column ``mark``), ``records_version`` (``followed``),
    ``table_version`` (``written``).
    """

    table_id: str
    encoder: str
    records_version: int
    table_version: int


class Registry:
    """Registers the tables that belong to this state folder. Every method may raise StoreError."""

    def __init__(self, database: Database) -> None:
        """The migrations of memory/vector_store.py must have been applied to ``database``."""
        self._database = database

    def get(self, location: TableLocation) -> RegisteredTable | None:
        """Return the entry of the table at this location, or None."""
        query = "SELECT mark, encoder, followed, written FROM memory_indexes WHERE path = ?"
        with self._database.reading() as sql:
            row = sql.execute(query, (os.fsencode(location.path),)).fetchone()
        return RegisteredTable(str(row[0]), str(row[1]), int(row[2]), int(row[3])) if row else None

    def put(self, location: TableLocation, entry: RegisteredTable) -> None:
        paths = (os.fsencode(location.path), os.fsencode(location.root), os.fsencode(location.git_folder))
        row = (*paths, entry.table_id, entry.encoder, entry.records_version, entry.table_version)
        with self._database.writing() as sql:
            sql.execute("INSERT OR REPLACE INTO memory_indexes VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def count_records(self, location: TableLocation) -> int:
        """Count the records that belong in the table: those of its project, and those of no project."""
        query = "SELECT count(*) FROM memory_records WHERE project IN ('', ?)"
        with self._database.reading() as sql:
            return int(sql.execute(query, (location.project,)).fetchone()[0])


class Row(NamedTuple):
    """The row of one record. ``vector`` is in the format of memory/encoders.py, ``digest`` is the digest of the encoded text."""

    id: str
    n: int
    project: str
    digest: str
    encoder: str
    vector: bytes


class Table:
    """An open table. Every method may raise LanceError."""

    def __init__(self, path: str, table: Any) -> None:
        """Do not call this directly: use ``open_table`` or ``create_table``."""
        self.path = path
        self._table = table

    @property
    def table_id(self) -> str:
        """The random id with which the table was created; empty if the table or its columns are not ours."""
        with _wrap_errors(self.path):
            schema = self._table.schema
            metadata: dict[bytes, bytes] = schema.metadata or {}
            return metadata.get(_TABLE_ID_KEY, b"").decode("ascii", "replace") if tuple(schema.names) == COLUMNS else ""

    @property
    def has_columns(self) -> bool:
        """Whether the table has any columns; LanceDB reads none from a file that was overwritten with zeros."""
        with _wrap_errors(self.path):
            return bool(self._table.schema.names)

    @property
    def dimension(self) -> int:
        with _wrap_errors(self.path):
            return int(self._table.schema.field("vector").type.list_size)

    @property
    def version(self) -> int:
        """The number that LanceDB gives to the current version of the table."""
        with _wrap_errors(self.path):
            return int(self._table.version)

    def count(self) -> int:
        with _wrap_errors(self.path):
            return int(self._table.count_rows())

    def refresh(self) -> None:
        with _wrap_errors(self.path):
            self._table.checkout_latest()

    def read_digests(self) -> dict[int, tuple[str, str]]:
        """Return (digest of the text, name of the encoder) of each record in the table, by the record's number."""
        with _wrap_errors(self.path):
            search = self._table.search().select(["n", "digest", "encoder"]).limit(self._table.count_rows() or 1)
            columns = search.to_arrow().to_pydict()
        return dict(zip(columns["n"], zip(columns["digest"], columns["encoder"], strict=True), strict=True))

    def merge(self, rows: Sequence[Row]) -> None:
        """Insert rows, replacing those with the same ids."""
        if rows:
            with _wrap_errors(self.path):
                merging = self._table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
                merging.execute(_build_batch(rows, self._table.schema))

    def add(self, rows: Sequence[Row]) -> None:
        """Append rows. Only for a table that no other process has opened."""
        with _wrap_errors(self.path):
            self._table.add(_build_batch(rows, self._table.schema))

    def delete(self, numbers: Sequence[int]) -> None:
        if numbers:
            with _wrap_errors(self.path):
                self._table.delete(f"n IN ({', '.join(str(int(number)) for number in numbers)})")

    def compact(self, previous: int) -> None:
        """Compact the table if ``_VERSIONS_PER_COMPACTION`` versions were added; those of the last ten minutes stay for readers."""
        if previous // _VERSIONS_PER_COMPACTION != self.version // _VERSIONS_PER_COMPACTION:
            with _wrap_errors(self.path):
                self._table.optimize(cleanup_older_than=timedelta(minutes=10))

    def find_nearest(self, query: bytes, limit: int) -> list[tuple[int, float]]:
        """Return the ``limit`` records nearest to a query: (number, cosine), best first."""
        with _wrap_errors(self.path):
            values = _build_float_array(query).to_pylist()
            search = self._table.search(values, vector_column_name="vector").distance_type("dot").limit(limit)
            columns = search.select(["n", "_distance"]).to_arrow().to_pydict()
        return [(number, 1.0 - distance) for number, distance in zip(columns["n"], columns["_distance"], strict=True)]


def open_table(path: str) -> Table:
    """Open the table at ``path``, which ends in ``.lance``. Raises LanceError if the table is missing or unreadable."""
    if not os.path.isdir(path):
        raise LanceError(f"there is no index at {path}", REBUILD_HINT)
    with _wrap_errors(path):
        return Table(path, _connect(path).open_table(_get_table_name(path)))


def create_table(path: str, table_id: str, dimension: int) -> Table:
    """Create an empty table at ``path``, in an existing folder. Raises LanceError."""
    with _wrap_errors(path):
        return Table(
            path, _connect(path).create_table(_get_table_name(path), schema=_build_schema(table_id, dimension))
        )


def _build_schema(table_id: str, dimension: int) -> Any:
    arrow: Any = importlib.import_module("pyarrow")
    text = arrow.string()
    types = {"n": arrow.int64(), "vector": arrow.list_(arrow.float32(), dimension)}
    fields = [
        arrow.field(name, types.get(name, text), nullable=name != "id", metadata=_PRIMARY_KEY if name == "id" else None)
        for name in COLUMNS
    ]
    return arrow.schema(fields, metadata={_TABLE_ID_KEY: table_id.encode()})


def _build_batch(rows: Sequence[Row], schema: Any) -> Any:
    arrow: Any = importlib.import_module("pyarrow")
    vectors = _build_float_array(b"".join(row.vector for row in rows))
    columns = [arrow.array([row[index] for row in rows], schema.field(index).type) for index in range(len(COLUMNS) - 1)]
    size = schema.field("vector").type.list_size
    columns.append(arrow.FixedSizeListArray.from_arrays(vectors, size))
    return arrow.Table.from_arrays(columns, schema=schema)


def _build_float_array(vectors: bytes) -> Any:
    """Wrap vectors as an Arrow array without copying: both are consecutive little-endian float32 values."""
    arrow: Any = importlib.import_module("pyarrow")
    return arrow.Array.from_buffers(arrow.float32(), len(vectors) // 4, [None, arrow.py_buffer(vectors)])


def _connect(path: str) -> Any:
    lancedb: Any = importlib.import_module(PACKAGE)
    return lancedb.connect(os.path.dirname(path))


def _get_table_name(path: str) -> str:
    return os.path.basename(path).removesuffix(SUFFIX)


@contextmanager
def _wrap_errors(path: str) -> Generator[None]:
    """Convert LanceDB's exceptions to LanceError. They have no common base, and damaged files cause a Rust panic."""
    try:
        yield
    except (LanceError, KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        is_disk_full = "No space left" in str(error)
        reason = "the disk is full" if is_disk_full else " ".join(str(error).split())[:200] or type(error).__name__
        raise LanceError(
            f"the index at {path} cannot be used: {reason}", "Free some disk space." if is_disk_full else REBUILD_HINT
        ) from error


class LanceIndexManager:
    """Keeps the table of one project up to date. Every method may raise StoreError, including LanceError."""

    def __init__(
        self, home: str, location: TableLocation, records: Records, registry: Registry, encoder: Encoder, encode: Encode
    ) -> None:
        """``encode`` returns vectors of ``encoder``, either stored or newly computed ones."""
        self.location = location
        self._records = records
        self._registry = registry
        self._encoder = encoder
        self._encode = encode
        self._lock = os.path.join(
            ensure_folder(os.path.join(ensure_folder(home), "locks")), f"lance-{digest_text(location.path)}"
        )
        self._table: Table | None = None

    def find_nearest(self, query: bytes, limit: int) -> list[tuple[int, float]]:
        """Return (number, cosine) of the nearest records of this project and of no project, best first. Raises LanceError."""
        for _ in range(2):
            table = self.open_current()
            try:
                return table.find_nearest(query, limit)
            except LanceError:
                self._table = None
        self._check_record_count()
        with Lock(self._lock):
            self._rebuild(do_nothing)
        return self.open_current().find_nearest(query, limit)

    def open_current(self) -> Table:
        """Return the up-to-date table, rebuilt if necessary. Raises LanceError if that takes too long, or the path is
        not ours.
        """
        entry = self._registry.get(self.location)
        table = self._open_usable(entry)
        if table is None or entry is None:
            if entry is None and os.path.lexists(self.location.path):
                hint = f"Set `memory.index` to another path or, if this is an old index of yours, rebuild it. {REBUILD_HINT}"
                raise LanceError(
                    f"{self.location.path} is not registered in this state folder, and was left unchanged", hint
                )
            self._check_record_count()
            with Lock(self._lock):
                if self._open_usable(self._registry.get(self.location)) is None:
                    self._rebuild(do_nothing)
            table = self._open_usable(self._registry.get(self.location))
            if table is None:
                raise LanceError(
                    f"the index at {self.location.path} cannot be used right after it was rebuilt", "Try again."
                )
        elif self._is_outdated(entry, table):
            with Lock(self._lock):
                table.refresh()
                self._update_table(table)
        return table

    def count_records(self) -> int:
        """Return the number of records that belong in the table, whether or not it contains them."""
        return self._registry.count_records(self.location)

    def rebuild(self, step: RecordCallback = do_nothing) -> int:
        """Build a new table, replace the current one when complete, and return the number of records. ``step`` is
        called for each.
        """
        with Lock(self._lock):
            return self._rebuild(step)

    def _classify_existing(self) -> str:
        """Return "nothing", "ours" or "damaged". Raises LanceError for what may belong to another tool."""
        if not os.path.lexists(self.location.path):
            return "nothing"
        try:
            table = open_table(self.location.path)
            is_ours, has_columns = bool(table.table_id), table.has_columns
        except LanceError:
            is_ours, has_columns = False, False
        if not is_ours and not has_columns and self._registry.get(self.location) is not None:
            return "damaged"
        if not is_ours:
            hint = "Choose another path: run `mind-skills config set memory.index PATH`."
            raise LanceError(
                f"{self.location.path} is not recognised as an index of mind-skills, and was left unchanged", hint
            )
        return "ours"

    def _open_usable(self, entry: RegisteredTable | None) -> Table | None:
        """Return the table if it is the registered table and contains vectors of this encoder, otherwise None."""
        if entry is None or entry.encoder != self._encoder.name:
            return None
        if self._table is None or self._table.path != self.location.path:
            try:
                self._table = open_table(self.location.path)
            except LanceError:
                return None
        try:
            self._table.refresh()
            if self._table.table_id != entry.table_id:  # replaced since it was opened, or not ours
                self._table = open_table(self.location.path)
            is_current = self._table.table_id == entry.table_id and self._table.dimension == self._encoder.dimension
        except LanceError:
            is_current = False
        if not is_current:
            self._table = None
        return self._table

    def _is_outdated(self, entry: RegisteredTable, table: Table) -> bool:
        return entry.records_version != self._records.read_version() or entry.table_version != table.version

    def _update_table(self, table: Table) -> None:
        """Update an open table. The caller must hold the lock."""
        entry = self._registry.get(self.location)
        if entry is None or not self._is_outdated(entry, table):
            return
        version = self._records.read_version()
        if (
            entry.table_version == table.version
            and entry.records_version <= version
            and self._records.has_all_removals(entry.records_version)
        ):
            changes = self._records.collect_changes(entry.records_version)
            version, changed, removed = changes.version, dict(changes.changed), list(changes.removed)
        else:  # a writer was killed before it registered, the table or database is an older copy, or the table is far behind
            stored_digests = table.read_digests()
            current = {number: record for number, record in self._records.iterate_numbered() if self._belongs(record)}
            digests = {number: compute_digest(build_searchable_text(record)) for number, record in current.items()}
            changed = {
                number: record
                for number, record in current.items()
                if stored_digests.get(number, ("", ""))[0] != digests[number]
            }
            removed = [number for number in stored_digests if number not in current]
        self._check_record_count(len(changed))
        removed += [number for number, record in changed.items() if not self._belongs(record)]
        for rows in self._build_rows(changed.items(), do_nothing):
            table.merge(rows)
        table.delete(removed)
        table.compact(entry.table_version)
        self._registry.put(self.location, RegisteredTable(entry.table_id, self._encoder.name, version, table.version))

    def _rebuild(self, step: RecordCallback) -> int:
        """Build a new table and replace the current one with it. The caller must hold the lock."""
        prepare_folder(self.location)
        existing = self._classify_existing()
        for path in list_leftovers(self.location.path):
            if path.endswith(SUFFIX):  # not a damaged table, which was set aside
                shutil.rmtree(path, ignore_errors=True)
        token = secrets.token_hex(6)
        stem = self.location.path.removesuffix(SUFFIX)
        new, old, table_id = f"{stem}-{token}-new{SUFFIX}", f"{stem}-{token}-old{SUFFIX}", secrets.token_hex(16)
        try:
            version = self._records.read_version()  # changes during the build are applied afterwards
            table = create_table(new, table_id, self._encoder.dimension)
            count = 0
            for rows in self._build_rows(self._records.iterate_numbered(), step):
                table.add(rows)
                count += len(rows)
            self._table = None
            # Registered before the swap: if this process is killed in between, the old table is not the registered one.
            self._registry.put(self.location, RegisteredTable(table_id, self._encoder.name, version, table.version))
            self._swap_tables(existing, new, old)
        except BaseException:
            # LanceDB may write more files in the background; the next rebuild deletes them.
            shutil.rmtree(new, ignore_errors=True)
            raise
        shutil.rmtree(old, ignore_errors=True)
        return count

    def _swap_tables(self, existing: str, new: str, old: str) -> None:
        path = self.location.path
        try:
            if existing == "damaged":
                with Folder(os.path.dirname(path)) as folder:
                    folder.set_aside(os.path.basename(path), "corrupt")
            elif existing == "ours":
                os.rename(path, old)
            os.rename(new, path)
        except OSError as error:
            raise LanceError(
                f"{path} cannot be replaced: {error.strerror}", "Check that its folder is writable."
            ) from error

    def _build_rows(self, records: Iterable[tuple[int, Record]], step: RecordCallback) -> Iterator[list[Row]]:
        """Yield batches of rows for the records that belong in this table."""
        remaining = iter(records)
        name = self._encoder.name
        while batch := list(islice(remaining, _BATCH_SIZE)):
            belonging = {number: record for number, record in batch if self._belongs(record)}
            texts = {number: build_searchable_text(record) for number, record in belonging.items()}
            digests, vectors = {number: compute_digest(text) for number, text in texts.items()}, self._encode(texts)
            yield [
                Row(each.id, number, each.project, digests[number], name, vectors[number])
                for number, each in belonging.items()
            ]
            for _ in batch:
                step()

    def _belongs(self, record: Record) -> bool:
        return record.project in ("", self.location.project)

    def _check_record_count(self, count: int | None = None) -> None:
        """Raise LanceError if ``count`` records, by default all that belong in the table, are too many to write during a query."""
        missing = self._registry.count_records(self.location) if count is None else count
        if missing > MAX_QUERY_RECORDS:
            raise LanceError(f"the index at {self.location.path} is {missing} records behind", REBUILD_HINT)


# -- Removal of the tables when mind-skills is uninstalled ---------------------------------------------------------


def list_registered_tables(sql: sqlite3.Connection) -> list[tuple[str, str, str, str]]:
    """List the registered tables as rows for ``remove_tables``; empty if there is no registry. Raises sqlite3.Error."""
    if sql.execute("SELECT 1 FROM sqlite_master WHERE name = 'memory_indexes'").fetchone() is None:
        return []
    rows = sql.execute("SELECT path, root, git, mark FROM memory_indexes ORDER BY path").fetchall()
    return [
        (os.fsdecode(path), os.fsdecode(root), os.fsdecode(git), str(table_id)) for path, root, git, table_id in rows
    ]


def has_table_id(path: str, table_id: str) -> bool:
    """Return whether the table at ``path`` has this id, which LanceDB writes as plain bytes; works without LanceDB."""
    versions = Path(path, "_versions")
    try:
        return any(table_id.encode() in file.read_bytes() for file in versions.iterdir() if file.is_file())
    except (FileNotFoundError, NotADirectoryError):
        return False


def list_leftovers(path: str) -> list[str]:
    """List the leftovers next to a table: unfinished new tables, replaced tables, and damaged tables that were set aside."""
    folder, name = os.path.split(path)
    stem = name.removesuffix(SUFFIX)
    try:
        names = sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []
    suffixes = tuple(f"-{kind}{SUFFIX}" for kind in ("new", "old"))
    temporary = [each for each in names if each.startswith(f"{stem}-") and each.endswith(suffixes)]
    damaged = [each for each in names if each.startswith(f"{name}.corrupt-") and each.rpartition("-")[2].isdigit()]
    return [os.path.join(folder, each) for each in sorted(temporary + damaged)]


def remove_tables(rows: Sequence[tuple[str, str, str, str]], *, dry_run: bool = False) -> tuple[list[str], list[str]]:
    """Remove tables (path, root, git, table_id) and what was made for them; return what was removed, and sentences
    about the rest.
    """
    removed: list[str] = []
    not_removed: list[str] = []
    for path, root, git, table_id in rows:
        location = TableLocation(path, root, git, "")
        try:
            check_location(location)
            if os.path.isdir(path) and not has_table_id(path, table_id):
                not_removed.append(f"{path} is no longer the index that mind-skills created")
            for folder in [*([path] if has_table_id(path, table_id) else []), *list_leftovers(path)]:
                removed.append(folder)
                if not dry_run:
                    shutil.rmtree(folder)
            if git and has_exclude_pattern(git, location.pattern):
                removed.append(f"{os.path.join(git, 'info', 'exclude')}: {location.pattern}")
                if not dry_run:
                    remove_exclude_pattern(git, location.pattern)
            if not dry_run:
                _remove_empty_folders(os.path.dirname(path), root)
        except (StoreError, OSError) as error:
            not_removed.append(f"{path}: {error}")
    return removed, not_removed


def _remove_empty_folders(folder: str, root: str) -> None:
    while folder != root and folder.startswith(root + os.sep):
        try:
            os.rmdir(folder)
        except OSError:
            return  # not empty
        folder = os.path.dirname(folder)
