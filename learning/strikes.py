"""Rules of the original code by which nothing here runs yet: strikes, hints to a memory, mandates, regressions of a score.

The documents speak of the 3-strike rule (`StrikeRecord`) and of hints (`memory_store`, `memory_query`), which complete and
plan have replaced; of mandates and regressions they say nothing. The source of texts and numbers is the original code
(`learning.ts`, `mandate-promotion.ts`, `eval-learning.ts`), whose reference outputs pin all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from mind_skills.learning.strategies import StrategyKind

STRUCK_OUT = 3
"""Failed attempts at one task that say that the plan is wrong, not the attempt."""


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


def add_strike(record: StrikeRecord, attempt: str, reason: str, *, at: int) -> StrikeRecord:
    """The record after one more failure."""
    return replace(
        record,
        strike_count=min(STRUCK_OUT, record.strike_count + 1),
        failures=(*record.failures, Failure(attempt, reason, at)),
        first_strike_at=at if record.first_strike_at is None else record.first_strike_at,
        last_strike_at=at,
    )


def format_strikes(record: StrikeRecord) -> str:
    """What an agent should read before it tries a task a fourth time; empty below three strikes."""
    if not record.struck_out:
        return ""
    lines = [f"{number}. {each.attempt}: {each.reason}" for number, each in enumerate(record.failures, 1)]
    warning = "Another fix of the same kind is unlikely to work. Ask whether the approach is right before you go on:"
    return "\n".join([f"## Three failed attempts at {record.task_id}", "", warning, "", *lines, ""])


@dataclass(frozen=True, slots=True)
class Hint:
    """What a memory is told or asked: a text to store or to look for, the words to file it under, and what to do."""

    text: str
    metadata: str
    instruction: str


def hint_on_success(
    task_id: str, summary: str, files_touched: Sequence[str], strategy: StrategyKind | None = None
) -> Hint:
    """What to store of a task that went well; ``strategy`` is the kind by which it was divided, None where not known."""
    files = ", ".join(files_touched) if files_touched else "none"
    how = f" using {strategy} strategy" if strategy else ""
    return Hint(
        f'Task "{task_id}" completed successfully{how}.\nKey insight: {summary}\nFiles touched: {files}',
        f"swarm, success, {task_id}, {strategy or 'completion'}",
        "Store this successful completion in semantic-memory for future reference",
    )


def hint_on_three_strikes(task_id: str, failures: Sequence[Failure]) -> Hint:
    """What to store of a task that failed three times; it says 3 attempts, however many ``failures`` were kept."""
    attempts = "\n".join(f"{number}. {each.attempt} - Failed: {each.reason}" for number, each in enumerate(failures, 1))
    return Hint(
        f"Architecture problem detected in {task_id}: Task failed after {STRUCK_OUT} attempts.\nAttempts:\n{attempts}\n\n"
        "This indicates a structural issue requiring human decision, not another fix attempt.",
        f"architecture, 3-strike, {task_id}, failure",
        "Store this architectural problem in semantic-memory to avoid similar patterns in future",
    )


def hint_before_decomposition(task: str) -> tuple[str, int, str]:
    """What to ask before a task is divided: (query, how many answers, instruction)."""
    return task, 3, "Query semantic-memory for relevant past learnings about similar tasks before decomposition"


def hint_to_validate(task_id: str) -> tuple[str, str]:
    """What to do with learnings that helped, and why: (instruction, context)."""
    return (
        "If any semantic-memory entries helped with this task, validate them to reset decay timer",
        f"Task {task_id} completed successfully with assistance from past learnings",
    )


Standing = Literal["candidate", "established", "mandate", "rejected"]
ESTABLISHED_FROM, MANDATE_FROM, REJECTED_UP_TO, MANDATE_RATIO = 2.0, 5.0, -3.0, 0.7
"""Net votes, decayed; and the share in favour that a mandate needs."""


def promote_mandate(net_votes: float, vote_ratio: float, now: Standing) -> Standing:
    """Where a proposal that stands at ``now`` stands after these votes; a mandate and a rejection are final.

    ``net_votes`` are those in favour less those against, decayed; ``vote_ratio`` is the share in favour, 0.0 to 1.0. A
    candidate becomes established first, however many votes it has: a mandate takes another look.
    """
    if now in ("mandate", "rejected"):
        return now
    if net_votes <= REJECTED_UP_TO:
        return "rejected"
    if now == "established":
        return "mandate" if net_votes >= MANDATE_FROM and vote_ratio >= MANDATE_RATIO else now
    return "established" if net_votes >= ESTABLISHED_FROM else now


def average_recent(scores: Sequence[float]) -> float:
    """The mean of the last five of ``scores`` (oldest first; the original's `windowSize`), or of fewer; 0.0 of none."""
    recent = scores[-5:]
    return sum(recent) / len(recent) if recent else 0.0


def is_significant_drop(current: float, baseline: float, threshold: float = 0.15) -> bool:
    """Whether a score lies below its baseline by that share of it or more. Below nothing there is no drop."""
    return baseline != 0 and (baseline - current) / baseline >= threshold
