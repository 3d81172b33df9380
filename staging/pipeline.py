"""What checkpoint, session end, watch and replay share: a log is analysed with its project's settings, and its findings staged."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from mind_skills.digest.model import EpisodeDigest
from mind_skills.digest.session import combine
from mind_skills.errors import LogError
from mind_skills.learning.rules import load_learning_config, load_rules
from mind_skills.observations.incremental import SavedState
from mind_skills.observations.read import stat_log
from mind_skills.settings.lenient import get_cap
from mind_skills.staging.analyse import Analysis, analyse, analyse_growing_log
from mind_skills.staging.error_meter import SessionError
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate
from mind_skills.staging.tables.reminders import Reminder
from mind_skills.staging.tables.sessions import ReportedSession, SkillUseRecord

LogAnalyser = Callable[[Path, SavedState | None], Analysis]
"""Analyses a growing log, given the state saved by an earlier run."""
Claim = tuple[str, bool, bool, int, list[str]]
"""What the agent was told when a command failed (hooks/failure.py: ``read_claims``)."""


class Findings(NamedTuple):
    """The analysis of a log, and the ids of the candidates that it added."""

    analysis: Analysis
    new_ids: tuple[str, ...]


def analyse_for_project(path: Path, project: str = "") -> Analysis:
    """Analyse a log with the settings of ``project``, by default those of the project named in the log."""
    return apply_settings(analyse(path), project)


def analyse_increment_for_project(path: Path, saved: SavedState | None, project: str = "") -> Analysis:
    """Analyse a growing log like ``analyse_for_project``, given the state saved by an earlier run."""
    return apply_settings(analyse_growing_log(path, saved), project)


def apply_settings(analysis: Analysis, project: str) -> Analysis:
    """Apply the limit of candidates and the scoring of the project (by default, of the one in the log) to ``analysis``,
    and return it.
    """
    root = project or analysis.session.project
    analysis.max_candidates = get_cap(root, "per_session")
    analysis.rescore(load_learning_config(root))
    return analysis


def stage_log(
    ledger: Ledger,
    session: ReportedSession,
    at: int,
    analyse_log: Callable[[Path], Analysis],
    find_command: Callable[[], str],
    read_claims: Callable[[], Sequence[Claim]] | None,
    *,
    forked_at: int = 0,
    must_read: bool = False,
) -> Findings | None:
    """Analyse a log and stage its findings; None if it is missing, empty or, without ``must_read``, unchanged. Only the
    last run, which gets ``read_claims``, decides outcome and votes. The attempt is recorded first, as some logs
    crash their reader. ``forked_at`` is UTC ms, 0 for no fork. Raises LogError.
    """
    if (log := locate_log(session.log)) != session.log:
        ledger.register_session(session.session_id, session.host, session.project, log, session.seen_at)
        session = session._replace(log=log)
    size, mtime = measure_log(session.log)
    has_changed = (size, mtime) != (session.size, session.mtime)
    if size < 0 or not (has_changed or must_read):
        return None
    ledger.set_attempts(session.session_id, session.attempts + 1)
    try:
        analysis = analyse_log(Path(session.log))
    except LogError as error:
        if error.code in ("empty", "not_found"):
            ledger.set_attempts(session.session_id, session.attempts)
            return None
        raise
    rules = load_rules(session.project.root)
    analysis.digest.episodes = _combine_episodes(ledger, session, analysis)
    candidates = [*_list_older(ledger, session, analysis), *analysis.candidates]
    if forked_at:
        # A fork's log begins with a copy of its parent's, which is not a recurrence.
        candidates = ledger.exclude_seen_by_others(session.project, session.session_id, candidates)
    skills = None
    if candidates or read_claims is not None or ledger.has_coverable(session.project):
        from mind_skills.learning.skills.discovery import find_installed_skills

        skills = find_installed_skills(session.project.root).skills
    new: tuple[str, ...] = ()
    # After most turns, there is nothing to add, to withdraw or to cover.
    if skills is not None or ledger.list_fingerprints(session.project.id, session.session_id):
        new = ledger.stage(
            session.project,
            session.session_id,
            session.host,
            candidates,
            at,
            skills,
            rules.learning,
            analysis.max_candidates,
        ).new
    ledger.put_digest(session.session_id, session.project.id, analysis.digest, at)
    ledger.update_error_index(session.project.id, find_command(), skills)
    uses: list[SkillUseRecord] = []
    if analysis.skills_used:
        from mind_skills.staging.session_skills import find_used_skills

        uses = find_used_skills(analysis, session.project.root, session.host, forked_at)
    if read_claims is not None:
        from mind_skills.staging import memory_records
        from mind_skills.staging.session_votes import credit_session

        # Before the outcome is stored: if this is interrupted, the log is read again, since the outcome is missing.
        credit_session(ledger.home, session, analysis, at, rules, is_fork=bool(forked_at))
        if not forked_at:  # the parent's record already covers the copied part
            memory_records.remember_session(
                ledger.home, session.project, session.host, session.session_id, analysis, at
            )
        memory_records.taint_agent_records(ledger.home, session.session_id, analysis.episode.taint)
    errors_met = [error for error in analysis.errors if error.at is None or error.at >= forked_at]
    ledger.store_analysis(session, uses, analysis.outcome if read_claims is not None else None, at, errors_met)
    if read_claims is not None:
        _store_reminders(ledger, session, errors_met, read_claims())
    # Measured before reading, so that lines appended meanwhile count as growth next time.
    ledger.set_checkpoint(session.session_id, size, mtime, at)
    return Findings(analysis, new)


def _store_reminders(
    ledger: Ledger, session: ReportedSession, errors: list[SessionError], claims: Iterable[Claim]
) -> None:
    """Store what the session was told at failures (hooks/failure.py)."""
    signatures = {error.key: error.signature for error in errors if error.key}
    reminders = [
        Reminder(
            session.session_id, name, next((signatures[key] for key in keys if key in signatures), ""), skill, shown, at
        )
        for name, skill, shown, at, keys in claims
    ]
    if reminders:
        ledger.put_reminders(session.project.id, session.session_id, reminders)


def _combine_episodes(ledger: Ledger, session: ReportedSession, analysis: Analysis) -> list[EpisodeDigest]:
    """Combine the episodes of this run with those of the part of the log that was not read again."""
    earlier = ledger.find_digest(session.session_id) if analysis.first_line > 1 else None
    if earlier is None:
        return analysis.digest.episodes
    return combine(earlier.episodes, analysis.digest.episodes, analysis.first_line)


def _list_older(ledger: Ledger, session: ReportedSession, analysis: Analysis) -> list[Candidate]:
    """List the candidates from an earlier log of the session, which was truncated or moved before the session resumed."""
    log_start = analysis.session.started or 0
    if analysis.first_line > 1:
        return []
    staged = ledger.list_staged_by(session.project, session.session_id)
    return [candidate for candidate in staged if candidate.detected_at < log_start]


def locate_log(log: str) -> str:
    """Return where a log is: at ``log`` or, if its host has archived or compressed it, elsewhere."""
    if not log or os.path.exists(log):
        return log
    from mind_skills.observations.readers.codex_files import find_moved_log

    return str(find_moved_log(Path(log)) or log)


def measure_log(log: str) -> tuple[int, int]:
    """Return size and mtime (observations/read.py: ``stat_log``); -1, -1 if there is no log, as usual at a session's start."""
    if not log:  # as a path, this would be the working directory
        return -1, -1
    try:
        return stat_log(Path(log))
    except (FileNotFoundError, NotADirectoryError):
        return -1, -1
