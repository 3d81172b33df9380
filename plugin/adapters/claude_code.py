"""Claude Code: hook payloads to moments, and the offer to the reply it injects.

Facts are those of Claude Code 2.1.329, recorded in fixtures/claude_code/payloads. Standard library and little of it:
this runs on the hot path of every start.
"""

from __future__ import annotations

from mind_skills.hooks.moment import Moment
from mind_skills.plugin.adapters.payload import PayloadError, context, event, fields, quoted, required, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

HOST = "claude-code"
EVENTS = {"SessionStart": "start", "Stop": "idle", "SessionEnd": "end"}
REPLY_LIMIT = 9_500
"""Characters. Beyond 10,000 the client writes the text to a file and gives the model a path instead."""


def moment(payload: object, environment: Mapping[str, str], at: int) -> tuple[str, Moment]:
    """Return the name of the moment (start, idle, end) and the moment itself.

    ``at`` is UTC milliseconds. The project is CLAUDE_PROJECT_DIR, which stays at the root where the session started
    while ``cwd`` follows a worktree or a ``cd``. Raises PayloadError.
    """
    given = fields(payload)
    name = event(given, EVENTS)
    session = required(given, "session_id")
    project = environment.get("CLAUDE_PROJECT_DIR") or text(given, "cwd")
    if not project:
        raise PayloadError("neither CLAUDE_PROJECT_DIR nor cwd names the project")
    pid = environment.get("CLAUDE_PID", "")
    return EVENTS[name], Moment(
        host=HOST,
        session_id=session,
        project=project,
        log=text(given, "transcript_path"),
        at=at,
        source=text(given, "source") or text(given, "reason") or "startup",
        subagent=bool(text(given, "agent_id")),
        pid=int(pid) if pid.isascii() and pid.isdecimal() and len(pid) < 10 else 0,
    )


def reply(offer: str) -> str:
    """Return the one JSON object that makes the client put ``offer`` before the model, once.

    Only this shape is honoured at SessionStart; at the top level ``additionalContext`` is dropped in silence.
    """
    return context("SessionStart", offer[:REPLY_LIMIT])


def reply_beside(said: str, offer: str | None) -> str:
    """The same with a text for the user alone: the client shows it, and sends it to nobody."""
    shown = '{"systemMessage":' + quoted(said)
    return shown + ("}" if offer is None else "," + reply(offer)[1:])
