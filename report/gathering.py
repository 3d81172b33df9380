"""Assembly of the report document from the ledger."""

from __future__ import annotations

from collections import Counter

from mind_skills.output.candidates import get_state
from mind_skills.plugin import VERSION
from mind_skills.plugin.hooklog import find_log_path
from mind_skills.report.document import CostReport, PageReport
from mind_skills.report.events import Event, count_days, count_groups, count_tokens, count_totals, list_events
from mind_skills.report.learnings import clean_path, list_learnings, name_projects
from mind_skills.report.sharing import redact_for_sharing
from mind_skills.report.skills import compare_skills, list_skills
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables.overview import Overview
from mind_skills.store.project import Project

MAX_LOG_LINES = 5
"""Maximum number of lines of the hooks' log that are shown."""


def gather_report(
    ledger: Ledger, now: int, project: Project | None = None, since: int | None = None, *, redacted: bool = False
) -> PageReport:
    """Build the report of ``project``, or of all projects, since a time (UTC milliseconds) or on the whole history.

    ``redacted`` omits project names, paths and session ids. Raises StoreError, OSError.
    """
    overview = ledger.read_overview(project)
    events = [event for event in list_events(overview) if since is None or event.at >= since]
    names = name_projects(overview.projects)
    waiting = sum(get_state(record) == "pending" for record in overview.records)
    by_host: dict[str, list[Event]] = {}
    by_project: dict[str, list[Event]] = {}
    for event in events:
        by_host.setdefault(event.host or "unknown", []).append(event)
        by_project.setdefault(names.get(event.project, event.project), []).append(event)
    ended = [each for each in overview.outcomes if since is None or each.at >= since]
    report = PageReport(
        made_at=now,
        program=f"mind-skills {VERSION}",
        project="" if project is None else names.get(project.id, clean_path(project.name)),
        since=since,
        redacted=redacted,
        latest=max((each.candidate.detected_at for each in overview.records if each.state != "merged"), default=None),
        totals=count_totals(events, waiting, len(ended)),
        days=count_days(events),
        hosts=count_groups(by_host, Counter(overview.hosts.get(each.session, "unknown") for each in ended)),
        projects=count_groups(by_project, Counter(names.get(each.project, each.project) for each in ended)),
        learnings=list_learnings(overview, names, since),
        skills=list_skills(overview, names, now),
        proof=compare_skills(overview, names),
        cost=_make_cost_report(ledger.home, overview, since),
    )
    if not redacted:
        return report
    roots = [root for project in overview.projects for root in project.roots]
    return redact_for_sharing(report, [project.name for project in overview.projects], roots)


def _make_cost_report(home: str, overview: Overview, since: int | None) -> CostReport:
    tokens = [count_tokens(text) for text in overview.offers if since is None or text.at >= since]
    lines = _read_log_lines(home)
    return CostReport(
        texts=len(tokens),
        tokens=sum(tokens),
        largest=max(tokens, default=0),
        complaints=len(lines),
        last_complaints=lines[-MAX_LOG_LINES:],
    )


def _read_log_lines(home: str) -> list[str]:
    """Return the lines of the hooks' log, oldest first; empty without a log. The size of the log is limited."""
    try:
        with open(find_log_path(home), "rb") as log:
            return [clean_path(line) for line in log.read().decode("utf-8", "replace").splitlines()]
    except FileNotFoundError:
        return []
