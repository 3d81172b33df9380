"""What the adapters of hosts with JSON hooks have in common: fields of a payload, and a text as a JSON string."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class PayloadError(ValueError):
    """The payload lacks what every payload of this host has; the message names the field, never its value."""


def fields(payload: Any) -> dict[str, Any]:
    """The payload as an object. Raises PayloadError."""
    if not isinstance(payload, dict):
        raise PayloadError("the payload is not an object")
    return payload  # pyright: ignore[reportUnknownVariableType]


def text(given: dict[str, Any], name: str) -> str:
    """A field that holds text, empty where it is missing or null. Raises PayloadError."""
    value = given.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise PayloadError(f"{name} is not a string")
    return value


def required(given: dict[str, Any], name: str) -> str:
    """The same for a field that has to say something. Raises PayloadError."""
    value = text(given, name)
    if not value:
        raise PayloadError(f"{name} is missing")
    return value


def event(given: dict[str, Any], events: dict[str, str]) -> str:
    """The host's name of the moment, one of ``events``. Raises PayloadError."""
    name = text(given, "hook_event_name")
    if name not in events:
        raise PayloadError("hook_event_name is not one of " + ", ".join(events))
    return name


def context(event_name: str, said: str) -> str:
    """The one object that puts ``said`` before the model at that event; hosts reject or drop any other key."""
    return '{"hookSpecificOutput":{"hookEventName":"' + event_name + '","additionalContext":' + quoted(said) + "}}"


def quoted(said: str) -> str:
    """A text as a JSON string. The C half of json alone costs nothing; json itself a whole interpreter start."""
    try:
        from _json import encode_basestring_ascii as quote
    except ImportError:  # an interpreter without the C half
        from json.encoder import py_encode_basestring_ascii as quote
    return quote(said)
