"""OpenCode: what our plugin file sends to moments, and the offer to the reply that it puts before the model.

The payload is our own (plugin/opencode/mind-skills.js): ``{"event", "sessionID", "directory", "database", "pid",
"at"}``; at the start of a session ``"removes": true``, and ``"fork": true`` where it is a copy of another. The same
object, one a line, is what the plugin file appends to the spool. Facts are those of OpenCode 1.18.33. Standard library
and little of it: this runs on the hot path of every start.
"""

from __future__ import annotations

import os

from mind_skills.hooks.moment import Moment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

HOST = "opencode"
EVENTS = {
    "start": "start",
    "idle": "idle",
    "error": "idle",
    "compacted": "idle",
    "end": "end",
    "deleted": "end",
    "recover": "recover",
}
REPLY_LIMIT = 9_500
"""Characters, as for every host."""
MARK = "?session="
"""Between the path of the database and the session in it, as observations/readers/opencode_db.py reads it."""


SPOOL = os.path.join("spool", "opencode")
"""In the state folder; plugin/opencode/spool.py says what lies there."""


class PayloadError(ValueError):
    """The payload lacks what every payload of the plugin file has; the message names the field, never its value."""


def moment(payload: object, environment: Mapping[str, str], at: int) -> tuple[str, Moment]:
    """Return the name of the moment (start, idle, end, recover) and the moment itself.

        ``at`` is UTC milliseconds. A start is always a ``startup``, also where a session is resumed: OpenCode keeps nothing
        of what was put before the model, so the same text has to be put there again. Only a fork stays one for ever: it holds
    what the session it was copied from has learned. The project is the nearest folder
        above the directory with ``.git`` or ``.claude``, since OpenCode may be started in any folder of it. ``recover`` is
        about no session: its id names the process that asks. Raises PayloadError.
    """
    from mind_skills.store.project import find

    fields = _fields(payload)
    event = _text(fields, "event")
    if event not in EVENTS:
        raise PayloadError("event is not one of " + ", ".join(EVENTS))
    pid = fields.get("pid")
    if not isinstance(pid, int) or isinstance(pid, bool) or not 0 < pid < 1 << 31:
        raise PayloadError("pid is not a process id")
    session = _text(fields, "sessionID") or (f"recover {pid}" if event == "recover" else "")
    if not session:
        raise PayloadError("sessionID is missing")
    directory = _text(fields, "directory")
    if not os.path.isabs(directory):
        raise PayloadError("directory is not an absolute path")
    database = _text(fields, "database")
    return EVENTS[event], Moment(
        host=HOST,
        session_id=session,
        project=find(folder=directory).root,
        log=f"{database}{MARK}{session}" if os.path.isabs(database) else "",
        at=at,
        source=event if event != "start" else "fork" if fields.get("fork") is True else "startup",
        pid=pid,
        removes=fields.get("removes") is True,
    )


def reply(text: str) -> str:
    """Return the one JSON object from which the plugin file takes the text."""
    return '{"inject":' + _quote(text[:REPLY_LIMIT]) + "}"


def reply_traced(text: str, home: str, session_id: str) -> str:
    """The same, with the name of the trace that the plugin file removes when it puts the text before the model.

    Without it where there is none: what is open of a task is no offer.
    """
    from mind_skills.hooks import traces

    path = traces.place(home, traces.HANDING, "", session_id)
    said = reply(text)
    return f'{said[:-1]},"trace":"{os.path.basename(path)}"}}' if os.path.exists(path) else said


def forget(home: str, pid: int) -> None:
    """Drop what a process noted in the spool: where mind-skills is switched off, nothing is to be learned later, either.

    What it noted of other projects was told to a hook of theirs, too. Raises OSError.
    """
    folder = os.path.join(home, SPOOL)
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return
    for name in names:
        if name.endswith(".jsonl") and name.startswith(f"{pid}."):
            try:
                os.unlink(os.path.join(folder, name))
            except FileNotFoundError:
                continue  # another hook was faster


def _fields(payload: Any) -> dict[str, Any]:
    if not isinstance(payload, dict):
        raise PayloadError("the payload is not an object")
    return payload  # pyright: ignore[reportUnknownVariableType]


def _text(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise PayloadError(f"{name} is not a string")
    return value


def _quote(text: str) -> str:
    """The text as a JSON string. The C half of json alone costs nothing; json itself a whole interpreter start."""
    try:
        from _json import encode_basestring_ascii as quote
    except ImportError:  # an interpreter without the C half
        from json.encoder import py_encode_basestring_ascii as quote
    return quote(text)
