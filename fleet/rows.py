"""The row that a scan writes for a session: typed text, numbers and hashes; titles, paths and ids only with `--titles`."""

from __future__ import annotations

import importlib
import re
import time
from pathlib import Path
from typing import Any

from mind_skills.errors import LogError
from mind_skills.fleet.listing import Entry
from mind_skills.fleet.typed import hash_family, hash_text, reduce_command, reduce_error, reduce_model, reduce_skill
from mind_skills.observations.find_logs import Log
from mind_skills.staging.analyse import Analysis
from mind_skills.staging.error_meter import SessionError
from mind_skills.staging.model import Candidate

Row = dict[str, Any]
"""A session, or a file without one, as values by column name; the columns are listed below."""
READ, SET_ASIDE, PASSED_OVER = "read", "set_aside", "passed_over"
"""Values of ``status``: a session that was read; a file that could not be read (see ``reason``); a file of another program."""
STORAGE_REASONS = ("not_found", "storage", "unreadable", "no_permission")
"""Reasons that say nothing of a log, only that it could not be read then. Each later scan tries again."""
CHILD_REASONS = ("worker_died", "timeout", "memory")
"""Reasons that may be the log's, or those of a machine that was short of memory or of a storage that stalled."""
MAX_SCANS = 3
"""After how many scans with one of ``CHILD_REASONS`` it counts as the log's."""
MODEL_BYTES = 512 * 1024
"""How much of the beginning of a log is searched for the name of the model."""
_MODEL = re.compile(rb'"(?:model|modelID|model_slug)"\s{0,4}:\s{0,4}"([^"\\]{1,80})"')
_PLACEHOLDER_MODELS = ("<synthetic>", "")

_COLUMNS = """entry:string log:string changed:int64 size:int64 status:string reason:string session:string project:string host:string
    format:string model:string week:string outcome:string minutes:float64 tries:int32 observations:int32 session_id:string uri:string
    scans:int32"""
_NESTED_COLUMNS = {
    "findings": """exact:string family:string kind:string tier:string probability:float64 code:string error_class:string words:string
    program:string tries:int32 minutes:float64 fingerprint:string title:string""",
    "errors": "key:string code:string error_class:string words:string tries:int32 steps:int32 minutes:float64 solved:bool_",
    "skills": "key:string name:string how:string",
}
"""The columns of a row, and of the rows that are nested in it, each with its Arrow type."""


def make_schema() -> Any:
    """Return the Arrow schema that every part has, even one without rows."""
    arrow: Any = importlib.import_module("pyarrow")

    def make_fields(columns: str) -> list[Any]:
        pairs = (column.split(":") for column in columns.split())
        return [arrow.field(name, getattr(arrow, kind)()) for name, kind in pairs]

    nested = [
        arrow.field(name, arrow.list_(arrow.struct(make_fields(columns)))) for name, columns in _NESTED_COLUMNS.items()
    ]
    return arrow.schema(make_fields(_COLUMNS) + nested)


def make_key(entry: Entry, key: bytes) -> str:
    """Return the hash by which a later scan recognises that this version of a file was read."""
    return hash_text(f"{entry.uri}\0{entry.size}\0{entry.mtime_ns}", key)


def is_passing(reason: str, scans: int) -> bool:
    """Return whether a later scan should read a file again that ``scans`` scans could not read, the last one for this reason."""
    return reason in STORAGE_REASONS or (reason in CHILD_REASONS and scans < MAX_SCANS)


def make_empty_row(entry: Entry, key: bytes, status: str, reason: str, *, with_titles: bool) -> Row:
    """Return the row of a file without a session."""
    texts = dict.fromkeys(("session", "project", "host", "format", "model", "week", "outcome", "session_id"), "")
    return {
        **texts,
        "entry": make_key(entry, key),
        "log": hash_text(entry.uri, key),
        "changed": entry.mtime_ns,
        "size": entry.size,
        "status": status,
        "reason": reason,
        "minutes": 0.0,
        "tries": 0,
        "observations": 0,
        "uri": entry.uri if with_titles else None,
        "scans": entry.scans + 1,
        "findings": [],
        "errors": [],
        "skills": [],
    }


