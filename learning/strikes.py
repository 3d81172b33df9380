"""Strikes: three failed attempts at one task say that the plan is wrong, not the attempt. The documents' `StrikeRecord`."""

from __future__ import annotations

from dataclasses import dataclass, replace

STRUCK_OUT = 3


@dataclass(frozen=True, slots=True)
class Failure:
    """One failed attempt. ``at`` is UTC milliseconds."""

    attempt: str
    reason: str
    at: int


@dataclass(frozen=True, slots=True)
class StrikeRecord:
    """The failures of one task, all of them; counted only up to three. Times are UTC milliseconds."""

    task_id: str
    strike_count: int = 0
    failures: tuple[Failure, ...] = ()
    first_strike_at: int | None = None
    last_strike_at: int | None = None

    @property
    def struck_out(self) -> bool:
        """Whether a person has to look at it."""
        return self.strike_count >= STRUCK_OUT


def add(record: StrikeRecord, attempt: str, reason: str, *, at: int) -> StrikeRecord:
    """The record after one more failure."""
    return replace(
        record,
        strike_count=min(STRUCK_OUT, record.strike_count + 1),
        failures=(*record.failures, Failure(attempt, reason, at)),
        first_strike_at=at if record.first_strike_at is None else record.first_strike_at,
        last_strike_at=at,
    )


class Strikes:
    """The strikes of all tasks, in memory."""

    def __init__(self) -> None:
        self._records: dict[str, StrikeRecord] = {}

    def add(self, task_id: str, attempt: str, reason: str, *, at: int) -> StrikeRecord:
        """Count one failure of a task."""
        self._records[task_id] = add(self.of(task_id), attempt, reason, at=at)
        return self._records[task_id]

    def of(self, task_id: str) -> StrikeRecord:
        """The record of a task, an empty one where nothing failed."""
        return self._records.get(task_id, StrikeRecord(task_id))

    def all(self) -> list[StrikeRecord]:
        """Every record, the task that failed first first."""
        return list(self._records.values())

    def clear(self, task_id: str) -> None:
        """Forget the failures of a task; harmless where there are none."""
        self._records.pop(task_id, None)


def format_strikes(record: StrikeRecord) -> str:
    """What an agent should read before it tries a task a fourth time; empty below three strikes."""
    if not record.struck_out:
        return ""
    lines = [f"{number}. {each.attempt}: {each.reason}" for number, each in enumerate(record.failures, 1)]
    return "\n".join(
        [
            f"## Three failed attempts at {record.task_id}",
            "",
            "Another fix of the same kind is unlikely to work. Ask whether the approach is right before you go on:",
            "",
            *lines,
            "",
        ]
    )
