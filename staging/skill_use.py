"""Which skills a session used, from what its agent did: it loaded one by the host's own tool, or it read a SKILL.md.

Sees: the tools of hosts/skills.py; a tool that reads a file; a shell command that prints one (`cat`, `sed -n`), which is
how Codex does it; and what the host itself put before the model. Must not count: a file that was written, searched,
listed, or could not be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from mind_skills.hosts.skills import LOADERS
from mind_skills.observations.model import Observation, Session
from mind_skills.redaction.lazy_pattern import compile_later

NAME = "SKILL.md"
MOST = 200
"""Different uses that are kept of one session."""
How = Literal["tool", "read", "host"]
"""Loaded by the host's tool, read as a file, or brought by the host because the user named it."""

_PRINTED = compile_later(
    r"(?:^|[;&|(\n]|\s-l?c\s+['\"])\s*(?:cat|sed\s+-n|head|tail|less|more|bat|nl|awk)\s([^;&|\n]*SKILL\.md)"
)
_WORD = compile_later(r"[^\s'\"<>=]*SKILL\.md\Z")


@dataclass(slots=True)
class SkillUse:
    """One skill in one way. ``path`` is empty where only the name is known, and as the log has it: perhaps relative.

    ``first`` and ``last`` are lines of the log, ``at`` is the time of the last use (UTC ms, None where it is not told).
    """

    name: str
    path: str
    how: How
    first: int
    last: int
    at: int | None = None


class SkillMeter:
    """Collects the skills that a session uses: ``feed`` each observation once, in order, then take the ``result``."""

    __slots__ = ("_session", "_uses")

    def __init__(self, session: Session) -> None:
        """``session`` is the header that fills while the observations pass."""
        self._session = session
        self._uses: dict[tuple[How, str], SkillUse] = {}

    def feed(self, observation: Observation) -> None:
        """Take in the next observation."""
        if observation.kind != "tool" or observation.outcome not in ("ok", "unknown"):
            return
        if NAME not in observation.command and not observation.files and observation.tool not in LOADERS:
            return  # as nearly always
        for how, key in _used(observation):
            self._add(how, key, observation.line, observation.at)

    def result(self) -> list[SkillUse]:
        """What was used so far, in the order of the first use of each; may be asked for more than once."""
        own, self._uses = self._uses, dict(self._uses)
        for loaded in self._session.skills:
            self._add("host", loaded.path, loaded.line, loaded.at)
        found, self._uses = self._uses, own
        return sorted(found.values(), key=lambda use: (use.first, use.name))

    def _add(self, how: How, key: str, line: int, at: int | None) -> None:
        known = self._uses.get((how, key))
        if known is not None:
            self._uses[how, key] = SkillUse(
                known.name, known.path, how, known.first, max(known.last, line), at or known.at
            )
        elif len(self._uses) < MOST:
            path = "" if how == "tool" else key
            self._uses[how, key] = SkillUse(key if how == "tool" else _folder(key), path, how, line, line, at)


def _used(observation: Observation) -> Iterator[tuple[How, str]]:
    if observation.tool in LOADERS:
        if name := observation.command.strip():
            yield "tool", name
    elif observation.action == "read" and observation.files:
        for name in filter(_is_skill, observation.files):
            yield "read", name
    elif observation.action in ("read", "run"):
        for name in _printed(observation.command):
            yield "read", name


def _printed(command: str) -> Iterable[str]:
    """The skills that a shell command prints, each by one name; none with a wildcard in it."""
    if NAME not in command:
        return []
    words = (word.strip("'\"") for part in _PRINTED.findall(command) for word in part.split())
    return dict.fromkeys(word for word in words if _WORD.match(word) and _is_skill(word))


def _is_skill(path: str) -> bool:
    if not path.endswith(NAME):
        return False
    parts = path.replace("\\", "/").split("/")
    return parts[-1] == NAME and len(parts) > 1 and not set(path) & set("*?[${")


def _folder(path: str) -> str:
    return path.replace("\\", "/").split("/")[-2]
