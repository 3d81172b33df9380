"""What may stand behind ``--format``: a format, or the name of a host that writes it."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from mind_skills.observations.read import FORMATS

OPENCODE = "opencode"
"""Two formats, told apart by the first bytes of the file: its database, and what `opencode export` prints."""
ALIASES = {
    "claude": "claude-code",
    "codex": "codex-rollout",
    "gemini-cli": "gemini",
    "mini-swe-agent": "mini-swe-traj",
    "swe-agent": "swe-agent-traj",
}
_SQLITE = b"SQLite format 3\x00"


def known(name: str) -> str | None:
    """The format that ``name`` means, or ``OPENCODE``; None where it means none."""
    name = ALIASES.get(name, name)
    return name if name in (*FORMATS, OPENCODE) else None


def advice(name: str) -> str:
    """What to say to a ``name`` that means no format: the nearest that does, and all there are."""
    near = get_close_matches(name, [*FORMATS, *ALIASES, OPENCODE], n=1)
    suggestion = f"did you mean {ALIASES.get(near[0], near[0])}? " if near else ""
    return f"{name} is not a format; {suggestion}There are {', '.join(sorted(FORMATS))}, and the names of the hosts."


def of(file: Path, name: str) -> str:
    """The format that a known ``name`` means for this file. Raises OSError where that takes a look and it cannot be read."""
    if name != OPENCODE:
        return name
    with file.open("rb") as handle:
        return "opencode-db" if handle.read(len(_SQLITE)) == _SQLITE else "opencode-export"
