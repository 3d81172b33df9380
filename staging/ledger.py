"""The ledger: which candidates wait, for whom, and what became of them.

The one door to the state database for everybody but the start of a session (staging/claim.py). Each method is one
transaction; the pending file follows when that is committed. What goes wrong with it never stops the work: it is collected
in ``problems``.

Most commands only read, so what a method alone needs is imported in that method.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar

from mind_skills.errors import StoreError
from mind_skills.staging import claim as claiming
from mind_skills.staging import covered, flags, projection, records, verdicts
from mind_skills.staging.activity import activity as activities
from mind_skills.staging.aside_ledger import AsideLedger
from mind_skills.staging.frame import SKILLS
from mind_skills.staging.group import head
from mind_skills.staging.model import PER_SESSION
from mind_skills.staging.schema import PACKAGE, STEPS
from mind_skills.staging.session_ledger import SessionLedger
from mind_skills.staging.skill_ledger import SkillLedger
from mind_skills.store.database import Database

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Mapping
    from typing import Self

    from mind_skills.learning.criteria import CriterionWeight, FeedbackEvent
    from mind_skills.learning.scoring import LearningConfig
    from mind_skills.learning.skills.discovery import Skill
    from mind_skills.learning.taste import Taste
    from mind_skills.staging.activity import Activity
    from mind_skills.staging.claim import Offer
    from mind_skills.staging.decided import Decision
    from mind_skills.staging.form import Json
    from mind_skills.staging.model import Candidate
    from mind_skills.staging.overview import Overview
    from mind_skills.staging.records import Receipt, Record
    from mind_skills.staging.stage import Staged
    from mind_skills.staging.verdicts import Verdict as End
    from mind_skills.store.git import Verdict
    from mind_skills.store.project import Project

T = TypeVar("T")


class Ledger(SessionLedger, SkillLedger, AsideLedger):
    """Open with ``Ledger.open``, close or use as a context manager. All times are UTC milliseconds.

    Every method may raise StoreError (errors/): the database is busy, damaged, newer or unusable.
    """

    def __init__(self, database: Database, home: str) -> None:
        """Use ``open``."""
        self._database = database
        self.home = home
        self.problems: list[str] = []
        """What went wrong beside the database, in sentences: for the hook's log and for ``status``."""
        self.problems += [f"the database was damaged; it is kept as {kept}"] if (kept := database.set_aside) else []

    @classmethod
    def open(cls, home: str | os.PathLike[str], timeout: float = 10.0) -> Self:
        """Open the ledger of a state folder (store/home.py), made if need be.

        ``timeout`` is how long each transaction waits for others, in seconds.
        """
        folder = os.fspath(home)
        return cls(Database.open(folder, PACKAGE, STEPS, timeout), folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database; harmless when repeated."""
        self._database.close()

    # -- what waits --------------------------------------------------------------------------------------------------

    def stage(
        self,
        project: Project,
        session_id: str,
        host: str,
        candidates: Iterable[Candidate],
        at: int,
        skills: Iterable[Skill] | None = None,
        learning: LearningConfig | None = None,
        most: int = PER_SESSION,
        *,
        adapts: bool = True,
    ) -> Staged:
        """Replace this session's own staged candidates by these; see staging/stage.py. Ten times equals once."""
        from dataclasses import replace

        from mind_skills.learning.scoring import DEFAULTS
        from mind_skills.staging.stage import stage

        seen, already = (project.id, session_id, host, candidates, at), len(self.problems)
        done = self._change(project, lambda sql: stage(sql, *seen, skills, learning or DEFAULTS, most, adapts=adapts))
        return replace(done, problems=tuple(self.problems[already:]))

    def sightings(self, project: Project, session_id: str) -> list[Candidate]:
        """What this session has staged itself, as it saw it, best first."""
        from mind_skills.staging.stage import sightings

        with self._database.reading() as sql:
            return sightings(sql, project.id, session_id)

    def claim(self, project: Project, session_id: str, at: int, skills: str = SKILLS) -> Offer | None:
        """As ``staging.claim.claim``, over this connection."""
        with self._database.writing() as sql:
            return claiming.claim_within(sql, self.home, project, session_id, at, skills)

    def pending(self, project: Project) -> list[Candidate]:
        """What waits in a project, at most ten, best first; ``injected_at`` is set on those that were offered."""
        with self._database.reading() as sql:
            return [record.candidate for record in records.waiting(sql, project.id)]

    def foreign(self, project: Project) -> list[Json]:
        """Candidates in the pending file that this machine did not stage, as they stand there. Never offered."""
        with self._database.reading() as sql:
            found, problems = projection.foreign(sql, project)
        self.problems += problems
        return found

    def withheld(self, project: Project) -> Verdict:
        """Why the pending file is not written in this folder, as git said when it was asked last (store/git.py)."""
        with self._database.reading() as sql:
            return projection.withheld(sql, project)

    def project_pending(self, project: Project, at: int, skills: Iterable[Skill] | None = None) -> None:
        """Write the pending file where it differs from the database.

        With the installed ``skills``, what they cover is set aside, and what they cover no more waits again.
        """
        self._change(project, lambda sql: None if skills is None else covered.apply(sql, project.id, skills, at))

    def rewrite_pending(self) -> None:
        """Write the pending files of all projects as the database has them."""
        with self._database.reading() as sql:
            projects = [row[0] for row in sql.execute("SELECT DISTINCT project FROM places ORDER BY project")]
        self._write(projects)

    # -- offers ------------------------------------------------------------------------------------------------------

    def offer_of(self, session_id: str) -> Offer | None:
        """The offer that a session got, also after its end."""
        with self._database.reading() as sql:
            return claiming.offer_of(sql, session_id)

    def offered(self, session_id: str) -> list[Candidate]:
        """The candidates that a session was offered, of whatever project it was then."""
        with self._database.reading() as sql:
            return [each.candidate for each in records.records(sql, "offered_to = ?", (session_id,))]

    def rearm(self, session_id: str, at: int) -> bool:
        """Take back an offer that nobody saw; False if there is none, or if it has been settled."""
        with self._database.writing() as sql:
            if not (held := claiming.offer_of(sql, session_id)) or held.settled:
                return False
            projects = _projects_of_offer(sql, session_id)
            verdicts.rearm(sql, session_id, at)
            flags.put(flags.session_flag(self.home, session_id), up=False)
            self._raise_flags(sql, projects)
        self._write(projects)
        return True

    def settle(self, session_id: str, what: Mapping[str, End], at: int) -> list[Record]:
        """End the offer of a session: ``what`` maps candidate ids to ("accepted", skill path), ("dismissed", reason)
        or ("ignored", ""); those not named are ignored. Candidates offered to nobody or to others stay.

        Returns the records that changed. Repeated, it changes nothing.
        """
        with self._database.writing() as sql:
            projects = _projects_of_offer(sql, session_id)
            changed = verdicts.settle(sql, session_id, what, at)
            flags.put(flags.session_flag(self.home, session_id), up=False)
            self._raise_flags(sql, projects)
        self._write(projects)
        return changed

    # -- what a person or an agent says -----------------------------------------------------------------------------

    def accept(self, candidate_id: str, skill_path: str, at: int, project: Project | None = None) -> Record:
        """Mark a candidate as turned into the skill at ``skill_path``. Ids as in ``find``."""
        return self._decide(candidate_id, ("accepted", skill_path), at, project)

    def dismiss(self, candidate_id: str, reason: str, at: int, project: Project | None = None) -> Record:
        """Refuse a candidate for good: its fingerprint is never staged again in its project. Ids as in ``find``."""
        return self._decide(candidate_id, ("dismissed", reason), at, project)

    def undo(self, at: int, project: Project | None = None) -> Record | None:
        """Take back the last acceptance or dismissal (of one project, or of all); None if there is none left."""
        with self._database.writing() as sql:
            record = verdicts.undo(sql, at, project.id if project else None)
            projects = [] if record is None else [record.project]
            self._raise_flags(sql, projects)
        self._write(projects)
        return record

    def undoable(self, project: Project) -> tuple[Receipt, Record] | None:
        """The acceptance or dismissal that ``undo`` would take back, and its candidate as it is now."""
        with self._database.reading() as sql:
            return verdicts.undoable(sql, project.id)

    # -- what is known ----------------------------------------------------------------------------------------------

    def find(self, candidate_id: str, project: Project | None = None) -> Record:
        """The candidate with this id, or the one whose id begins so (with or without ``sc_``), whatever its state.

        Of ``project`` alone, where one is named. Raises UnknownIdError, OtherProjectError, AmbiguousIdError.
        """
        with self._database.reading() as sql:
            return records.named(sql, candidate_id, project)

    def history(self, project: Project | None = None) -> list[Record]:
        """What was accepted, dismissed, ignored, shelved or covered, the oldest end first; of one project, or of all."""
        place, values = ("AND project = ?", (project.id,)) if project else ("", ())
        with self._database.reading() as sql:
            return records.records(
                sql, f"state NOT IN ('pending', 'waiting') {place} ORDER BY settled_at, project, id", values
            )

    def receipts(self, project: Project | None = None) -> list[Receipt]:
        """The append-only log, oldest first."""
        where, values = ("project = ?", (project.id,)) if project else ("1", ())
        with self._database.reading() as sql:
            return records.receipts(sql, where, values)

    def counts(self, project: Project | None = None) -> dict[str, int]:
        """How many receipts there are of each kind: the denominators of ``status``."""
        where, values = ("WHERE project = ?", (project.id,)) if project else ("", ())
        with self._database.reading() as sql:
            rows = sql.execute(f"SELECT what, count(*) FROM receipts {where} GROUP BY what ORDER BY what", values)  # noqa: S608
            return dict(rows)

    def criteria(self, now: int, learning: LearningConfig | None = None) -> dict[str, CriterionWeight]:
        """How much each detector's candidates are worth by now (UTC ms); see staging/criteria.py."""
        from mind_skills.learning.scoring import DEFAULTS
        from mind_skills.staging.criteria import weights

        with self._database.reading() as sql:
            return weights(sql, now, learning or DEFAULTS)

    def decided(self) -> dict[str, list[FeedbackEvent]]:
        """What was decided about each detector's candidates, the oldest first; see staging/criteria.py."""
        from mind_skills.staging.criteria import events

        with self._database.reading() as sql:
            return events(sql)

    def taste(self, project: Project) -> Taste:
        """What the decisions of a project say of its user; see staging/decided.py."""
        from mind_skills.staging.decided import taste

        with self._database.reading() as sql:
            return taste(sql, project.id)

    def decisions(self) -> tuple[list[Decision], int]:
        """The decisions of all projects about candidates with a probability, in their order, and how many others there are."""
        from mind_skills.staging.decided import decisions, unknown

        with self._database.reading() as sql:
            return decisions(sql), unknown(sql)

    def overview(self, project: Project | None = None) -> Overview:
        """All that is known of a project, or of all, as of one moment; see staging/overview.py."""
        from mind_skills.staging.overview import read_overview

        with self._database.reading() as sql:
            return read_overview(sql, None if project is None else project.id)

    def activity(self) -> list[Activity]:
        """How far each host's loop has got, in all projects."""
        with self._database.reading() as sql:
            return activities(sql)

    # -- inside -----------------------------------------------------------------------------------------------------

    def _change(self, project: Project, work: Callable[[sqlite3.Connection], T]) -> T:
        with self._database.writing() as sql:
            projection.register(sql, project)
            result = work(sql)
            self._raise_flags(sql, [project.id])
        self._write([project.id])
        return result

    def _raise_flags(self, sql: sqlite3.Connection, projects: Iterable[str]) -> None:
        for project in projects:
            claiming.sync_flag(sql, self.home, project)

    def _write(self, projects: Iterable[str]) -> None:
        """Have the pending files say what was committed. Where that cannot be done now, the next change does it."""
        for project in projects:
            try:
                self.problems += projection.write(self._database, project)
            except StoreError as error:
                self.problems.append(str(error))

    def _decide(self, candidate_id: str, verdict: End, at: int, project: Project | None) -> Record:
        with self._database.writing() as sql:
            found = head(sql, records.named(sql, candidate_id, project))  # of what is merged, all of it
            verdicts.decide(sql, found, verdict, at)
            self._raise_flags(sql, [found.project])
            decided = records.by_fingerprint(sql, found.project, found.candidate.fingerprint) or found
        self._write([found.project])
        return decided


def _projects_of_offer(sql: sqlite3.Connection, session_id: str) -> list[str]:
    return [row[0] for row in sql.execute("SELECT project FROM offers WHERE session = ?", (session_id,)).fetchall()]
