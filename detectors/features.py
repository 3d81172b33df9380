"""What is measured of an episode: numbers, each with the sign of its weight and the reason for it.

Signs were fixed by judgement before any weight was fitted, and a fit may take a feature out but not turn it. Words are
counted here and decide nothing by themselves. Every number is bounded by logarithms, shares or yes and no, and costs a few
searches in sorted lists: what it rests on is worked out once a session (facts.py).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from math import log1p
from typing import Literal, NamedTuple

from mind_skills.detectors.facts import Facts
from mind_skills.detectors.model import Episode
from mind_skills.observations.commands import is_check, same

Group = Literal["user", "words", "failure", "remedy", "shape", "session", "pattern"]


class Feature(NamedTuple):
    """One number of an episode. ``sign`` says whether more of it speaks for a learning; a fit may not turn it."""

    name: str
    sign: Literal[1, -1]
    group: Group
    reason: str
    """Why the sign is as it is."""
    says: str
    """What `why` prints where it decided."""


FEATURES: tuple[Feature, ...] = (
    # what the user said
    Feature("user_reported", 1, "user", "what somebody wants mended matters", "the user had reported that something was wrong"),
    Feature("user_pasted", 1, "user", "a pasted error is a problem that really occurred", "the user had pasted an error"),
    Feature("user_brief", 1, "user", "a short message is about one thing", "the user's message was short"),
    Feature("user_asked_why", 1, "user", "a question for the reason makes the answer the point", "the user had asked why"),
    Feature("user_planned", -1, "user", "a plan is carried out: what fails on the way was expected", "a plan was carried out"),
    Feature("user_messages", -1, "user", "several requests are several stories", "several messages of the user lie in it"),
    # what the agent said
    Feature("cause_density", 1, "words", "who gives reasons has understood something", "reasons were given"),
    Feature("cause_found", 1, "words", "a search that names its end has found something", "a cause was named"),
    Feature("reversal", 1, "words", "it was other than it was taken to be", "something turned out other than expected"),
    Feature("permission_discussed", 1, "words", "limits of the machine are met again", "what the agent may do was part of it"),
    Feature("closing_fixed", 1, "words", "the last words of the turn report a fix", "the turn's last words say that it is fixed"),
    Feature("commit_fixes", 1, "words", "a commit that says fix says what the work was", "a commit says fix"),
    Feature("reason_in_comment", 1, "words", "a comment with a reason is for later readers", "the change holds a comment with a reason"),
    # what failed
    Feature("starts_failed", 1, "failure", "an episode that begins where something failed is about that", "it begins with a failure"),
    Feature("failure_density", 1, "failure", "much failing in little work is trouble with one thing", "much failed in it"),
    Feature("all_slips", -1, "failure", "slips of the moment are cured in the next step", "only slips of new code failed"),
    Feature("nameless", -1, "failure", "an error that names nothing cannot be recognised", "the error names nothing"),
    Feature("absent", -1, "failure", "what is missing here is there elsewhere, and soon here", "a tool, credential or host was missing"),
    Feature("linter", -1, "failure", "a linter's findings are a list to be worked off", "a linter complained"),
    Feature("assertion", -1, "failure", "tests that fail while code is written are the way it is written", "an assertion failed"),
    Feature("own_work", -1, "failure", "the agent mends what it wrote a moment ago", "the agent mended its own new work"),
    # what was done about it
    Feature("red_to_green", 1, "remedy", "what failed passes: the remedy is the right one", "what had failed passed"),
    Feature("ends_passed", 1, "remedy", "an episode that ends with a pass has an outcome", "it ends with a command that passed"),
    Feature("ends_checked", 1, "remedy", "what a check bears out is known", "it ends with a check that passed"),
    Feature("change_late", -1, "remedy", "what is answered at once is one story", "nothing was changed for long, or at all"),
    Feature("variable_set", 1, "remedy", "whoever works there needs it as well", "a variable of the environment was set"),
    Feature("documents_only", -1, "remedy", "prose is written, not found out", "only documents were changed"),
    # its shape
    Feature("length", -1, "shape", "a long stretch holds more than one thing", "it is long"),
    Feature("share", -1, "shape", "most of a session is its task, not one learning", "it is much of the session"),
    Feature("late", -1, "shape", "the end of a session is wrapping up", "it lies late in the session"),
    Feature("runs", -1, "shape", "many runs of commands are routine", "many commands ran"),
    # the session around it
    Feature("session_changes", -1, "session", "in a session that builds, failures are the way", "the session is mostly edits"),
    Feature("session_causes", 1, "session", "an agent that names causes finds some", "causes are named in the session"),
    Feature("session_speech", 1, "session", "an agent that tells what it does shows what it learned", "the agent tells what it does"),
    Feature("session_checks", 1, "session", "a session that checks its work shows what held", "the session checks its work"),
    Feature("session_looks", 1, "session", "who has to look much does not know", "much is read in the session"),
    Feature("session_web", 1, "session", "who has to ask outside does not know", "the web is asked in the session"),
    # how it was proposed
    Feature("patterns", 1, "pattern", "what several patterns see stands out", "several patterns propose it"),
)  # fmt: skip

_OWN = 15
"""Observations before a failure in which the agent's own change is fresh."""
_NO_CHANGE = 54
"""Observations up to its first change after which an episode counts as one without."""
_COMMITTED = 60
"""Observations from the end of an episode to the commit that may be of it."""
_FAILURES, _FIRST = 40, 4
"""Failures of one episode that are looked at one by one, and those whose words say what kind of trouble it is."""


