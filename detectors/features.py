"""Features of an episode: numbers, each with the sign of its weight and the reason for that sign.

Signs were chosen by judgement before any weight was fitted; a fit may drop a feature but not change its sign. Words are
only counted; none decides anything by itself. Every number is a logarithm, a density, a share, or 0 or 1. The
underlying facts are computed once, even if several episodes share them (facts.py, timeline.py).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from math import log1p
from typing import Literal, NamedTuple

from mind_skills.detectors.facts import Facts
from mind_skills.detectors.model import Episode
from mind_skills.observations.commands import is_check, is_same_command

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
    Feature("user_reported", 1, "user", "a reported problem matters to the user", "the user reported a problem"),
    Feature("user_pasted", 1, "user", "a pasted error is a problem that really occurred", "the user pasted an error"),
    Feature("user_brief", 1, "user", "a short message is about one thing", "the user's message was short"),
    Feature("user_asked_why", 1, "user", "the answer to a question about the reason explains something", "the user asked why"),
    Feature("user_planned", -1, "user", "failures while carrying out a plan are expected", "a plan was carried out"),
    Feature("user_messages", -1, "user", "several requests are several topics", "it spans several messages of the user"),
    # the agent's statements
    Feature("cause_density", 1, "words", "an agent that gives reasons has understood something", "the agent gave reasons"),
    Feature("cause_found", 1, "words", "a search that ends in a named cause has found something", "the agent named a cause"),
    Feature("reversal", 1, "words", "something differed from what was assumed", "something turned out differently than expected"),
    Feature("permission_discussed", 1, "words", "later sessions meet the same limits", "permissions of the agent were discussed"),
    Feature("closing_fixed", 1, "words", "a reported fix solved something", "the turn's closing message reports a fix"),
    Feature("commit_fixes", 1, "words", "a commit message that mentions a fix states what the work was", "a commit message mentions a fix"),
    Feature("reason_in_comment", 1, "words", "a comment with a reason is for later readers", "the change contains a comment with a reason"),
    # failures
    Feature("starts_failed", 1, "failure", "an episode that begins with a failure is about it", "it begins with a failure"),
    Feature("failure_density", 1, "failure", "many failures in a few steps come from one problem", "it contains many failures"),
    Feature("all_slips", -1, "failure", "slips are fixed in the next step", "all failures were slips in new code"),
    Feature("nameless", -1, "failure", "an error that names nothing cannot be recognised later", "the error names nothing"),
    Feature("absent", -1, "failure", "a missing tool or credential is soon provided", "a tool, credential or host was missing"),
    Feature("linter", -1, "failure", "linter findings are a list to work through", "a linter complained"),
    Feature("assertion", -1, "failure", "failing tests are part of writing code", "an assertion failed"),
    Feature("own_work", -1, "failure", "the agent fixes what it wrote a moment ago", "the agent fixed its own new work"),
    # the remedy
    Feature("red_to_green", 1, "remedy", "the failed command passes, so the remedy works", "the command that had failed passed"),
    Feature("ends_passed", 1, "remedy", "an episode that ends with a pass has an outcome", "it ends with a command that passed"),
    Feature("ends_checked", 1, "remedy", "a check confirms the result", "it ends with a check that passed"),
    Feature("change_late", -1, "remedy", "a change made at once addresses one problem", "nothing was changed at first, or at all"),
    Feature("variable_set", 1, "remedy", "everyone who works on the project needs the variable too", "an environment variable was set"),
    Feature("documents_only", -1, "remedy", "a change to documents rarely solves a problem", "only documents were changed"),
    # shape of the episode
    Feature("length", -1, "shape", "a long span covers more than one thing", "it is long"),
    Feature("share", -1, "shape", "a span of most of a session is its task, not one learning", "it covers much of the session"),
    Feature("late", -1, "shape", "the end of a session is cleanup", "it is late in the session"),
    Feature("runs", -1, "shape", "many commands are routine", "many commands ran"),
    # the whole session
    Feature("session_changes", -1, "session", "in a session that builds something, failures are normal", "the session is mostly edits"),
    Feature("session_causes", 1, "session", "an agent that names causes has often found some", "the session names causes"),
    Feature("session_speech", 1, "session", "an agent that comments on its work shows what it learned", "the agent comments on its work"),
    Feature("session_checks", 1, "session", "an agent that checks its work finds out what works", "the session checks its work"),
    Feature("session_looks", 1, "session", "an agent that reads a lot is missing knowledge", "the session reads a lot"),
    Feature("session_web", 1, "session", "an agent that searches the web is missing knowledge", "the session searches the web"),
    # the proposal
    Feature("patterns", 1, "pattern", "an episode that several patterns propose stands out", "several patterns propose it"),
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
    return {
        "cause_density": 1000 * cause / (300 + size),
        "cause_found": float(strong > 0),
        "reversal": float(reversal > 0),
        "permission_discussed": float(permission > 0),
        "closing_fixed": float(closing is not None and facts.reports_fix(closing)),
        "commit_fixes": float(
            commit is not None and commit - last < _MAX_COMMIT_DISTANCE and commit in facts.fix_commits
        ),
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