def make_failed_row(entry: Entry, key: bytes, failure: LogError, *, with_titles: bool) -> Row:
    """Return the row of an unreadable file: passed over if found in a folder and like another program's, else set aside."""
    is_foreign = not entry.is_named and failure.code in ("unknown_format", "not_opencode")
    is_foreign = is_foreign and entry.uri.endswith((".json", ".db"))
    status = PASSED_OVER if is_foreign else SET_ASIDE
    return make_empty_row(entry, key, status, failure.code, with_titles=with_titles)


def make_session_row(entry: Entry, key: bytes, log: Log, analysis: Analysis, *, with_titles: bool) -> Row:
    """Return the row of a session. ``log`` is the file that was read: for an object, its temporary copy."""
    session, outcome = analysis.session, analysis.outcome
    project = session.project.rstrip("/\\")
    # The logs of SWE-agent and mini-swe-agent only name the task, which many sessions may have.
    name = entry.uri if session.format.endswith("-traj") else session.session_id or entry.uri
    database_session = log.path.name.partition("?session=")[2]
    return make_empty_row(entry, key, READ, "", with_titles=with_titles) | {
        "log": hash_text(f"{entry.uri}\0{database_session}" if database_session else entry.uri, key),
        "session": hash_text(name, key),
        "project": hash_text(project, key),
        "host": session.host,
        "format": session.format,
        "model": reduce_model(find_model(log.path)),
        "week": name_week(session.ended or session.started),
        "outcome": outcome.type,
        "minutes": round(outcome.duration_ms / 60_000, 2),
        "tries": outcome.retry_count,
        "observations": analysis.observation_count,
        "session_id": session.session_id if with_titles else None,
        "findings": [_make_finding(each, analysis.errors, project, key, with_titles) for each in analysis.candidates],
        "errors": [_make_error(each, key) for each in analysis.errors],
        "skills": _make_skills(analysis, key),
    }


def _make_finding(candidate: Candidate, errors: list[SessionError], project: str, key: bytes, with_titles: bool) -> Row:
    lines = [evidence.line for evidence in candidate.evidence]
    own_errors = [each for each in errors if lines and min(lines) <= each.line <= max(lines)]
    error = reduce_error(own_errors[0].signature if own_errors else "")
    program = reduce_command(candidate.facts.program)
    return {
        "exact": hash_text(f"{project}\0{candidate.fingerprint}", key),
        "family": hash_family(candidate, key),
        "kind": candidate.kind,
        "tier": candidate.confidence,
        "probability": candidate.probability,
        **error._asdict(),
        "program": program,
        "tries": sum(each.times for each in own_errors),
        "minutes": round(sum(each.duration_ms or 0 for each in own_errors) / 60_000, 2),
        "fingerprint": candidate.fingerprint if with_titles else None,
        "title": candidate.title if with_titles else None,
    }


def _make_error(error: SessionError, key: bytes) -> Row:
    return {
        "key": hash_text(error.signature, key),
        **reduce_error(error.signature)._asdict(),
        "tries": error.times,
        "steps": error.steps,
        "minutes": round((error.duration_ms or 0) / 60_000, 2),
        "solved": bool(error.solved_line),
    }


def _make_skills(analysis: Analysis, key: bytes) -> list[Row]:
    """Return the skills that the session loaded, each once."""
    uses = {use.name: use for use in reversed(analysis.skills_used)}
    return [{"key": hash_text(name, key), "name": reduce_skill(name), "how": uses[name].how} for name in sorted(uses)]


def find_model(path: Path) -> str:
    """Return the first model that the beginning of a log names; empty if it names none, or if the session is in a database."""
    try:
        with path.open("rb") as file:
            head = file.read(MODEL_BYTES)
    except OSError:
        return ""
    names = (found.decode("utf-8", "replace") for found in _MODEL.findall(head))
    return next((name for name in names if name not in _PLACEHOLDER_MODELS), "")


def name_week(at: int | None) -> str:
    """Return the ISO week of a time in UTC milliseconds, such as `2026-W07`; empty if the time is not plausible."""
    return time.strftime("%G-W%V", time.gmtime(at / 1000)) if at and 0 < at < 4_102_444_800_000 else ""
