"""Adapters from a host's payloads to moments, and from our texts to its replies.

There is one adapter for hosts with hooks, and one for our OpenCode plugin.
"""

from __future__ import annotations

from mind_skills.hosts import load_spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from mind_skills.hooks.moment import Moment

    class Adapter(Protocol):
        """Parses a host's payloads and makes replies. Runs on the hot path: standard library only, with few imports."""

        def parse_payload(self, payload: object, environment: Mapping[str, str], at: int) -> tuple[str, Moment]:
            """Return the moment's name (start, prompt, idle, end or recover) and the moment. Raises ValueError.

            ``at`` is UTC milliseconds. ``recover`` belongs to no session; it finishes sessions whose process died
            before its hooks ran. ``prompt`` is for hosts to which an offer is delivered with the first prompt.
            """
            ...

        def make_reply(self, text: str, /) -> str:
            """Return the JSON object that adds ``text`` to the model's context."""
            ...


def get_adapter(host: str) -> Adapter:
    """Return the adapter of a host. Raises ValueError if the host is unknown."""
    host_spec = load_spec(host)
    if host_spec.protocol == "plugin":
        from mind_skills.plugin.adapters import opencode

        return opencode
    from mind_skills.plugin.adapters.json_hooks import HookAdapter

    return HookAdapter(host_spec)
