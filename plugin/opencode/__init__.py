"""Adapter for our OpenCode plugin: its plugin file, what that sends, and the text to add to the model's context.

The plugin file (mind-skills.js) defines the payload: ``{"event", "sessionID", "directory", "database", "pid", "at"}``;
at the start of a session also ``"removes": true``, and ``"fork": true`` for a copy of another session; after a failed command
``"command"`` and ``"error"``, its output. The lines that it
appends to the spool have the same form, without ``removes``. Verified with OpenCode 1.18.33. Standard library only, with
few imports: this runs on the hot path.
"""

from __future__ import annotations

import os

from mind_skills.hooks.hotpath import quote_json
from mind_skills.hooks.session_state import HookCall
from mind_skills.hosts.opencode import SPEC
from mind_skills.plugin.adapters import PayloadError, read_failure, read_text, require_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SESSION_SEPARATOR = "?session="
"""Separates the path of the database from the session, as in observations/readers/opencode_db.py."""
SOURCE_PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mind-skills.js")
SPOOL_FOLDER = os.path.join("spool", "opencode")
"""Path relative to the state folder (spool.py)."""


def parse_payload(
    payload: object, environment: Mapping[str, str], at: int, moment: str = "", /
) -> tuple[str, HookCall]:
    """Return the moment (start, idle, end, recover or failure) and the hook call.

    ``at`` is UTC milliseconds. The source of a resumed session is also ``startup``: OpenCode does not store what was
    added to the context, so the same text must be added again. The source of a fork is ``fork``, since its context
    contains what the original session learned. The directory and its parents are searched, and the project is the
    nearest one that contains ``.git`` or ``.claude``, because OpenCode may be started in any subfolder. The session id of
    ``recover`` names the process that sent it. Raises PayloadError.
    """
    from mind_skills.store.project import resolve_project

    fields = require_object(payload)
    event = read_text(fields, "event")
    if event not in SPEC.events:
        raise PayloadError("event is not one of " + ", ".join(SPEC.events))
    pid = fields.get("pid")
    if not isinstance(pid, int) or isinstance(pid, bool) or not 0 < pid < 1 << 31:
        raise PayloadError("pid is not a process id")
    session = read_text(fields, "sessionID") or (f"recover {pid}" if event == "recover" else "")
    if not session:
        raise PayloadError("sessionID is missing")
    directory = read_text(fields, "directory")
    if not os.path.isabs(directory):
        raise PayloadError("directory is not an absolute path")
    database = read_text(fields, "database")
    return SPEC.events[event], HookCall(
        host=SPEC.name,
        session_id=session,
        project=resolve_project(folder=directory).root,
        log=f"{database}{SESSION_SEPARATOR}{session}" if os.path.isabs(database) else "",
        at=at,
        source=event if event != "start" else "fork" if fields.get("fork") is True else "startup",
        pid=pid,
        host_removes_marker=fields.get("removes") is True,
        failed=read_failure(fields) if event == "failure" else ("", ""),
    )


def make_reply(text: str) -> str:
    """Return the JSON object from which the plugin file takes ``text`` for the model's context."""
    return '{"inject":' + quote_json(text[: SPEC.offer_limit]) + "}"


def make_marked_reply(text: str, home: str, session_id: str) -> str:
    """Return the reply with the file name of the marker that the plugin file removes when it delivers the text.

    The name is omitted if there is no marker, for example because the text has only the open errors of a task.
    """
    from mind_skills.hooks.session_state import SessionMarkers

    path = SessionMarkers(home, session_id).delivering.path
    reply = make_reply(text)
    return f'{reply[:-1]},"trace":"{os.path.basename(path)}"}}' if os.path.exists(path) else reply


def drop_spool(home: str, pid: int) -> None:
    """Delete the spool of a process, so that nothing is learned later from a project in which mind-skills is disabled.

    Sessions of the process in other projects are not lost, because hooks have reported them too. Raises OSError.
    """
    folder = os.path.join(home, SPOOL_FOLDER)
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return
    for name in names:
        if name.endswith(".jsonl") and name.startswith(f"{pid}."):
            try:
                os.unlink(os.path.join(folder, name))
            except FileNotFoundError:
                continue  # another hook has deleted it


def read_constant(text: str, name: str) -> str:
    """Return a constant in the text of a plugin file that ``render_plugin_file`` rendered; empty if it is not there."""
    import json
    import re

    match = re.search(rf'^const {name} = ("(?:[^"\\]|\\.)*");', text, re.MULTILINE)
    try:
        return str(json.loads(match[1])) if match else ""
    except ValueError:  # edited by hand
        return ""


def render_plugin_file(python: str, entry: str, state: str = "", settings: str = "") -> str:
    """Return the text of the plugin file to install.

    ``python`` and ``entry`` are the absolute paths of an interpreter (not a version manager's shim, which takes ten
    times as long to start) and of plugin/entry.py. ``state`` and ``settings`` are the paths of the state folder and the
    user's settings file; if empty, the hooks take them from the environment. Raises OSError if mind-skills.js cannot be
    read.
    """
    import json

    with open(SOURCE_PATH, encoding="utf-8") as file:
        text = file.read()
    for name, value in (("PYTHON", python), ("ENTRY", entry), ("STATE", state), ("SETTINGS", settings)):
        placeholder = f'const {name} = "";'
        assert text.count(placeholder) == 1, placeholder
        text = text.replace(placeholder, f"const {name} = {json.dumps(value)};")
    return text
