"""`mind-skills why`: one candidate's story, put together from the ledger and the installed skills."""

from __future__ import annotations

from mind_skills.cli import explaining
from mind_skills.cli.why_report import EventReport, NearestReport, SightingReport, WhyReport
from mind_skills.learning.skills.discovery import find_installed
from mind_skills.output.candidates import state_of
from mind_skills.output.text import path_text, when
from mind_skills.plugin import pausing
from mind_skills.settings.lenient import adapts, cap, enabled
from mind_skills.staging.covered import Shelf
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.merge import rank
from mind_skills.staging.model import PENDING, PER_OFFER
from mind_skills.staging.tables.candidates import Record
from mind_skills.staging.tables.receipts import Receipt
from mind_skills.store.project import Project

_EVENTS = {
    "waits": "was found, and waits until another session sees it as well",
    "staged": "came on the list",
    "lapsed": "waits again: the other session no longer sees it",
    "withdrawn": "was taken off the list: its session no longer sees it",
    "shelved": "fell out of the full list",
    "revived": "came back, because another session saw it",
    "doubted": "became doubtful: a version that it rests on has changed",
    "merged": "was found to be one with {into}",
    "parted": "is no longer one with {from}",
    "covered": "was set aside: {skill} says it",
    "uncovered": "came back: {skill} no longer says it",
    "offered": "was told to this session",
    "rearmed": "can be told again: this session ended before it answered",
    "accepted": "became {skill}",
    "dismissed": "was refused: {reason}",
    "ignored": "was told in vain",
    "undone": "the last decision was taken back ({what})",
    "used": "its skill {skill} was used",
    "archived": "its skill was put aside, to {skill}: {reason}",
    "restored": "its skill was put back, to {skill}",
}


def explain(ledger: Ledger, record: Record, place: Project) -> WhyReport:
    """The whole answer. ``place`` is the project in which it is asked, whose skills and settings count."""
    candidate = record.candidate
    share, path = Shelf(find_installed(place.root).skills).find_nearest(candidate)
    offerable, verdict = _verdict(ledger, record, place)
    return WhyReport(
        id=candidate.id,
        title=candidate.title,
        kind=candidate.kind,
        confidence=candidate.confidence,
        state=state_of(record),
        detail=path_text(record.detail),
        offerable=offerable,
        verdict=verdict,
        probability=round(candidate.probability, 4),
        tier=explaining.tier(candidate),
        deciding=explaining.deciding(candidate),
        decided=explaining.decided(candidate, ledger.read_taste(place)) if adapts(place.root) else None,
        rank=round(rank(candidate), 3),
        parts=explaining.parts(candidate),
        nearest=NearestReport(path=path_text(path), share=round(share, 2)) if path else None,
        seen=_seen(ledger, record),
        events=[_event(receipt) for receipt in ledger.list_story(record)],
    )


def _seen(ledger: Ledger, record: Record) -> list[SightingReport]:
    found: list[SightingReport] = []
    for sighting in ledger.list_sightings(record):
        known = ledger.find_session(sighting.session_id)
        lines = [evidence.line for evidence in sighting.evidence] or [0]
        found.append(
            SightingReport(
                session_id=sighting.session_id,
                host=sighting.host,
                log=path_text(known.log) if known is not None else "",
                first_line=min(lines),
                last_line=max(lines),
                at=sighting.detected_at,
            )
        )
    return found


def _event(receipt: Receipt) -> EventReport:
    detail = {"skill": "a skill", "reason": "no reason given", "what": "?", "into": "another", "from": "another"} | {
        key: path_text(str(value))
        for key, value in receipt.detail.items()
        if value and key in ("skill", "reason", "what", "into", "from")
    }
    text = _EVENTS.get(receipt.what, receipt.what)
    for key, value in detail.items():
        text = text.replace(f"{{{key}}}", value)
    if receipt.what == "staged" and receipt.detail.get("again"):
        text = "was seen again"
    if receipt.what == "staged" and receipt.detail.get("back"):
        text = "came back in another session, and with it on the list"
    return EventReport(at=receipt.at, what=receipt.what, session_id=receipt.session, text=text)


def _verdict(ledger: Ledger, record: Record, place: Project) -> tuple[bool, str]:
    """Whether a session that begins now can be told of it, and why."""
    state, detail = state_of(record), path_text(record.detail)
    if state == "pending":
        return _waiting(ledger, record, place)
    told = f"Session {record.offered_to}" if record.offered_to else "A session"
    ended = f" on {when(record.settled_at)}" if record.settled_at is not None else ""
    return False, {
        "offered": f"Not now: {told} was told of it on {when(record.candidate.injected_at)} and has not ended yet.",
        "waiting": "No: it is not sure enough to be told after one session. It is once another session of the project sees it.",
        "accepted": f"No: it became the skill {detail}{ended}.",
        "dismissed": f"No: it was refused{ended}, for good: {detail}. `mind-skills undo` takes the last refusal back.",
        "ignored": f"No: {told} was told of it and made nothing of it. It waits again once another session sees it.",
        "shelved": f"No: {PENDING} better ones waited. It waits again once another session sees it.",
        "merged": f"Not by itself: it is one learning with {detail}, which is told instead.",
        "covered": f"No: the installed skill {detail} says it already. It waits again when that skill goes.",
    }.get(state, f"No: it is {state}.")


def _waiting(ledger: Ledger, record: Record, place: Project) -> tuple[bool, str]:
    if not enabled(place.root):
        return False, "Not now: mind-skills is switched off in this project."
    if pausing.is_paused_here(place.root):
        return False, "Not now: mind-skills is paused; `mind-skills resume` goes on."
    number, of = ledger.find_place_in_line(record)
    most = min(cap(place.root, "per_offer"), PER_OFFER)
    line = f"it is number {number} of {of} that wait" if of > 1 else "it is the only one that waits"
    if number > most:
        return False, f"Not to the next session, which is told of the best {most}: {line}."
    others = (
        "any session but the one that learned it" if len(ledger.list_sightings(record)) == 1 else "the next session"
    )
    return True, f"Yes, to {others}: {line}, and nobody was told of it."
