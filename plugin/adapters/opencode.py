"""OpenCode: what our plugin file sends to moments, and the offer to the reply that it puts before the model.

The payload is our own (plugin/opencode/mind-skills.js): ``{"event", "sessionID", "directory", "database", "pid",
"at"}``; at the start of a session ``"removes": true``, and ``"fork": true`` where it is a copy of another. The same
object, one a line, is what the plugin file appends to the spool. Facts are those of OpenCode 1.18.33. Standard library
and little of it: this runs on the hot path of every start.
"""

from __future__ import annotations

import os

from mind_skills.hooks.moment import Moment
from mind_skills.hosts.opencode import SPEC
from mind_skills.plugin.adapters.json_hooks import PayloadError, payload_fields, quote_json, text_field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MARK = "?session="
"""Between the path of the database and the session in it, as observations/readers/opencode_db.py reads it."""
SPOOL = os.path.join("spool", "opencode")
"""In the state folder; plugin/opencode/spool.py says what lies there."""


def moment(payload: object, environment: Mapping[str, str], at: int) -> tuple[str, Moment]:
    """Return the name of the moment (start, idle, end, recover) and the moment itself.

    ``at`` is UTC milliseconds. A start is always a ``startup``, also where a session is resumed: OpenCode keeps nothing of
    what was put before the model, so the same text has to be put there again. Only a fork stays one for ever: it holds what
    the session it was copied from has learned. The project is the nearest folder above the directory with ``.git`` or
    ``.claude``, since OpenCode may be started in any folder of it. ``recover`` is about no session: its id names the process
    that asks. Raises PayloadError.
    """
    from mind_skills.store.project import find

    fields = payload_fields(payload)
    event = text_field(fields, "event")
    if event not in SPEC.events:
        raise PayloadError("event is not one of " + ", ".join(SPEC.events))
    pid = fields.get("pid")
    if not isinstance(pid, int) or isinstance(pid, bool) or not 0 < pid < 1 << 31:
        raise PayloadError("pid is not a process id")
    session = text_field(fields, "sessionID") or (f"recover {pid}" if event == "recover" else "")
    if not session:
        raise PayloadError("sessionID is missing")
    directory = text_field(fields, "directory")
    if not os.path.isabs(directory):
        raise PayloadError("directory is not an absolute path")
    database = text_field(fields, "database")
    return SPEC.events[event], Moment(
        host=SPEC.name,
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
    return '{"inject":' + quote_json(text[: SPEC.offer_limit]) + "}"


def reply_marked(text: str, home: str, session_id: str) -> str:
    """The same, with the name of the marker that the plugin file removes when it puts the text before the model.

    Without it where there is none: what is open of a task is no offer.
    """
    from mind_skills.hooks.session_state import SessionMarkers

    path = SessionMarkers(home, session_id).handing.path
    answer = reply(text)
    return f'{answer[:-1]},"trace":"{os.path.basename(path)}"}}' if os.path.exists(path) else answer


def drop_spool(home: str, pid: int) -> None:
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
