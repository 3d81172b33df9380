"""The documents of `plan` and `complete`, under the documents' names."""

from __future__ import annotations

from typing import Literal

from mind_skills.learning.maturity import MaturityState
from mind_skills.tasks.outcome_report import TaskOutcomeReport
from mind_skills.tasks.recalled import RecalledReport
from mind_skills.tasks.tool_report import ToolReport


class StrategyReport(ToolReport):
    """A strategy and where it stands. Counts are of votes; ``text`` is its state in words."""

    id: str
    content: str
    state: MaturityState
    multiplier: float
    helpful: int
    harmful: int
    text: str


class AntiPatternReport(ToolReport):
    """A strategy that kept failing. ``content`` begins with AVOID, ``reason`` has the figures, ``pattern`` is what it was."""

    id: str
    pattern: str
    content: str
    reason: str


class PlanReport(ToolReport):
    """`mind-skills task plan --json`.

    ``text`` is all of it for an agent, at most 6,000 characters. ``bead_id`` is the task's id, to be given to `complete`.
    ``recalled`` comes from the memory, ``patterns_found`` counts it; ``patterns`` are proven in this project,
    ``anti_patterns`` failed in it, ``open_errors`` counts what is unresolved of this very task.
    """

    version: Literal[1] = 1
    project: str
    task: str
    bead_id: str
    text: str
    memory_queried: bool
    patterns_found: int
    recalled: list[RecalledReport]
    patterns: list[StrategyReport]
    anti_patterns: list[AntiPatternReport]
    open_errors: int


class CompleteReport(ToolReport):
    """`mind-skills task complete --json`.

    ``patterns`` are the strategies that it followed, where they stand now; ``inversions`` those among them that are
    warnings by now. ``memory_stored`` says whether anything of it can be recalled; ``kept`` is true where a person had
    spoken of the task before, whose word stands. ``open_errors`` counts what is still unresolved of the task.
    """

    version: Literal[1] = 1
    project: str
    bead_id: str
    outcome: TaskOutcomeReport
    voted: bool
    kept: bool
    patterns: list[StrategyReport]
    inversions: list[AntiPatternReport]
    memory_stored: bool
    open_errors: int
