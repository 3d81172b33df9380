"""What happened, counted by day, host and project."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from mind_skills.report.document import DayReport, GroupReport, TotalsReport
from mind_skills.staging.frame import CHARACTERS
from mind_skills.staging.tables.overview import OfferText, Overview

Kind = Literal["noticed", "handed_over", "skills", "used", "refused", "tokens"]
KINDS: tuple[Kind, ...] = ("noticed", "handed_over", "skills", "used", "refused", "tokens")
EARLIEST = 946_684_800_000
"""2000-01-01 (UTC ms): a clock that says less was not set, and what it says is no day to show."""


class Event(NamedTuple):
    """Something that happened at a time (UTC ms) on a host, in a project (its id), to a learning (its id); ``amount`` of it."""

    kind: Kind
    at: int
    host: str
    project: str
    candidate: str
    session: str
    amount: int = 1


def list_events(overview: Overview) -> list[Event]:
    """Everything that is counted, in no order. What is one learning with another counts there."""
    return [*_of_records(overview), *_of_receipts(overview), *_of_texts(overview)]


def _of_records(overview: Overview) -> Iterator[Event]:
    for record in overview.records:
        candidate, about = record.candidate, (record.candidate.host, record.project, record.candidate.id, "")
        if record.state == "merged":
            continue
        yield Event("noticed", candidate.detected_at, *about)
        if record.settled_at is not None and record.state == "accepted":
            yield Event("skills", record.settled_at, *about)
        if record.settled_at is not None and record.state == "dismissed":
            yield Event("refused", record.settled_at, *about)


def _of_receipts(overview: Overview) -> Iterator[Event]:
    """An offer that was taken back, since its session never saw it, was none."""
    learned_on = {(each.project, each.candidate.id): each.candidate.host for each in overview.records}
    handed: dict[tuple[str, str, str], Event] = {}
    for receipt in overview.receipts:
        key = (receipt.project, receipt.candidate, receipt.session)
        host = overview.hosts.get(receipt.session) or learned_on.get(key[:2], "")
        if receipt.what == "offered":
            handed[key] = Event("handed_over", receipt.at, host, *key)
        elif receipt.what == "rearmed":
            handed.pop(key, None)
        elif receipt.what == "used":
            yield Event("used", receipt.at, host, *key)
    yield from handed.values()


def _of_texts(overview: Overview) -> Iterator[Event]:
    for text in overview.offers:
        host = overview.hosts.get(text.session, "")
        yield Event("tokens", text.at, host, text.project, "", text.session, count_tokens(text))


def count_tokens(text: OfferText) -> int:
    """About how many tokens a text took, to the nearest ten."""
    return int(round(text.characters / CHARACTERS, -1))


def day_of(at: int) -> str:
    """The day of the local calendar, YYYY-MM-DD; empty where the time is that of no clock that was set."""
    if at < EARLIEST:
        return ""
    try:
        return time.strftime("%Y-%m-%d", time.localtime(at / 1000))
    except (OverflowError, OSError, ValueError):  # further ahead than the platform's calendar goes
        return ""


def count_totals(events: Iterable[Event], waiting: int) -> TotalsReport:
    """All of it in one."""
    found = list(events)
    return TotalsReport(
        **_sum(found),
        learnings_handed_over=len({(each.project, each.candidate) for each in found if each.kind == "handed_over"}),
        learnings_used=len({(each.project, each.candidate) for each in found if each.kind == "used"}),
        waiting=waiting,
        sessions=len({each.session for each in found if each.kind == "handed_over"}),
    )


def count_days(events: Iterable[Event]) -> list[DayReport]:
    """By day, the earliest first."""
    by_day: dict[str, list[Event]] = {}
    for event in events:
        by_day.setdefault(day_of(event.at), []).append(event)
    return [DayReport(day=day, **_sum(found)) for day, found in sorted(by_day.items()) if day]


def count_groups(events: Mapping[str, list[Event]], sessions: Mapping[str, int]) -> list[GroupReport]:
    """By the name of the group, the one with the most learnings first."""
    names = dict.fromkeys([*events, *sessions])
    groups = [GroupReport(name=name, sessions=sessions.get(name, 0), **_sum(events.get(name, []))) for name in names]
    return sorted(groups, key=lambda group: (-group.noticed, group.name))


def _sum(events: Iterable[Event]) -> dict[str, int]:
    found: dict[str, int] = dict.fromkeys(KINDS, 0)
    for event in events:
        found[event.kind] += event.amount
    return found
