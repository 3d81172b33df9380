"""Learnings of the report: their evidence, state, and the explanation of the state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace

from mind_skills.hooks.receipts import get_skill_name
from mind_skills.output.candidates import get_state
from mind_skills.output.text import format_path, show_progress
from mind_skills.redaction.text import clean_text
from mind_skills.report.document import EvidenceReport, LearningReport
from mind_skills.report.events import format_day
from mind_skills.staging.model import MAX_CONTENT_LENGTH, cap_candidate, clean_line
from mind_skills.staging.tables.candidates import StoredCandidate
from mind_skills.staging.tables.overview import Overview, ProjectSummary

MAX_PATH_LENGTH = 1_000
"""Maximum length of a path or name."""


def name_projects(projects: Collection[ProjectSummary]) -> dict[str, str]:
    """Return the display name of each project by id. A name that several projects have is followed by the folder."""
    names = {project.id: clean_path(project.name) for project in projects}
    counts = Counter(names.values())
    folders = {project.id: clean_path(project.roots[0]) if project.roots else project.id for project in projects}
    return {id_: name if counts[name] == 1 else f"{name} ({folders[id_]})" for id_, name in names.items()}


def list_learnings(overview: Overview, names: Mapping[str, str], since: int | None) -> list[LearningReport]:
    """Return the learnings with an event at ``since`` (UTC ms) or later and those that wait, newest event first.

    If ``since`` is None, return all. Merged learnings are omitted. ``names`` are the project names by id.
    """
    last_receipts: dict[tuple[str, str], int] = {}
    for receipt in overview.receipts:
        key = (receipt.project, receipt.candidate)
        last_receipts[key] = max(receipt.at, last_receipts.get(key, 0))
    records: list[tuple[int, StoredCandidate]] = []
    for record in overview.records:
        last_receipt = last_receipts.get((record.project, record.candidate.id), 0)
        changed_at = max(record.candidate.detected_at, record.settled_at or 0, last_receipt)
        if record.state != "merged" and (since is None or changed_at >= since or get_state(record) == "pending"):
            records.append((changed_at, record))
    records.sort(key=lambda pair: (-pair[0], pair[1].project, pair[1].candidate.id))
    learnings: list[LearningReport] = []
    with show_progress("Preparing", len(records)) as advance:
        for changed_at, record in records:
            learnings.append(_make_learning_report(record, names.get(record.project, ""), changed_at))
            advance()
    return learnings


def _make_learning_report(record: StoredCandidate, project: str, changed_at: int) -> LearningReport:
    # Clean the texts again, because older versions had fewer redaction rules. The content of evidence is omitted: it is
    # not shown, and would take longest to clean.
    summaries = tuple(replace(each, content="") for each in record.candidate.evidence)
    candidate = cap_candidate(replace(record.candidate, evidence=summaries))
    has_skill, is_dismissed = record.state in ("accepted", "covered"), record.state == "dismissed"
    return LearningReport(
        id=candidate.id,
        project=project,
        host=candidate.host,
        kind=candidate.kind,
        state=get_state(record),
        confidence=candidate.confidence,
        title=candidate.title,
        noticed=candidate.reason,
        symptom=candidate.symptom,
        cause=candidate.cause,
        remedy=candidate.remedy,
        evidence=[EvidenceReport(role=each.role, summary=each.summary) for each in candidate.evidence],
        files=list(candidate.files),
        taint=list(candidate.taint),
        sessions=len(candidate.sessions) or 1,
        detected_at=candidate.detected_at,
        changed_at=changed_at,
        skill=clean_path(record.detail) if has_skill else "",
        reason=clean_line(record.detail, MAX_CONTENT_LENGTH) if is_dismissed else "",
        why=explain_state(record),
    )


def explain_state(record: StoredCandidate) -> str:
    """Explain the state of a learning in one or two sentences."""
    date = _format_date_suffix(record.settled_at)
    return {
        "pending": "It is waiting: the next sessions of its project are offered the best waiting learnings.",
        "offered": f"It was offered{_format_date_suffix(record.candidate.injected_at)} to a session that has not answered yet.",
        "waiting": "Its confidence is too low to be offered after one session. It will be offered once another session confirms it.",
        "accepted": f"It became the skill {get_skill_name(record.detail)}{date}.",
        "dismissed": f"It was dismissed{date}, and is not offered again.",
        "ignored": f"It was offered and ignored{date}. It returns to the list once another session detects it.",
        "shelved": f"The list was full{date}. It returns to the list once another session detects it.",
        "covered": f"The skill {get_skill_name(record.detail)} already covers it. It returns to the list if that skill is removed.",
        "merged": "It was merged into another learning.",
    }[get_state(record)]


def _format_date_suffix(at: int | None) -> str:
    day = "" if at is None else format_day(at)
    return f" on {day}" if day else ""


def clean_path(text: str) -> str:
    """Return an untrusted path or name, truncated and without control characters, invisible characters and secrets."""
    return clean_text(format_path(text), MAX_PATH_LENGTH)
