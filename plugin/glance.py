"""The first look at a hook: whether there is anything to say to its host, and anything to do behind its back.

Nearly always nothing waits, and a few stats show it. This module answers for that case, for a project whose folder is
reached without a link and for Linux, with the system calls alone; for all others it says ``UNSURE``, and
plugin/hook.py answers. It repeats in little what store/home.py, store/project.py, settings/lenient.py and
hooks/traces.py know, because importing those costs more than everything that is asked here; tests compare.
"""

from __future__ import annotations

import posix

from mind_skills.store.places import UnsureError, digest, filled, ours, project, settings, state_folder, switches, there

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

UNSURE, NOTHING, BEHIND = 0, 1, 2
"""The whole handler decides; nothing to say and nothing to do; nothing to say, and work that the host need not wait for."""

EVENTS = {
    "claude-code": {"SessionStart": "start", "Stop": "idle", "SessionEnd": "end"},
    "codex": {"SessionStart": "start", "Stop": "idle", "SessionEnd": "end"},
    "gemini": {"SessionStart": "start", "BeforeAgent": "prompt", "AfterAgent": "idle", "SessionEnd": "end"},
}
"""As in the adapters of these hosts."""
PROJECTS = {"claude-code": b"CLAUDE_PROJECT_DIR", "gemini": b"GEMINI_PROJECT_DIR"}
"""Variables that name the project, or for Gemini CLI the folder from which it is looked for; else ``cwd`` does."""
SOURCES = ("startup", "clear", "resume", "", None)
"""Of a start that may be told something (hooks/start.py). A fork or a compaction is told nothing."""
SHORTEST, LONGEST = 10_000, 1 << 62
"""Milliseconds between two checkpoints of a session: the least that the setting ``idle_seconds`` allows; and no time known."""


def glance(host: str, payload: Any, environment: Mapping[bytes, bytes], now: int) -> int:
    """UNSURE, NOTHING or BEHIND, for one payload of a host; ``now`` is UTC milliseconds.

    At the end of a session it leaves the trace by which a session that begins right now knows to wait. Never raises.
    """
    try:
        return _glance(host, payload, environment, now)
    except (UnsureError, OSError, LookupError, TypeError, ValueError):
        return UNSURE


def _glance(host: str, payload: Any, environment: Mapping[bytes, bytes], now: int) -> int:
    moment = EVENTS[host][payload["hook_event_name"]]
    session, log = payload["session_id"], payload.get("transcript_path")
    if not session or not isinstance(session, str) or payload.get("agent_id") or not isinstance(log, str | None):
        return UNSURE
    home = state_folder(environment)
    named = environment.get(PROJECTS.get(host, b""), b"").decode() or payload["cwd"]
    root, top, git = project(named, None if host == "claude-code" else environment[b"HOME"])
    mark = digest(session)
    if moment == "prompt":
        return UNSURE if there(f"{home}/held/{mark}") else NOTHING
    if there(f"{home}/paused"):
        return UNSURE
    if moment == "start":
        id_ = digest(git or root)
        if host == "gemini" and there(f"{home}/held/{mark}"):
            return UNSURE
        if host == "claude-code" and _word_for_the_user(home, id_, environment):
            return UNSURE
        back = payload.get("source") == "resume" and there(f"{home}/reminders/{id_}")
        over = payload.get("source") not in SOURCES or (_nothing_waits(home, id_, mark) and not back)
        return BEHIND if over else UNSURE
    age = _age(f"{home}/checked/{mark}", now) if moment == "idle" else LONGEST
    if age < SHORTEST:
        return NOTHING
    on, seconds = switches(settings(root, top, git, environment))
    if not on or age < seconds * 1000:
        return NOTHING
    if moment == "end":
        _announce(home, digest(git or root), mark)
    return BEHIND


def _nothing_waits(home: str, project: str, mark: str) -> bool:
    """Whether a start has nothing to be told, to wait for, or to offer again."""
    return not (
        there(f"{home}/ready/{project}")
        or there(f"{home}/offered/{mark}")
        or filled(f"{home}/unanswered/{project}")
        or filled(f"{home}/ending/{project}")
    )


def _word_for_the_user(home: str, project: str, environment: Mapping[bytes, bytes]) -> bool:
    """Whether there may be a line for the user alone, and a user to read it: plugin/asides.py."""
    if environment.get(b"CLAUDE_CODE_ENTRYPOINT", b"").startswith(b"sdk"):
        return False
    data = environment.get(b"CLAUDE_PLUGIN_DATA", b"").decode()
    if environment.get(b"MIND_SKILLS_NO_ENVIRONMENT"):  # as in plugin/environment/place.py
        data = ""
    first = bool(data) and not (there(f"{data}/venv") or there(f"{data}/environment"))
    return first or filled(f"{home}/receipts/{project}")


def _age(path: str, now: int) -> int:
    """How long ago the session's log was looked at, in milliseconds; long where it never was."""
    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    except FileNotFoundError:
        return LONGEST
    last = posix.read(descriptor, 64).decode()
    posix.close(descriptor)
    return now - int(last) if last.isdecimal() and now >= int(last) else LONGEST


def _announce(home: str, project: str, mark: str) -> None:
    """As hooks/traces.py, in a state folder that is this user's alone."""
    ours(home)
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC | posix.O_NOFOLLOW | posix.O_CLOEXEC
    posix.close(posix.open(f"{home}/ending/{project}/{mark}", flags, 0o600))
