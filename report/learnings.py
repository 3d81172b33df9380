"""Each learning with what carries it, where it stands, and why, in words for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace

from mind_skills.hooks.receipts import skill_name
from mind_skills.output.candidates import state_of
from mind_skills.output.text import path_text, show_progress
from mind_skills.redaction.text import clean
from mind_skills.report.document import EvidenceReport, LearningReport
from mind_skills.report.events import day_of
from mind_skills.staging.model import CONTENT, apply_caps, clean_line
from mind_skills.staging.tables.candidates import Record
from mind_skills.staging.tables.overview import Overview, Workspace

PATH = 1_000
"""Characters of a path or name that are shown."""


def name_projects(places: Collection[Workspace]) -> dict[str, str]:
    """What each project (its id) is called; where two have one name, with the folder."""
    names = {place.project: clean_path(place.name) for place in places}
    often = Counter(names.values())
    folders = {place.project: clean_path(place.roots[0]) if place.roots else place.project for place in places}
    return {id_: name if often[name] == 1 else f"{name} ({folders[id_]})" for id_, name in names.items()}


def list_learnings(overview: Overview, names: Mapping[str, str], since: int | None) -> list[LearningReport]:
    """Those to which anything happened since then (UTC ms), the last first; ``names`` are those of projects, by id.

    What is one learning with another is left out.
    """
    last: dict[tuple[str, str], int] = {}
    for receipt in overview.receipts:
        key = (receipt.project, receipt.candidate)
        last[key] = max(receipt.at, last.get(key, 0))
    found: list[tuple[int, Record]] = []
    for record in overview.records:
        changed = max(
            record.candidate.detected_at, record.settled_at or 0, last.get((record.project, record.candidate.id), 0)
        )
        if record.state != "merged" and (since is None or changed >= since):
            found.append((changed, record))
    found.sort(key=lambda pair: (-pair[0], pair[1].project, pair[1].candidate.id))
    learnings: list[LearningReport] = []
    with show_progress("learnings", len(found)) as step:
        for changed, record in found:
            learnings.append(_learning(record, names.get(record.project, ""), changed))
            step()
    return learnings


def _learning(record: Record, project: str, changed: int) -> LearningReport:
    # What an older version put down was cleaned by fewer rules; the content of evidence is not shown, and takes longest.
    summaries = tuple(replace(each, content="") for each in record.candidate.evidence)
    candidate = apply_caps(replace(record.candidate, evidence=summaries))
    made, refused = record.state in ("accepted", "covered"), record.state == "dismissed"
    return LearningReport(
        id=candidate.id,
        project=project,
        host=candidate.host,
        kind=candidate.kind,
        state=state_of(record),
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
        changed_at=changed,
        skill=clean_path(record.detail) if made else "",
        reason=clean_line(record.detail, CONTENT) if refused else "",
        why=explain_state(record),
    )


def explain_state(record: Record) -> str:
    """Why a learning stands where it does, in a sentence or two."""
    on = _on(record.settled_at)
    return {
        "pending": "It waits: the next sessions of its project are handed the best ones that wait.",
        "offered": f"It was handed to a session{_on(record.candidate.injected_at)} that has not ended yet.",
        "waiting": "One session alone saw it, and it is not sure enough to be handed over. It is once another session sees it.",
        "accepted": f"It became the skill {_skill(record)}{on}.",
        "dismissed": f"It was refused{on}, and is not handed over again.",
        "ignored": f"It was handed over, and nothing came of it{on}. It waits again once another session sees it.",
        "shelved": f"Better ones filled the list{on}. It waits again once another session sees it.",
        "covered": f"The skill {_skill(record)} says it already. It waits again when that skill goes.",
        "merged": "It is one learning with another.",
    }[state_of(record)]


def _skill(record: Record) -> str:
    return skill_name(record.detail)


def _on(at: int | None) -> str:
    day = "" if at is None else day_of(at)
    return f" on {day}" if day else ""


def clean_path(text: str) -> str:
    """A path or a name, which anybody may have chosen, as text without what hides or steers."""
    return clean(path_text(text), PATH)
