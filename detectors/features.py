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
    Feature("user_reported", 1, "user", "what somebody came to have mended matters to them", "the user had reported that something was wrong"),
    Feature("user_pasted", 1, "user", "a pasted error is a problem that really occurred", "the user had pasted an error"),
    Feature("user_brief", 1, "user", "a short message is about one thing", "the user's message was short"),
    Feature("user_asked_why", 1, "user", "a question for the reason makes the answer the point", "the user had asked why"),
    Feature("user_complained", 1, "user", "the user met the problem within the episode", "the user said within it that something was wrong"),
    Feature("user_planned", -1, "user", "a plan is carried out: what fails on the way was expected", "a plan was carried out"),
    Feature("user_messages", -1, "user", "several requests are several stories", "several messages of the user lie in it"),
    Feature("user_denied", -1, "user", "what the user says does not work was not learned", "the user's next words were that it does not work"),
    # what the agent said
    Feature("cause_density", 1, "words", "who gives reasons has understood something", "reasons were given"),
    Feature("cause_found", 1, "words", "a search that names its end has found something", "a cause was named"),
    Feature("cause_density_strong", 1, "words", "the same, by how much was said at all", "much of what was said was about the cause"),
    Feature("reversal", 1, "words", "it was other than it was taken to be", "something turned out other than expected"),
    Feature("error_discussed", 1, "words", "words that take up the error explain it", "the agent spoke of what the error names"),
    Feature("answered_at_once", 1, "words", "an error worth a word is more than a slip", "the agent spoke right after the failure"),
    Feature("cause_in_change", 1, "words", "a reason whose words stand in the change was acted on", "the reason given stands in the change"),
    Feature("permission_discussed", 1, "words", "limits of the machine are met again", "what the agent may do was part of it"),
    Feature("closing_fixed", 1, "words", "the last words of the turn report a fix", "the turn's last words say that it is fixed"),
    Feature("closing_error", 1, "words", "what is reported in the end was worth telling", "the turn's last words name the error"),
    Feature("commit_fixes", 1, "words", "a commit that says fix says what the work was", "a commit says fix"),
    Feature("reason_in_comment", 1, "words", "a comment that gives a reason is for later readers", "the change holds a comment with a reason"),
    Feature("noted", 1, "words", "what is written down for later readers was learned", "it was written into a document afterwards"),
    # what failed
    Feature("error_names", 1, "failure", "an error that names things can be recognised", "the error names things"),
    Feature("tries", 1, "failure", "what took several tries was not obvious", "several commands failed before"),
    Feature("error_repeats", 1, "failure", "an error that comes again was no slip", "the same error came more than once"),
    Feature("starts_failed", 1, "failure", "an episode that begins where something failed is about that", "it begins with a failure"),
    Feature("failure_density", 1, "failure", "much failing in little work is trouble with one thing", "much failed in it"),
    Feature("all_slips", -1, "failure", "slips of the moment are cured in the next step", "all that failed were slips of code just written"),
    Feature("nameless", -1, "failure", "an error that names nothing cannot be recognised", "the error names nothing"),
    Feature("usage", -1, "failure", "the message says itself what is right", "the tool's own message says what is right"),
    Feature("absent", -1, "failure", "what is missing here is there elsewhere, and soon here", "a tool, a credential or a host was missing"),
    Feature("linter", -1, "failure", "a linter's findings are a list to be worked off", "a linter complained"),
    Feature("assertion", -1, "failure", "tests that fail while code is written are the way it is written", "an assertion failed"),
    Feature("own_work", -1, "failure", "the agent mends what it wrote a moment ago", "the agent mended what it had just written"),
    Feature("left_red", -1, "failure", "a check that is not seen green again shows no cure", "a check stayed red"),
    # what was done about it
    Feature("red_to_green", 1, "remedy", "what failed passes: the remedy is the right one", "what had failed passed"),
    Feature("ends_passed", 1, "remedy", "an episode that ends with a pass has an outcome", "it ends with a command that passed"),
    Feature("ends_checked", 1, "remedy", "what a check bears out is known", "it ends with a check that passed"),
    Feature("change_late", -1, "remedy", "what is answered at once is one story", "nothing was changed for long, or at all"),
    Feature("used_again", 1, "remedy", "what the agent goes on doing was learned", "the remedy was used again later"),
    Feature("variable_set", 1, "remedy", "a variable of the environment is set in every later session as well", "a variable of the environment was set"),
    Feature("tests_only", -1, "remedy", "tests say what is wanted, not what was learned", "only tests were changed"),
    Feature("documents_only", -1, "remedy", "prose is written, not found out", "only documents were changed"),
    Feature("settings_only", 1, "remedy", "settings are traps of tools", "only settings were changed"),
    Feature("file_written", -1, "remedy", "a new file is something built", "a file was written anew"),
    Feature("taken_back", -1, "remedy", "what was taken back was no cure", "changes were taken back"),
    # its shape
    Feature("length", -1, "shape", "a long stretch holds more than one thing", "it is long"),
    Feature("share", -1, "shape", "most of a session is its task, not one learning", "it is much of the session"),
    Feature("late", -1, "shape", "the end of a session is wrapping up", "it lies late in the session"),
    Feature("looks", 1, "shape", "what had to be looked for was not known", "much was read for it"),
    Feature("looks_before", 1, "shape", "what was looked for before it was changed had to be found out", "much was read before it was changed"),
    Feature("runs", -1, "shape", "many runs of commands are routine", "many commands ran"),
    Feature("minutes", 1, "shape", "what took long is worth keeping", "it took long"),
    Feature("web", 1, "shape", "what had to be looked up outside was not known", "the web was asked"),
    # the session around it
    Feature("session_changes", -1, "session", "in a session that builds, failures are the way", "the session is mostly edits"),
    Feature("session_failures", 1, "session", "where much fails there is much to learn", "much failed in the session"),
    Feature("session_causes", 1, "session", "an agent that names causes finds some", "causes are named in the session"),
    Feature("session_speech", 1, "session", "an agent that tells what it does shows what it learned", "the agent tells what it does"),
    Feature("session_checks", 1, "session", "a session that checks its work shows what held", "the session checks its work"),
    Feature("session_looks", 1, "session", "who has to look much does not know", "much is read in the session"),
    Feature("session_web", 1, "session", "who has to ask outside does not know", "the web is asked in the session"),
    # how it was proposed
    Feature("patterns", 1, "pattern", "what several patterns see stands out", "several patterns propose it"),
    Feature("other_way", 1, "pattern", "another command of the same program is a trap of a tool", "another command of the same program succeeded"),
)  # fmt: skip

