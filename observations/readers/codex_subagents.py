"""Finds the logs of Codex subagents, and of the originals of forks.

A subagent's rollout is in its parent's folder, or in the folder of a later day. The parent's log contains the subagent's id in the
result of ``spawn_agent``, ``{"agent_id": "<id>", ...}``, and the subagent's log is named ``rollout-<time>-<id>.jsonl`` (observed with
0.169.0). The log of a subagent that received its parent's history begins with a copy of that history, up to the event that applies
settings to the subagent's own thread.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from mind_skills.observations.codec import JsonObject, as_object, as_string, parse_json, parse_object
from mind_skills.observations.open_file import open_log_file
from mind_skills.redaction.lazy_pattern import compile_lazily

SPAWN_TOOL = "spawn_agent"
MAX_DAYS = 7
"""Maximum number of folders of other days that are searched. Sessions rarely last longer."""
MAX_HEADER_BYTES = 4 * 1024 * 1024
"""Maximum number of bytes of the first line that are read. The line contains the model's instructions."""

_ID = compile_lazily(r"[0-9a-fA-F-]{8,64}")


def parse_subagent_id(output: str) -> str:
    """Return the subagent id in the result of ``spawn_agent``, or an empty string."""
    subagent_id = as_string(parse_object(output).get("agent_id"))
    return subagent_id if _ID.fullmatch(subagent_id) else ""


def find_subagent_log(parent: Path, subagent_id: str) -> Path | None:
    """Find the log of a subagent; None if there is none. Raises OSError."""
    return _find_log(subagent_id, [parent.parent, *_list_days(parent.parent, later=True)], excluded=parent)


def find_earlier_log(fork: Path, session_id: str) -> Path | None:
    """Find the log of a session from the day of ``fork`` or an earlier day; None if there is none. Raises OSError."""
    return _find_log(session_id, [fork.parent, *_list_days(fork.parent, later=False)], excluded=fork)


def is_subagent_log(path: Path) -> bool:
    """Return whether this is the log of a subagent that is read together with its parent's log, because that log exists."""
    if not path.name.startswith("rollout-"):
        return False
    try:
        with open_log_file(path) as file:
            meta = as_object(as_object(parse_json(file.readline(MAX_HEADER_BYTES))).get("payload"))
    except (OSError, ValueError):
        return False
    spawn = as_object(as_object(as_object(meta.get("source")).get("subagent")).get("thread_spawn"))
    parent_id = as_string(spawn.get("parent_thread_id"))
    days = [path.parent, *_list_days(path.parent, later=False)]
    return bool(_ID.fullmatch(parent_id)) and _find_log(parent_id, days, excluded=path) is not None


def _find_log(session_id: str, folders: Iterable[Path], excluded: Path) -> Path | None:
    logs = (
        log for folder in folders for log in sorted(folder.glob(f"rollout-*-{session_id}.jsonl")) if log != excluded
    )
    return next(logs, None)


def _list_days(day: Path, *, later: bool) -> list[Path]:
    """Return up to ``MAX_DAYS`` folders of later (or earlier) days, nearest first; none if the path of ``day`` is not a date."""
    if len(day.parts) < 4 or not all(part.isdecimal() for part in day.parts[-3:]):
        return []
    folders = sorted(folder for folder in day.parents[2].glob("*/*/*") if (folder > day) is later and folder != day)
    return (folders if later else folders[::-1])[:MAX_DAYS]


def has_copied_history(meta: JsonObject) -> bool:
    """Return whether a log's header says that it begins with a copy of its parent's history."""
    return bool(as_string(meta.get("forked_from_id")))


def ends_copied_history(payload: JsonObject, thread_id: str) -> bool:
    """Return whether this event ends the copied history: it applies settings to the thread ``thread_id``."""
    return payload.get("type") == "thread_settings_applied" and payload.get("thread_id") == thread_id
