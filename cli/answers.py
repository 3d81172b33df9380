"""The JSON that every command but `replay` prints, by name: docs/schemas is generated from here.

No command imports this: each imports its own answer alone.
"""

from __future__ import annotations

from mind_skills.cli.config import ConfigReport
from mind_skills.cli.demo import DemoReport
from mind_skills.cli.errors import ErrorsReport
from mind_skills.cli.eval import JournalReport
from mind_skills.cli.memory_report import (
    MemoryChangeReport,
    MemoryExportReport,
    MemoryHealthReport,
    MemoryQueryReport,
    MemoryStoreReport,
)
from mind_skills.cli.pattern_report import PatternsReport
from mind_skills.cli.pause import PauseReport
from mind_skills.cli.proof_report import ProofReport
from mind_skills.cli.prune import PruneReport
from mind_skills.cli.skill_report import ArchiveReport, SkillsReport
from mind_skills.cli.status_report import StatusReport
from mind_skills.cli.undo import UndoReport
from mind_skills.cli.watch import WatchEventReport, WatchReport
from mind_skills.cli.why_report import WhyReport
from mind_skills.cli.why_standing_report import CriterionWhyReport, PatternWhyReport, SkillWhyReport
from mind_skills.output.candidates import LearnReport, PendingReport, ReceiptReport, ShowReport
from mind_skills.output.document import Document
from mind_skills.report.document import PageReport
from mind_skills.setup.doctor.examination import DoctorReport
from mind_skills.setup.install.running import InstallReport, UninstallReport
from mind_skills.tasks.complete import CompleteReport
from mind_skills.tasks.lint import LintReport
from mind_skills.tasks.mcp.calling import ErrorReport
from mind_skills.tasks.mcp.listing import ToolsReport
from mind_skills.tasks.outcomes import OutcomeRecordReport, OutcomesReport
from mind_skills.tasks.plan import PlanReport

DOCUMENTS: dict[str, type[Document]] = {
    "pending": PendingReport,
    "learn": LearnReport,
    "show": ShowReport,
    "receipt": ReceiptReport,
    "undo": UndoReport,
    "status": StatusReport,
    "config": ConfigReport,
    "demo": DemoReport,
    "eval-journal": JournalReport,
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
    "report": PageReport,
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
"""Every document but that of `replay`, by the name of its schema."""
