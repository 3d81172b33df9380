"""What features ask of single observations: worked out once for each, however many episodes hold it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import accumulate

from mind_skills.detectors import noise, words
from mind_skills.detectors.timeline import Timeline
from mind_skills.detectors.tokens import names, tokens
from mind_skills.detectors.verification import only_style
from mind_skills.detectors.workaround import of_tests
from mind_skills.observations.commands import is_check
from mind_skills.observations.errors import names_nothing
from mind_skills.observations.model import Observation
from mind_skills.observations.unread import raw

_DOCUMENT = (".md", ".mdx", ".rst", ".txt", ".adoc")
_SETTINGS = re.compile(
    r"\.(?:json|ya?ml|toml|ini|cfg|conf|lock|env\w{0,20}|mod|sum|gradle|xml|properties)\Z|Dockerfile|Makefile|\.config\.|(?:\A|/)\.[a-z]\w*rc\Z"
)
_NOTES = ("CLAUDE.md", "AGENTS.md", "GEMINI.md", "MEMORY.md", "/memory/", "README", "CHANGELOG", "CONTRIBUTING", "SKILL.md", "/docs/", "runbook")
_COMMENT = re.compile(r"^\+\s*(?://|#|\*|/\*|<!--|--|;)\s*(\S.{15,300})", re.MULTILINE)
_MESSAGE = re.compile(r"(?:-m|--message|<<)[\s=]*(.{5,120})", re.DOTALL)
_ASSERTION = ("assert", "expected", "--- FAIL", "FAIL ", "not ok", "✗", "×")
_ENVIRONMENT = re.compile(r"[A-Z_][A-Z_0-9]{2,}=")
_SPLIT = re.compile(r"[\s'\"`;|&()<>]+")
_COMMAND = 600
"""Characters of a command whose words are compared."""
_CLOSING, _TOLD = 3_000, 800
_POOLED = 12
"""Observations of a span whose words are pooled: more of them say everything."""


class Failed:
    """A failure: what its error names, and of which of the kinds it is that teach little."""

    __slots__ = ("absent", "assertion", "linter", "nameless", "names", "slip", "usage", "words")

    def __init__(self, one: Observation) -> None:
        self.names = names(one.error)
        self.nameless = not one.error or names_nothing(one.error)
        self.slip = noise.slip(one)
        self.usage = noise.usage_error(one)
        self.absent = noise.absent(one)
        self.linter = is_check(one.signature) and only_style(one.signature)
        self.assertion = words.holds(one.error, _ASSERTION)
        self.words = tokens(one.error)


class Changed:
    """A change: what kind of files it is of, and whether a comment in it gives a reason."""

    __slots__ = ("document", "new", "note", "reason", "settings", "tests")

    def __init__(self, one: Observation) -> None:
        files = one.files
        self.tests = bool(files) and all(map(of_tests, files))
        self.document = bool(files) and all(name.endswith(_DOCUMENT) for name in files)
        self.settings = bool(files) and all(_SETTINGS.search(name) for name in files)
        self.new = one.action == "write"
        self.note = any(words.holds(name, _NOTES) for name in files)
        self.reason = any(words.holds(found.lower(), words.REASON) for found in _COMMENT.findall(one.change))


class Closing:
    """The agent's last words of a turn."""

    __slots__ = ("fixed", "words")

    def __init__(self, one: Observation) -> None:
        text = raw(one)[:_CLOSING]
        low = text.lower()
        self.fixed = words.holds(low, words.SOLVED) and words.holds(low, words.FIX)
        self.words = tokens(text, _CLOSING)


