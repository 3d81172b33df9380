"""The side of the ledger that is about installed skills: those that were put aside, and what each learning is worth by now."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from mind_skills.staging import archive

if TYPE_CHECKING:
    from mind_skills.learning.maturity import MaturityConfig
    from mind_skills.staging.archive import Archived
    from mind_skills.staging.records import Record
    from mind_skills.staging.trust import Trust
    from mind_skills.store.database import Database
    from mind_skills.store.project import Project


class SkillLedger:
    """Part of ``Ledger`` (staging/ledger.py), which opens the database. All times are UTC milliseconds."""

    _database: Database

    def archived(self, project: Project | None = None) -> list[Archived]:
        """The skills that stand in an archive now, the newest first; put there from one project, or from any."""
        by_place = {each.target: each for each in reversed(self.archive_rows(project)) if each.stands}
        return sorted(by_place.values(), key=lambda each: -each.n)

    def archive_rows(self, project: Project | None = None) -> list[Archived]:
        """The same with those that have been moved back or were never moved."""
        with self._database.reading() as sql:
            return archive.rows(sql, project.id if project else None)

    def archiving(
        self, project: Project, name: str, source: str, target: str, candidate: str, reason: str, at: int
    ) -> int:
        """Note what is about to be moved, before it is; returns its number for ``not_archived``."""
        # Waited for until it is on the disk: a power cut must not take the note back and leave the folder moved.
        self._database.sql.execute("PRAGMA synchronous=FULL")
        with self._database.writing() as sql:
            return archive.begin(sql, project.id, name, source, target, candidate, reason, at)

    def not_archived(self, number: int) -> None:
        """Forget what could not be moved."""
        with self._database.writing() as sql:
            archive.drop(sql, number)

    def was_archived(self, record: Record, folder: str, reason: str, at: int) -> None:
        """Put it down in the candidate's story that its skill now stands at ``folder``."""
        with self._database.writing() as sql:
            archive.note(sql, record, "archived", folder, reason, at)

    def restored(self, what: Archived, record: Record | None, at: int) -> None:
        """Put down that a skill stands in its place again."""
        with self._database.writing() as sql:
            archive.restored(sql, what.n, at)
            if record is not None:
                archive.note(sql, record, "restored", what.source, what.reason, at)

    def roots(self, project: Project) -> list[str]:
        """The folders of a project: its own, and those of its worktrees that sessions ran in."""
        with self._database.reading() as sql:
            found = sql.execute("SELECT root FROM places WHERE project = ? ORDER BY root", (project.id,)).fetchall()
        return [os.fsdecode(row[0]) for row in found]

    def trust(self, now: int, config: MaturityConfig | None = None) -> Trust:
        """What a learning is worth by the skill that it became, by the documents' numbers or these; see staging/trust.py."""
        from mind_skills.learning import maturity
        from mind_skills.staging import trust

        with self._database.reading() as sql:
            return trust.trust(sql, now, config or maturity.DEFAULTS)
