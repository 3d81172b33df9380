"""What the lint looks at, and what it says: a SKILL.md taken apart, and its flaws. No judgement here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from mind_skills.learning.skills.discovery import Skill

Severity = Literal["error", "warning"]
Value = str | list["Value"] | dict[str, "Value"]
"""A value of the frontmatter. Scalars are text: what a host makes of ``on`` or ``1.0`` differs from host to host."""
SPEC, SAFETY, CLAUDE_CODE, OURS = "Agent Skills", "safety", "Claude Code", "mind-skills"
"""Where a rule comes from: the specification at agentskills.io and its validator, what skills were attacked with, how
one host behaves, or our own experience."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """One thing that is wrong with a skill. ``line`` is 1-based in its file, 0 for the file as a whole."""

    code: str
    severity: Severity
    message: str
    hint: str
    source: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """A SKILL.md. ``folder`` is the name of its folder, ``fields`` its frontmatter, None where that cannot be read.

    ``body_line`` is the line on which the body begins, ``other_files`` the other text files of the folder: name to text.
    ``others`` are the skills that a host would list together with it.
    """

    path: str
    folder: str
    text: str
    fields: Mapping[str, Value] | None
    body: str
    body_line: int = 1
    other_files: Mapping[str, str] = field(default_factory=dict[str, str])
    others: tuple[Skill, ...] = ()

    def text_of(self, key: str) -> str:
        """The text of a field, empty where there is none or where it is not text."""
        value = (self.fields or {}).get(key)
        return value.strip() if isinstance(value, str) else ""

    def line_of(self, key: str) -> int:
        """The line on which a field stands, 0 where there is no such line."""
        for number, line in enumerate(self.text.split("\n")[: self.body_line], 1):
            if line.startswith(key) and line[len(key) :].lstrip().startswith(":"):
                return number
        return 0
