"""Where memory is kept: the documents' `SemanticMemoryStore`. One contract test runs over every backend."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from mind_skills.memory.model import Health, Hit, Record

Trust = Callable[[Record], float]
"""What maturity and decay make of a record's score; 0 leaves it out (deprecated)."""


def neutral(record: Record) -> float:
    """The trust of whom nothing is known."""
    return 1.0


class SemanticMemoryStore(Protocol):
    """Records, found by meaning."""

    def store(self, record: Record) -> None:
        """Keep a record in place of the one that has its id, cleaned, redacted and bounded. Raises StoreError."""
        ...

    def store_all(self, records: Iterable[Record]) -> int:
        """Keep many in one step, all or none; says how many. Raises StoreError."""
        ...

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
        """The records nearest in meaning to ``text``, best first, at most ``limit``, none that scores below ``threshold``.

        The score that the threshold is held against is the likeness, 0 to 1, times the trust. ``project`` limits them to
        a project's and to those of none; empty asks all. ``untrusted`` brings those in quarantine as well. Any text will
        do: of any length, of control characters, of the syntax of a query language. Raises StoreError.
        """
        ...

    def get(self, record_id: str) -> Record | None:
        """The record of that id."""
        ...

    def all(self) -> Sequence[Record]:
        """Every record, in the order in which they first came."""
        ...

    def remove(self, record_id: str) -> None:
        """Forget a record; harmless where there is none."""
        ...

    @property
    def stages(self) -> int:
        """How often ``rebuild`` calls its step for a record, at most."""
        ...

    def rebuild(self, step: Callable[[], None] | None = None) -> int:
        """Build the index anew from the records; ``step`` is called after each. Says how many it holds. Raises StoreError.

        Until it is whole, and where it fails or is interrupted, the old one stays in use.
        """
        ...

    @property
    def advice(self) -> str:
        """What would make its answers better than the last one was, in a sentence for a person; empty as a rule."""
        ...

    def health(self) -> Health:
        """Whether it works, how much it holds, where, and by which encoder. Never raises."""
        ...
