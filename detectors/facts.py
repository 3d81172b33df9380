"""What features ask of single observations: worked out once for each, however many episodes hold it."""

from __future__ import annotations

import re
from functools import cached_property
from math import log1p

from mind_skills.detectors import noise, words
from mind_skills.detectors.timeline import Timeline
from mind_skills.detectors.verification import only_style
from mind_skills.observations.commands import is_check
from mind_skills.observations.errors import names_nothing
from mind_skills.observations.model import Observation
from mind_skills.observations.unread import raw
from mind_skills.redaction.lazy_pattern import compile_later

_DOCUMENT = (".md", ".mdx", ".rst", ".txt", ".adoc")
_COMMENT = compile_later(r"^\+\s*(?://|#|\*|/\*|<!--|--|;)\s*(\S.{15,300})", re.MULTILINE)
_MESSAGE = compile_later(r"(?:-m|--message|<<)[\s=]*(.{5,120})", re.DOTALL)
"""What a commit says first."""
_ASSERTION = ("assert", "expected", "--- FAIL", "FAIL ", "not ok", "✗", "×")
_ENVIRONMENT = compile_later(r"[A-Z_][A-Z_0-9]{2,}=")
_SPLIT = compile_later(r"[\s'\"`;|&()<>]+")
_COMMAND, _CLOSING = 600, 3_000
"""Characters of a command whose words are compared, and of the last words of a turn."""


class Failed:
    """A failure: of which of the kinds it is that teach little."""

    __slots__ = ("absent", "assertion", "linter", "nameless", "slip")

    def __init__(self, one: Observation) -> None:
        self.nameless = not one.error or names_nothing(one.error)
        self.slip = noise.slip(one)
        self.absent = noise.absent(one)
        self.linter = is_check(one.signature) and only_style(one.signature)
        self.assertion = words.holds(one.error, _ASSERTION)


class Changed:
    """A change: whether it is of documents alone, and whether a comment in it gives a reason."""

    __slots__ = ("document", "reason")

    def __init__(self, one: Observation) -> None:
        self.document = bool(one.files) and all(name.endswith(_DOCUMENT) for name in one.files)
        self.reason = any(words.holds(found.lower(), words.REASON) for found in _COMMENT.findall(one.change))


class Facts:
    """The facts of one timeline, each made when it is first asked for."""

    def __init__(self, line: Timeline) -> None:
        self.line = line
        self._failed: dict[int, Failed] = {}
        self._changed: dict[int, Changed] = {}
        self._closing: dict[int, bool] = {}
        self._commands: dict[int, frozenset[str]] = {}

    def failed(self, index: int) -> Failed:
        """What is known of a failure."""
        if index not in self._failed:
            self._failed[index] = Failed(self.line.observations[index])
        return self._failed[index]

    def changed(self, index: int) -> Changed:
        """What is known of a change."""
        if index not in self._changed:
            self._changed[index] = Changed(self.line.observations[index])
        return self._changed[index]

    def closes_fixed(self, index: int) -> bool:
        """Whether the last words of a turn say that something was fixed."""
        if index not in self._closing:
            low = raw(self.line.observations[index])[:_CLOSING].lower()
            self._closing[index] = words.holds(low, words.SOLVED) and words.holds(low, words.FIX)
        return self._closing[index]

    @cached_property
    def passed(self) -> frozenset[int]:
        """The commands that passed."""
        return frozenset(self.line.passes)

    @cached_property
    def fixes(self) -> frozenset[int]:
        """The commits that say fix."""
        said = ((index, _MESSAGE.search(self.line.observations[index].command)) for index in self.line.commits)
        return frozenset(
            index for index, found in said if found is not None and words.holds(found[1].lower(), words.FIX)
        )

    @cached_property
    def session(self) -> dict[str, float]:
        """The features that all episodes of the session share."""
        line = self.line
        tools = 5 + len(line.tools)
        return {
            "session_changes": len(line.changes) / tools,
            "session_causes": line.sums["strong"][-1] / (5 + len(line.said)),
            "session_speech": len(line.aloud) / tools,
            "session_checks": log1p(len(line.checks)),
            "session_looks": log1p(len(line.looks)),
            "session_web": log1p(len(line.web)),
        }

    @cached_property
    def _touched(self) -> dict[str, list[int]]:
        touched: dict[str, list[int]] = {}
        for index in self.line.changes:
            for name in self.line.observations[index].files:
                touched.setdefault(name, []).append(index)
        return touched

    def owned(self, failure: int, changes: list[int], reach: int) -> bool:
        """Whether a file of these changes was changed shortly before the failure as well, up to ``reach`` observations."""
        for name in {name for index in changes for name in self.line.observations[index].files}:
            before = self.line.before(self._touched.get(name, []), failure)
            if before is not None and failure - before <= reach:
                return True
        return False

    def sets_variable(self, first: int, last: int) -> bool:
        """Whether the command at ``last`` sets a variable of the environment that the one at ``first`` does not, and else is like it."""
        before, after = self._command(first), self._command(last)
        return bool(before & after) and any(_ENVIRONMENT.match(word) for word in after - before)

    def _command(self, index: int) -> frozenset[str]:
        if index not in self._commands:
            self._commands[index] = frozenset(_SPLIT.split(self.line.observations[index].command[:_COMMAND])) - {""}
        return self._commands[index]
