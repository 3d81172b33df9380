"""Features of an episode: numbers, each with the sign of its weight and the reason for that sign.

Signs were chosen by judgement before any weight was fitted; a fit may drop a feature but not change its sign. Words are
only counted; none decides anything by itself. Every number is a logarithm, a density, a share, or 0 or 1. The
underlying facts are computed once, even if several episodes share them (Facts, timeline.py).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property
from math import log1p
from typing import Literal, NamedTuple

from mind_skills.detectors import noise, words
from mind_skills.detectors.model import Episode
from mind_skills.detectors.timeline import Timeline
from mind_skills.detectors.verification import checks_only_style
from mind_skills.observations.commands import is_check, is_same_command
from mind_skills.observations.model import Observation, get_raw_text
from mind_skills.observations.results import is_runner_message
from mind_skills.redaction.lazy_pattern import compile_lazily

Group = Literal["user", "words", "failure", "remedy", "shape", "session", "pattern"]


class Feature(NamedTuple):
    """A measured property of an episode or a sentence. ``sign`` is 1 if larger values count in favour of a learning, else -1."""

    name: str
    sign: Literal[1, -1]
    group: Group
    reason: str
    """Why the weight has this sign."""
    description: str
    """What `show` prints if the feature was decisive."""


FEATURES: tuple[Feature, ...] = (
    # the user's messages
    Feature("user_reported", 1, "user", "the problem matters to the user", "the user reported a problem"),
    Feature("user_pasted", 1, "user", "the problem really occurred", "the user pasted an error"),
    Feature("user_brief", 1, "user", "a short message is about one thing", "the user's message was short"),
    Feature("user_asked_why", 1, "user", "the answer explains something", "the user asked why"),
    Feature("user_planned", -1, "user", "failures while carrying out a plan are expected", "a plan was carried out"),
    Feature("user_messages", -1, "user", "several requests are several topics", "it spans several messages of the user"),
    # the agent's statements
    Feature("cause_density", 1, "words", "who gives reasons has understood something", "the agent gave reasons"),
    Feature("cause_found", 1, "words", "the search has found something", "the agent named a cause"),
    Feature("reversal", 1, "words", "something differed from what was assumed", "something turned out differently than expected"),
    Feature("permission_discussed", 1, "words", "later sessions meet the same limits", "permissions of the agent were discussed"),
    Feature("closing_fixed", 1, "words", "a reported fix solved something", "the turn's closing message reports a fix"),
    Feature("commit_fixes", 1, "words", "the message states what the work was", "a commit message mentions a fix"),
    Feature("reason_in_comment", 1, "words", "the comment is for later readers", "the change contains a comment with a reason"),
    # failures
    Feature("starts_failed", 1, "failure", "the episode is about the failure", "it begins with a failure"),
    Feature("failure_density", 1, "failure", "many failures in a few steps come from one problem", "it contains many failures"),
    Feature("all_slips", -1, "failure", "slips are fixed in the next step", "all failures were slips in new code"),
    Feature("nameless", -1, "failure", "such an error cannot be recognised later", "the error names nothing"),
    Feature("absent", -1, "failure", "a missing tool or credential is soon provided", "a tool, credential or host was missing"),
    Feature("linter", -1, "failure", "linter findings are a list to work through", "a linter complained"),
    Feature("assertion", -1, "failure", "failing tests are part of writing code", "an assertion failed"),
    Feature("own_work", -1, "failure", "the agent fixes what it wrote a moment ago", "the agent fixed its own new work"),
    # the remedy
    Feature("red_to_green", 1, "remedy", "the failed command passes, so the remedy works", "the command that had failed passed"),
    Feature("ends_passed", 1, "remedy", "the episode has an outcome", "it ends with a command that passed"),
    Feature("ends_checked", 1, "remedy", "a check confirms the result", "it ends with a check that passed"),
    Feature("change_late", -1, "remedy", "a change made at once addresses one problem", "nothing was changed at first, or at all"),
    Feature("variable_set", 1, "remedy", "everyone on the project needs it", "an environment variable was set"),
    Feature("documents_only", -1, "remedy", "documents rarely solve a problem", "only documents were changed"),
    # shape of the episode
    Feature("length", -1, "shape", "a long span covers more than one thing", "it is long"),
    Feature("share", -1, "shape", "most of a session is its task, not one learning", "it covers much of the session"),
    Feature("late", -1, "shape", "the end of a session is cleanup", "it is late in the session"),
    Feature("runs", -1, "shape", "many commands are routine", "many commands ran"),
    # the whole session
    Feature("session_changes", -1, "session", "where something is built, failures are normal", "the session is mostly edits"),
    Feature("session_causes", 1, "session", "who names causes has often found some", "the session names causes"),
    Feature("session_speech", 1, "session", "comments on the work show what was learned", "the agent comments on its work"),
    Feature("session_checks", 1, "session", "checks find out what works", "the session checks its work"),
    Feature("session_looks", 1, "session", "who reads a lot is missing knowledge", "the session reads a lot"),
    Feature("session_web", 1, "session", "who searches the web is missing knowledge", "the session searches the web"),
    # the proposal
    Feature("patterns", 1, "pattern", "what several patterns propose stands out", "several patterns propose it"),
)  # fmt: skip

_MAX_OWN_WORK_DISTANCE = 15
"""A failure counts as one in new work if it occurs at most this many observations after a change to a file that the episode changes
again."""
_MAX_CHANGE_DISTANCE = 54
"""Upper limit of the measured distance to the first change, in observations; an episode without a change is at this limit."""
_MAX_COMMIT_DISTANCE = 60
"""A commit counts as part of the episode's work if it comes fewer than this many observations after the episode's end."""
_MAX_FAILURES, _MAX_ASSERTIONS = 40, 4
"""Maximum number of failures of an episode that are read, and of those that are checked for assertions."""
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
            is_solved = words.contains_any(lowered, words.SOLVED)
            self._reports_fix[index] = is_solved and words.contains_any(lowered, words.FIX)
        return self._reports_fix[index]

    @cached_property
    def passes(self) -> frozenset[int]:
        return frozenset(self.timeline.passes)

    @cached_property
    def fix_commits(self) -> frozenset[int]:
        """Indexes of the commits whose message mentions a fix."""
        return frozenset(
            index
            for index in self.timeline.commits
            if (message := _COMMIT_MESSAGE.search(self.timeline.observations[index].command))
            and words.contains_any(message[1].lower(), words.FIX)
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


def measure_features(facts: Facts, episode: Episode) -> dict[str, float]:
    """Return every feature of an episode by name. ``facts`` are about the episode's timeline."""
    timeline = facts.timeline
    first, last = episode.first, episode.last
    start = bisect_left(timeline.failures, first)
    failures = timeline.failures[start : min(bisect_right(timeline.failures, last), start + _MAX_FAILURES)]
    changes = timeline.select(timeline.changes, first, last + 1)
    return (
        _measure_user(facts, first, last)
        | _measure_words(facts, first, last, changes)
        | _measure_failures(facts, first, last, failures, changes)
        | _measure_remedy(facts, first, last, failures, changes)
        | _measure_shape(facts, first, last)
        | facts.session_features
        | {"patterns": log1p(len(episode.patterns))}
    )


