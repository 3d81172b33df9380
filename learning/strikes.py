"""Rules of the original code that this project does not use (strikes, memory hints, mandates, regressions), with its
numbers and texts; `plan` and `complete` take their place. Tests compare its outputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from mind_skills.learning.strategies import StrategyKind
from mind_skills.store.light_dataclasses import dataclass, replace

MAX_STRIKES = 3
"""Number of failed attempts after which the approach to the task is considered wrong, not just the last attempt."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One failed attempt. ``at`` is UTC milliseconds."""

    attempt: str
    reason: str
    at: int


@dataclass(frozen=True, slots=True)
class StrikeRecord:
    """All failures of one task. ``strike_count`` is the number of failures, at most three; times are UTC milliseconds."""

    task_id: str
    strike_count: int = 0
    failures: tuple[Failure, ...] = ()
    first_strike_at: int | None = None
    last_strike_at: int | None = None

    @property
    def is_struck_out(self) -> bool:
        """Whether the task has failed at least three times, so that a person must examine it."""
        return self.strike_count >= MAX_STRIKES


def add_strike(record: StrikeRecord, attempt: str, reason: str, *, at: int) -> StrikeRecord:
    """Return the record with one more failure, at ``at`` (UTC milliseconds)."""
    return replace(
        record,
        strike_count=min(MAX_STRIKES, record.strike_count + 1),
        failures=(*record.failures, Failure(attempt, reason, at)),
        first_strike_at=at if record.first_strike_at is None else record.first_strike_at,
        last_strike_at=at,
    )


def format_strikes(record: StrikeRecord) -> str:
    """Format a warning for an agent before a fourth attempt; empty below three strikes."""
    if not record.is_struck_out:
        return ""
    lines = [f"{number}. {failure.attempt}: {failure.reason}" for number, failure in enumerate(record.failures, 1)]
    warning = "Another fix of the same kind is unlikely to work. Ask whether the approach is right before you go on:"
    return "\n".join([f"## Three failed attempts at {record.task_id}", "", warning, "", *lines, ""])


@dataclass(frozen=True, slots=True)
class Hint:
    """An instruction to an agent to store ``text`` in its memory. ``metadata`` is a comma-separated list of tags."""

    text: str
    metadata: str
    instruction: str


def build_success_hint(
    task_id: str, summary: str, files_touched: Sequence[str], strategy: StrategyKind | None = None
) -> Hint:
    """Return the hint to store a successful task; ``strategy`` says how the task was divided, None if unknown."""
    files = ", ".join(files_touched) if files_touched else "none"
    strategy_text = f" using {strategy} strategy" if strategy else ""
    return Hint(
        f'Task "{task_id}" completed successfully{strategy_text}.\nKey insight: {summary}\nFiles touched: {files}',
        f"swarm, success, {task_id}, {strategy or 'completion'}",
        "Store this successful completion in semantic-memory for future reference",
    )


def build_three_strikes_hint(task_id: str, failures: Sequence[Failure]) -> Hint:
    """Return the hint to store a task that failed three times; the text always mentions 3 attempts."""
    attempts = "\n".join(
        f"{number}. {failure.attempt} - Failed: {failure.reason}" for number, failure in enumerate(failures, 1)
    )
    return Hint(
        f"Architecture problem detected in {task_id}: Task failed after {MAX_STRIKES} attempts.\nAttempts:\n{attempts}\n\n"
        "This indicates a structural issue requiring human decision, not another fix attempt.",
        f"architecture, 3-strike, {task_id}, failure",
        "Store this architectural problem in semantic-memory to avoid similar patterns in future",
    )


def build_memory_query(task: str) -> tuple[str, int, str]:
    """Return the memory query to run before a task is divided: (query, number of results, instruction)."""
    return task, 3, "Query semantic-memory for relevant past learnings about similar tasks before decomposition"


def build_validation_request(task_id: str) -> tuple[str, str]:
    """Return the request to confirm the learnings that helped with a task: (instruction, context)."""
    return (
        "If any semantic-memory entries helped with this task, validate them to reset decay timer",
        f"Task {task_id} completed successfully with assistance from past learnings",
    )


MandateState = Literal["candidate", "established", "mandate", "rejected"]
MIN_ESTABLISHED_VOTES, MIN_MANDATE_VOTES, MAX_REJECTED_VOTES, MIN_MANDATE_RATIO = 2.0, 5.0, -3.0, 0.7
"""The first three are net decayed votes. The last is the share of votes in favour that a mandate needs, 0.0 to 1.0."""


def promote_mandate(net_votes: float, vote_ratio: float, state: MandateState) -> MandateState:
    """Return a proposal's state after ``net_votes`` (decayed) and a ``vote_ratio``; a candidate never becomes a mandate
    in one step.
    """
    if state in ("mandate", "rejected"):
        return state
    if net_votes <= MAX_REJECTED_VOTES:
        return "rejected"
    if state == "established":
        return "mandate" if net_votes >= MIN_MANDATE_VOTES and vote_ratio >= MIN_MANDATE_RATIO else state
    return "established" if net_votes >= MIN_ESTABLISHED_VOTES else state


def average_recent(scores: Sequence[float]) -> float:
    """Return the mean of the last five scores, the newest (five is the original's `windowSize`); 0.0 without scores."""
    recent = scores[-5:]
    return sum(recent) / len(recent) if recent else 0.0


def is_significant_drop(current: float, baseline: float, threshold: float = 0.15) -> bool:
    """Return whether ``current`` is at least ``threshold * baseline`` below ``baseline``; False if that is zero."""
    return baseline != 0 and (baseline - current) / baseline >= threshold
