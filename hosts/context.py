"""What a host keeps of the text that was put before its model."""

from __future__ import annotations

FORGETFUL = frozenset({"opencode"})
"""Hosts whose sessions keep nothing of it: each request has to carry it again, also after the session was resumed."""
