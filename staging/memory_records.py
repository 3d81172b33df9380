"""Automatic memory records: sessions as episodes, their strategies, and accepted candidates. Every call synchronises
with the source.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from mind_skills.learning.anti_patterns import WARNING_ID_PREFIX
from mind_skills.learning.credit import build_strategy_id
from mind_skills.learning.skills.discovery import parse_skill
from mind_skills.learning.skills.files import MAX_SKILL_BYTES, read_bytes
from mind_skills.learning.storage import SCHEMA as LEARNING_SCHEMA
from mind_skills.learning.storage import PatternStorage, TaskStorage
from mind_skills.memory.model import (
    Record,
    build_agent_source,
    build_pattern_record,
    build_task_record_id,
    clean_record,
)
from mind_skills.memory.records import SCHEMA, Records
from mind_skills.staging.episode import build_episode_id, collapse_to_line, make_record
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate
from mind_skills.store.database import Database
from mind_skills.store.light_dataclasses import replace
from mind_skills.store.project import Project, digest_text

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing this at run time would load the readers of logs, which some commands do not need
    from mind_skills.staging.analyse import Analysis

_MAX_SEARCHED_OBSERVATIONS = 200
"""Maximum number of observations, from the start of a log, that are searched for the first request."""


def remember_session(home: str, project: Project, host: str, session_id: str, analysis: Analysis, at: int) -> bool:
    """Store a session, if it has a request, a response and a clear outcome, and its strategies; return whether it is
    stored. Raises StoreError.
    """
    with Database.open(home, SCHEMA) as database:
        records = Records(database)
        episode = make_record(project, host, session_id, analysis, at)
        if episode is None:
            records.remove([build_episode_id(host, session_id)])
        else:
            records.put([episode])
        sync_strategy_records(home, records, project, analysis.strategies, analysis.episode.request)
    return episode is not None


def taint_agent_records(home: str, session_id: str, taint: set[str]) -> None:
    """Mark what the session's agent stored, in any project, as based on anything it has read. Raises StoreError."""
    if not taint:
        return
    with Database.open(home, LEARNING_SCHEMA) as database:
        tasks = [
            task for task in TaskStorage(database).list_outcomes_by_session(session_id) if task.reported_by == "agent"
        ]
    with Database.open(home, SCHEMA) as database:
        records = Records(database)
        task_records = [records.get(build_task_record_id(task.project, task.task_id)) for task in tasks]
        taint_updates = [
            (record, ",".join(sorted(taint | set(filter(None, record.taint.split(","))))))
            for record in (*task_records, *records.list_by_source(build_agent_source(session_id)))
            if record
        ]
        records.put(replace(record, taint=marks) for record, marks in taint_updates if marks != record.taint)


def sync_strategy_records(
    home: str, records: Records, project: Project, followed_strategies: Iterable[str], task: str
) -> None:
    """Synchronise the records of a project's strategies and warnings; ``task`` is the text of the session's task.
    Raises StoreError.
    """
    with Database.open(home, LEARNING_SCHEMA) as database:
        patterns = PatternStorage(database).list_by_tag(project.id)
    patterns_to_store = {
        pattern.id: pattern
        for pattern in patterns
        if pattern.success_count + pattern.failure_count or pattern.id.startswith(WARNING_ID_PREFIX)
    }
    stored = {
        record.id: record
        for record in records.list_by_kinds(project.id, ("pattern", "anti_pattern"))
        if record.reference
    }
    followed_ids = {build_strategy_id(project.id, strategy) for strategy in followed_strategies}
    changed: list[Record] = []
    for id_, pattern in patterns_to_store.items():
        previous = stored.get(id_)
        own_task = task if id_.removeprefix(WARNING_ID_PREFIX) in followed_ids else ""
        record = build_pattern_record(
            pattern, previous, task=own_task, project_id=project.id, at=pattern.updated_at, source="sessions"
        )
        if previous is None or _get_content_fields(record) != _get_content_fields(previous):
            changed.append(record)
    records.put(changed)
    records.remove(id_ for id_ in stored if id_ not in patterns_to_store)


def _get_content_fields(record: Record) -> tuple[object, ...]:
    return record.kind, record.content, record.task, record.failure_rate


def sync_accepted_records(ledger: Ledger, project: Project, at: int) -> int:
    """Synchronise the records of accepted candidates after a decision, undo or end; return the number of new ones.
    Raises StoreError.
    """
    accepted = {r.candidate.id: (r.candidate, r.detail) for r in ledger.list_history(project) if r.state == "accepted"}
    with Database.open(ledger.home, SCHEMA) as database:
        records = Records(database)
        stored = {
            record.reference: record for record in records.list_by_kinds(project.id, ("learning",)) if record.reference
        }
        new = [
            _make_learning_record(candidate, path, project, records, ledger, at)
            for id_, (candidate, path) in accepted.items()
            if id_ not in stored
        ]
        refreshed = [
            _refresh_record(stored[id_], candidate, path, project)
            for id_, (candidate, path) in accepted.items()
            if id_ in stored
        ]
        records.put([*new, *(record for record in refreshed if record != stored[record.reference])])
        records.remove(build_learning_record_id(project, id_) for id_ in stored if id_ not in accepted)
    return len(new)


def build_learning_record_id(project: Project, candidate_id: str) -> str:
    return f"learning-{digest_text(f'{project.id}|{candidate_id}')}"


def _make_learning_record(
    candidate: Candidate, path: str, project: Project, records: Records, ledger: Ledger, at: int
) -> Record:
    """Build the record of an accepted candidate. Its task is the first request of the candidate's session."""
    episode = records.get(build_episode_id(candidate.host, candidate.session_id))
    session = ledger.find_session(candidate.session_id)
    return Record(
        id=build_learning_record_id(project, candidate.id),
        kind="learning",
        content=_format_record_text(candidate, _read_description(path, project)),
        task=episode.task if episode else _read_first_request(session.log if session else ""),
        project=project.id,
        reference=candidate.id,
        success=True,
        at=at,
        source=f"{candidate.host} {candidate.session_id}".strip(),
        taint=",".join(sorted(candidate.taint)),
    )


def _refresh_record(record: Record, candidate: Candidate, path: str, project: Project) -> Record:
    """Return the record with the skill's current description; unchanged if there is none or it cannot be read."""
    description = _read_description(path, project)
    return clean_record(replace(record, content=_format_record_text(candidate, description))) if description else record


def _format_record_text(candidate: Candidate, description: str) -> str:
    texts = [candidate.title, description]
    return "\n".join(dict.fromkeys(collapse_to_line(text, 600) for text in texts if text.strip()))


def _read_first_request(log: str) -> str:
    """Return the first user request in a log; empty if the log is gone or has none near its start."""
    if not log:
        return ""
    from mind_skills.errors import LogError
    from mind_skills.observations.read import open_log

    try:
        for observation in islice(open_log(Path(log)).observations, _MAX_SEARCHED_OBSERVATIONS):
            if observation.kind == "user" and observation.agent == "main" and observation.text:
                return observation.text
    except (LogError, OSError):
        pass  # logs get deleted; the record is then found by its content only
    return ""


def _read_description(path: str, project: Project) -> str:
    """Return the name and description of a skill; empty if it has no description or cannot be read."""
    if not path:
        return ""
    full_path = os.path.join(project.root, os.path.expanduser(path))
    data = read_bytes(full_path, MAX_SKILL_BYTES)
    if data is None:
        return ""
    skill = parse_skill(full_path, data)
    return f"Skill {skill.name}: {skill.description}" if skill.description else ""
