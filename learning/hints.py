"""What is said to a store of past learnings: ask it before a task is divided, tell it what came of the task.

The documents only say that it is done; the source of the texts is the original code (`formatMemory...` in `learning.ts`),
whose reference outputs pin them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mind_skills.learning.strategy_kinds import StrategyKind
from mind_skills.learning.strikes import STRUCK_OUT, Failure

RECALLED = 3
"""So many past learnings are asked for."""


@dataclass(frozen=True, slots=True)
class StoreHint:
    """A text to be stored, the words that it is filed under, and why."""

    information: str
    metadata: str
    instruction: str


@dataclass(frozen=True, slots=True)
class QueryHint:
    """What to ask for, and how many answers are wanted."""

    query: str
    limit: int
    instruction: str


def on_success(
    task_id: str, summary: str, files_touched: Sequence[str], strategy: StrategyKind | None = None
) -> StoreHint:
    """What to store of a task that went well.

    ``strategy`` is the kind by which the task was divided: the text names it, and it is the last of the words that the text
    is filed under. None where it is not known: the text names none, and the last word is `completion`.
    """
    files = ", ".join(files_touched) if files_touched else "none"
    how = f" using {strategy} strategy" if strategy else ""
    information = f'Task "{task_id}" completed successfully{how}.\nKey insight: {summary}\nFiles touched: {files}'
    wanted = "Store this successful completion in semantic-memory for future reference"
    return StoreHint(information, f"swarm, success, {task_id}, {strategy or 'completion'}", wanted)


def on_three_strikes(task_id: str, failures: Sequence[Failure]) -> StoreHint:
    """What to store of a task that failed three times.

    It says 3 attempts, however many ``failures`` were kept: it is told at the third strike, and strikes.py counts no further.
    """
    attempts = "\n".join(f"{number}. {each.attempt} - Failed: {each.reason}" for number, each in enumerate(failures, 1))
    information = (
        f"Architecture problem detected in {task_id}: Task failed after {STRUCK_OUT} attempts.\n"
        f"Attempts:\n{attempts}\n\n"
        "This indicates a structural issue requiring human decision, not another fix attempt."
    )
    wanted = "Store this architectural problem in semantic-memory to avoid similar patterns in future"
    return StoreHint(information, f"architecture, 3-strike, {task_id}, failure", wanted)


def before_decomposition(task: str) -> QueryHint:
    """What to ask before a task is divided."""
    wanted = "Query semantic-memory for relevant past learnings about similar tasks before decomposition"
    return QueryHint(task, RECALLED, wanted)


def to_validate(task_id: str) -> tuple[str, str]:
    """What to do with learnings that helped, and why: (instruction, context)."""
    return (
        "If any semantic-memory entries helped with this task, validate them to reset decay timer",
        f"Task {task_id} completed successfully with assistance from past learnings",
    )
