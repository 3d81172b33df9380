"""The spool of the OpenCode plugin: ``spool/opencode/PID.START.BOOT.SPACE.jsonl``, one file per process.

The path is relative to the state folder. The name identifies the process as in store/processes.py: its id, its start in
clock ticks, the boot id and the PID namespace. On systems without these, and in files of older versions, the name is
only the id. ``NAME-N.json`` is a payload that a hook has not opened yet.

Each line is an event in the form of a hook's payload (__init__.py), so that a session is not lost if
its hooks did not run. The sessions are registered, and the files of ended processes deleted. The spool has no content
of sessions; that is in OpenCode's own database.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from mind_skills.hooks.recover import register_missed_sessions
from mind_skills.hooks.session_state import HookCall
from mind_skills.observations.codec import as_integer, as_object, parse_json
from mind_skills.plugin.opencode import SPOOL_FOLDER, parse_payload
from mind_skills.settings.lenient import explain_disabling_problem, is_enabled_if_known
from mind_skills.store import processes

MAX_BYTES = 4 << 20
"""Maximum number of bytes read from a file; the plugin file stops writing at a quarter of this size."""
UNKNOWN_PROCESS_SECONDS = 7 * 24 * 60 * 60
"""Seconds without a change after which a file is deleted if its process cannot be checked on this machine. By then its
sessions have been registered; they are finished after a period of inactivity (hooks/recover.py).
"""
UNREADABLE_SETTINGS_SECONDS = 7 * 24 * 60 * 60
"""Seconds without a change after which the file of an ended process is deleted even if it could not be imported because
the settings of a project cannot be read.
"""
WAIT_SECONDS, WAIT_CHECKS = 0.05, 40
"""Seconds between checks whether a process has ended, and number of checks: OpenCode exits 20 to 200 ms after its last
event (measured)."""


def drain_spool(home: str, *, exiting_pid: int = 0) -> list[str]:
    """Register the sessions in the spool, and delete the files of ended processes.

    ``exiting_pid`` is a process that is about to exit, or 0; the function waits for it for two seconds at most.
    Returns problems to log. Raises StoreError, OSError.
    """
    folder = os.path.join(home, SPOOL_FOLDER)
    if not os.path.isdir(folder):
        return []
    for _ in range(WAIT_CHECKS):
        if not exiting_pid or not processes.is_alive(exiting_pid):
            break
        time.sleep(WAIT_SECONDS)
    problems: list[str] = []
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        process = parse_writer(name)
        try:
            if name.endswith(".jsonl"):
                calls, problem = read_last_calls(path)
                problems += register_missed_sessions(home, calls, process if " " in process else "")
                if problem and not _is_unchanged_for(path, UNREADABLE_SETTINGS_SECONDS):
                    problems.append(f"{path} has not been imported yet: {problem}")
                    continue
            if _is_abandoned(process, path):
                os.unlink(path)
        except FileNotFoundError:
            continue  # another process has deleted it
        except OSError as error:
            problems.append(f"{path} was skipped: {error.strerror}")
    return problems


def parse_writer(name: str) -> str:
    """Return the process that writes the spool file ``name``, in the format of store/processes.py, or only its id."""
    stem = name.removesuffix(".jsonl") if name.endswith(".jsonl") else name.removesuffix(".json").rpartition("-")[0]
    parts = stem.split(".")
    if len(parts) != len(("pid", "start", "boot", "space")) or not all(parts):
        return parts[0]
    return f"{parts[0]} {parts[1]} {parts[2]} pid:[{parts[3]}]"


def _is_abandoned(process: str, path: str) -> bool:
    """Return whether the process that writes this file has ended.

    ``process`` is as returned by ``parse_writer``. If it belongs to another machine or container, the file's age decides.
    Raises OSError if the file is gone.
    """
    if " " not in process:
        return not process.isdecimal() or processes.is_alive(int(process)) is False
    is_running = processes.is_running(process)
    return _is_unchanged_for(path, UNKNOWN_PROCESS_SECONDS) if is_running is None else not is_running


def _is_unchanged_for(path: str, seconds: int) -> bool:
    return time.time() - os.stat(path).st_mtime > seconds


def read_last_calls(path: str) -> tuple[list[HookCall], str]:
    """Return the last hook call of each session in a spool file, in projects in which mind-skills is certainly enabled.

    The second value says why the settings of a project cannot be read, and is empty if all can be read. Raises OSError.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with open(descriptor, "rb") as file:
        last_calls = {call.session_id: call for call in parse_calls(file.read(MAX_BYTES))}
    enabled = {
        project: is_enabled_if_known(project) for project in dict.fromkeys(call.project for call in last_calls.values())
    }
    unknown = [project for project, is_on in enabled.items() if is_on is None]
    reasons = (reason for project in unknown if (reason := explain_disabling_problem(project)))
    problem = next(reasons, "try again") if unknown else ""
    return [call for call in last_calls.values() if enabled[call.project]], problem


def parse_calls(content: bytes) -> Iterator[HookCall]:
    """Yield the hook call of every line of a spool file; invalid lines are skipped, such as an incomplete last line."""
    for line in content.split(b"\n"):
        try:
            payload = parse_json(line)
            yield parse_payload(payload, {}, as_integer(as_object(payload).get("at")) or 0)[1]
        except ValueError:
            continue
