"""The JSON that every command but `replay` prints, as models. docs/schemas is generated from here; times are UTC milliseconds."""

from __future__ import annotations

from typing import Literal

from mind_skills.plugin.doctor.reports import DoctorReport, LoopReport
from mind_skills.plugin.document import Document
from mind_skills.plugin.error_report import ErrorsReport
from mind_skills.plugin.install.reports import InstallReport, PauseReport, UninstallReport
from mind_skills.plugin.lint_report import LintReport
from mind_skills.plugin.mcp.tools_report import ToolsReport
from mind_skills.plugin.memory_report import (
    MemoryChangeReport,
    MemoryExportReport,
    MemoryHealthReport,
    MemoryQueryReport,
    MemoryStoreReport,
)
from mind_skills.plugin.pattern_report import PatternsReport
from mind_skills.plugin.proof_report import ComparisonReport, ProofReport
from mind_skills.plugin.prune_report import PruneReport
from mind_skills.plugin.replay_report import CandidateReport
from mind_skills.plugin.report import Report
from mind_skills.plugin.skill_report import ArchiveReport, ProposalReport, SkillsReport
from mind_skills.plugin.tools.outcome_report import OutcomeRecordReport, OutcomesReport
from mind_skills.plugin.tools.plan_report import CompleteReport, PlanReport
from mind_skills.plugin.undo_report import UndoReport
from mind_skills.plugin.watch.reports import WatchEventReport, WatchingReport, WatchReport
from mind_skills.plugin.why_report import WhyReport
from mind_skills.plugin.why_standing_report import CriterionWhyReport, PatternWhyReport, SkillWhyReport

State = Literal["pending", "offered", "accepted", "dismissed", "ignored", "shelved", "covered", "merged"]
"""`shelved` fell out of a full list, and comes back when another session sees it; `covered` is said by an installed
skill already, and comes back when that skill goes; `merged` is one
learning with another candidate, whose id is in ``detail``."""


class ForeignReport(Report):
    """A candidate that another tool, or the repository itself, put into the pending file; it is kept and never offered."""

    id: str
    title: str


class WaitingReport(CandidateReport):
    """A candidate of the pending list; ``injectedAt`` is set once a session has been told of it."""

    injected_at: int | None


class CoveredReport(Report):
    """A candidate that is not offered, because an installed skill says it already."""

    id: str
    title: str
    skill: str


class PendingReport(Report):
    """`mind-skills pending --json`."""

    version: Literal[1] = 1
    project: str
    candidates: list[WaitingReport]
    covered: list[CoveredReport]
    foreign: list[ForeignReport]


class LearnReport(Report):
    """`mind-skills learn --json`. ``session`` and ``host`` are empty where no session is running; no candidate is an empty list."""

    version: Literal[1] = 1
    project: str
    session: str
    host: str
    candidates: list[WaitingReport]


class ShowReport(Report):
    """`mind-skills show ID --json`."""

    version: Literal[1] = 1
    state: State
    detail: str
    """The skill's path if it was accepted, the reason if it was dismissed, else empty."""
    candidate: WaitingReport


class ReceiptReport(Report):
    """`accept` and `dismiss` with ``--json``: what was done to which candidate."""

    version: Literal[1] = 1
    done: Literal["accepted", "dismissed"]
    id: str
    title: str
    state: State
    detail: str


class CountsReport(Report):
    """From noticed to used, in this project. ``fired`` counts each session that saw a learning, the rest count learnings.

    ``covered`` are not told, because an installed skill says them already; ``used`` are those whose skill a later session
    has used.
    """

    fired: int
    staged: int
    covered: int
    offered: int
    accepted: int
    dismissed: int
    ignored: int
    used: int


class CriterionReport(Report):
    """What was decided about the candidates of one detector, and what that makes of its next ones: 0 is silent."""

    criterion: str
    accepted: int
    dismissed: int
    weight: float


