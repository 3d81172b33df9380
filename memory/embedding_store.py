"""The memory with a model, with LanceDB, or with both, over the default backend, which keeps the records.

With a model, what it says and what the default says count together: each finds what the other does not (docs/memory.md).
Without one the default's order stands, and the vectors add what it does not find. Whatever fails, the default answers,
and ``health`` says why.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

from mind_skills.errors import StoreError
from mind_skills.errors.memory import ModelUnavailableError
from mind_skills.memory.embedding import AT_ONCE, REBUILD, Encoder, Step, digest, silent
from mind_skills.memory.embedding_vectors import Vectors
from mind_skills.memory.lance_following import LanceFollowing
from mind_skills.memory.model import Health, Hit, Record
from mind_skills.memory.sqlite_store import MOST, SqliteMemoryStore
from mind_skills.memory.storage import Trust, neutral
from mind_skills.store.home import ensure
from mind_skills.store.lock import Lock

Near = Sequence[tuple[int, float]]
DEFAULT = 0.75
"""What the default's likeness counts beside a model's cosine, which counts 1: tried on the half of the benchmark that may
be looked at, with two models. Either alone finds less."""
_AHEAD = 64
"""Records that are looked at beyond those asked for: some are not trusted, some in quarantine."""


class VectorMemoryStore:
    """Records found by the nearness of vectors. ``vectors`` for a model, ``lance`` for LanceDB; one of them at least."""

    def __init__(
        self,
        home: str,
        inner: SqliteMemoryStore,
        encoder: Encoder,
        *,
        vectors: Vectors | None,
        lance: LanceFollowing | None,
        reason: str,
    ) -> None:
        """``reason`` is why this backend was taken, for ``health``."""
        self.records = inner.records
        self._home = home
        self._inner = inner
        self._encoder = encoder
        self._vectors = vectors
        self._lance = lance
        self._reason = reason

    def store(self, record: Record) -> None:
        """Keep a record in place of the one that has its id. It is encoded at the next question."""
        self._inner.store(record)

    def store_all(self, records: Iterable[Record]) -> int:
        """Keep many in one step."""
        return self._inner.store_all(records)

    def query(
        self,
        text: str,
        limit: int = 5,
        threshold: float = 0.0,
        *,
        project: str = "",
        trust: Trust = neutral,
        untrusted: bool = False,
    ) -> Sequence[Hit]:
        """The records nearest in meaning; see storage.py."""
        limit = min(limit, MOST)
        if limit < 1:
            return []
        first: Sequence[Hit] | None = None
        if not self._encoder.knows_meaning or not text.strip():
            first = self._inner.query(text, limit, project=project, trust=trust, untrusted=untrusted)
        if first is None or (len(first) < limit and text.strip()):
            first = self._nearest(text, limit, first, project=project, trust=trust, untrusted=untrusted)
        return [hit for hit in first[:limit] if hit.score >= threshold]

    def _nearest(
        self, text: str, limit: int, first: Sequence[Hit] | None, *, project: str, trust: Trust, untrusted: bool
    ) -> Sequence[Hit]:
        """What is nearest by its vector, behind what was found ``first``; the default's answer where that fails."""
        most = limit + _AHEAD
        while True:
            try:
                near = self._near(text, project, most, untrusted=untrusted)
            except StoreError:  # which ``health`` finds as well, and tells
                if first is not None:
                    return first
                return self._inner.query(text, limit, project=project, trust=trust, untrusted=untrusted)
            hits = self._trusted(near, trust, project, untrusted=untrusted)
            if len(hits) >= limit or len(near) < most or most >= 4 * MOST:
                return _joined(first or (), hits)
            most *= 4

    def _near(self, text: str, project: str, most: int, *, untrusted: bool) -> Near:
        """The records nearest to a question: (number, likeness), most of them with the best first. Raises StoreError."""
        if self._vectors is None:
            if self._lance is None or project != self._lance.where.project:
                return []
            return self._lance.nearest(self._encoder.question(text), most)
        self._kept(self._vectors)
        question = self._encoder.question(text)
        near = dict(self._by_vector(self._vectors, question, project, most))
        known = self._inner.near(text, project, untrusted=untrusted, most=most)
        near |= self._vectors.likeness(question, [n for n in known if n not in near])
        return [(n, (max(0.0, near[n]) + DEFAULT * known.get(n, 0.0)) / (1 + DEFAULT)) for n in near]

    def _by_vector(self, vectors: Vectors, question: bytes, project: str, most: int) -> Near:
        if self._lance is not None and project == self._lance.where.project:
            try:
                return self._lance.nearest(question, most)
            except StoreError:  # the same vectors stand in the state database; ``health`` tells what is wrong
                pass
        return vectors.nearest(question, project, most)

    def _kept(self, vectors: Vectors) -> None:
        """Every record has its vector, after a short while at most."""
        behind = vectors.behind()
        if behind > AT_ONCE:
            raise ModelUnavailableError(f"{behind} records are not encoded by {self._encoder.name} yet", REBUILD)
        if behind:
            vectors.follow()

    def _trusted(self, near: Near, trust: Trust, project: str, *, untrusted: bool) -> list[Hit]:
        likeness = {n: min(1.0, score) for n, score in near if score > 0}
        hits: list[Hit] = []
        for n, record in sorted(self.records.by_number(likeness).items()):
            if (untrusted or not record.quarantined) and (not project or record.project in ("", project)):
                hits.append(Hit(record, likeness[n] * trust(record)))
        return sorted((hit for hit in hits if hit.score > 0), key=lambda hit: -hit.score)

    def get(self, record_id: str) -> Record | None:
        """The record of that id."""
        return self._inner.get(record_id)

    def all(self) -> Sequence[Record]:
        """Every record, in the order in which they first came."""
        return self._inner.all()

    def remove(self, record_id: str) -> None:
        """Forget a record; harmless where there is none. What finds it forgets it at the next question."""
        self._inner.remove(record_id)

    def health(self) -> Health:
        """Whether it works, as a question would find out: the model is loaded, the index opened. Never raises."""
        inner = self._inner.health()
        if not inner.healthy:
            return inner
        encoder, location, reason = self._encoder.name, inner.location, self._reason
        try:
            self._encoder.question("healthy")
            if self._vectors is not None:
                self._kept(self._vectors)
        except StoreError as error:
            return Health(True, inner.count, location, inner.encoder, f"the default, because {_said(error)}")
        if self._lance is not None:
            try:
                if self._lance.belonging():
                    self._lance.ready()
                location = self._lance.where.path
            except StoreError as error:
                reason = f"{reason}; without LanceDB, because {_said(error)}"
        if not self._encoder.knows_meaning:
            encoder = inner.encoder
        return Health(True, inner.count, location, encoder, reason)

    @property
    def advice(self) -> str:
        """What would make its answers better; see storage.py."""
        return self._inner.advice

    @property
    def stages(self) -> int:
        """How often ``rebuild`` calls its step for each record, at most."""
        return 1 + (self._vectors is not None) + (self._lance is not None)

    def rebuild(self, step: Step | None = None) -> int:
        """Build every index anew and encode what is not encoded; ``step`` is called after each record of each stage.

        An interrupted one leaves what was there in use, and encodes no text twice. Two at once wait for each other.
        Says how many records there are. Raises StoreError.
        """
        step = step or silent
        count = self._inner.rebuild(step)
        if self._vectors is not None:
            with Lock(os.path.join(ensure(os.path.join(ensure(self._home), "locks")), "memory-vectors")):
                self._vectors.follow(step)
        if self._lance is not None and self._lance.belonging():
            self._lance.rebuild(step)
        return count


def encoding(encoder: Encoder, vectors: Vectors | None, texts: Mapping[int, str]) -> dict[int, bytes]:
    """The vectors of texts, by the numbers of their records: those that are kept, and new ones for the others."""
    kept = vectors.of(texts) if vectors is not None else {}
    found = {n: kept[n][1] for n, text in texts.items() if n in kept and kept[n][0] == digest(text)}
    new = [n for n in texts if n not in found]
    found.update(zip(new, encoder.documents([texts[n] for n in new]), strict=True))
    return found


def _joined(first: Sequence[Hit], more: Sequence[Hit]) -> list[Hit]:
    """The default's hits as they are; what else is near by its vector comes behind them."""
    known = {hit.record.id for hit in first}
    lowest = min((hit.score for hit in first), default=1.0)
    return [*first, *(Hit(hit.record, min(hit.score, lowest)) for hit in more if hit.record.id not in known)]


def _said(error: StoreError) -> str:
    return f"{error}. {error.hint}".rstrip(". ")
