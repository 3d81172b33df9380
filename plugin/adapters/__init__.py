"""One module a host: its payload to a moment, our text to its reply."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from mind_skills.hooks.moment import Moment

    class Adapter(Protocol):
        """What a module of this folder offers. Standard library and little of it: it runs on the hot path."""

        def moment(self, payload: object, environment: Mapping[str, str], at: int) -> tuple[str, Moment]:
            """Return the name of the moment (start, prompt, idle, end, recover) and the moment. Raises ValueError.

            ``at`` is UTC milliseconds. ``recover`` is for hosts whose processes die without a word: it is about no
            session, only about those that were left over. ``prompt`` is for ``AT_PROMPT``.
            """
            ...

        def reply(self, text: str, /) -> str:
            """Return the one JSON object that puts ``text`` before the model."""
            ...


HOSTS = ("claude-code", "opencode", "codex", "gemini")
SILENT_ABOUT_PROCESS = frozenset({"codex", "gemini"})
"""Hosts that do not say which process runs a session: it is looked for among the ancestors of the hook."""
AT_PROMPT = frozenset({"gemini"})
"""Hosts that are handed the offer with the first prompt of a session, and nothing at its start."""


def adapter(host: str) -> Adapter:
    """The adapter of a host, imported when it is asked for.

    Raises ValueError where there is no such host.
    """
    if host == "claude-code":
        from mind_skills.plugin.adapters import claude_code

        return claude_code
    if host == "opencode":
        from mind_skills.plugin.adapters import opencode

        return opencode
    if host == "codex":
        from mind_skills.plugin.adapters import codex

        return codex
    if host == "gemini":
        from mind_skills.plugin.adapters import gemini

        return gemini
    raise ValueError(f"no such host: {host[:40]!r}; one of {', '.join(HOSTS)}")
