"""The JSON that `eval` and its subcommands print, by name: docs/schemas is generated from here."""

from __future__ import annotations

from mind_skills.evaluation.journal_report import JournalReport
from mind_skills.evaluation.report import EvalReport
from mind_skills.evaluation.study_report import FitReport, RuleStudyReport, StudyReport
from mind_skills.output.document import Document

EVALUATION: dict[str, type[Document]] = {
    "eval": EvalReport,
    "eval-fit": FitReport,
    "eval-journal": JournalReport,
    "eval-rules": RuleStudyReport,
    "eval-study": StudyReport,
}
