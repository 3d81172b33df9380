"""What stands in the place of something that was taken out of a text."""

from __future__ import annotations


def mark(kind: str) -> str:
    """What stands in the place of a secret, or of what belongs to a person."""
    return f"[redacted:{kind}]"
