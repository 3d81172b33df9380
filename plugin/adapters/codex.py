"""Codex: hook payloads to moments, and the offer to the reply it injects.

Facts are those of Codex 0.169.0, recorded in fixtures/codex/payloads. The payloads are much like Claude Code's; what
differs: no variable names the project or the process, and a reply with any key that Codex does not know counts as a
failed hook. Standard library and little of it: this runs on the hot path of every start.
"""

from __future__ import annotations

from mind_skills.hooks.moment import Moment
from mind_skills.plugin.adapters.payload import context, event, fields, required, text
from mind_skills.store.project import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

HOST = "codex"
EVENTS = {"SessionStart": "start", "Stop": "idle", "SessionEnd": "end"}


def moment(payload: object, environment: Mapping[str, str], at: int) -> tuple[str, Moment]:
    """Return the name of the moment (start, idle, end) and the moment itself.

    ``at`` is UTC milliseconds. The project is the nearest folder above ``cwd`` that looks like one: ``cwd`` is where
    Codex works, which may lie below it. Raises PayloadError.
    """
    given = fields(payload)
    name = event(given, EVENTS)
    return EVENTS[name], Moment(
        host=HOST,
        session_id=required(given, "session_id"),
        project=find(folder=required(given, "cwd")).root,
        log=text(given, "transcript_path"),
        at=at,
        source=text(given, "source") or text(given, "reason") or "startup",
        subagent=bool(text(given, "agent_id")),
    )


def reply(offer: str) -> str:
    """Return the one JSON object that makes Codex put ``offer`` into the history, once, as a developer's message."""
    return context("SessionStart", offer)
