"""The JSON that `eval` and its subcommands print, by name: docs/schemas is generated from here."""

from __future__ import annotations

from mind_skills.plugin.document import Document
from mind_skills.plugin.evaluating.journal_report import JournalReport
from mind_skills.plugin.evaluating.report import EvalReport
from mind_skills.plugin.evaluating.study_report import FitReport, RuleStudyReport, StudyReport

EVALUATION: dict[str, type[Document]] = {
    "eval": EvalReport,
    "eval-fit": FitReport,
    "eval-journal": JournalReport,
    "eval-rules": RuleStudyReport,
    "eval-study": StudyReport,
}
