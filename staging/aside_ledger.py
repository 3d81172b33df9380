"""The side of the ledger that is about one candidate's story, about those that wait aside, and about how many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mind_skills.staging import covered, records
from mind_skills.staging.form import readable

if TYPE_CHECKING:
    from mind_skills.staging.model import Candidate
    from mind_skills.staging.records import Receipt, Record, State
    from mind_skills.store.database import Database
    from mind_skills.store.project import Project


class AsideLedger:
    """Part of ``Ledger`` (staging/ledger.py), which opens the database. All times are UTC milliseconds."""

    _database: Database

    def undecided(self, project: Project) -> bool:
        """Whether the installed skills matter here: something waits that was not offered, or is covered by one."""
        with self._database.reading() as sql:
            return covered.undecided(sql, project.id)

    def covered(self, project: Project) -> list[Record]:
        """What an installed skill says already, best first; ``detail`` is that skill's path."""
        with self._database.reading() as sql:
            return covered.aside(sql, project.id)

    def ended(self, project: Project, state: State) -> list[Record]:
        """The candidates of a project that came to this end, the oldest end first."""
        with self._database.reading() as sql:
            return records.records(sql, "project = ? AND state = ? ORDER BY settled_at, id", (project.id, state))

    def states(self, project: Project) -> dict[str, str]:
        """Where each candidate of a project stands, by its id."""
        with self._database.reading() as sql:
            return dict(sql.execute("SELECT id, state FROM candidates WHERE project = ?", (project.id,)).fetchall())

    def told(self, project: Project) -> dict[str, dict[str, int]]:
        """The receipts of a project, counted: of each kind (``Receipt.what``) how many each candidate has."""
        found: dict[str, dict[str, int]] = {}
        counted = "SELECT what, candidate, count(*) FROM receipts WHERE project = ? GROUP BY what, candidate"
        with self._database.reading() as sql:
            for what, candidate, times in sql.execute(counted, (project.id,)).fetchall():
                found.setdefault(what, {})[candidate] = times
        return found

    def running(self, project: Project) -> int:
        """How many sessions of a project were seen and not finished."""
        with self._database.reading() as sql:
            unfinished = "SELECT count(*) FROM sessions WHERE finished_at IS NULL AND project = ?"
            return int(sql.execute(unfinished, (project.id,)).fetchone()[0])

    def any_harm(self, project: Project) -> bool:
        """Whether a finished session that used a skill came out harmful: without that no skill fails for sure."""
        harmed = (
            "SELECT 1 FROM skills_used JOIN outcomes USING (session) JOIN sessions USING (session)"
            " WHERE skills_used.project = ? AND outcomes.type = 'harmful' AND finished_at IS NOT NULL LIMIT 1"
        )
        with self._database.reading() as sql:
            return sql.execute(harmed, (project.id,)).fetchone() is not None

    def any_decided(self) -> bool:
        """Whether anything was accepted or dismissed, in any project: without that no detector has a weight of its own."""
        with self._database.reading() as sql:
            decided = "SELECT 1 FROM candidates WHERE state IN ('accepted', 'dismissed') LIMIT 1"
            return sql.execute(decided).fetchone() is not None

    def seen_by(self, record: Record) -> list[Candidate]:
        """A candidate as each session saw it, the first first."""
        marks = "SELECT body FROM sightings WHERE project = ? AND fingerprint = ?"
        with self._database.reading() as sql:
            rows = sql.execute(marks, (record.project, record.candidate.fingerprint)).fetchall()
        return sorted(readable(row[0] for row in rows), key=lambda c: (c.detected_at, c.session_id))

    def story(self, record: Record) -> list[Receipt]:
        """What happened to a candidate, oldest first."""
        with self._database.reading() as sql:
            return records.receipts(sql, "project = ? AND candidate = ?", (record.project, record.candidate.id))

    def place_in_line(self, record: Record) -> tuple[int, int]:
        """(n, of): it is the n-th best of those that wait and were offered to nobody; 0 where it is none of them."""
        where = "project = ? AND state = 'pending' AND offered_to IS NULL ORDER BY rank DESC, detected_at, fingerprint"
        with self._database.reading() as sql:
            rows = sql.execute(f"SELECT fingerprint FROM candidates WHERE {where}", (record.project,)).fetchall()  # noqa: S608
        marks = [row[0] for row in rows]
        mine = record.candidate.fingerprint
        return (marks.index(mine) + 1 if mine in marks else 0, len(marks))