class SkillReport(Report):
    """A skill that came of a candidate: the receipt.

    ``trigger`` is the skill's own description, empty where its file has none or is gone; ``host`` is where it was learned;
    ``offerTokens`` is about what the offer cost that led to it, null where it was never offered.
    """

    id: str
    name: str
    path: str
    trigger: str
    at: int | None
    host: str
    offer_tokens: int | None


class StatusReport(Report):
    """`mind-skills status --json`."""

    version: Literal[1] = 1
    project: str
    enabled: bool
    paused: Literal["", "project", "everywhere"]
    paused_since: int | None
    pending: int
    unfinished: int
    counts: CountsReport
    criteria: list[CriterionReport]
    """Detectors whose candidates were accepted or dismissed, on this machine; the others weigh 1."""
    skills: list[SkillReport]
    """The last skills that came of this project's candidates, the newest first."""
    proposed: list[ProposalReport]
    """Skills that fail for sure, and are proposed for the archive."""
    archived: int
    """How many skills stand in the archive."""
    proof: ComparisonReport | None
    """Whether skills help when their error comes back; null where no error of a skill has."""
    loops: list[LoopReport]
    """How far each host has got in all projects, so that a dead loop is told from a quiet one."""
    watching: WatchingReport | None
    """Who runs `mind-skills watch`; null where nobody does."""
    foreign: list[ForeignReport]
    problems: list[str]
    """What is wrong right now, in sentences: a settings file, the pending file, the database."""
    hook_errors: list[str]
    state_folder: str
    pending_file: str
    config_files: list[str]


class SettingReport(Report):
    """One setting: its value, and where that comes from (``default`` or the path of a file)."""

    key: str
    value: bool | int | float | str
    origin: str


class ConfigReport(Report):
    """`config get`, `config set` and `config list` with ``--json``."""

    version: Literal[1] = 1
    settings: list[SettingReport]


class StepReport(Report):
    """One step of the demonstration. ``block`` is the text that the session was handed, null where there was nothing to hand over."""

    title: str
    what: str
    why: str
    block: str | None = None


class DemoReport(Report):
    """`mind-skills demo --json`."""

    version: Literal[1] = 1
    steps: list[StepReport]


class ErrorBody(Report):
    """``code`` is stable and meant for programs; ``message`` and ``hint`` are for people."""

    code: str
    message: str
    hint: str


class ErrorReport(Report):
    """What any command prints on stdout when it fails under ``--json``."""

    error: ErrorBody


DOCUMENTS: dict[str, type[Document]] = {
    "pending": PendingReport,
    "learn": LearnReport,
    "show": ShowReport,
    "receipt": ReceiptReport,
    "undo": UndoReport,
    "status": StatusReport,
    "config": ConfigReport,
    "demo": DemoReport,
    "install": InstallReport,
    "uninstall": UninstallReport,
    "pause": PauseReport,
    "watch": WatchReport,
    "watch-event": WatchEventReport,
    "doctor": DoctorReport,
    "lint": LintReport,
    "why": WhyReport,
    "why-pattern": PatternWhyReport,
    "why-skill": SkillWhyReport,
    "why-criterion": CriterionWhyReport,
    "patterns": PatternsReport,
    "skills": SkillsReport,
    "archive": ArchiveReport,
    "proof": ProofReport,
    "errors": ErrorsReport,
    "plan": PlanReport,
    "complete": CompleteReport,
    "outcome": OutcomeRecordReport,
    "outcomes": OutcomesReport,
    "tools": ToolsReport,
    "prune": PruneReport,
    "memory-store": MemoryStoreReport,
    "memory-query": MemoryQueryReport,
    "memory-health": MemoryHealthReport,
    "memory-change": MemoryChangeReport,
    "memory-export": MemoryExportReport,
    "error": ErrorReport,
}
"""Every document but those of `replay` and `eval`, by the name of its schema."""
