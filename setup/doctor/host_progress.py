"""How far learning has come in each host, and whether a host without activity is quiet or its hooks are broken."""

from __future__ import annotations

import os
from collections.abc import Iterator
from glob import iglob
from itertools import islice
from typing import Literal

from mind_skills.hosts import HOST_NAMES, load_spec
from mind_skills.output.document import Report
from mind_skills.setup.doctor.hosts import HookState, inspect_hooks
from mind_skills.setup.install import targets
from mind_skills.setup.install.journal import Journal
from mind_skills.staging.tables.overview import STEP_NAMES, Activity

MAX_LOGS = 20_000
"""Maximum number of logs of a host whose times are read."""
MAX_LAG_MS = 60 * 60_000
"""Milliseconds by which a log may be newer than the last report or the installation: a single turn may take long."""


class CountReport(Report):
    """Number of occurrences and time of the last one (UTC milliseconds, null for never)."""

    count: int
    last: int | None


class HostProgressReport(Report):
    """How far learning has come in a host, over all projects.

    ``verdict``: ``none``: our hooks are not installed, and no session was seen; ``silent``: they are installed, but have
    neither reported a session nor handed over an offer since then; ``dead``: the host wrote logs that no hook reported;
    ``quiet``: sessions were seen, but none had findings; ``working``: some had.
    """

    host: str
    installed: bool
    """Whether the host has our hooks; if its file cannot be read, whether they were installed there."""
    problem: str
    """What prevents the hooks from running, in the host's files or the project's; empty if nothing was found."""
    verdict: Literal["none", "silent", "dead", "quiet", "working"]
    text: str
    observed: CountReport
    detected: CountReport
    staged: CountReport
    offered: CountReport
    accepted: CountReport
    dismissed: CountReport
    used: CountReport


def report_host_progress(activities: list[Activity], home: str, root: str) -> list[HostProgressReport]:
    """Report on each host that has our hooks or ever had a session, or on all hosts if there is none.

    ``root`` is the folder of the project, whose settings may disable hooks.
    """
    activity_by_host = {activity.host: activity for activity in activities}
    journal = Journal.open_read_only(home)
    reports = [_build_progress_report(activity_by_host.get(host, Activity(host)), journal, root) for host in HOST_NAMES]
    return [report for report in reports if report.verdict != "none"] or reports


def find_install_time(hooks: HookState, journal: Journal) -> int | None:
    """Return when our hooks were installed in a host, in UTC milliseconds: 0 if unknown, None if they are not there."""
    entry = journal.entries.get(hooks.path)
    is_installed = entry is not None if hooks.is_installed is None else hooks.is_installed
    return (entry.at if entry is not None else 0) if is_installed else None


def find_newest_log_time(host: str) -> int | None:
    """Return when a host last wrote a session log, in UTC milliseconds, or None if unknown."""
    host_spec = load_spec(host)
    if host_spec.log_folders:
        pattern = os.path.join(targets.find_folder(host), host_spec.log_folders[0], *host_spec.log_pattern)
        return max(_read_mtimes(pattern), default=None)
    path = host_spec.get_database_path(os.environ, targets.find_home())
    if not os.path.isfile(path):
        return None
    from mind_skills.observations.readers.opencode_file import get_last_change

    try:
        return get_last_change(path)
    except OSError:
        return None  # the database has another schema, or has just been removed


def _read_mtimes(pattern: str) -> Iterator[int]:
    for path in islice(iglob(pattern), MAX_LOGS):
        try:
            yield os.stat(path).st_mtime_ns // 1_000_000
        except FileNotFoundError:
            continue  # the host has just removed it


def get_last_report(progress: HostProgressReport) -> int | None:
    """Return when a session of a host was last observed or an offer handed over, in UTC milliseconds; None for never.

    An offer is recorded at the start of a session, before the session itself.
    """
    return max((step.last for step in (progress.observed, progress.offered) if step.last is not None), default=None)


def _build_progress_report(activity: Activity, journal: Journal, root: str) -> HostProgressReport:
    hooks = inspect_hooks(activity.host, root)
    installed_at = find_install_time(hooks, journal)
    counts = {
        name: CountReport(count=activity.steps[name].count, last=activity.steps[name].last) for name in STEP_NAMES
    }
    report = HostProgressReport(
        host=activity.host,
        installed=installed_at is not None,
        problem="; ".join(failure.text for failure in hooks.failures),
        verdict="none",
        text="",
        **counts,
    )
    last_report = get_last_report(report)
    last_seen = max(last_report or 0, installed_at or 0)
    log = find_newest_log_time(activity.host) if report.installed else None
    if log is not None and last_seen and log > last_seen + MAX_LAG_MS:
        report.verdict = "dead"
        report.text = "The host wrote session logs that no hook reported: run `mind-skills doctor` to find the reason."
    elif not report.installed and report.observed.count:
        report.verdict = "working" if report.detected.count else "quiet"
        report.text = "The hooks are no longer installed; sessions were seen before."
    elif installed_at is not None and (last_report or 0) <= installed_at and report.observed.count:
        report.verdict = "silent"
        report.text = "The hooks are installed but have not reported yet; earlier sessions were read from the logs."
    elif report.detected.count and last_report is None:
        report.verdict = "silent" if report.installed else "working"
        report.text = "No session was reported; what was learned comes from `replay --stage`."
    elif report.detected.count:
        report.verdict, report.text = "working", "Sessions are seen, and some had findings."
    elif report.observed.count or (report.installed and report.offered.count):
        report.verdict, report.text = "quiet", "Sessions are seen; none had findings so far."
    elif report.installed:
        report.verdict, report.text = "silent", "The hooks are installed but have not reported yet."
    else:
        report.text = "No hooks are installed."
    if report.problem and not report.installed:
        report.text = "Whether the hooks are installed is unknown, because the host's file cannot be read."
    return report
