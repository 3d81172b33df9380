"""Where Codex keeps the log of a subagent: a rollout of its own, beside its parent's or in the folder of a later day.

The parent's log names it in what ``spawn_agent`` answered, ``{"agent_id": "<id>", ...}``, and the file is called
``rollout-<time>-<id>.jsonl`` (seen with 0.169.0). A subagent that was given its parent's history begins with a copy of
it, which ends where the log says that settings were applied to the subagent's own thread.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from mind_skills.observations.codec import Json, loads, loads_object, mapping, string
from mind_skills.observations.opening import opened
from mind_skills.redaction.lazy_pattern import compile_later

TOOL = "spawn_agent"
DAYS = 7
"""Folders of other days that are looked into: hardly a session goes on for longer."""
HEADER = 4 * 1024 * 1024
"""Bytes of a first line, which holds the instructions of the model."""

_ID = compile_later(r"[0-9a-fA-F-]{8,64}")


def named(output: str) -> str:
    """The id of the subagent that ``spawn_agent`` answered with, empty where it names none."""
    name = string(loads_object(output).get("agent_id"))
    return name if _ID.fullmatch(name) else ""


def rollout(parent: Path, name: str) -> Path | None:
    """The log of a subagent, None where there is none. Raises OSError where a folder cannot be read."""
    return _found(name, [parent.parent, *_days(parent.parent, later=True)], but=parent)


def before(fork: Path, name: str) -> Path | None:
    """The log of a session that began no later than another, None where there is none. Raises OSError as above."""
    return _found(name, [fork.parent, *_days(fork.parent, later=False)], but=fork)


def belongs(path: Path) -> bool:
    """Whether this is the log of a subagent whose parent's log is there: that one's reader takes it along."""
    if not path.name.startswith("rollout-"):
        return False
    try:
        with opened(path) as file:
            meta = mapping(mapping(loads(file.readline(HEADER))).get("payload"))
    except (OSError, ValueError):
        return False
    spawned = mapping(mapping(mapping(meta.get("source")).get("subagent")).get("thread_spawn"))
    name = string(spawned.get("parent_thread_id"))
    days = [path.parent, *_days(path.parent, later=False)]
    return bool(_ID.fullmatch(name)) and _found(name, days, but=path) is not None


def _found(name: str, folders: Iterable[Path], but: Path) -> Path | None:
    found = (log for folder in folders for log in sorted(folder.glob(f"rollout-*-{name}.jsonl")) if log != but)
    return next(found, None)


def _days(day: Path, *, later: bool) -> list[Path]:
    """The folders of the days after ``YYYY/MM/DD``, or before, the nearest first; none where it is no such folder."""
    if len(day.parts) < 4 or not all(part.isdecimal() for part in day.parts[-3:]):
        return []
    every = sorted(folder for folder in day.parents[2].glob("*/*/*") if (folder > day) is later and folder != day)
    return (every if later else every[::-1])[:DAYS]


def copied(meta: Json) -> bool:
    """Whether a log begins with a copy of its parent's history, by its own header."""
    return bool(string(meta.get("forked_from_id")))


def own_from(payload: Json, name: str) -> bool:
    """Whether this event of a log ends the copy: settings were applied to the thread ``name``."""
    return payload.get("type") == "thread_settings_applied" and payload.get("thread_id") == name
