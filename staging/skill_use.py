"""Detect which skills a session used: loaded by the host's tool, read as a SKILL.md, or supplied by the host.

These count: calls to the tools in hosts/skills.py; calls that read a SKILL.md; shell commands that print one (`cat`,
`sed -n`), which Codex uses; and a skill that the host adds to the prompt. A file that was written, searched or listed, or
that could not be read, does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from mind_skills.hosts.skills import SKILL_TOOLS
from mind_skills.observations.model import Observation, Session
from mind_skills.redaction.lazy_pattern import compile_lazily

SKILL_FILE_NAME = "SKILL.md"
MAX_USES = 200
"""Maximum number of distinct uses stored per session."""
UseKind = Literal["tool", "read", "host"]
"""Loaded by the host's tool, read as a file, or supplied by the host because the user named it."""

_PRINTED = compile_lazily(
    r"(?:^|[;&|(\n]|\s-l?c\s+['\"])\s*(?:cat|sed\s+-n|head|tail|less|more|bat|nl|awk)\s([^;&|\n]*SKILL\.md)"
)
_WORD = compile_lazily(r"[^\s'\"<>=]*SKILL\.md\Z")


@dataclass(slots=True)
class SkillUse:
    """One skill used in one way. ``path`` is as in the log, so it may be relative; empty if the log has only the name.

    ``first_line`` and ``last_line`` are the lines of its first and last use in the log; ``at`` is the time of the last one (UTC ms),
    None without timestamps.
    """

    name: str
    path: str
    how: UseKind
    first_line: int
    last_line: int
    at: int | None = None


class SkillUseCollector:
    """Collector of the skills that a session uses: call ``feed`` once per observation, in order, then ``result``."""

    __slots__ = ("_session", "_uses")

    def __init__(self, session: Session) -> None:
        """``session`` may be filled in while observations are processed; its ``skills`` are read by ``result``."""
        self._session = session
        self._uses: dict[tuple[UseKind, str], SkillUse] = {}

    def feed(self, observation: Observation) -> None:
        """Process the next observation."""
        if observation.kind != "tool" or observation.outcome not in ("ok", "unknown"):
            return
        if SKILL_FILE_NAME not in observation.command and not observation.files and observation.tool not in SKILL_TOOLS:
            return  # the usual case
        for how, key in _find_uses(observation):
            _add_use(self._uses, how, key, observation.line, observation.at)

    def result(self) -> list[SkillUse]:
        """Return the uses so far, in order of first use. Can be called repeatedly."""
        uses = dict(self._uses)
        for loaded in self._session.skills:
            _add_use(uses, "host", loaded.path, loaded.line, loaded.at)
        return sorted(uses.values(), key=lambda use: (use.first_line, use.name))


def _add_use(uses: dict[tuple[UseKind, str], SkillUse], how: UseKind, key: str, line: int, at: int | None) -> None:
    """Add a use of the skill named ``key`` (loaded by a tool) or at the path ``key`` (read as a file or supplied by the host)."""
    previous = uses.get((how, key))
    if previous is not None:
        uses[how, key] = SkillUse(
            previous.name, previous.path, how, previous.first_line, max(previous.last_line, line), at or previous.at
        )
    elif len(uses) < MAX_USES:
        path = "" if how == "tool" else key
        uses[how, key] = SkillUse(key if how == "tool" else _get_skill_name(key), path, how, line, line, at)


def _find_uses(observation: Observation) -> Iterator[tuple[UseKind, str]]:
    if observation.tool in SKILL_TOOLS:
        if name := observation.command.strip():
            yield "tool", name
    elif observation.action == "read" and observation.files:
        for name in filter(_is_skill, observation.files):
            yield "read", name
    elif observation.action in ("read", "run"):
        for name in _find_printed_skills(observation.command):
            yield "read", name


def _find_printed_skills(command: str) -> Iterable[str]:
    """Return the paths of the skills that a shell command prints, without duplicates and without wildcards."""
    if SKILL_FILE_NAME not in command:
        return []
    words = (word.strip("'\"") for part in _PRINTED.findall(command) for word in part.split())
    return dict.fromkeys(word for word in words if _WORD.match(word) and _is_skill(word))


def _is_skill(path: str) -> bool:
    if not path.endswith(SKILL_FILE_NAME):
        return False
    parts = path.replace("\\", "/").split("/")
    return parts[-1] == SKILL_FILE_NAME and len(parts) > 1 and not set(path) & set("*?[${")


def _get_skill_name(path: str) -> str:
    return path.replace("\\", "/").split("/")[-2]
