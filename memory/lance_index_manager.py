"""Keeps a LanceDB table up to date with the records: updates it, or rebuilds it if it is missing, damaged or incompatible.

Only one process writes at a time. If another process has replaced the table, the new one is opened.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from mind_skills.errors.records import LanceError
from mind_skills.memory import lance_table
from mind_skills.memory.encoders import REBUILD_HINT, Encoder, compute_digest
from mind_skills.memory.features import build_searchable_text
from mind_skills.memory.index_manager import RecordCallback, do_nothing
from mind_skills.memory.lance_location import RegisteredTable, Registry, TableLocation, list_leftovers, prepare_folder
from mind_skills.memory.lance_table import SUFFIX, Row, Table
from mind_skills.memory.model import Record
from mind_skills.memory.records import Records
from mind_skills.store.atomic import Folder
from mind_skills.store.home import ensure_folder
from mind_skills.store.lock import Lock
from mind_skills.store.project import digest_text

Encode = Callable[[Mapping[int, str]], Mapping[int, bytes]]
"""Takes texts, keyed by the numbers of their records, and returns their vectors with the same keys."""
MAX_QUERY_RECORDS = 2_000
"""Maximum number of records written during a query: hashing takes one or two seconds, copying stored vectors less."""
_BATCH_SIZE = 512


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
        """Return (number, cosine) of the records of this project and of no project that are nearest to a query, best first.

        If reading fails, the table is opened again, because another process may have replaced it. After a second failure
        it is rebuilt. Raises LanceError if it has too many records to be rebuilt during a query.
        """
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
        """Return the up-to-date table; it is rebuilt if it is missing, damaged or contains the vectors of another encoder.

        Raises LanceError if more than ``MAX_QUERY_RECORDS`` records would have to be written, or if something that is not
        registered exists at the path.
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
        """Build a new table next to the current one, replace the current one with it, and return the number of records.

        The current table stays in use until the new one is complete, and also if the build fails or is interrupted. Concurrent
        rebuilds run one after the other. ``step`` is called once for each record of the memory, even if the record does not
        belong in this table.
        """
        with Lock(self._lock):
            return self._rebuild(step)

    def _classify_existing(self) -> str:
        """Return what exists at the path: "nothing", "ours" (even if from a deleted state folder) or "damaged".

        Raises LanceError for anything else, which may belong to another tool.
        """
        if not os.path.lexists(self.location.path):
            return "nothing"
        try:
            table = lance_table.open_table(self.location.path)
            is_ours, has_columns = bool(table.mark), table.has_columns
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
                self._table = lance_table.open_table(self.location.path)
            except LanceError:
                return None
        try:
            self._table.refresh()
            if self._table.mark != entry.mark:  # replaced since it was opened, or not ours
                self._table = lance_table.open_table(self.location.path)
            is_current = self._table.mark == entry.mark and self._table.dimension == self._encoder.dimension
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
            current = {n: record for n, record in self._records.iterate_numbered() if self._belongs(record)}
            digests = {n: compute_digest(build_searchable_text(record)) for n, record in current.items()}
            changed = {n: record for n, record in current.items() if stored_digests.get(n, ("", ""))[0] != digests[n]}
            removed = [n for n in stored_digests if n not in current]
        self._check_record_count(len(changed))
        removed += [n for n, record in changed.items() if not self._belongs(record)]
        for rows in self._build_rows(changed.items(), do_nothing):
            table.merge(rows)
        table.delete(removed)
        table.compact(entry.table_version)
        self._registry.put(self.location, RegisteredTable(entry.mark, self._encoder.name, version, table.version))

    def _rebuild(self, step: RecordCallback) -> int:
        """Build a new table and replace the current one with it. The caller must hold the lock."""
        prepare_folder(self.location)
        existing = self._classify_existing()
        self._delete_leftovers()
        token = secrets.token_hex(6)
        stem = self.location.path.removesuffix(SUFFIX)
        new, old, mark = f"{stem}-{token}-new{SUFFIX}", f"{stem}-{token}-old{SUFFIX}", secrets.token_hex(16)
        try:
            version = self._records.read_version()  # changes during the build are applied afterwards
            table = lance_table.create_table(new, mark, self._encoder.dimension)
            count = 0
            for rows in self._build_rows(self._records.iterate_numbered(), step):
                table.add(rows)
                count += len(rows)
            self._table = None
            # Registered before the swap: if this process is killed in between, the old table is not the registered one.
            self._registry.put(self.location, RegisteredTable(mark, self._encoder.name, version, table.version))
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

    def _delete_leftovers(self) -> None:
        for path in list_leftovers(self.location.path):
            if path.endswith(SUFFIX):
                shutil.rmtree(path, ignore_errors=True)

    def _build_rows(self, records: Iterable[tuple[int, Record]], step: RecordCallback) -> Iterator[list[Row]]:
        """Yield batches of rows for the records that belong in this table."""
        remaining = iter(records)
        name = self._encoder.name
        while batch := list(islice(remaining, _BATCH_SIZE)):
            belonging = {n: record for n, record in batch if self._belongs(record)}
            texts = {n: build_searchable_text(record) for n, record in belonging.items()}
            digests, vectors = {n: compute_digest(text) for n, text in texts.items()}, self._encode(texts)
            yield [Row(each.id, n, each.project, digests[n], name, vectors[n]) for n, each in belonging.items()]
            for _ in batch:
                step()

    def _belongs(self, record: Record) -> bool:
        return record.project in ("", self.location.project)

    def _check_record_count(self, count: int | None = None) -> None:
        """Raise LanceError if ``count`` records, by default all that belong in the table, are too many to write during a query."""
        missing = self._registry.count_records(self.location) if count is None else count
        if missing > MAX_QUERY_RECORDS:
            raise LanceError(f"the index at {self.location.path} is {missing} records behind", REBUILD_HINT)
