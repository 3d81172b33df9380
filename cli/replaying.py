"""Replay: logs in, the report of plugin/replay_report.py out. Reads nothing but the logs, and of the settings ``user_rules``."""

from __future__ import annotations

import gc
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mind_skills.cli.replay_report import (
    FileError,
    FoundReport,
    OutcomeReport,
    ReplayReport,
    SessionReport,
    Totals,
    WarningReport,
)
from mind_skills.errors import LogError
from mind_skills.learning.outcome import Outcome
from mind_skills.observations.find_logs import Log, Sources, explain_unread
from mind_skills.observations.model import Session
from mind_skills.output.candidates import candidate_fields
from mind_skills.output.text import path_text
from mind_skills.plugin.workers import WorkerDiedError, run_each
from mind_skills.settings.lenient import tells_rules
from mind_skills.staging.analyse import Analysis, analyse
from mind_skills.staging.model import Candidate, apply_caps

if TYPE_CHECKING:
    from mind_skills.memory.model import Record


@dataclass(slots=True)
class Replayed:
    """What came of one log: either a session, or why there is none.

    ``header`` and what follows is what staging and the memory take, and there only where that is asked for.
    """

    path: Path
    report: SessionReport | None = None
    error: FileError | None = None
    header: Session | None = None
    candidates: tuple[Candidate, ...] = ()
    episode: Record | None = None
    """The session as a record of the memory, of no project; None where it is not clear how it came out."""
    ended: int | None = None
    """When the session's last observation was made (UTC milliseconds), None where the log does not say."""


def run(sources: Sources, jobs: int, progress: Callable[[], None], *, kept: bool = False) -> list[Replayed]:
    """Read all logs, ``jobs`` at a time; the answer is in the order of ``sources``. ``progress`` is called after each. Never raises.

    ``kept`` says that what was found is staged or remembered, or held against what was: without it there is the report alone.
    """
    logs = sources.logs
    # The largest first, so that no process is left alone with one when the others are done.
    order: Sequence[int] = (
        sorted(range(len(logs)), key=lambda place: -_size(logs[place])) if jobs > 1 else range(len(logs))
    )
    done: list[Replayed | None] = [None] * len(logs)
    for number, result in run_each(read if kept else read_for_report, [logs[place] for place in order], jobs):
        log = logs[order[number]]
        done[order[number]] = _lost(log.path) if isinstance(result, WorkerDiedError) else result
        progress()
    return [_failed(path, failure) for path, failure in sources.errors] + [item for item in done if item is not None]


def _size(log: Log) -> int:
    try:
        return log.path.stat().st_size
    except OSError:  # a session in a database, or gone meanwhile, of which its reader speaks
        return 0


def read(log: Log) -> Replayed:
    """Read and judge one log. Never raises: one file that is not right must not end the others."""
    return _read(log, kept=True)


def read_for_report(log: Log) -> Replayed:
    """As ``read``, but for what only staging and the memory take."""
    return _read(log, kept=False)


def _read(log: Log, *, kept: bool) -> Replayed:
    try:
        with _collecting_rarely():
            analysis = analyse(log.path, format_name=log.format, whole=kept, rules=tells_rules())
        if nothing := explain_unread(log, analysis.session, analysis.observations):
            return _failed(log.path, nothing)
    except LogError as failure:
        return _failed(log.path, failure)
    except Exception as failure:  # noqa: BLE001 -- a bug in one reader or detector: named with its place, and the other logs go on
        return _broken(log.path, failure)
    done = Replayed(log.path, session_report(log.path, analysis))
    if kept:
        from mind_skills.staging.episode import make_record

        done.header, done.candidates, done.ended = analysis.session, tuple(analysis.found), analysis.outcome.at
        name = analysis.session.session_id or log.path.name
        done.episode = make_record(None, analysis.session.host, name, analysis, analysis.outcome.at or 0)
    return done


@contextmanager
def _collecting_rarely() -> Generator[None]:
    """What is read holds no cycles, and looking for some among all that was imported takes a fiftieth of the time."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def document(results: Sequence[Replayed]) -> ReplayReport:
    """The whole report."""
    sessions = [item.report for item in results if item.report]
    errors = [item.error for item in results if item.error]
    totals = Totals(
        sessions=len(sessions),
        observations=sum(session.observations for session in sessions),
        candidates=sum(len(session.candidates) for session in sessions),
        failed=len(errors),
    )
    return ReplayReport(sessions=sessions, errors=errors, totals=totals)


def session_report(path: Path, analysis: Analysis) -> SessionReport:
    """One session as the report shows it."""
    session = analysis.session
    return SessionReport(
        path=path_text(str(path)),
        session_id=session.session_id,
        host=session.host,
        format=session.format,
        lines=session.lines,
        observations=analysis.observations,
        outcome=outcome_report(analysis.outcome),
        candidates=[found_report(candidate) for candidate in analysis.candidates],
        warnings=[WarningReport(line=caution.line, message=caution.message) for caution in session.warnings],
    )


def outcome_report(outcome: Outcome) -> OutcomeReport:
    """An outcome as the report shows it."""
    return OutcomeReport(
        type=outcome.type,
        score=None if outcome.score is None else round(outcome.score, 4),
        success=outcome.success,
        duration_ms=outcome.duration_ms,
        error_count=outcome.error_count,
        retry_count=outcome.retry_count,
        reasoning=outcome.reasoning,
    )


def _failed(path: Path, failure: LogError) -> Replayed:
    name = path_text(str(path))
    return Replayed(path, error=FileError(path=name, code=failure.code, message=str(failure), hint=failure.hint))


def _lost(path: Path) -> Replayed:
    return _failed(
        path,
        LogError("worker_died", "the process that read it was ended", "memory may have run out: try it with --jobs 1"),
    )


def _broken(path: Path, failure: Exception) -> Replayed:
    from mind_skills.output.bug import report

    return _failed(path, LogError("bug", f"{type(failure).__name__} in mind-skills", report(failure, ["replay"])))


def found_report(candidate: Candidate) -> FoundReport:
    """A candidate as `replay` shows it."""
    from mind_skills.staging.block import entry

    return FoundReport.of(candidate_fields(candidate) | {"offer": entry(apply_caps(candidate))})