def measure(facts: Facts, episode: Episode) -> dict[str, float]:
    """Every feature of an episode by name. ``facts`` are those of its timeline."""
    line = facts.line
    a, b = episode.first, episode.last
    low = bisect_left(line.failures, a)
    failures = line.failures[low : min(bisect_right(line.failures, b), low + _FAILURES)]
    changes = line.within(line.changes, a, b + 1)
    return (
        _of_user(facts, a, b)
        | _of_words(facts, a, b, changes)
        | _of_failures(facts, a, b, failures, changes)
        | _of_remedy(facts, a, b, failures, changes)
        | _of_shape(facts, a, b)
        | facts.session
        | {"patterns": log1p(len(episode.patterns))}
    )


def _of_user(facts: Facts, a: int, b: int) -> dict[str, float]:
    line = facts.line
    user = line.turn(a)
    asked = line.asked[user] if user is not None else None
    return {
        "user_reported": float(asked is not None and asked.reports),
        "user_pasted": float(asked is not None and asked.pasted),
        "user_brief": float(asked is not None and asked.brief),
        "user_asked_why": float(asked is not None and asked.why and not asked.plan),
        "user_planned": float(asked is not None and asked.plan),
        "user_messages": log1p(len(line.within(line.users, a, b + 1))),
    }


def _of_words(facts: Facts, a: int, b: int, changes: list[int]) -> dict[str, float]:
    line = facts.line
    low, high = bisect_left(line.said, a), bisect_right(line.said, b)
    cause, strong, reversal, size, permission = (
        line.sums[name][high] - line.sums[name][low]
        for name in ("cause", "strong aloud", "reversal aloud", "size", "permission")
    )
    end = line.after(line.closing, b - 1)
    commit = line.after(line.commits, b - 1)
    return {
        "cause_density": 1000 * cause / (300 + size),
        "cause_found": float(strong > 0),
        "reversal": float(reversal > 0),
        "permission_discussed": float(permission > 0),
        "closing_fixed": float(end is not None and facts.closes_fixed(end)),
        "commit_fixes": float(commit is not None and commit - b < _COMMITTED and commit in facts.fixes),
        "reason_in_comment": float(any(facts.changed(index).reason for index in changes)),
    }


def _of_failures(facts: Facts, a: int, b: int, failures: list[int], changes: list[int]) -> dict[str, float]:
    known = [facts.failed(index) for index in failures]
    first = known[0] if known else None
    return {
        "starts_failed": float(bool(failures) and failures[0] == a),
        "failure_density": len(failures) / (1 + b - a),
        "all_slips": float(bool(known) and all(one.slip for one in known)),
        "nameless": float(first is not None and first.nameless),
        "absent": float(first is not None and first.absent),
        "linter": float(first is not None and first.linter),
        "assertion": float(any(one.assertion for one in known[:_FIRST])),
        "own_work": float(bool(failures) and bool(changes) and facts.owned(failures[0], changes, _OWN)),
    }


def _of_remedy(facts: Facts, a: int, b: int, failures: list[int], changes: list[int]) -> dict[str, float]:
    line = facts.line
    last = line.observations[b]
    ends = b in facts.passed
    began = failures[0] if failures and failures[0] < b else a
    again = ends and any(same(line.observations[index].signature, last.signature) for index in failures if index < b)
    documents = bool(changes) and all(facts.changed(index).document for index in changes)
    return {
        "red_to_green": float(again),
        "ends_passed": float(ends),
        "ends_checked": float(ends and is_check(last.signature)),
        "change_late": log1p(min(changes[0] - a, _NO_CHANGE) if changes else _NO_CHANGE),
        "variable_set": float(ends and facts.sets_variable(began, b)),
        "documents_only": float(documents),
    }


def _of_shape(facts: Facts, a: int, b: int) -> dict[str, float]:
    line = facts.line
    total = max(1, len(line.observations))
    return {
        "length": log1p(b - a),
        "share": (b - a) / total,
        "late": b / total,
        "runs": log1p(len(line.within(line.runs, a, b + 1))),
    }
