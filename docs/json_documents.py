"""The ten documents that programs are written against; docs/build.py generates docs/schemas from their classes."""

from __future__ import annotations

from mind_skills.cli.pending import PendingReport
from mind_skills.cli.proof_report import ProofReport
from mind_skills.cli.replay import ReplayReport
from mind_skills.cli.skills import SkillsReport
from mind_skills.cli.status_report import StatusReport
from mind_skills.cli.why import WhyReport
from mind_skills.output.digests import DigestsReport
from mind_skills.output.document import Document
from mind_skills.setup.doctor.examination import DoctorReport
from mind_skills.tasks.mcp.tools import ErrorReport
from mind_skills.tasks.recall import RecallReport

DOCUMENTS: dict[str, type[Document]] = {
    "replay": ReplayReport,
    "pending": PendingReport,
    "show": DigestsReport,
    "why": WhyReport,
    "status": StatusReport,
    "doctor": DoctorReport,
    "skills": SkillsReport,
    "proof": ProofReport,
    "recall": RecallReport,
    "error": ErrorReport,
}
"""Maps the name of each schema to its document class."""
