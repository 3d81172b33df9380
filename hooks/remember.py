"""What goes into the memory by itself: a session as an episode, the strategies that it followed, and what became a skill.

All of it follows from what staging/ and learning/ hold, and is brought in step with that each time: said twice it is the
same as once, and what was taken back there goes from here. Records are found again under the ids that are made here.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from pathlib import Path

from mind_skills.learning.anti_patterns import WARNING
from mind_skills.learning.credit import strategy_id
from mind_skills.learning.skills.discovery import parse_skill
from mind_skills.learning.skills.files import SKILL_SIZE, read_bytes
from mind_skills.learning.storage import PACKAGE as LEARNING
from mind_skills.learning.storage import STEPS as LEARNING_STEPS
from mind_skills.learning.storage import PatternStorage
from mind_skills.learning.tasks import TaskStorage
from mind_skills.memory.model import Record, admit, record_of_pattern, task_record_id
from mind_skills.memory.records import PACKAGE, STEPS, Records
from mind_skills.staging.episode import episode_id, flatten, make_record
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate
from mind_skills.store.database import Database
from mind_skills.store.project import Project, digest

TYPE_CHECKING = False
if TYPE_CHECKING:  # commands pass through here that read no log
    from mind_skills.staging.analyse import Analysis

_BEGINNING = 200
"""Observations of a log in which the first request stands, if there is one."""


def remember_session(home: str, project: Project, host: str, session_id: str, analysis: Analysis, at: int) -> bool:
    """Remember a session as it has come out, and the strategies that it followed; says whether it is an episode.

    One whose outcome is not clear is none, and no longer one where it was before. Raises StoreError.
    """
    with Database.open(home, PACKAGE, STEPS) as database:
        records = Records(database)
        known = make_record(project, host, session_id, analysis, at)
        if known is None:
            records.remove([episode_id(host, session_id)])
        else:
            records.put([known])
        update_strategies(home, records, project, analysis.strategies, analysis.episode.asked, at)
        _mark_doubtful(home, records, session_id, analysis.episode.taint)
    return known is not None


def _mark_doubtful(home: str, records: Records, session_id: str, taint: set[str]) -> None:
    """Mark what the agent of a session told of its tasks: it may rest on whatever the session has read."""
    if not taint:
        return
    with Database.open(home, LEARNING, LEARNING_STEPS) as database:
        tasks = [task for task in TaskStorage(database).of_session(session_id) if task.said_by == "agent"]
    told = [records.get(task_record_id(task.project, task.task_id)) for task in tasks]
    marked = [(each, ",".join(sorted(taint | set(filter(None, each.taint.split(",")))))) for each in told if each]
    records.put(replace(each, taint=wanted) for each, wanted in marked if wanted != each.taint)


def update_strategies(
    home: str, records: Records, project: Project, followed: Iterable[str], task: str, at: int
) -> None:
    """Bring the records of a project's strategies and warnings in step with what learning/ says of them.

    ``task`` is the text of the task whose session ``followed`` these. Raises StoreError.
    """
    with Database.open(home, LEARNING, LEARNING_STEPS) as database:
        patterns = {each.id: each for each in PatternStorage(database).by_tag(project.id)}
    voted = {
        id_: each
        for id_, each in patterns.items()
        if each.success_count + each.failure_count or id_.startswith(WARNING)
    }
    known = {record.id: record for record in records.of(project.id, ("pattern", "anti_pattern")) if record.reference}
    mine = {strategy_id(project.id, each) for each in followed}
    new: list[Record] = []
    for id_, each in voted.items():
        before = known.get(id_)
        own = task if id_.removeprefix(WARNING) in mine else ""
        made = record_of_pattern(each, before, task=own, project=project.id, at=each.updated_at, source="sessions")
        if before is None or _stated_fields(made) != _stated_fields(before):
            new.append(made)
    records.put(new)
    records.remove(id_ for id_ in known if id_ not in voted)


def _stated_fields(record: Record) -> tuple[object, ...]:
    return record.kind, record.content, record.task, record.failure_rate


def update_accepted(ledger: Ledger, project: Project, at: int) -> int:
    """Bring the records of what became skills in step with the ledger; says how many are new. Raises StoreError.

    What was taken back, or dismissed since, is forgotten. Called after an acceptance, an end, and an undo.
    """
    skills = {r.candidate.id: (r.candidate, r.detail) for r in ledger.list_history(project) if r.state == "accepted"}
    with Database.open(ledger.home, PACKAGE, STEPS) as database:
        records = Records(database)
        known = {record.reference: record for record in records.of(project.id, ("learning",)) if record.reference}
        new = [
            _make_record(candidate, path, project, records, ledger, at)
            for id_, (candidate, path) in skills.items()
            if id_ not in known
        ]
        again = [_refresh_record(known[id_], *skill, project) for id_, skill in skills.items() if id_ in known]
        records.put([*new, *(record for record in again if record != known[record.reference])])
        records.remove(learning_record_id(project, id_) for id_ in known if id_ not in skills)
    return len(new)


def learning_record_id(project: Project, candidate_id: str) -> str:
    """The id of the record of what a candidate became."""
    return f"learning-{digest(f'{project.id}|{candidate_id}')}"


def _make_record(
    candidate: Candidate, path: str, project: Project, records: Records, ledger: Ledger, at: int
) -> Record:
    """What a candidate became. Its task is what the session was asked in which it was learned."""
    found = records.get(episode_id(candidate.host, candidate.session_id))
    seen = ledger.find_session(candidate.session_id)
    return Record(
        id=learning_record_id(project, candidate.id),
        kind="learning",
        content=_record_text(candidate, _read_description(path, project)),
        task=found.task if found else _read_first_request(seen.log if seen else ""),
        project=project.id,
        reference=candidate.id,
        success=True,
        at=at,
        source=f"{candidate.host} {candidate.session_id}".strip(),
        taint=",".join(sorted(candidate.taint)),
    )


def _refresh_record(record: Record, candidate: Candidate, path: str, project: Project) -> Record:
    """The record with what the skill says of itself now; as it is where the skill cannot be read, perhaps in passing."""
    described = _read_description(path, project)
    return admit(replace(record, content=_record_text(candidate, described))) if described else record


def _record_text(candidate: Candidate, described: str) -> str:
    from mind_skills.staging.block import told

    texts = [*told(candidate), described]
    return "\n".join(dict.fromkeys(flatten(text, 600) for text in texts if text.strip()))


def _read_first_request(log: str) -> str:
    """What a session was asked first, by its log; empty where that is gone, or does not say so in its beginning."""
    if not log:
        return ""
    from mind_skills.errors import LogError
    from mind_skills.observations.read import open_log

    try:
        for observation in islice(open_log(Path(log)).observations, _BEGINNING):
            if observation.kind == "user" and observation.agent == "main" and observation.text:
                return observation.text
    except (LogError, OSError):
        pass  # logs are cleared away; the learning is found by its own words then
    return ""


def _read_description(path: str, project: Project) -> str:
    """What the skill says of itself: its name and its description."""
    if not path:
        return ""
    whole = os.path.join(project.root, os.path.expanduser(path))
    data = read_bytes(whole, SKILL_SIZE)
    if data is None:
        return ""
    skill = parse_skill(whole, data)
    return f"Skill {skill.name}: {skill.description}" if skill.description else ""
