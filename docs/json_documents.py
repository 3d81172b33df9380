"""The document classes of all commands; docs/build.py generates docs/schemas from them."""

from __future__ import annotations

from mind_skills.cli.config import ConfigReport
from mind_skills.cli.demo import DemoReport
from mind_skills.cli.eval import JournalReport
from mind_skills.cli.learn import LearnReport
from mind_skills.cli.memory import (
    MemoryChangeReport,
    MemoryExportReport,
    MemoryHealthReport,
    MemoryListReport,
    MemoryQueryReport,
    MemoryStoreReport,
)
from mind_skills.cli.mute import MuteReport
from mind_skills.cli.patterns import PatternsReport
from mind_skills.cli.pause import PauseReport
from mind_skills.cli.pending import PendingReport
from mind_skills.cli.proof_report import ProofReport
from mind_skills.cli.prune import PruneReport
from mind_skills.cli.replay import ReplayReport
from mind_skills.cli.skills import ArchiveReport, SkillsReport
from mind_skills.cli.status_report import StatusReport
from mind_skills.cli.task import ErrorsReport
from mind_skills.cli.team import TeamFoundedReport, TeamPreviewReport, TeamReport
from mind_skills.cli.undo import UndoReport
from mind_skills.cli.vote_report import ShowCriterionReport, ShowPatternReport, ShowSkillReport
from mind_skills.cli.watch import WatchEventReport, WatchReport
from mind_skills.cli.why import WhyReport
from mind_skills.fleet.document import FleetReport, ScanEventReport
from mind_skills.output.candidates import ReceiptReport
from mind_skills.output.digests import BestReport, DigestsReport
from mind_skills.output.document import Document
from mind_skills.report.document import PageReport
from mind_skills.setup.doctor.examination import DoctorReport
from mind_skills.setup.install.host_install import InstallReport, UninstallReport
from mind_skills.tasks.complete import CompleteReport
from mind_skills.tasks.lint import LintReport
from mind_skills.tasks.mcp.tools import ErrorReport, ToolsReport
from mind_skills.tasks.open_tasks import OutcomesReport
from mind_skills.tasks.outcomes import OutcomeRecordReport
from mind_skills.tasks.plan import PlanReport
from mind_skills.tasks.recall import RecallReport

DOCUMENTS: dict[str, type[Document]] = {
    "replay": ReplayReport,
    "pending": PendingReport,
    "learn": LearnReport,
    "show": DigestsReport,
    "distil": BestReport,
    "why": WhyReport,
    "receipt": ReceiptReport,
    "undo": UndoReport,
    "status": StatusReport,
    "config": ConfigReport,
    "demo": DemoReport,
    "eval-journal": JournalReport,
    "install": InstallReport,
    "uninstall": UninstallReport,
    "mute": MuteReport,
    "pause": PauseReport,
    "watch": WatchReport,
    "watch-event": WatchEventReport,
    "doctor": DoctorReport,
    "lint": LintReport,
    "why-pattern": ShowPatternReport,
    "why-skill": ShowSkillReport,
    "why-criterion": ShowCriterionReport,
    "patterns": PatternsReport,
    "skills": SkillsReport,
    "archive": ArchiveReport,
    "proof": ProofReport,
    "report": PageReport,
    "fleet-report": FleetReport,
    "fleet-scan": ScanEventReport,
    "team": TeamReport,
    "team-init": TeamFoundedReport,
    "team-preview": TeamPreviewReport,
    "errors": ErrorsReport,
    "plan": PlanReport,
    "complete": CompleteReport,
    "outcome": OutcomeRecordReport,
    "outcomes": OutcomesReport,
    "tools": ToolsReport,
    "prune": PruneReport,
    "recall": RecallReport,
    "memory-add": MemoryStoreReport,
    "memory-list": MemoryListReport,
    "memory-search": MemoryQueryReport,
    "memory-health": MemoryHealthReport,
    "memory-change": MemoryChangeReport,
    "memory-export": MemoryExportReport,
    "error": ErrorReport,
}
"""Maps the name of each schema to its document class."""
