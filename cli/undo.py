"""`mind-skills undo`: the last decision did not happen."""

from __future__ import annotations

from typing import Literal

from mind_skills.cli import options
from mind_skills.cli.patterns import OpenPatterns, open_patterns
from mind_skills.errors import MindSkillsError
from mind_skills.hooks import remember
from mind_skills.learning.decisions import Decision
from mind_skills.output import state
from mind_skills.output.candidates import state_of
from mind_skills.output.document import Report
from mind_skills.output.state import choose_project
from mind_skills.output.text import emit, line, when
from mind_skills.staging.decisions import state_before
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables.candidates import Record
from mind_skills.staging.tables.receipts import Receipt
from mind_skills.store.project import Project


class UndoReport(Report):
    """The decision that was taken back, or with ``--dry-run`` would be.

    ``id`` and ``title`` are the candidate's, or the strategy's. ``state`` is where it stands afterwards: a candidate's
    state, a strategy's maturity, or `gone` where it was not known before. ``detail`` is a candidate's skill or reason,
    ``session`` who decided, empty for a person; ``at`` is when.
    """

    version: Literal[1] = 1
    done: Literal["undone", "would_undo"]
    subject: Literal["candidate", "pattern"]
    what: Literal["accepted", "dismissed", "approved", "vote", "deprecated", "reset", "pinned", "unpinned"]
    id: str
    title: str
    state: str
    detail: str
    session: str
    at: int


_WHAT = {
    "accepted": "accepted as a skill",
    "dismissed": "dismissed",
    "approved": "kept",
    "vote": "a vote",
    "deprecated": "given up",
    "reset": "reset",
    "pinned": "pinned",
    "unpinned": "no longer pinned",
}


@options.command("mind-skills undo --dry-run", "mind-skills undo")
@options.dry_run
@options.project_and_json
def command(dry_run: bool, project: str, as_json: bool) -> None:
    """Take back the last decision in this project, whoever made it.

    That is a candidate kept, accepted or dismissed, the vote of a session on a strategy, or a strategy given up, reset or
    pinned by hand. All of it is again what it was before; a vote that was taken back does not return when its session is
    looked at once more. Run it again to take back the one before that.
    """
    place = choose_project(project)
    with state.open_ledger() as ledger, open_patterns(place) as patterns:
        report = last(ledger, patterns, place) if dry_run else undo(ledger, patterns, place, state.now())
    if report is None:
        hint = "Nothing was decided there, or all of it has been taken back; --project DIR names another project."
        raise MindSkillsError("nothing_to_undo", f"there is nothing to take back in {place.root}", hint)
    emit(report, as_json, lambda: _show(report))


def _show(report: UndoReport) -> None:
    done = report.done == "undone"
    stands = f"{report.id} {'is' if done else 'would be'} {report.state} again"
    if report.state == "gone":
        stands = f"nothing {'is' if done else 'would be'} known of {report.id} any more"
    line(f"{'Taken back' if done else 'Would be taken back'}: {stands}.\n  {report.title}")
    line(f"  {_WHAT[report.what]} {_who(report)}, {when(report.at)}")


def _who(report: UndoReport) -> str:
    if not report.session:
        return "by hand"
    return f"by session {report.session}"


def last(ledger: Ledger, patterns: OpenPatterns, place: Project) -> UndoReport | None:
    """What ``undo`` would take back: the newest decision of the project; None where there is none left."""
    about, decision = ledger.find_undoable(place), patterns.credit.undoable(place.id)
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
        remember.update_accepted(ledger, place, now)
        stands = {} if record is None else {"state": state_of(record), "detail": record.detail}
        return found.but(done="undone", **stands)
    patterns.credit.undo(place.id)
    patterns.renew_advice(now)
    return found.but(done="undone")


def _of_candidate(receipt: Receipt, record: Record) -> UndoReport:
    was = state_before(receipt)
    return UndoReport(
        done="would_undo",
        subject="candidate",
        what=_decided(receipt.what),
        id=record.candidate.id,
        title=record.candidate.title,
        state=was.state,
        detail=was.detail,
        session=receipt.session,
        at=receipt.at,
    )


def _decided(what: str) -> Literal["accepted", "dismissed", "approved"]:
    return "accepted" if what == "accepted" else "approved" if what == "approved" else "dismissed"


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
