"""What the sessions of the last weeks have taught, for who has just installed: each log is read as a watch would read it."""

from __future__ import annotations

from collections.abc import Callable

from mind_skills.output.document import Report
from mind_skills.store.home import ensure
from mind_skills.watch.instance import Instance
from mind_skills.watch.schedule import ENDED, Job
from mind_skills.watch.watched_files import Item, list_roots, list_snapshots
from mind_skills.watch.worker import do_job

DAYS = 30
QUIET = 30 * 60_000
"""Milliseconds of silence after which a session counts as over, as for `mind-skills watch`."""


class HistoryReport(Report):
    """What came of it: how many logs were read, how many learnings they hold, and what went wrong, in sentences."""

    logs: int
    candidates: int
    problems: list[str]


def list_recent_logs(home: str, now: int) -> list[Item]:
    """The session logs and databases of all hosts that changed in the last 30 days, the oldest first. ``now`` is UTC ms.

    Only files of this user's, in the folders of hosts; ``home`` is the state folder.
    """
    since = now / 1000 - DAYS * 24 * 60 * 60
    found = [one for root in list_roots(home) for one in list_snapshots(root)]
    recent = [one for one in found if one.changed >= since and one.item.kind in ("log", "database")]
    return [one.item for one in sorted(recent, key=lambda one: one.changed)]


def learn_from_logs(items: list[Item], now: int, advance: Callable[[], None]) -> HistoryReport:
    """Read each, stage what it taught in its own project, and finish the sessions that are over; ``advance`` is called for each.

    Done twice, it is the same as once. Raises MindSkillsError where a watch does this already, HomeError, OSError.
    """
    home = ensure()
    request = {"home": home, "ended": QUIET, "paced": False}
    since = now - DAYS * 24 * 60 * 60_000
    report = HistoryReport(logs=0, candidates=0, problems=[])
    with Instance(home, now):
        for item in items:
            answer = do_job(request, Job(item, 0, None, since=since), now)
            looks = answer.get("looks", [])
            report.logs += len(looks)
            report.candidates += sum(look["candidates"] for look in looks)
            report.problems += answer.get("problems", [])
            advance()
        report.problems += do_job(request, Job(ENDED, 0, None), now).get("problems", [])
    return report
