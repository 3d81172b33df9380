"""Hosts with hooks: their payloads to moments, and the offer to the reply that they take. What differs is in hosts/.

Recorded payloads of each are in fixtures. Standard library and little of it: this runs on the hot path of every start.
"""

from __future__ import annotations

from mind_skills.hooks.moment import Moment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from mind_skills.hosts import HostSpec


class PayloadError(ValueError):
    """The payload lacks what every payload of this host has; the message names the field, never its value."""


class HookAdapter:
    """The adapter of one host (plugin/adapters: ``Adapter``)."""

    def __init__(self, spec: HostSpec) -> None:
        """``spec`` says what its events and variables are called."""
        self.spec = spec

    def moment(self, payload: object, environment: Mapping[str, str], at: int) -> tuple[str, Moment]:
        """Return the name of the moment (start, prompt, idle, end) and the moment itself; ``at`` is UTC ms. Raises PayloadError."""
        given = payload_fields(payload)
        name = text_field(given, "hook_event_name")
        if name not in self.spec.events:
            raise PayloadError("hook_event_name is not one of " + ", ".join(self.spec.events))
        session = required_field(given, "session_id")
        pid = environment.get(self.spec.pid_variable, "") if self.spec.pid_variable else ""
        return self.spec.events[name], Moment(
            host=self.spec.name,
            session_id=session,
            project=self._project(given, environment),
            log=text_field(given, "transcript_path"),
            at=at,
            source=text_field(given, "source") or text_field(given, "reason") or "startup",
            subagent=bool(text_field(given, "agent_id")),
            pid=int(pid) if pid.isascii() and pid.isdecimal() and len(pid) < 10 else 0,
        )

    def _project(self, given: dict[str, Any], environment: Mapping[str, str]) -> str:
        variable = self.spec.project_variable
        named = (environment.get(variable) if variable else "") or text_field(given, "cwd")
        if not named:
            searched = self.spec.searches_project
            raise PayloadError("cwd is missing" if searched else f"neither {variable} nor cwd names the project")
        if not self.spec.searches_project:
            return named
        from mind_skills.store.project import find

        return find(folder=named).root

    def reply(self, offer: str, /) -> str:
        """Return the one JSON object that makes the host put ``offer`` before the model, once.

        Hosts reject or drop any other key.
        """
        text = quote_json(offer[: self.spec.offer_limit or None])
        return f'{{"hookSpecificOutput":{{"hookEventName":"{self.spec.offer_event}","additionalContext":{text}}}}}'

    def reply_with_line(self, line: str, offer: str | None) -> str:
        """The same with a line for the user alone: the client shows it, and sends it to nobody."""
        shown = '{"systemMessage":' + quote_json(line)
        return shown + ("}" if offer is None else "," + self.reply(offer)[1:])


def payload_fields(payload: Any) -> dict[str, Any]:
    """The payload as an object. Raises PayloadError."""
    if not isinstance(payload, dict):
        raise PayloadError("the payload is not an object")
    return payload  # pyright: ignore[reportUnknownVariableType]


def text_field(given: dict[str, Any], name: str) -> str:
    """A field that holds text, empty where it is missing or null. Raises PayloadError."""
    value = given.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise PayloadError(f"{name} is not a string")
    return value


def required_field(given: dict[str, Any], name: str) -> str:
    """The same for a field that has to say something. Raises PayloadError."""
    value = text_field(given, name)
    if not value:
        raise PayloadError(f"{name} is missing")
    return value


def quote_json(text: str) -> str:
    """A text as a JSON string. The C half of json alone costs nothing; json itself a whole interpreter start."""
    try:
        from _json import encode_basestring_ascii as quote
    except ImportError:  # an interpreter without the C half
        from json.encoder import py_encode_basestring_ascii as quote
    return quote(text)
