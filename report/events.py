"""Events of the report, counted by day, host and project."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from mind_skills.report.document import DayReport, GroupReport, TotalsReport
from mind_skills.staging.offer import CHARACTERS_PER_TOKEN
from mind_skills.staging.tables.overview import OfferSize, Overview

Kind = Literal["noticed", "handed_over", "skills", "used", "refused", "tokens"]
KINDS: tuple[Kind, ...] = ("noticed", "handed_over", "skills", "used", "refused", "tokens")
EARLIEST = 946_684_800_000
"""2000-01-01 (UTC ms). An earlier time comes from a clock that was not set, and is not shown."""


class Event(NamedTuple):
    """An event. ``at`` is UTC ms; ``project``, ``candidate`` and ``session`` are ids or empty; ``amount`` is added to a count."""

    kind: Kind
    at: int
    host: str
    project: str
    candidate: str
    session: str
    amount: int = 1


def list_events(overview: Overview) -> list[Event]:
    """Return all counted events, unsorted. A learning that was merged into another does not count as noticed."""
    return [*_list_record_events(overview), *_list_receipt_events(overview), *_list_text_events(overview)]


def _list_record_events(overview: Overview) -> Iterator[Event]:
    for record in overview.records:
        candidate, about = record.candidate, (record.candidate.host, record.project, record.candidate.id, "")
        if record.state == "merged":
            continue
        yield Event("noticed", candidate.detected_at, *about)
        if record.settled_at is not None and record.state == "accepted":
            yield Event("skills", record.settled_at, *about)
        if record.settled_at is not None and record.state == "dismissed":
            yield Event("refused", record.settled_at, *about)


def _list_receipt_events(overview: Overview) -> Iterator[Event]:
    """Yield offers and uses. An offer that was withdrawn because its session ended without responding does not count."""
    learning_hosts = {(each.project, each.candidate.id): each.candidate.host for each in overview.records}
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


def _list_text_events(overview: Overview) -> Iterator[Event]:
    for text in overview.offers:
        host = overview.hosts.get(text.session, "")
        yield Event("tokens", text.at, host, text.project, "", text.session, count_tokens(text))


def count_tokens(text: OfferSize) -> int:
    """Estimate the number of tokens of a text, rounded to a multiple of ten."""
    return int(round(text.characters / CHARACTERS_PER_TOKEN, -1))


def format_day(at: int) -> str:
    """Return the local date, YYYY-MM-DD; empty if ``at`` is before ``EARLIEST`` or beyond the platform's calendar."""
    if at < EARLIEST:
        return ""
    try:
        return time.strftime("%Y-%m-%d", time.localtime(at / 1000))
    except (OverflowError, OSError, ValueError):  # beyond the platform's calendar
        return ""


def count_totals(events: Iterable[Event], waiting: int, sessions_read: int) -> TotalsReport:
    """Sum all events. ``waiting`` counts the learnings that wait, ``sessions_read`` the sessions read in the period."""
    all_events = list(events)
    return TotalsReport(
        **_sum_amounts(all_events),
        learnings_handed_over=len(
            {(each.project, each.candidate) for each in all_events if each.kind == "handed_over"}
        ),
        learnings_used=len({(each.project, each.candidate) for each in all_events if each.kind == "used"}),
        waiting=waiting,
        sessions=len({each.session for each in all_events if each.kind == "handed_over"}),
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
