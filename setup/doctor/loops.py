"""How far each host's loop has got, and whether one in which nothing happens is quiet or dead."""

from __future__ import annotations

import os
from collections.abc import Iterator
from glob import iglob
from itertools import islice
from typing import Literal

from mind_skills.errors import MindSkillsError
from mind_skills.hosts import NAMES, spec
from mind_skills.output.document import Report
from mind_skills.setup.install import files, targets
from mind_skills.setup.install.journal import Journal
from mind_skills.staging.tables.activity import STEPS, Activity

MANY = 20_000
SLACK = 60 * 60_000
"""Milliseconds that a log may be younger than the last moment that a hook told of: turns take long."""


class CountReport(Report):
    """How often, and when last: UTC milliseconds, null for never."""

    count: int
    last: int | None


class LoopReport(Report):
    """How far a host's loop has got, in all projects, and what that means.

    ``verdict``: ``none`` is not installed and was never seen, ``silent`` is installed and no session was seen,
    ``dead`` wrote logs that no hook told of, ``quiet`` is seen and had nothing to learn from, ``working`` learned.
    """

    host: str
    installed: bool
    verdict: Literal["none", "silent", "dead", "quiet", "working"]
    text: str
    observed: CountReport
    detected: CountReport
    staged: CountReport
    offered: CountReport
    accepted: CountReport
    dismissed: CountReport
    used: CountReport


def loops(activities: list[Activity], home: str) -> list[LoopReport]:
    """One for each host that is installed, or was ever seen; others only where nothing else is to be told."""
    known = {activity.host: activity for activity in activities}
    journal = Journal.peek(home)
    reports = [_loop(known.get(host, Activity(host)), installed_at(host, journal)) for host in NAMES]
    return [report for report in reports if report.verdict != "none"] or reports


def installed_at(host: str, journal: Journal) -> int | None:
    """Since when a host has our hooks, in UTC milliseconds: 0 where that is not known, None where it has none."""
    try:
        target = targets.make_target(host)
        content = files.read_file(target.path).content
        if not target.ours(content) and not targets.enabled_plugins(host, content):
            return None
    except (MindSkillsError, ValueError):
        return None  # the check of that host says what is wrong with its file
    entry = journal.entries.get(target.path)
    return entry.at if entry is not None else 0


def newest_log(host: str) -> int | None:
    """When a host last wrote a log of a session: UTC milliseconds, None where that cannot be told."""
    known = spec(host)
    if known.log_folder:
        return max(_times(os.path.join(targets.find_folder(host), known.log_folder, *known.log_pattern)), default=None)
    path = known.database_path(os.environ, targets.find_home())
    if not os.path.isfile(path):
        return None
    from mind_skills.observations.readers.opencode_file import changed

    try:
        return changed(path)
    except OSError:
        return None  # it is another version of it, or gone by now: then nothing can be told


def _times(pattern: str) -> Iterator[int]:
    for path in islice(iglob(pattern), MANY):
        try:
            yield os.stat(path).st_mtime_ns // 1_000_000
        except FileNotFoundError:
            continue  # removed by its host at this moment


def _loop(activity: Activity, since: int | None) -> LoopReport:
    counts = {name: CountReport(count=activity.steps[name].count, last=activity.steps[name].last) for name in STEPS}
    report = LoopReport(host=activity.host, installed=since is not None, verdict="none", text="", **counts)
    seen = max(report.observed.last or 0, since or 0)
    log = newest_log(activity.host) if report.installed else None
    if log is not None and seen and log > seen + SLACK:
        report.verdict = "dead"
        report.text = "It wrote logs of sessions that no hook told of: `mind-skills doctor` looks for the reason."
    elif not report.installed and report.observed.count:
        report.verdict = "working" if report.detected.count else "quiet"
        report.text = "Not installed any more; sessions were seen before."
    elif report.detected.count:
        report.verdict, report.text = "working", "Sessions are seen, and some had something to learn from."
    elif report.observed.count:
        report.verdict, report.text = "quiet", "Sessions are seen; none has had anything to learn from."
    elif report.installed:
        report.verdict, report.text = "silent", "Installed, and no session has been seen yet."
    else:
        report.text = "Not installed."
    return report
