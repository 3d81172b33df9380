"""Assembly of the report document from the ledger: counted events, learnings, skills and cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mind_skills.hooks.receipts import get_skill_name
from mind_skills.output import state
from mind_skills.output.candidates import get_state, list_rows
from mind_skills.output.text import clean_path, format_day, show_progress
from mind_skills.plugin import VERSION
from mind_skills.report.document import (
    KINDS,
    CostReport,
    DayReport,
    GroupReport,
    Kind,
    LearningReport,
    PageReport,
    RowReport,
    TotalsReport,
)
from mind_skills.report.sharing import redact_for_sharing
from mind_skills.report.skills import compare_skills, list_skills
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import MAX_CONTENT_LENGTH, cap_candidate, clean_line
from mind_skills.staging.offer import CHARACTERS_PER_TOKEN
from mind_skills.staging.tables.candidates import StoredCandidate
from mind_skills.staging.tables.overview import OfferSize, Overview, ProjectSummary
from mind_skills.store.project import Project

MAX_LOG_LINES = 5


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
    read = _find_read_sessions(overview, since)
    report = PageReport(
        made_at=now,
        program=f"mind-skills {VERSION}",
        project="" if project is None else names.get(project.id, clean_path(project.name)),
        since=since,
        redacted=redacted,
        latest=max((each.candidate.detected_at for each in overview.records), default=None),
        totals=count_totals(events, waiting, len(read)),
        days=count_days(events),
        hosts=count_groups(by_host, Counter(host for host, _ in read.values())),
        projects=count_groups(by_project, Counter(names.get(id_, id_) for _, id_ in read.values())),
        learnings=list_learnings(overview, names, since),
        skills=list_skills(overview, names, now),
        proof=compare_skills(overview, names),
        cost=_make_cost_report(ledger.home, overview, since),
    )
    if not redacted:
        return report
    roots = [root for project in overview.projects for root in project.roots]
    return redact_for_sharing(report, [project.name for project in overview.projects], roots)


def name_projects(projects: Collection[ProjectSummary]) -> dict[str, str]:
    """Map each project id to the display name. A name that several projects have is followed by the folder."""
    names = {project.id: clean_path(project.name) for project in projects}
    counts = Counter(names.values())
    folders = {project.id: clean_path(project.roots[0]) if project.roots else project.id for project in projects}
    return {id_: name if counts[name] == 1 else f"{name} ({folders[id_]})" for id_, name in names.items()}


def _find_read_sessions(overview: Overview, since: int | None) -> dict[str, tuple[str, str]]:
    """Map the sessions whose end was analysed, or that taught something, to their host and project."""
    read = {
        each.session: (overview.hosts.get(each.session, "unknown"), each.project)
        for each in overview.outcomes
        if since is None or each.at >= since
    }
    for record in overview.records:  # those of `replay --stage` have no outcome
        candidate = record.candidate
        if since is None or candidate.detected_at >= since:
            for session in candidate.sessions or (candidate.session_id,):
                read.setdefault(session, (overview.hosts.get(session, candidate.host), record.project))
    return read


def _make_cost_report(home: str, overview: Overview, since: int | None) -> CostReport:
    tokens = [count_tokens(text) for text in overview.offers if since is None or text.at >= since]
    lines = state.read_hook_log(home)
    return CostReport(
        texts=len(tokens),
        tokens=sum(tokens),
        largest=max(tokens, default=0),
        complaints=len(lines),
        last_complaints=[clean_path(line) for line in lines[-MAX_LOG_LINES:]],
    )


# -- events ------------------------------------------------------------------------------------------------------------


class Event(NamedTuple):
    """An event. ``at`` is UTC ms; ``project``, ``candidate`` and ``session`` are ids or empty; ``amount`` is added to a count."""

    kind: Kind
    at: int
    host: str
    project: str
    candidate: str
    session: str
    amount: int = 1


def list_events(overview: Overview) -> Iterator[Event]:
    """Yield all counted events, unsorted."""
    learning_hosts: dict[tuple[str, str], str] = {}
    for record in overview.records:
        candidate, about = record.candidate, (record.candidate.host, record.project, record.candidate.id, "")
        learning_hosts[record.project, candidate.id] = candidate.host
        yield Event("noticed", candidate.detected_at, *about)
        if record.settled_at is not None and record.state == "accepted":
            yield Event("skills", record.settled_at, *about)
        if record.settled_at is not None and record.state == "dismissed":
            yield Event("refused", record.settled_at, *about)
    offers: dict[tuple[str, str, str], Event] = {}
    for receipt in overview.receipts:
        key = (receipt.project, receipt.candidate, receipt.session)
        host = overview.hosts.get(receipt.session) or learning_hosts.get(key[:2], "")
        if receipt.event == "offered":
            offers[key] = Event("handed_over", receipt.at, host, *key)
        elif receipt.event == "rearmed":
            offers.pop(key, None)
        elif receipt.event == "used":
            yield Event("used", receipt.at, host, *key)
    yield from offers.values()
    for text in overview.offers:
        host = overview.hosts.get(text.session, "")
        yield Event("tokens", text.at, host, text.project, "", text.session, count_tokens(text))


def count_tokens(text: OfferSize) -> int:
    """Estimate the number of tokens of a text, rounded to a multiple of ten."""
    return int(round(text.characters / CHARACTERS_PER_TOKEN, -1))


def count_totals(events: Sequence[Event], waiting: int, sessions_read: int) -> TotalsReport:
    """Sum all events. ``waiting`` counts the learnings that are waiting, ``sessions_read`` the sessions read in the period."""
    offers = [each for each in events if each.kind == "handed_over"]
    return TotalsReport(
        **_sum_amounts(events),
        learnings_handed_over=len({(each.project, each.candidate) for each in offers}),
        learnings_used=len({(each.project, each.candidate) for each in events if each.kind == "used"}),
        waiting=waiting,
        sessions=len({each.session for each in offers}),
        sessions_read=sessions_read,
    )


def count_days(events: Iterable[Event]) -> list[DayReport]:
    """Sum events by day, oldest first, without those at an unknown time."""
    by_day: dict[str, list[Event]] = {}
    for event in events:
        by_day.setdefault(format_day(event.at), []).append(event)
    return [DayReport(day=day, **_sum_amounts(day_events)) for day, day_events in sorted(by_day.items()) if day]


def count_groups(events: Mapping[str, list[Event]], sessions: Mapping[str, int]) -> list[GroupReport]:
    """Sum events by group name; groups with the most noticed learnings come first."""
    names = dict.fromkeys([*events, *sessions])
    groups = [
        GroupReport(name=name, sessions=sessions.get(name, 0), **_sum_amounts(events.get(name, []))) for name in names
    ]
    return sorted(groups, key=lambda group: (-group.noticed, group.name))


def _sum_amounts(events: Iterable[Event]) -> dict[str, int]:
    sums: dict[str, int] = dict.fromkeys(KINDS, 0)
    for event in events:
        sums[event.kind] += event.amount
    return sums


# -- learnings ---------------------------------------------------------------------------------------------------------


def list_learnings(overview: Overview, names: Mapping[str, str], since: int | None) -> list[LearningReport]:
    """Return the learnings with an event at ``since`` (UTC ms) or later and those that are waiting, newest event first."""
    last_receipts: dict[tuple[str, str], int] = {}
    for receipt in overview.receipts:
        key = (receipt.project, receipt.candidate)
        last_receipts[key] = max(receipt.at, last_receipts.get(key, 0))
    records: list[tuple[int, StoredCandidate]] = []
    for record in overview.records:
        last_receipt = last_receipts.get((record.project, record.candidate.id), 0)
        changed_at = max(record.candidate.detected_at, record.settled_at or 0, last_receipt)
        if since is None or changed_at >= since or get_state(record) == "pending":
            records.append((changed_at, record))
    records.sort(key=lambda pair: (-pair[0], pair[1].project, pair[1].candidate.id))
    learnings: list[LearningReport] = []
    with show_progress("Preparing", len(records)) as advance:
        for changed_at, record in records:
            learnings.append(_make_learning_report(record, names.get(record.project, ""), changed_at))
            advance()
    return learnings


def _make_learning_report(record: StoredCandidate, project: str, changed_at: int) -> LearningReport:
    # Clean the texts again, because older versions had fewer redaction rules.
    candidate = cap_candidate(record.candidate)
    has_skill, is_dismissed = record.state in ("accepted", "covered"), record.state == "dismissed"
    return LearningReport.from_object(
        candidate,
        project=project,
        state=get_state(record),
        noticed=candidate.reason,
        rows=[RowReport(label=label, text=text) for label, text in list_rows(candidate)],
        files=list(candidate.files),
        taint=list(candidate.taint),
        sessions=len(candidate.sessions) or 1,
        changed_at=changed_at,
        skill=clean_path(record.detail) if has_skill else "",
        reason=clean_line(record.detail, MAX_CONTENT_LENGTH) if is_dismissed else "",
        why=explain_state(record),
    )


def explain_state(record: StoredCandidate) -> str:
    """Explain the state of a learning in one or two sentences."""
    date = _format_date_suffix(record.settled_at)
    return {
        "pending": "It is waiting: it is on the list of its project, and was not offered to a session yet.",
        "offered": f"It was offered{_format_date_suffix(record.candidate.injected_at)} to a session that has not answered yet.",
        "accepted": f"It became the skill {get_skill_name(record.detail)}{date}.",
        "dismissed": f"It was dismissed{date}, and is not offered again.",
        "ignored": f"It was offered and ignored{date}. It returns to the list once another session detects it.",
        "shelved": f"The list was full{date}. It returns to the list once another session detects it.",
        "covered": f"The skill {get_skill_name(record.detail)} already covers it. It returns to the list if that skill is removed.",
    }[get_state(record)]


def _format_date_suffix(at: int | None) -> str:
    day = "" if at is None else format_day(at)
    return f" on {day}" if day else ""
