"""Facts about a session and its observations, each computed only once, even if many episodes need it."""

from __future__ import annotations

import re
from functools import cached_property
from math import log1p

from mind_skills.detectors import noise, words
from mind_skills.detectors.timeline import Timeline
from mind_skills.detectors.verification import checks_only_style
from mind_skills.observations.commands import is_check
from mind_skills.observations.model import Observation, get_raw_text
from mind_skills.observations.results import is_runner_message
from mind_skills.redaction.lazy_pattern import compile_lazily

_DOCUMENT_SUFFIXES = (".md", ".mdx", ".rst", ".txt", ".adoc")
_COMMENT = compile_lazily(r"^\+\s*(?://|#|\*|/\*|<!--|--|;)\s*(\S.{15,300})", re.MULTILINE)
_COMMIT_MESSAGE = compile_lazily(r"(?:-m|--message|<<)[\s=]*(.{5,120})", re.DOTALL)
"""Captures the start of a commit message."""
_ASSERTION = ("assert", "expected", "--- FAIL", "FAIL ", "not ok", "✗", "×")
_ASSIGNMENT = compile_lazily(r"[A-Z_][A-Z_0-9]{2,}=")
_WORD_SEPARATOR = compile_lazily(r"[\s'\"`;|&()<>]+")
_MAX_COMMAND_LENGTH, _MAX_CLOSING_LENGTH = 600, 3_000
"""Number of characters of a command, and of a turn's closing message, that are read."""


class FailureFacts:
    """Flags for the kinds of failures that teach little."""

    __slots__ = ("is_assertion", "is_linter", "is_nameless", "is_slip", "lacks_resource")

    def __init__(self, observation: Observation) -> None:
        self.is_nameless = not observation.error or is_runner_message(observation.error)
        self.is_slip = noise.is_slip(observation)
        self.lacks_resource = noise.lacks_resource(observation)
        self.is_linter = is_check(observation.signature) and checks_only_style(observation.signature)
        self.is_assertion = words.contains_any(observation.error, _ASSERTION)


class ChangeFacts:
    """Whether a change touches only documents, and whether a comment that it adds gives a reason."""

    __slots__ = ("has_reason", "is_document")

    def __init__(self, observation: Observation) -> None:
        files, comments = observation.files, _COMMENT.findall(observation.change)
        self.is_document = bool(files) and all(name.endswith(_DOCUMENT_SUFFIXES) for name in files)
        self.has_reason = any(words.contains_any(comment.lower(), words.REASON) for comment in comments)


class Facts:
    """Lazily computed facts about one timeline."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self._failures: dict[int, FailureFacts] = {}
        self._changes: dict[int, ChangeFacts] = {}
        self._reports_fix: dict[int, bool] = {}
        self._commands: dict[int, frozenset[str]] = {}

    def read_failure(self, index: int) -> FailureFacts:
        if index not in self._failures:
            self._failures[index] = FailureFacts(self.timeline.observations[index])
        return self._failures[index]

    def read_change(self, index: int) -> ChangeFacts:
        if index not in self._changes:
            self._changes[index] = ChangeFacts(self.timeline.observations[index])
        return self._changes[index]

    def reports_fix(self, index: int) -> bool:
        """Return whether the closing message of a turn reports a fix."""
        if index not in self._reports_fix:
            lowered = get_raw_text(self.timeline.observations[index])[:_MAX_CLOSING_LENGTH].lower()
            self._reports_fix[index] = words.contains_any(lowered, words.SOLVED) and words.contains_any(
                lowered, words.FIX
            )
        return self._reports_fix[index]

    @cached_property
    def passes(self) -> frozenset[int]:
        return frozenset(self.timeline.passes)

    @cached_property
    def fix_commits(self) -> frozenset[int]:
        """Indexes of the commits whose message mentions a fix."""
        commands = ((index, self.timeline.observations[index].command) for index in self.timeline.commits)
        messages = ((index, _COMMIT_MESSAGE.search(command)) for index, command in commands)
        return frozenset(
            index
            for index, message in messages
            if message is not None and words.contains_any(message[1].lower(), words.FIX)
        )

    @cached_property
    def session_features(self) -> dict[str, float]:
        """The features that all episodes of the session share."""
        timeline = self.timeline
        calls = 5 + len(timeline.tool_calls)
        return {
            "session_changes": len(timeline.changes) / calls,
            "session_causes": timeline.running_sums["strong"][-1] / (5 + len(timeline.statements)),
            "session_speech": len(timeline.agent_messages) / calls,
            "session_checks": log1p(len(timeline.passed_checks)),
            "session_looks": log1p(len(timeline.lookups)),
            "session_web": log1p(len(timeline.web_calls)),
        }

    @cached_property
    def _changes_by_file(self) -> dict[str, list[int]]:
        changes: dict[str, list[int]] = {}
        for index in self.timeline.changes:
            for name in self.timeline.observations[index].files:
                changes.setdefault(name, []).append(index)
        return changes

    def changes_own_work(self, failure: int, changes: list[int], max_distance: int) -> bool:
        """Return whether a file of ``changes`` had also been changed at most ``max_distance`` observations before the failure."""
        for name in {name for index in changes for name in self.timeline.observations[index].files}:
            earlier = self.timeline.find_before(self._changes_by_file.get(name, []), failure)
            if earlier is not None and failure - earlier <= max_distance:
                return True
        return False

    def sets_variable(self, first: int, last: int) -> bool:
        """Return whether the two commands share words and the one at ``last`` contains an assignment that the other does not."""
        before, after = self._read_command_words(first), self._read_command_words(last)
        return bool(before & after) and any(_ASSIGNMENT.match(word) for word in after - before)

    def _read_command_words(self, index: int) -> frozenset[str]:
        if index not in self._commands:
            command = self.timeline.observations[index].command[:_MAX_COMMAND_LENGTH]
            self._commands[index] = frozenset(_WORD_SEPARATOR.split(command)) - {""}
        return self._commands[index]
