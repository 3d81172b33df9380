"""What else is to be done beside looking at one log: databases, spools, sessions that are over, skills, pending files."""

from __future__ import annotations

import os
import re
from pathlib import Path

from mind_skills.errors.ledger import StagingError
from mind_skills.hooks import processes, remember, traces
from mind_skills.hooks.captured import FOLDER as CAPTURE
from mind_skills.hooks.captured import adopt, clear
from mind_skills.hooks.idle import measured
from mind_skills.hooks.recover import recover
from mind_skills.hooks.retention import daily
from mind_skills.learning.skills.discovery import find_installed
from mind_skills.learning.skills.files import read_text
from mind_skills.observations.readers import opencode_db
from mind_skills.plugin.opencode.spool import drain
from mind_skills.plugin.pausing import paused, since
from mind_skills.settings.lenient import enabled, episodes, retention_days, wanted
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.records import Record
from mind_skills.staging.sessions import Seen
from mind_skills.store.project import Project, find
from mind_skills.watch import writers
from mind_skills.watch.looks import Answer, Whose, off, session, together

SESSIONS = 50
"""Of a database, in one look: those that changed last."""
RECENT = 30 * 24 * 60 * 60_000
"""Milliseconds: the skills and lists of projects in which nothing happened for longer are not watched."""
PROJECTS = 50
SOONEST = 0.5
"""Seconds between two looks for sessions that are over, at the least."""
_ID = re.compile(r"(?<!\w)sc_[0-9a-f]{8}(?!\w)")


def database(home: str, path: str, at: int, changed_since: int, *, paced: bool) -> Answer:
    """Look at every session of OpenCode's database that changed since (its own UTC ms); says as ``since`` up to when."""
    try:
        rows = opencode_db.changed_since(Path(path), changed_since, SESSIONS)
    except OSError as error:
        return {} if not os.path.exists(path) else {"failed": True, "said": [f"{path}: {error}"]}
    answers: list[Answer] = []
    for name, place, _ in reversed(rows):  # a copy comes after what it is a copy of
        whose, log = Whose("opencode", name, find(folder=place).root), f"{path}?session={name}"
        behind = [each["again"] for each in answers if each.get("again")]
        if behind and opencode_db.copied_at(Path(log)):
            answers.append({"again": max(behind)})
        else:
            answers.append(session(home, whose, log, at, paced=paced))
    told = together(answers)
    if not told.get("again") and not told.get("failed"):
        told["since"] = max([changed_since, *(changed for _, _, changed in rows)])
    return told


def spool(home: str, at: int, *, paced: bool) -> Answer:
    """Take over what hooks left, and look at the sessions of which there is no other log."""
    said = [*drain(home), *adopt(home, at, wanted=lambda project: _wanted(home, project))]
    top = os.path.join(home, CAPTURE) + os.sep
    with Ledger.open(home) as ledger:
        open_ones = [seen for seen in ledger.unfinished() if seen.log.startswith(top)]
    answers = [
        session(home, Whose(seen.host, seen.session_id, seen.project.root), seen.log, at, paced=paced)
        for seen in open_ones
        if measured(seen.log) != (seen.size, seen.mtime)
    ]
    return together([{"said": said, "recover": None}, *answers])


def _wanted(home: str, project: str) -> bool | None:
    return False if paused(home, project) else wanted(project)


def over(home: str, at: int, quiet: int) -> Answer:
    """Finish every session that is over, as the start of a session does; says in how many seconds the next may be.

    ``quiet`` is the milliseconds of silence after which one is over whose process is not known.
    """
    if since(home) is not None:  # a pause everywhere: no hook would have done anything
        return {"next": None, "ended": 0}
    said = [*drain(home), *adopt(home, at, wanted=lambda project: _wanted(home, project))]
    with Ledger.open(home) as ledger:
        open_ones = ledger.unfinished()
    before = {seen.session_id for seen in open_ones}
    writers.told(home, open_ones)
    said += recover(home, at, quiet=quiet)
    clear(home)
    daily(home, at, retention_days(), episodes())
    with Ledger.open(home) as ledger:
        left = ledger.unfinished()
        waits = [_last_sign(seen) + quiet - at for seen in left if _alone(home, seen.session_id)]
        ended = sorted(before - {seen.session_id for seen in left})
        writers.forget(home, left)
        projects = _recent(ledger, at)
    wait = max(SOONEST, min(waits) / 1000) if waits else None
    return {"said": said, "ended": len(ended), "next": wait, "roots": projects}


def _last_sign(seen: Seen) -> int:
    """When a session, or its log, was last heard of (UTC ms)."""
    try:
        return max(seen.seen_at, measured(seen.log)[1] // 1_000_000)
    except OSError:
        return seen.seen_at  # whoever finishes it says what is wrong with its log


def _alone(home: str, session_id: str) -> bool:
    """Whether silence is all by which the end of a session can be known."""
    return not processes.runs(traces.read(home, traces.RUNNING, "", session_id))


def _recent(ledger: Ledger, at: int) -> list[str]:
    """The projects of the sessions that were seen last, the newest first."""
    seen = [*ledger.unfinished(), *ledger.finished_since(at - RECENT)]
    seen.sort(key=lambda each: -each.seen_at)
    roots = dict.fromkeys(each.project.root for each in seen)
    return [root for root in roots if os.path.isdir(root) and enabled(root)][:PROJECTS]


def skill(home: str, path: str, root: str, at: int) -> Answer:
    """Link a skill that is new or has changed to the candidates that it names, and set aside what it covers.

    ``root`` is the project whose skill it is, empty for one that every project can use.
    """
    text = read_text(path)
    linked: list[str] = []
    with Ledger.open(home) as ledger:
        place = find(named=root) if root else None
        for id_ in dict.fromkeys(_ID.findall(text)):
            record = _named(ledger, id_, place)
            if record is None or record.state in ("accepted", "dismissed"):
                continue
            where = place or _project(ledger, record)
            if where is None or off(home, where.root):
                continue
            ledger.accept(record.candidate.id, path, at, where)
            remember.accepted(ledger, where, at)
            linked.append(record.candidate.id)
        if place is not None and not off(home, place.root) and ledger.undecided(place):
            ledger.project_pending(place, at, find_installed(place.root).skills)
        return {"said": ledger.problems, "linked": linked}


def _named(ledger: Ledger, id_: str, place: Project | None) -> Record | None:
    """The candidate of this id, of the project where one is named; None where there is none, or not one alone."""
    try:
        return ledger.find(id_, place)
    except StagingError:
        return None


def _project(ledger: Ledger, record: Record) -> Project | None:
    """The project of a record, as one of its sessions named it."""
    found = [ledger.session(name) for name in record.candidate.sessions]
    return next((seen.project for seen in found if seen is not None and seen.project.id == record.project), None)


def pending(home: str, root: str, at: int) -> Answer:
    """Bring a project's pending file in step again, which somebody has changed."""
    if off(home, root):
        return {}
    with Ledger.open(home) as ledger:
        place = find(named=root)
        ledger.project_pending(place, at, find_installed(root).skills if ledger.undecided(place) else None)
        return {"said": ledger.problems}
