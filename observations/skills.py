"""Skills that a host itself put before its model: because the model asked for one, or because the user named one.

Claude Code brings a skill as a message of its own that begins with the skill's folder, Codex as one in ``<skill>``. Both
are machine text and no observation, but they name the very file, and are all that is written of a skill that the user
called with a slash or a dollar sign.
"""

from __future__ import annotations

from mind_skills.observations.model import LoadedSkill, Session
from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.redaction.text import clean

NAME = "SKILL.md"
MOST = 200
"""So many are noted of a session."""
PATH = 300

_CLAUDE_CODE = compile_later(r"\s*Base directory for this skill: *([^\r\n]+)")
_CODEX = compile_later(r"\s*<skill>\s*<name>[^<\r\n]*</name>\s*<path>([^<\r\n]+)</path>")


def note(session: Session, text: str, line: int, at: int | None) -> None:
    """Remember the skill that a message of the role user brings; nothing where it brings none."""
    path = brought(text)
    if path and len(session.skills) < MOST:
        session.skills.append(LoadedSkill(path, line, at))


def brought(text: str) -> str:
    """The path of the SKILL.md that a message brings, empty where it brings none."""
    if found := _CLAUDE_CODE.match(text):
        path = clean(found[1], PATH).strip().rstrip("/\\")
        return f"{path}/{NAME}"
    if found := _CODEX.match(text):
        path = clean(found[1], PATH).strip()
        return path if path.endswith(NAME) else ""
    return ""