_NEAR = 12
"""Observations from the user's message in which an episode is about it."""
_OWN = 15
"""Observations before a failure in which the agent's own change is fresh."""
_NO_CHANGE = 54
"""Observations up to its first change after which an episode counts as one without."""
_FAILURES, _SAID = 40, 30
"""Failures and passages of one episode that are looked at one by one."""


def measure(facts: Facts, episode: Episode) -> dict[str, float]:
    """Every feature of an episode by name. ``facts`` are those of its timeline."""
    line = facts.line
    a, b = episode.first, episode.last
    f_low, f_high = bisect_left(line.failures, a), bisect_right(line.failures, b)
    c_low, c_high = bisect_left(line.changes, a), bisect_right(line.changes, b)
    s_low, s_high = bisect_left(line.said, a), bisect_right(line.said, b)
    failures, changes = line.failures[f_low : min(f_high, f_low + _FAILURES)], line.changes[c_low:c_high]
    errors = facts.errors(f_low, f_high)
    return (
        _of_user(facts, a, b)
        | _of_words(facts, a, b, (f_low, f_high), (c_low, c_high), (s_low, s_high), errors)
        | _of_failures(facts, a, b, failures, changes)
        | _of_remedy(facts, a, b, failures, changes)
        | _of_shape(facts, a, b)
        | {"patterns": log1p(len(episode.patterns)), "other_way": float("other_way" in episode.patterns)}
    )


def _of_user(facts: Facts, a: int, b: int) -> dict[str, float]:
    line = facts.line
    user, following = line.turn(a), line.after(line.users, b - 1)
    asked = line.asked[user] if user is not None else None
    answer = line.asked[following] if following is not None else None
    within = line.within(line.users, a, b + 1)
    return {
        "user_reported": float(asked is not None and asked.reports),
        "user_pasted": float(asked is not None and asked.pasted),
        "user_brief": float(asked is not None and asked.brief),
        "user_asked_why": float(asked is not None and asked.why and not asked.plan),
        "user_complained": float(any(line.asked[index].broken for index in within[:_SAID])),
        "user_planned": float(asked is not None and asked.plan),
        "user_messages": log1p(len(within)),
        "user_denied": float(answer is not None and answer.denies),
    }


