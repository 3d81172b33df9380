"""Gemini CLI: hook payloads to moments, and the offer to the reply it injects.

Facts are those of Gemini CLI 0.61.0, recorded in fixtures/gemini/payloads. The offer goes with the first prompt
(``BeforeAgent``) and not with ``SessionStart``: there the client writes it before the user's words into one message,
and forgets every message that begins so when the session is resumed; behind the user's words both stay.
Standard library and little of it: this runs on the hot path of every start, and at every prompt.
"""

from __future__ import annotations

from mind_skills.hooks.moment import Moment
from mind_skills.plugin.adapters.payload import context, event, fields, required, text
from mind_skills.store.project import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

HOST = "gemini"
EVENTS = {"SessionStart": "start", "BeforeAgent": "prompt", "AfterAgent": "idle", "SessionEnd": "end"}


def moment(payload: object, environment: Mapping[str, str], at: int) -> tuple[str, Moment]:
    """Return the name of the moment (start, prompt, idle, end) and the moment itself.

    ``at`` is UTC milliseconds. The project is the nearest folder above the workspace that looks like one. The
    workspace is GEMINI_PROJECT_DIR; CLAUDE_PROJECT_DIR, which this client sets as well, says nothing about the host.
    Raises PayloadError.
    """
    given = fields(payload)
    name = event(given, EVENTS)
    return EVENTS[name], Moment(
        host=HOST,
        session_id=required(given, "session_id"),
        project=find(folder=environment.get("GEMINI_PROJECT_DIR") or required(given, "cwd")).root,
        log=text(given, "transcript_path"),
        at=at,
        source=text(given, "source") or text(given, "reason") or "startup",
    )


def reply(offer: str) -> str:
    """Return the one JSON object that makes the client put ``offer`` behind the user's words, once.

    It arrives as ``<hook_context>``, with ``&``, ``<`` and ``>`` of the offer escaped for HTML.
    """
    return context("BeforeAgent", offer)
