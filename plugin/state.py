"""What the commands about candidates have in common: the time, the ledger, and a candidate as a document."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mind_skills.plugin.output import note, path_text
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.pending_file import FOLDER, NAME, PATH
from mind_skills.store.exclude import PATTERN
from mind_skills.store.home import ensure

if TYPE_CHECKING:
    from collections.abc import Generator

    from mind_skills.plugin.candidate_reports import CoveredReport, State, WaitingReport
    from mind_skills.plugin.foreign_report import ForeignReport
    from mind_skills.staging.model import Candidate
    from mind_skills.staging.tables.candidates import Record
    from mind_skills.store.project import Project


_MENDS = {
    "tracked": f"`git rm --cached {PATH}`, and commit that, where nobody needs it there; older commits keep what they hold.",
    "not_ignored": f"Let git ignore it: `{PATTERN}` behind the line that lets it in, or in the list that cannot be written.",
    "unknown": "Mend that; until git says that it ignores the file, it is not written.",
}
"""By the kind of git's answer (store/git.py)."""


def now() -> int:
    """UTC milliseconds. Commands are where the clock is read; everything below is told the time."""
    return time.time_ns() // 1_000_000


@contextmanager
def ledger() -> Generator[Ledger]:
    """The ledger of this machine, made if need be; what went wrong beside the database is said on stderr at the end.

    Raises StoreError.
    """
    with Ledger.open(ensure()) as opened:
        yield opened
        for problem in dict.fromkeys(opened.problems):
            note(problem)


def pending_file(project: Project) -> str:
    """Where a project's pending file is, whether or not there is one."""
    return os.path.join(project.root, FOLDER, NAME)


def catch_up(opened: Ledger, project: Project) -> None:
    """Bring the list and its file up to date, so that no command shows what is no longer so.

    Skills may have come or gone since the last session, and somebody may have put another file in its place.
    """
    skills = None
    if opened.undecided(project):
        from mind_skills.learning.skills.discovery import installed

        skills = installed(project.root).skills
    if skills is not None or os.path.lexists(pending_file(project)):
        opened.project_pending(project, now(), skills)


def withheld(opened: Ledger, project: Project) -> tuple[str, str]:
    """Why the project has no pending file although something may wait, and what to do about it; empty where it may have one."""
    said = opened.withheld(project)
    if not said.kind:
        return "", ""
    path = path_text(pending_file(project))
    text = f"{path} is not written, and what waits is kept in the state folder alone: {said.detail}"
    return text, _MENDS[said.kind]


def waiting_report(candidate: Candidate) -> WaitingReport:
    """A candidate of the list as a document."""
    from mind_skills.plugin.candidate_fields import candidate_fields
    from mind_skills.plugin.candidate_reports import WaitingReport

    return WaitingReport.of(candidate_fields(candidate) | {"injected_at": candidate.injected_at})


def covered_reports(opened: Ledger, project: Project) -> list[CoveredReport]:
    """What an installed skill says already."""
    from mind_skills.plugin.candidate_reports import CoveredReport

    return [
        CoveredReport(id=record.candidate.id, title=record.candidate.title, skill=path_text(record.detail))
        for record in opened.covered(project)
    ]


def state_of(record: Record) -> State:
    """Where a candidate stands; one that waits and was offered to a session that still runs is `offered`."""
    return "offered" if record.state == "pending" and record.offered_to else record.state


def foreign_reports(opened: Ledger, project: Project) -> list[ForeignReport]:
    """What others put into the project's pending file."""
    found = opened.foreign(project)
    if not found:
        return []
    from mind_skills.observations.personal import redact_personal
    from mind_skills.observations.redaction import redact
    from mind_skills.plugin.foreign_report import ForeignReport

    return [
        ForeignReport(id=redact(str(form["id"])), title=redact_personal(redact(str(form.get("title", "")))))
        for form in found
    ]
