"""The side of the ledger that is about sessions: which were seen, how far they were looked at, what they used."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mind_skills.staging import errors_met, projection, sessions, usage
from mind_skills.staging.form import readable

if TYPE_CHECKING:
    from mind_skills.learning.outcome import Outcome
    from mind_skills.learning.scoring import OutcomeType
    from mind_skills.staging.error_meter import Met
    from mind_skills.staging.errors_met import ErrorMet
    from mind_skills.staging.model import Candidate
    from mind_skills.staging.sessions import Seen
    from mind_skills.staging.usage import Ended, Use, UsedSkill
    from mind_skills.store.database import Database
    from mind_skills.store.project import Project


class SessionLedger:
    """Part of ``Ledger`` (staging/ledger.py), which opens the database. All times are UTC milliseconds."""

    _database: Database

    def seen(self, session_id: str, host: str, project: Project, log: str, at: int) -> None:
        """Register a session for recovery, or that it goes on: it is unfinished from now on."""
        with self._database.writing() as sql:
            sessions.seen(sql, session_id, host, project, log, at)
            projection.register(sql, project)

    def session(self, session_id: str) -> Seen | None:
        """What is known of a session: its project, log and checkpoint cursor."""
        with self._database.reading() as sql:
            return sessions.session(sql, session_id)

    def unfinished(self) -> list[Seen]:
        """The sessions that were seen and not finished, in the order in which to try them (staging/sessions.py)."""
        with self._database.reading() as sql:
            return sessions.unfinished(sql)

    def believe(self, now: int, latest: int) -> None:
        """What is over, but said to be of a time after ``latest``, is of ``now`` (UTC ms): silence is counted from here on."""
        with self._database.reading() as sql:
            wrong = sessions.ahead(sql, latest)
        if wrong:  # nearly never
            with self._database.writing() as sql:
                sessions.believe(sql, now, latest)

    def finished_since(self, since: int) -> list[Seen]:
        """The sessions with a log that were finished after ``since``, the oldest first."""
        with self._database.reading() as sql:
            return sessions.finished_since(sql, since)

    def new_to_others(self, project: Project, session_id: str, candidates: Iterable[Candidate]) -> list[Candidate]:
        """Those of ``candidates`` that no other session of the project has learned: of a copy of another's log, its own.

        What the copy holds may be found there with another end or another beginning, since what came afterwards counts, too:
        it is the same where most of its evidence is.
        """
        others = "SELECT fingerprint, body FROM sightings WHERE project = ? AND session <> ?"
        with self._database.reading() as sql:
            rows = sql.execute(others, (project.id, session_id)).fetchall()
        marks = {str(row[0]) for row in rows}
        shown = [_shown(each) for each in readable(row[1] for row in rows)]
        return [
            each
            for each in candidates
            if each.fingerprint not in marks
            and not any(2 * len(_shown(each) & other) > min(len(_shown(each)), len(other)) for other in shown)
        ]

    def finished(self, session_id: str, at: int) -> bool:
        """Mark a session as finished, and count what it used; True only for the caller that did it."""
        with self._database.writing() as sql:
            done = sessions.finished(sql, session_id, at)
            if done:
                usage.credit(sql, session_id, at)
        return done

    def looked(
        self, seen: Seen, uses: Iterable[Use], outcome: Outcome | None, at: int, met: Iterable[Met] = ()
    ) -> None:
        """Put down which skills a session used, how it stands (staging/usage.py), and what it ``met`` where that is known."""
        with self._database.writing() as sql:
            usage.looked(sql, seen.session_id, seen.project.id, uses, outcome, at)
            if outcome is not None:
                errors_met.put(sql, seen.session_id, seen.project.id, met, at)

    def errors_met(self, project: Project) -> list[ErrorMet]:
        """Which errors the finished sessions of a project met, the oldest first; see staging/errors_met.py."""
        with self._database.reading() as sql:
            return errors_met.met(sql, project.id)

    def judged(self, session_id: str) -> bool:
        """Whether the last look at a session's log was at the whole of it, so that its outcome is known."""
        with self._database.reading() as sql:
            return usage.judged(sql, session_id)

    def stands(self, session_id: str) -> OutcomeType:
        """How a session stood when the whole of its log was looked at last; unknown where that was not yet."""
        with self._database.reading() as sql:
            return usage.outcome(sql, session_id)

    def skills_used(self, project: Project | None = None) -> list[UsedSkill]:
        """The skills that sessions used, once a session, the oldest first."""
        with self._database.reading() as sql:
            return usage.used(sql, project.id if project else None)

    def outcomes(self, project: Project | None = None) -> list[Ended]:
        """How the finished sessions came out, the oldest first."""
        with self._database.reading() as sql:
            return usage.ended(sql, project.id if project else None)

    def checkpoint(self, session_id: str, size: int, mtime: int, at: int) -> None:
        """Note how far a session's log was looked at: its size in bytes, its mtime in ns."""
        with self._database.writing() as sql:
            sessions.checkpoint(sql, session_id, size, mtime, at)

    def tried(self, session_id: str, times: int) -> None:
        """Note how often reading a session's log was begun in vain; before it is begun once more."""
        with self._database.writing() as sql:
            sessions.tried(sql, session_id, times)

    def answered(self, session_id: str, at: int) -> None:
        """Note that the agent of a session answered, for sessions that leave no log to see it in."""
        with self._database.writing() as sql:
            sql.execute("UPDATE offers SET answered_at = ? WHERE session = ? AND answered_at IS NULL", (at, session_id))

    def left_over(self, before: int) -> list[tuple[str, bool]]:
        """Offers older than ``before`` (UTC ms) whose session will not settle them; see staging/sessions.py."""
        with self._database.reading() as sql:
            return sessions.left_over(sql, before)


def _shown(candidate: Candidate) -> set[tuple[str, str]]:
    return {(each.summary, each.content) for each in candidate.evidence}
