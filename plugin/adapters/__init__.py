"""A host's payload to a moment, our text to its reply: one adapter for hosts with hooks, one for our own plugin file."""

from __future__ import annotations

from mind_skills.hosts import spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from mind_skills.hooks.moment import Moment

    class Adapter(Protocol):
        """What speaks a host's language. Standard library and little of it: it runs on the hot path."""

        def moment(self, payload: object, environment: Mapping[str, str], at: int) -> tuple[str, Moment]:
            """Return the name of the moment (start, prompt, idle, end, recover) and the moment. Raises ValueError.

            ``at`` is UTC milliseconds. ``recover`` is for hosts whose processes die without a word: it is about no
            session, only about those that were left over. ``prompt`` is for hosts that take the offer with a prompt.
            """
            ...

        def reply(self, text: str, /) -> str:
            """Return the one JSON object that puts ``text`` before the model."""
            ...


def adapter(host: str) -> Adapter:
    """The adapter of a host, imported when it is asked for. Raises ValueError where there is no such host."""
    known = spec(host)
    if known.protocol == "plugin":
        from mind_skills.plugin.adapters import opencode

        return opencode
    from mind_skills.plugin.adapters.json_hooks import HookAdapter

    return HookAdapter(known)