def _of_words(
    facts: Facts,
    a: int,
    b: int,
    failed: tuple[int, int],
    changed: tuple[int, int],
    said: tuple[int, int],
    errors: frozenset[str],
) -> dict[str, float]:
    line = facts.line
    low, high = said
    cause, strong, strong_aloud, reversal, size = (
        line.sums[name][high] - line.sums[name][low]
        for name in ("cause", "strong", "strong aloud", "reversal aloud", "size")
    )
    first = line.failures[failed[0]] if failed[0] < failed[1] else None
    behind = line.within(line.said, first + 1, b + 1)[:_SAID] if first is not None and errors else []
    aloud = line.after(line.aloud, first) if first is not None else None
    end = line.after(line.closing, b - 1)
    closing = facts.closing(end) if end is not None else None
    commit = line.after(facts.fixes, b - 1)
    about = errors | facts.changes(*changed)
    return {
        "cause_density": 1000 * cause / (300 + size),
        "cause_found": float(strong_aloud > 0),
        "cause_density_strong": 1000 * strong / (300 + size),
        "reversal": float(reversal > 0),
        "error_discussed": log1p(max((len(line.tokens(index) & errors) for index in behind), default=0)),
        "answered_at_once": float(first is not None and aloud is not None and aloud <= min(b, first + 3)),
        "cause_in_change": log1p(facts.explained(low, high, *changed)),
        "permission_discussed": float(facts.permission[high] > facts.permission[low]),
        "closing_fixed": float(closing is not None and closing.fixed),
        "closing_error": log1p(len(closing.words & errors)) if closing is not None else 0.0,
        "commit_fixes": float(commit is not None and commit - b < 60 and commit == line.after(line.commits, b - 1)),
        "reason_in_comment": float(any(facts.changed(index).reason for index in line.changes[changed[0] : changed[1]])),
        "noted": log1p(facts.noted(b, about)),
    }


def _of_failures(facts: Facts, a: int, b: int, failures: list[int], changes: list[int]) -> dict[str, float]:
    line = facts.line
    known = [facts.failed(index) for index in failures]
    signatures = [line.observations[index].error_signature for index in failures]
    first = known[0] if known else None
    checks = [index for index in failures if index < b and is_check(line.observations[index].signature)]
    return {
        "error_names": log1p(first.names) if first else 0.0,
        "tries": log1p(len({line.observations[index].command for index in failures})),
        "error_repeats": log1p(len(signatures) - len(set(signatures))),
        "starts_failed": float(bool(failures) and failures[0] == a),
        "failure_density": len(failures) / (1 + b - a),
        "all_slips": float(bool(known) and all(one.slip for one in known)),
        "nameless": float(first is not None and first.nameless),
        "usage": float(first is not None and first.usage),
        "absent": float(first is not None and first.absent),
        "linter": float(first is not None and first.linter),
        "assertion": float(any(one.assertion for one in known[:4])),
        "own_work": float(bool(failures) and bool(changes) and facts.owned(failures[0], changes, _OWN)),
        "left_red": float(any(not facts.green(index, b) for index in checks)),
    }


def _of_remedy(facts: Facts, a: int, b: int, failures: list[int], changes: list[int]) -> dict[str, float]:
    line = facts.line
    last = line.observations[b]
    ends = last.kind == "tool" and b in facts.passed
    began = failures[0] if failures and failures[0] < b else a
    added = frozenset[str]()
    if ends and line.observations[began].action == "run" and began < b:
        before, after = facts.command(began), facts.command(b)
        added = after - before if before & after else frozenset()
    kinds = [facts.changed(index) for index in changes]
    return {
        "red_to_green": float(ends and any(same(line.observations[index].signature, last.signature) for index in failures if index < b)),
        "ends_passed": float(ends),
        "ends_checked": float(ends and is_check(last.signature)),
        "change_late": log1p(min(changes[0] - a, _NO_CHANGE)) if changes else log1p(_NO_CHANGE),
        "used_again": log1p(facts.used_again(added, a, b)) if added else 0.0,
        "variable_set": float(facts.sets_variable(added)),
        "tests_only": float(bool(kinds) and all(one.tests for one in kinds)),
        "documents_only": float(bool(kinds) and all(one.document for one in kinds)),
        "settings_only": float(bool(kinds) and all(one.settings for one in kinds)),
        "file_written": float(any(one.new for one in kinds)),
        "taken_back": float(bool(line.within(line.reverts, a, b + 1))),
    }


def _of_shape(facts: Facts, a: int, b: int) -> dict[str, float]:
    line = facts.line
    total, tools = len(line.observations), 5 + len(line.tools)
    first = line.after(line.changes, a - 1)
    begun, ended = line.observations[a].at, line.observations[b].at
    minutes = (ended - begun) / 60_000 if begun is not None and ended is not None else 1.7
    return {
        "length": log1p(b - a),
        "share": (b - a) / max(1, total),
        "late": b / max(1, total),
        "looks": log1p(len(line.within(line.looks, a, b + 1))),
        "looks_before": log1p(len(line.within(line.looks, a, first))) if first is not None and first <= b else 0.0,
        "runs": log1p(len(line.within(line.runs, a, b + 1))),
        "minutes": min(5.0, log1p(max(0.0, minutes))),
        "web": float(bool(line.within(line.web, a, b + 1))),
        "session_changes": len(line.changes) / tools,
        "session_failures": len(line.failures) / tools,
        "session_causes": line.sums["strong"][-1] / (5 + len(line.said)),
        "session_speech": len(line.aloud) / tools,
        "session_checks": log1p(len(line.checks)),
        "session_looks": log1p(len(line.looks)),
        "session_web": log1p(len(line.web)),
    }