class Facts:
    """The facts of one timeline, each made when it is first asked for."""

    def __init__(self, line: Timeline) -> None:
        self.line = line
        self._failed: dict[int, Failed] = {}
        self._changed: dict[int, Changed] = {}
        self._closing: dict[int, Closing] = {}
        self._commands: dict[int, frozenset[str]] = {}
        self._pools: dict[tuple[int, int, int], frozenset[str]] = {}
        self._shared: dict[tuple[int, int, int, int], int] = {}
        self._touched: dict[str, list[int]] = {}
        self._used: dict[str, list[int]] | None = None
        self._notes: list[int] | None = None
        self.passed = frozenset(line.passes)
        self._green: dict[str, list[int]] = {}
        for index in line.checks:
            for part in line.observations[index].signature.split(" && "):
                self._green.setdefault(part, []).append(index)
        held = [words.holds(raw(line.observations[index])[:_TOLD].lower(), words.ESCALATION) for index in line.said]
        self.permission = [0, *accumulate(map(int, held))]
        """How many passages before each of ``line.said`` speak of what the agent may do; one more entry than those."""
        for index in line.changes:
            for name in line.observations[index].files:
                self._touched.setdefault(name, []).append(index)
        self.fixes = [index for index in line.commits if self._says_fix(index)]

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

    def closing(self, index: int) -> Closing:
        """What is known of the last words of a turn."""
        if index not in self._closing:
            self._closing[index] = Closing(self.line.observations[index])
        return self._closing[index]

    def command(self, index: int) -> frozenset[str]:
        """The words of a command line."""
        if index not in self._commands:
            words_ = _SPLIT.split(self.line.observations[index].command[:_COMMAND])
            self._commands[index] = frozenset(filter(None, words_))
        return self._commands[index]

    def errors(self, low: int, high: int) -> frozenset[str]:
        """The words of the errors of ``line.failures[low:high]``, of the first few."""
        key = 0, low, min(high, low + _POOLED)
        if key not in self._pools:
            places = self.line.failures[low : key[2]]
            self._pools[key] = frozenset[str]().union(*(self.failed(index).words for index in places))
        return self._pools[key]

    def changes(self, low: int, high: int) -> frozenset[str]:
        """The words of ``line.changes[low:high]``, of the first few."""
        key = 1, low, min(high, low + _POOLED)
        if key not in self._pools:
            places = self.line.changes[low : key[2]]
            self._pools[key] = frozenset[str]().union(*(self.line.tokens(index) for index in places))
        return self._pools[key]

    def explained(self, low: int, high: int, first: int, last: int) -> int:
        """The most words that one passage of ``line.said[low:high]`` which says why shares with ``line.changes[first:last]``."""
        high, last = min(high, low + 5 * _POOLED), min(last, first + _POOLED)
        key = low, high, first, last
        if key not in self._shared:
            about = self.changes(first, last)
            told = (index for index in self.line.said[low:high] if self.line.heard[index].cause) if about else ()
            self._shared[key] = max((len(self.line.tokens(index) & about) for index in told), default=0)
        return self._shared[key]

    def owned(self, failure: int, changes: list[int], reach: int) -> bool:
        """Whether a file of these changes was changed shortly before the failure as well, up to ``reach`` observations."""
        for name in {name for index in changes for name in self.line.observations[index].files}:
            before = self.line.before(self._touched.get(name, []), failure)
            if before is not None and failure - before <= reach:
                return True
        return False

    def used_again(self, added: frozenset[str], begin: int, end: int) -> int:
        """In how many commands behind ``end`` half of the added words stand that no command before ``begin`` had."""
        if self._used is None:
            self._used = {}
            for index in self.line.runs:
                for word in self.command(index):
                    self._used.setdefault(word, []).append(index)
        counts: list[int] = []
        for word in added:
            places = self._used.get(word, [])
            if not places or places[0] >= begin:
                counts.append(len(places) - bisect_right(places, end))
        return sorted(counts)[(len(counts) - 1) // 2] if counts else 0

    def sets_variable(self, added: frozenset[str]) -> bool:
        """Whether a command sets a variable of the environment among these words."""
        return any(_ENVIRONMENT.match(word) for word in added)

    def green(self, failure: int, end: int) -> bool:
        """Whether the check that failed passes again up to ``end``, whatever of it was run."""
        for part in self.line.observations[failure].signature.split(" && "):
            following = self.line.after(self._green.get(part, []), failure)
            if following is not None and following <= end:
                return True
        return False

    def noted(self, end: int, about: frozenset[str]) -> int:
        """The most words that a note for later readers, written behind ``end``, shares with these."""
        if self._notes is None:
            self._notes = [index for index in self.line.changes if self.changed(index).note]
        later = self._notes[bisect_left(self._notes, end + 1) :][:_POOLED]
        return max((len(self.line.tokens(index) & about) for index in later), default=0)

    def _says_fix(self, index: int) -> bool:
        found = _MESSAGE.search(self.line.observations[index].command)
        return found is not None and words.holds(found[1].lower(), words.FIX)
