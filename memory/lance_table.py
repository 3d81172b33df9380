"""The `lancedb` extra: operations on one LanceDB table.

The table contains ids, numbers, projects, encoder names, vectors, and digests that show which texts have changed, but
no texts. It has no approximate index: an exact search of 100,000 vectors takes less time than loading the library.

Importing lancedb takes seconds, so it is deferred until a table is opened or created.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, NamedTuple

from mind_skills.errors.records import LanceError
from mind_skills.memory.encoders import REBUILD_HINT

PACKAGE = "lancedb"
SUFFIX = ".lance"
COLUMNS = ("id", "n", "project", "digest", "encoder", "vector")
_MARK_KEY = b"mind-skills"
_PRIMARY_KEY = {"lance-schema:unenforced-primary-key": "true"}
"""Without a primary key, two processes that merge the same new id insert it twice, even with a lock (LanceDB 0.40)."""
_VERSIONS_PER_COMPACTION = 64
"""Number of versions after which the table is compacted: each merge adds a version and a file."""


class Row(NamedTuple):
    """The row of one record. ``vector`` is in the format of memory/encoders.py, ``digest`` is the digest of the encoded text."""

    id: str
    n: int
    project: str
    digest: str
    encoder: str
    vector: bytes


def is_installed() -> bool:
    """Return whether LanceDB is installed, without importing it."""
    return importlib.util.find_spec(PACKAGE) is not None


class Table:
    """An open table. Every method may raise LanceError."""

    def __init__(self, path: str, table: Any) -> None:
        """Do not call this directly: use ``open_table`` or ``create_table``."""
        self.path = path
        self._table = table

    @property
    def mark(self) -> str:
        """The random id with which the table was created; empty if the table or its columns are not ours."""
        with _wrap_errors(self.path):
            schema = self._table.schema
            metadata: dict[bytes, bytes] = schema.metadata or {}
            return metadata.get(_MARK_KEY, b"").decode("ascii", "replace") if tuple(schema.names) == COLUMNS else ""

    @property
    def has_columns(self) -> bool:
        """Whether the table has any columns; LanceDB reads none from a file that was overwritten with zeros."""
        with _wrap_errors(self.path):
            return bool(self._table.schema.names)

    @property
    def dimension(self) -> int:
        """Number of values per vector."""
        with _wrap_errors(self.path):
            return int(self._table.schema.field("vector").type.list_size)

    @property
    def version(self) -> int:
        """The number that LanceDB gives to the current version of the table."""
        with _wrap_errors(self.path):
            return int(self._table.version)

    def count(self) -> int:
        """Return the number of records."""
        with _wrap_errors(self.path):
            return int(self._table.count_rows())

    def refresh(self) -> None:
        """Load changes by other processes."""
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
        """Delete rows by number."""
        if numbers:
            with _wrap_errors(self.path):
                self._table.delete(f"n IN ({', '.join(str(int(n)) for n in numbers)})")

    def compact(self, previous: int) -> None:
        """Compact the table if its version number has reached a multiple of ``_VERSIONS_PER_COMPACTION`` since ``previous``.

        The versions of the last ten minutes are retained for readers.
        """
        if previous // _VERSIONS_PER_COMPACTION != self.version // _VERSIONS_PER_COMPACTION:
            with _wrap_errors(self.path):
                self._table.optimize(cleanup_older_than=timedelta(minutes=10))

    def find_nearest(self, query: bytes, limit: int) -> list[tuple[int, float]]:
        """Return the ``limit`` records nearest to a query: (number, cosine), best first."""
        with _wrap_errors(self.path):
            values = _build_float_array(query).to_pylist()
            search = self._table.search(values, vector_column_name="vector").distance_type("dot").limit(limit)
            columns = search.select(["n", "_distance"]).to_arrow().to_pydict()
        return [(n, 1.0 - distance) for n, distance in zip(columns["n"], columns["_distance"], strict=True)]


def open_table(path: str) -> Table:
    """Open the table at ``path``, which ends in ``.lance``. Raises LanceError if the table is missing or unreadable."""
    if not os.path.isdir(path):
        raise LanceError(f"there is no index at {path}", REBUILD_HINT)
    with _wrap_errors(path):
        return Table(path, _connect(path).open_table(_get_table_name(path)))


def create_table(path: str, mark: str, dimension: int) -> Table:
    """Create an empty table at ``path``, in an existing folder. Raises LanceError."""
    with _wrap_errors(path):
        return Table(path, _connect(path).create_table(_get_table_name(path), schema=_build_schema(mark, dimension)))


def _build_schema(mark: str, dimension: int) -> Any:
    arrow: Any = importlib.import_module("pyarrow")
    text = arrow.string()
    types = {"n": arrow.int64(), "vector": arrow.list_(arrow.float32(), dimension)}
    fields = [
        arrow.field(name, types.get(name, text), nullable=name != "id", metadata=_PRIMARY_KEY if name == "id" else None)
        for name in COLUMNS
    ]
    return arrow.schema(fields, metadata={_MARK_KEY: mark.encode()})


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
