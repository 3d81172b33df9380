"""Import of the last 30 days' sessions after an installation; each log is read as `mind-skills watch` reads it."""

from __future__ import annotations

import os

from mind_skills.errors import MindSkillsError
from mind_skills.observations.open_file import describe_compressed
from mind_skills.output import state
from mind_skills.output.document import Report
from mind_skills.output.text import show_progress
from mind_skills.store.home import ensure_folder
from mind_skills.store.project import resolve_project
from mind_skills.watch.instance import Instance
from mind_skills.watch.schedule import ENDED_SESSIONS, Job
from mind_skills.watch.watched_files import Item, list_compressed_logs, list_roots, list_snapshots
from mind_skills.watch.worker import do_job

HISTORY_DAYS = 30
IDLE_MS = 30 * 60_000
"""Milliseconds of inactivity after which a session counts as over, as in `mind-skills watch`."""

_IMPORT_SKIPPED = (
    "Earlier sessions were not read, because `mind-skills watch` or another installation is reading logs. Run `mind-skills install` "
    "again later to learn from them."
)


class HistoryReport(Report):
    """Number of sessions that were read, number of candidates in any state seen in them, and problems, in sentences."""

    logs: int
    candidates: int
    problems: list[str]


def list_recent_logs(home: str, now: int) -> list[Item]:
    """List all hosts' logs and databases that changed in the last 30 days, oldest first. ``now`` is UTC ms.

    Only this user's files in the hosts' folders are listed. ``home`` is the state folder.
    """
    since = _find_start(now) / 1000
    snapshots = [snapshot for root in list_roots(home) for snapshot in list_snapshots(root)]
    recent = [
        snapshot for snapshot in snapshots if snapshot.changed_at >= since and snapshot.item.kind in ("log", "database")
    ]
    return [snapshot.item for snapshot in sorted(recent, key=lambda snapshot: snapshot.changed_at)]


def list_unread_logs(home: str, now: int) -> list[Item]:
    """List the logs and databases of ``list_recent_logs`` in which at least one session has not been read to its end."""
    from mind_skills.watch.jobs import has_unread

    with state.open_ledger(create=False) as ledger:
        return [
            item
            for item in list_recent_logs(home, now)
            if has_unread(ledger, item.path, _find_start(now), is_database=item.kind == "database")
        ]


def _find_start(now: int) -> int:
    """Return the begin of the last 30 days, in UTC milliseconds."""
    return now - HISTORY_DAYS * 24 * 60 * 60_000


def _find_change_time(path: str, default: int) -> int:
    """Return when a file last changed, in UTC milliseconds, or ``default`` if the file was removed."""
    try:
        return os.stat(path).st_mtime_ns // 1_000_000
    except FileNotFoundError:
        return default


def learn_from_logs(items: list[Item], now: int) -> HistoryReport:
    """Read each log, stage its candidates in its project, and finish sessions that are over.

    ``now`` is UTC milliseconds. A session is recorded as seen at its log's last change, so that `status` does not mistake
    the import for a report by a hook. Shows the progress of both passes over the logs. Idempotent. While a watch or
    another installation reads logs, nothing is read, and the report says so. Raises HomeError, StoreError, OSError.
    """
    home = ensure_folder()
    try:
        with Instance(home, now):
            return _read_logs(home, items, now)
    except MindSkillsError as failure:
        if failure.code != "already_watching":
            raise
        return HistoryReport(logs=0, candidates=0, problems=[_IMPORT_SKIPPED])


def _read_logs(home: str, items: list[Item], now: int) -> HistoryReport:
    request = {"home": home, "ended": IDLE_MS, "paced": False}
    since = _find_start(now)
    report = HistoryReport(logs=0, candidates=0, problems=[])
    session_ids_by_root: dict[str, set[str]] = {}
    if compressed := list_compressed_logs(home, since):
        report.problems.append(describe_compressed(compressed))
    with show_progress("Reading", len(items)) as advance:
        for item in items:
            answer = do_job(request, Job(item, 0, None, since=since), min(now, _find_change_time(item.path, now)))
            inspections = answer.get("looks", [])
            report.logs += len(inspections)
            for inspection in inspections:
                session_ids_by_root.setdefault(inspection["project"], set()).add(inspection["session"])
            report.problems += answer.get("problems", [])
            advance()
    with state.open_ledger(create=False) as ledger:
        unfinished = len(ledger.list_unfinished())
    with show_progress("Finishing", unfinished) as advance:
        report.problems += do_job(request, Job(ENDED_SESSIONS, 0, None), now, advance).get("problems", [])
    with state.open_ledger(create=False) as ledger:
        seen_candidates = {
            (project.id, candidate.id)
            for root, session_ids in session_ids_by_root.items()
            for project in [resolve_project(project_folder=root)]
            for candidate in (
                *ledger.list_pending(project),
                *ledger.list_waiting(project.id),  # also those beyond the list
                *(record.candidate for record in ledger.list_history(project)),
            )
            if session_ids.intersection(candidate.sessions)
        }
    report.candidates = len(seen_candidates)
    return report