def _measure_user(facts: Facts, first: int, last: int) -> dict[str, float]:
    timeline = facts.timeline
    message = timeline.find_turn(first)
    traits = timeline.message_traits[message] if message is not None else None
    return {
        "user_reported": float(traits is not None and traits.reports_problem),
        "user_pasted": float(traits is not None and traits.has_pasted_error),
        "user_brief": float(traits is not None and traits.is_brief),
        "user_asked_why": float(traits is not None and traits.asks_why and not traits.is_plan),
        "user_planned": float(traits is not None and traits.is_plan),
        "user_messages": log1p(len(timeline.select(timeline.user_messages, first, last + 1))),
    }


def _measure_words(facts: Facts, first: int, last: int, changes: list[int]) -> dict[str, float]:
    timeline = facts.timeline
    low, high = bisect_left(timeline.statements, first), bisect_right(timeline.statements, last)
    cause, strong, reversal, size, permission = (
        timeline.running_sums[name][high] - timeline.running_sums[name][low]
        for name in ("cause", "strong_in_messages", "reversal_in_messages", "size", "permission")
    )
    closing = timeline.find_after(timeline.closing_messages, last - 1)
    commit = timeline.find_after(timeline.commits, last - 1)
    is_near = commit is not None and commit - last < _MAX_COMMIT_DISTANCE
    return {
        "cause_density": 1000 * cause / (300 + size),
        "cause_found": float(strong > 0),
        "reversal": float(reversal > 0),
        "permission_discussed": float(permission > 0),
        "closing_fixed": float(closing is not None and facts.reports_fix(closing)),
        "commit_fixes": float(is_near and commit in facts.fix_commits),
        "reason_in_comment": float(any(facts.read_change(index).has_reason for index in changes)),
    }


def _measure_failures(
    facts: Facts, first_index: int, last_index: int, failures: list[int], changes: list[int]
) -> dict[str, float]:
    failure_facts = [facts.read_failure(index) for index in failures]
    first = failure_facts[0] if failure_facts else None
    return {
        "starts_failed": float(bool(failures) and failures[0] == first_index),
        "failure_density": len(failures) / (1 + last_index - first_index),
        "all_slips": float(bool(failure_facts) and all(failure.is_slip for failure in failure_facts)),
        "nameless": float(first is not None and first.is_nameless),
        "absent": float(first is not None and first.lacks_resource),
        "linter": float(first is not None and first.is_linter),
        "assertion": float(any(failure.is_assertion for failure in failure_facts[:_MAX_ASSERTIONS])),
        "own_work": float(
            bool(failures) and bool(changes) and facts.changes_own_work(failures[0], changes, _MAX_OWN_WORK_DISTANCE)
        ),
    }


def _measure_remedy(facts: Facts, first: int, last: int, failures: list[int], changes: list[int]) -> dict[str, float]:
    timeline = facts.timeline
    last_observation = timeline.observations[last]
    ends_passed = last in facts.passes
    start = failures[0] if failures and failures[0] < last else first
    is_rerun = ends_passed and any(
        is_same_command(timeline.observations[index].signature, last_observation.signature)
        for index in failures
        if index < last
    )
    is_documents_only = bool(changes) and all(facts.read_change(index).is_document for index in changes)
    return {
        "red_to_green": float(is_rerun),
        "ends_passed": float(ends_passed),
        "ends_checked": float(ends_passed and is_check(last_observation.signature)),
        "change_late": log1p(min(changes[0] - first, _MAX_CHANGE_DISTANCE) if changes else _MAX_CHANGE_DISTANCE),
        "variable_set": float(ends_passed and facts.sets_variable(start, last)),
        "documents_only": float(is_documents_only),
    }


def _measure_shape(facts: Facts, first: int, last: int) -> dict[str, float]:
    timeline = facts.timeline
    total = max(1, len(timeline.observations))
    return {
        "length": log1p(last - first),
        "share": (last - first) / total,
        "late": last / total,
        "runs": log1p(len(timeline.select(timeline.runs, first, last + 1))),
    }
