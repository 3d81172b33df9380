"""Finds the files of Claude Code's sessions: the logs of subagents, and the transcript that a session continues.

The logs of a session's subagents are in ``<session>/subagents``, those of a workflow one level deeper. Until 2025, they were next to
the transcripts, as ``agent-<id>.jsonl``. A session may go on in another: then its transcript ends with a record that names the other.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from functools import lru_cache
from itertools import islice
from pathlib import Path

from mind_skills.observations.codec import as_string, parse_time
from mind_skills.observations.logfile import read_objects
from mind_skills.observations.model import Session
from mind_skills.observations.open_file import open_log_file
from mind_skills.redaction.lazy_pattern import compile_lazily

MAX_HEADER_LINES = 50
"""Maximum number of lines at the beginning of a log that are searched for its session and start."""
MAX_TAIL_BYTES = 4 * 1024
"""Number of bytes at the end of a transcript that are searched for the session in which it goes on: a few records."""
MAX_CANDIDATES = 10
"""Maximum number of transcripts that are searched for the one that a session continues: the first that changed after its start."""
CLOCK_TOLERANCE_SECONDS = 60
_SESSION_ID = compile_lazily(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_CONTINUATION = compile_lazily(rb'"continuedInSessionId"\s*:\s*"([0-9a-f-]{36})"')
_AGENT_ID = compile_lazily(r"[\w-]{1,80}")


def find_subagent_logs(path: Path) -> dict[str, Path]:
    """Return the logs of a transcript's subagents, by the subagent's id."""
    folder = path.with_suffix("") / "subagents"
    try:
        logs = sorted(folder.glob("**/agent-*.jsonl")) if folder.is_dir() else []
    except OSError:
        logs = []
    return {log.stem.removeprefix("agent-"): log for log in logs}


def find_older_subagent_log(path: Path, agent_id: str) -> Path | None:
    """Return the log of a subagent that is next to the transcript; None if there is none."""
    log = path.with_name(f"agent-{agent_id}.jsonl")
    return log if _AGENT_ID.fullmatch(agent_id) and log.is_file() else None


def is_subagent_log(path: Path) -> bool:
    """Return whether this is the log of a subagent that is read together with its session's transcript, because that exists."""
    for folder in path.parents:
        if folder.name == "subagents":
            return folder.parent.with_suffix(".jsonl").exists()
    if not path.name.startswith("agent-"):
        return False
    try:
        entries = [entry for _, entry in islice(read_objects(path, Session()), MAX_HEADER_LINES)]
    except OSError:
        return False
    session_id = next((as_string(entry.get("sessionId")) for entry in entries if entry.get("isSidechain") is True), "")
    return bool(_SESSION_ID.fullmatch(session_id)) and path.with_name(f"{session_id}.jsonl").exists()


def find_predecessor(path: Path) -> Path | None:
    """Return the transcript of the session that goes on in this one; None if there is none."""
    if not _SESSION_ID.fullmatch(path.stem):
        return None
    try:
        entries = (entry for _, entry in islice(read_objects(path, Session()), MAX_HEADER_LINES))
        started = next((at for entry in entries if (at := parse_time(entry.get("timestamp"))) is not None), 0)
        earliest = started / 1000 - CLOCK_TOLERANCE_SECONDS
        logs = _list_transcripts(str(path.parent), path.parent.stat().st_mtime_ns)
        logs = logs[bisect_left(logs, (earliest, "")) :][:MAX_CANDIDATES]
        return next((Path(log) for _, log in logs if _goes_on_in(log, path.stem)), None)
    except OSError:  # a log was removed meanwhile
        return None


@lru_cache(16)
def _list_transcripts(folder: str, _changed_at: int) -> list[tuple[float, str]]:
    """List the transcripts in a folder, each with its mtime in seconds, sorted. Cached until a file is added or removed.

    Raises OSError.
    """
    with os.scandir(folder) as entries:
        return sorted((entry.stat().st_mtime, entry.path) for entry in entries if entry.name.endswith(".jsonl"))


def _goes_on_in(log: str, session_id: str) -> bool:
    """Return whether a transcript ends with a record that names the session in which it goes on. Raises OSError."""
    with open_log_file(log) as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - MAX_TAIL_BYTES))
        tail = file.read(MAX_TAIL_BYTES)
    return b'"continuedInSessionId"' in tail and any(
        match[1] == session_id.encode() for match in _CONTINUATION.finditer(tail)
    )
