"""Taking back the last decision of a project, be it about a candidate or about a strategy."""

from __future__ import annotations

from mind_skills.cli.undo_report import UndoReport
from mind_skills.hooks import remember
from mind_skills.learning.decisions import Decision
from mind_skills.plugin.patterns import OpenPatterns
from mind_skills.plugin.state import state_of
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.records import Receipt, Record
from mind_skills.staging.verdicts import before
from mind_skills.store.project import Project


def last(ledger: Ledger, patterns: OpenPatterns, place: Project) -> UndoReport | None:
    """What ``undo`` would take back: the newest decision of the project; None where there is none left."""
    about, decision = ledger.undoable(place), patterns.credit.undoable(place.id)
    if about is not None and (decision is None or about[0].at >= decision.at):
        return _of_candidate(*about)
    return None if decision is None else _of_pattern(patterns, decision)


def undo(ledger: Ledger, patterns: OpenPatterns, place: Project, now: int) -> UndoReport | None:
    """Take back the newest decision of the project; None where there is none left. Raises StoreError, OSError."""
    found = last(ledger, patterns, place)
    if found is None:
        return None
    if found.subject == "candidate":
        record = ledger.undo(now, place)
        remember.accepted(ledger, place, now)
        stands = {} if record is None else {"state": state_of(record), "detail": record.detail}
        return found.but(done="undone", **stands)
    patterns.credit.undo(place.id)
    patterns.changed(now)
    return found.but(done="undone")


def _of_candidate(receipt: Receipt, record: Record) -> UndoReport:
    was = before(receipt)
    return UndoReport(
        done="would_undo",
        subject="candidate",
        what="accepted" if receipt.what == "accepted" else "dismissed",
        id=record.candidate.id,
        title=record.candidate.title,
        state=was.state,
        detail=was.detail,
        session=receipt.session,
        at=receipt.at,
    )


def _of_pattern(patterns: OpenPatterns, decision: Decision) -> UndoReport:
    was = decision.before
    known = {each.pattern.id: each.pattern for each in patterns.credit.standings(patterns.project.id)}
    pattern = was.pattern or known.get(decision.pattern_id)
    return UndoReport(
        done="would_undo",
        subject="pattern",
        what=decision.what,
        id=decision.pattern_id.rpartition("/")[2],
        title=pattern.content if pattern is not None else "",
        state=was.maturity.state if was.maturity is not None else "gone" if was.pattern is None else "candidate",
        detail="",
        session=decision.source,
        at=decision.at,
    )
