"""Adapters from a host's payloads to hook calls, and from our texts to its replies.

``HookAdapter`` is for hosts with hooks, whose differences are defined in hosts/. plugin/opencode is the adapter for our
OpenCode plugin. The fixtures contain recorded payloads of each host. Standard library only, with few imports: this runs
on the hot path.
"""

from __future__ import annotations

from mind_skills.hooks.hotpath import quote_json
from mind_skills.hooks.session_state import HookCall
from mind_skills.hosts import load_spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    from mind_skills.hosts import HostSpec

    class Adapter(Protocol):
        """Parses a host's payloads and makes replies."""

        def parse_payload(
            self, payload: object, environment: Mapping[str, str], at: int, moment: str = "", /
        ) -> tuple[str, HookCall]:
            """Return the moment (start, late, prompt, idle, end, recover or failure) and the hook call. Raises PayloadError.

            ``moment`` is what the hook's command line says, or empty. Raises NoProjectError if there is nothing to do.

            ``at`` is UTC milliseconds. ``recover`` belongs to no session; it finishes sessions whose process died
            before its hooks ran. ``prompt`` is for hosts to which an offer is delivered with the first prompt.
            """
            ...

        def make_reply(self, text: str, /) -> str:
            """Return the JSON object that adds ``text`` to the model's context."""
            ...


def get_adapter(host: str) -> Adapter:
    """Return the adapter of a host. Raises ValueError if the host is unknown."""
    spec = load_spec(host)
    if spec.protocol == "plugin":
        from mind_skills.plugin import opencode

        return opencode
    return HookAdapter(spec)


class NoProjectError(Exception):
    """The payload is of a session without a project, of which there is nothing to learn."""


class PayloadError(ValueError):
    """The payload is not an object, or a field is missing or invalid. The message never contains a field's value."""


class HookAdapter:
    """The adapter of one host with hooks."""

    def __init__(self, spec: HostSpec) -> None:
        """``spec`` names the host's events and variables."""
        self.spec = spec
        self.event = spec.offer_event
        """The event of the payload that was parsed last, or before that, the one to whose reply an offer is added."""

    def parse_payload(
        self, payload: object, environment: Mapping[str, str], at: int, moment: str = "", /
    ) -> tuple[str, HookCall]:
        """See Adapter."""
        fields = self.spec.hook_form.read_payload(require_object(payload), moment)
        name = read_text(fields, "hook_event_name")
        if name not in self.spec.events:
            raise PayloadError("hook_event_name is not one of " + ", ".join(self.spec.events))
        session = read_required_text(fields, "session_id")
        log = read_text(fields, "transcript_path")
        self.event = name
        pid = environment.get(self.spec.pid_env_var, "") if self.spec.pid_env_var else ""
        return self.spec.events[name], HookCall(
            host=self.spec.name,
            session_id=session,
            project=self._find_project(fields, environment, session, log),
            log=log,
            at=at,
            source=read_text(fields, "source") or read_text(fields, "reason") or "startup",
            subagent=bool(read_text(fields, "agent_id")) or self.spec.hook_form.is_subagent(log),
            pid=int(pid) if pid.isascii() and pid.isdecimal() and len(pid) < 10 else 0,
            failed=read_failure(fields) if self.spec.events[name] == "failure" else ("", ""),
        )

    def _find_project(self, fields: dict[str, Any], environment: Mapping[str, str], session: str, log: str) -> str:
        variable = self.spec.project_env_var
        folder = (environment.get(variable) if variable else "") or read_text(fields, "cwd")
        folder = folder or self.spec.hook_form.find_folder(session, log)
        if not folder and self.spec.hook_form.may_lack_project:
            raise NoProjectError
        if not folder:
            searches_parent_folders = self.spec.searches_parent_folders
            raise PayloadError(
                "cwd is missing" if searches_parent_folders else f"neither {variable} nor cwd names the project"
            )
        if not self.spec.searches_parent_folders:
            return folder
        from mind_skills.store.project import resolve_project

        return resolve_project(folder=folder).root

    def make_reply(self, offer: str, /) -> str:
        """Return the JSON object that makes the host add ``offer`` to the model's context."""
        return self.spec.hook_form.make_reply(self.event, quote_json(offer[: self.spec.offer_limit or None]))

    def make_reply_with_lines(self, lines: str, offer: str | None) -> str:
        """Return the JSON object that shows ``lines`` to the user only, and adds ``offer``, unless None, to the context."""
        message = '{"systemMessage":' + quote_json(lines)
        return message + ("}" if offer is None else "," + self.make_reply(offer)[1:])


def read_failure(fields: dict[str, Any]) -> tuple[str, str]:
    """Return command and output of a failed call, as hooks/failure.py reads them."""
    from mind_skills.hooks import failure

    return failure.read_failure(fields)


def require_object(payload: Any) -> dict[str, Any]:
    """Return the payload as a dictionary. Raises PayloadError."""
    if not isinstance(payload, dict):
        raise PayloadError("the payload is not an object")
    return payload  # pyright: ignore[reportUnknownVariableType]


def read_text(fields: dict[str, Any], name: str) -> str:
    """Return a string field; empty if it is missing or null. Raises PayloadError."""
    value = fields.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise PayloadError(f"{name} is not a string")
    return value


def read_required_text(fields: dict[str, Any], name: str) -> str:
    """Return a string field that must not be empty. Raises PayloadError."""
    value = read_text(fields, name)
    if not value:
        raise PayloadError(f"{name} is missing")
    return value
