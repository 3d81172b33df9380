"""What a host keeps of the text that was put before its model."""

from __future__ import annotations

FORGETFUL = frozenset({"opencode"})
"""Hosts whose sessions keep nothing of it: each request has to carry it again, also after the session was resumed."""

KEEPING = frozenset({"claude-code", "codex"})
"""Hosts that put what the start of a session says into its history at once. Their sessions begin once, and whoever
asks again for the same one is another copy of the hook."""
