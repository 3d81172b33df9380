"""The `lancedb` extra: one LanceDB table, as this package uses it.

It holds numbers, ids, vectors and what tells an old one from a new one, never a text. No approximate index is built: at
1e5 vectors an exact search takes less time than loading the library.

Importing lancedb takes seconds, so it waits for the first table that is opened.
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
from mind_skills.memory.encoders import REBUILD

PACKAGE = "lancedb"
SUFFIX = ".lance"
COLUMNS = ("id", "n", "project", "digest", "encoder", "vector")
_MARK = b"mind-skills"
_KEY = {"lance-schema:unenforced-primary-key": "true"}
"""Without it, two processes that merge the same new key leave it twice (LanceDB 0.40, measured), lock or no lock."""
_PIECES = 64
"""Each merge leaves a piece and a version behind; after so many they are made one."""


class Row(NamedTuple):
    """A record as it stands in the table. ``vector`` is as memory/encoders.py has it."""

    id: str
    n: int
    project: str
    digest: str
    encoder: str
    vector: bytes


def installed() -> bool:
    """Whether the extra is there; nothing of it is imported."""
    return importlib.util.find_spec(PACKAGE) is not None


class Table:
    """An open table. Every method may raise LanceError."""

    def __init__(self, path: str, table: Any) -> None:
        """Use ``opened`` or ``made``; this only holds what is given."""
        self.path = path
        self._table = table

    @property
    def mark(self) -> str:
        """The name that it was given when it was made, empty for a table that is not of ours."""
        with _named(self.path):
            schema = self._table.schema
            metadata: dict[bytes, bytes] = schema.metadata or {}
            return metadata.get(_MARK, b"").decode("ascii", "replace") if tuple(schema.names) == COLUMNS else ""

    @property
    def readable(self) -> bool:
        """Whether it has columns, of whatever kind: a description of zeros is read as one without any."""
        with _named(self.path):
            return bool(self._table.schema.names)

    @property
    def dimension(self) -> int:
        """Numbers in each of its vectors."""
        with _named(self.path):
            return int(self._table.schema.field("vector").type.list_size)

    @property
    def written(self) -> int:
        """LanceDB's own number of its present state."""
        with _named(self.path):
            return int(self._table.version)

    def count(self) -> int:
        """How many records it holds."""
        with _named(self.path):
            return int(self._table.count_rows())

    def latest(self) -> None:
        """See what other processes have written."""
        with _named(self.path):
            self._table.checkout_latest()

    def known(self) -> dict[int, tuple[str, str]]:
        """What it holds, by number: (digest of the text, encoder)."""
        with _named(self.path):
            found = self._table.search().select(["n", "digest", "encoder"]).limit(self._table.count_rows() or 1)
            columns = found.to_arrow().to_pydict()
        return dict(zip(columns["n"], zip(columns["digest"], columns["encoder"], strict=True), strict=True))

    def merge(self, rows: Sequence[Row]) -> None:
        """Put rows in place of those that have their ids."""
        if rows:
            with _named(self.path):
                merging = self._table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
                merging.execute(_batch(rows, self._table.schema))

    def add(self, rows: Sequence[Row]) -> None:
        """Put rows behind the others. Only for a table that nobody else has opened."""
        with _named(self.path):
            self._table.add(_batch(rows, self._table.schema))

    def forget(self, numbers: Sequence[int]) -> None:
        """Remove rows by their numbers."""
        if numbers:
            with _named(self.path):
                self._table.delete(f"n IN ({', '.join(str(int(n)) for n in numbers)})")

    def compact(self, since: int) -> None:
        """Make one of many pieces, once in a while; ``since`` is what ``written`` was before the last changes.

        Readers of the last ten minutes are not disturbed.
        """
        if since // _PIECES != self.written // _PIECES:
            with _named(self.path):
                self._table.optimize(cleanup_older_than=timedelta(minutes=10))

    def nearest(self, question: bytes, most: int) -> list[tuple[int, float]]:
        """The ``most`` records nearest to a question: (number, cosine), best first."""
        with _named(self.path):
            asked = _floats(question).to_pylist()
            found = self._table.search(asked, vector_column_name="vector").distance_type("dot").limit(most)
            columns = found.select(["n", "_distance"]).to_arrow().to_pydict()
        return [(n, 1.0 - distance) for n, distance in zip(columns["n"], columns["_distance"], strict=True)]


def opened(path: str) -> Table:
    """The table at ``path``, which ends in ``.lance``. Raises LanceError where there is none that can be read."""
    if not os.path.isdir(path):
        raise LanceError(f"there is no index at {path}", REBUILD)
    with _named(path):
        return Table(path, _connected(path).open_table(_name(path)))


def made(path: str, mark: str, dimension: int) -> Table:
    """A new, empty table at ``path``, in a folder that is there. Raises LanceError."""
    with _named(path):
        return Table(path, _connected(path).create_table(_name(path), schema=_schema(mark, dimension)))


def _schema(mark: str, dimension: int) -> Any:
    arrow: Any = importlib.import_module("pyarrow")
    text = arrow.string()
    types = {"n": arrow.int64(), "vector": arrow.list_(arrow.float32(), dimension)}
    fields = [
        arrow.field(name, types.get(name, text), nullable=name != "id", metadata=_KEY if name == "id" else None)
        for name in COLUMNS
    ]
    return arrow.schema(fields, metadata={_MARK: mark.encode()})


def _batch(rows: Sequence[Row], schema: Any) -> Any:
    arrow: Any = importlib.import_module("pyarrow")
    vectors = _floats(b"".join(row.vector for row in rows))
    columns = [arrow.array([row[at] for row in rows], schema.field(at).type) for at in range(len(COLUMNS) - 1)]
    size = schema.field("vector").type.list_size
    columns.append(arrow.FixedSizeListArray.from_arrays(vectors, size))
    return arrow.Table.from_arrays(columns, schema=schema)


def _floats(vectors: bytes) -> Any:
    """Arrow's own layout is ours: little-endian float32, one after another."""
    arrow: Any = importlib.import_module("pyarrow")
    return arrow.Array.from_buffers(arrow.float32(), len(vectors) // 4, [None, arrow.py_buffer(vectors)])


def _connected(path: str) -> Any:
    lancedb: Any = importlib.import_module(PACKAGE)
    return lancedb.connect(os.path.dirname(path))


def _name(path: str) -> str:
    return os.path.basename(path).removesuffix(SUFFIX)


@contextmanager
def _named(path: str) -> Generator[None]:
    """Whatever the library raises as LanceError: it has no class of its own, and panics over damaged files."""
    try:
        yield
    except (LanceError, KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        full = "No space left" in str(error)
        reason = "the disk is full" if full else " ".join(str(error).split())[:200] or type(error).__name__
        raise LanceError(f"the index at {path} cannot be used: {reason}", "Make room." if full else REBUILD) from error
