"""A LanceDB table that follows the records: brought up to date, or built anew where it is missing, damaged or of others' making.

One process writes at a time. A table that another process has swapped meanwhile is opened again.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from mind_skills.errors.records import LanceError
from mind_skills.memory import lance_table
from mind_skills.memory.encoders import REBUILD, Encoder, digest
from mind_skills.memory.features import searchable_text
from mind_skills.memory.following import Step, count_nothing
from mind_skills.memory.lance_place import Known, Place, Registry, list_leftovers, prepare_folder
from mind_skills.memory.lance_table import SUFFIX, Row, Table
from mind_skills.memory.model import Record
from mind_skills.memory.records import Records
from mind_skills.store.atomic import Folder
from mind_skills.store.home import ensure
from mind_skills.store.lock import Lock
from mind_skills.store.project import digest as short

Encode = Callable[[Mapping[int, str]], Mapping[int, bytes]]
"""Texts by the numbers of their records, to vectors."""
AT_ONCE = 2_000
"""Records that are put into the table while a question waits: a second or two of hashing, less of copying vectors."""
_BATCH = 512


class LanceFollower:
    """The table of one project. Every method may raise StoreError, LanceError among them."""

    def __init__(
        self, home: str, where: Place, records: Records, registry: Registry, encoder: Encoder, encode: Encode
    ) -> None:
        """``encode`` gives the vectors of ``encoder``, kept ones or new ones."""
        self.where = where
        self._records = records
        self._registry = registry
        self._encoder = encoder
        self._encode = encode
        self._lock = os.path.join(ensure(os.path.join(ensure(home), "locks")), f"lance-{short(where.path)}")
        self._table: Table | None = None

    def nearest(self, question: bytes, most: int) -> list[tuple[int, float]]:
        """The records nearest to a question, of this project and of none: (number, cosine), best first.

        A table that fails may have been swapped between two of its reads; one that fails twice is built anew.
        """
        for _ in range(2):
            table = self.ready()
            try:
                return table.nearest(question, most)
            except LanceError:
                self._table = None
        self._refuse_many()
        with Lock(self._lock):
            self._build(count_nothing)
        return self.ready().nearest(question, most)

    def ready(self) -> Table:
        """The table, when it has followed every change. It is built where it is missing, damaged or of another encoder."""
        known = self._registry.get(self.where)
        table = self._open_usable(known)
        if table is None or known is None:
            if known is None and os.path.lexists(self.where.path):
                hint = f"Name another place (memory.index), or take it over where it is an old one of yours. {REBUILD}"
                raise LanceError(f"{self.where.path} was not made from this state folder, and is left alone", hint)
            self._refuse_many()
            with Lock(self._lock):
                if self._open_usable(self._registry.get(self.where)) is None:
                    self._build(count_nothing)
            table = self._open_usable(self._registry.get(self.where))
            if table is None:
                raise LanceError(f"the index at {self.where.path} is taken away again and again", "Try again.")
        elif self._is_behind(known, table):
            with Lock(self._lock):
                table.latest()
                self._follow(table)
        return table

    def count_belonging(self) -> int:
        """How many records belong into the table."""
        return self._registry.count_belonging(self.where)

    def rebuild(self, step: Step = count_nothing) -> int:
        """Build a new table beside the present one and swap them; says how many records it holds.

        Until the swap, and where it fails or is interrupted, the old one is used. Two at once wait for each other.
        ``step`` is called after each record.
        """
        with Lock(self._lock):
            return self._build(step)

    def _classify_existing(self) -> str:
        """What is there now: "nothing", "ours" (maybe of a state folder that is gone), or "damaged".

        Raises LanceError where it is another tool's.
        """
        if not os.path.lexists(self.where.path):
            return "nothing"
        try:
            table = lance_table.opened(self.where.path)
            ours, theirs = bool(table.mark), table.readable
        except LanceError:
            ours, theirs = False, False
        if not ours and not theirs and self._registry.get(self.where) is not None:
            return "damaged"
        if not ours:
            hint = "Name another place: mind-skills config set memory.index PATH"
            raise LanceError(f"{self.where.path} belongs to another tool, and is left alone", hint)
        return "ours"

    def _open_usable(self, known: Known | None) -> Table | None:
        """The table, if it is the one that is known and its vectors are those of this encoder."""
        if known is None or known.encoder != self._encoder.name:
            return None
        if self._table is None or self._table.path != self.where.path:
            try:
                self._table = lance_table.opened(self.where.path)
            except LanceError:
                return None
        try:
            self._table.latest()
            if self._table.mark != known.mark:  # swapped since it was opened, or somebody else's
                self._table = lance_table.opened(self.where.path)
            fits = self._table.mark == known.mark and self._table.dimension == self._encoder.dimension
        except LanceError:
            fits = False
        if not fits:
            self._table = None
        return self._table

    def _is_behind(self, known: Known, table: Table) -> bool:
        return known.followed != self._records.version() or known.written != table.written

    def _follow(self, table: Table) -> None:
        """Bring an open table up to date. Only for who holds the lock."""
        known = self._registry.get(self.where)
        if known is None or not self._is_behind(known, table):
            return
        version = self._records.version()
        if (
            known.written == table.written
            and known.followed <= version
            and self._records.remembers_removals(known.followed)
        ):
            changes = self._records.changes(known.followed)
            version, changed, gone = changes.version, dict(changes.changed), list(changes.removed)
        else:  # a writer was killed between the table and its note, or one of both is an older copy, or far behind
            held = table.known()
            here = {n: record for n, record in self._records.numbered() if self._belongs(record)}
            changed = {
                n: record for n, record in here.items() if held.get(n, ("", ""))[0] != digest(searchable_text(record))
            }
            gone = [n for n in held if n not in here]
        self._refuse_many(len(changed))
        gone += [n for n, record in changed.items() if not self._belongs(record)]
        for rows in self._rows(changed.items(), count_nothing):
            table.merge(rows)
        table.forget(gone)
        table.compact(known.written)
        self._registry.put(self.where, Known(known.mark, self._encoder.name, version, table.written))

    def _build(self, step: Step) -> int:
        """Only for who holds the lock."""
        prepare_folder(self.where)
        stands = self._classify_existing()
        self._sweep()
        token = secrets.token_hex(6)
        stem = self.where.path.removesuffix(SUFFIX)
        new, old, mark = f"{stem}-{token}-new{SUFFIX}", f"{stem}-{token}-old{SUFFIX}", secrets.token_hex(16)
        try:
            version = self._records.version()  # what changes while it is built is followed afterwards
            table = lance_table.made(new, mark, self._encoder.dimension)
            count = 0
            for rows in self._rows(self._records.numbered(), step):
                table.add(rows)
                count += len(rows)
            self._table = None
            # Noted before the swap: killed in between, what stands there is not the one that is noted, and is built again.
            self._registry.put(self.where, Known(mark, self._encoder.name, version, table.written))
            self._swap(stands, new, old)
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)  # what a writer in the background still puts there is swept later
            raise
        shutil.rmtree(old, ignore_errors=True)
        return count

    def _swap(self, stands: str, new: str, old: str) -> None:
        path = self.where.path
        try:
            if stands == "damaged":
                with Folder(os.path.dirname(path)) as folder:
                    folder.set_aside(os.path.basename(path), "corrupt")
            elif stands == "ours":
                os.rename(path, old)
            os.rename(new, path)
        except OSError as error:
            raise LanceError(
                f"{path} cannot be replaced: {error.strerror}", "Check that its folder can be written."
            ) from error

    def _sweep(self) -> None:
        for path in list_leftovers(self.where.path):
            if path.endswith(SUFFIX):
                shutil.rmtree(path, ignore_errors=True)

    def _rows(self, records: Iterable[tuple[int, Record]], step: Step) -> Iterator[list[Row]]:
        """Rows for the records that belong into this table, a batch at a time."""
        waiting = iter(records)
        while batch := list(islice(waiting, _BATCH)):
            ours = {n: record for n, record in batch if self._belongs(record)}
            texts = {n: searchable_text(record) for n, record in ours.items()}
            vectors = self._encode(texts)
            name = self._encoder.name
            yield [Row(record.id, n, record.project, digest(texts[n]), name, vectors[n]) for n, record in ours.items()]
            for _ in batch:
                step()

    def _belongs(self, record: Record) -> bool:
        return record.project in ("", self.where.project)

    def _refuse_many(self, count: int | None = None) -> None:
        lacking = self._registry.count_belonging(self.where) if count is None else count
        if lacking > AT_ONCE:
            raise LanceError(f"the index at {self.where.path} lacks {lacking} records", REBUILD)
