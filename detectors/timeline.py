"""One pass over the observations that everything in detection shares: where it failed, changed, passed, and what was said.

Lists hold indexes into ``observations``, each ascending. What is asked of one observation again and again (words, tokens,
counts) is worked out once and kept; sums over a span come from sums up to its ends.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate

from mind_skills.detectors import noise, words
from mind_skills.detectors.reports import plans, reports
from mind_skills.detectors.tokens import tokens
from mind_skills.observations import checks
from mind_skills.observations.checks import Check
from mind_skills.observations.commands import is_check
from mind_skills.observations.errors import pasted_error
from mind_skills.observations.model import Observation
from mind_skills.observations.unread import length, raw
from mind_skills.redaction.lazy_pattern import compile_later

_SCRATCH = (
    "/tmp/",  # noqa: S108 - a part of other people's paths, none of ours
    "/var/folders/",
    "plans/",
    "/todo",
    "reproduce",
    "repro_",
    "repro.",
    "/debug_",
    "/scratch",
)
_SCRATCH_COMMAND = 300
"""Characters of a command in which it says where it writes: what follows is what it writes."""
_REVERT = compile_later(
    r"\bgit (?:checkout (?:-- |\.|HEAD )|restore\b|reset --hard|stash(?: push| save| -u)?\s*(?:$|[;&|]))"
)
_COMMENT = compile_later(
    r"\s*(?://(?!\w+:| ?@| ?eslint| ?biome)|# (?!noqa|type:|pylint|pragma|fmt:|nosec|shellcheck)|/\*(?! ?eslint)|\* |<!--|-- )"
)
"""A comment, but for those by which tools are told what to do."""
_SAID, _ASKED, _SHORT, _BRIEF = 1_500, 1_500, 400, 300
"""Characters of what the agent says, and of what the user does, whose words are counted; and of an answer."""


_TOLD = 700
"""Characters of what is said in which it says what it is about."""


class Said:
    """What was counted in one passage of the agent: how often its words name a cause, turn around, and speak of permissions."""

    __slots__ = ("cause", "permission", "reversal", "size", "strong")

    def __init__(self, observation: Observation) -> None:
        text = raw(observation)[:_SAID].lower()
        self.cause = words.count(text, words.CAUSE)
        self.strong = words.count(text, words.STRONG) if self.cause or "found it" in text else 0
        self.reversal = words.count(text, words.REVERSAL)
        self.permission = words.holds(text, words.ESCALATION)
        self.size = length(observation)


class Asked:
    """What a message of the user is, by its words."""

    __slots__ = ("approves", "brief", "broken", "denies", "pasted", "plan", "reports", "why")

    def __init__(self, observation: Observation) -> None:
        text = observation.text
        small = text[:_ASKED].lower()
        self.brief = len(text) < _BRIEF
        self.plan = plans(text)
        self.reports = reports(text)
        self.why = words.holds(small, words.WHY)
        self.pasted = bool(pasted_error(text))
        self.broken = words.holds(small, words.BROKEN)
        self.denies = len(text) <= _SHORT and words.holds(small, words.DENIAL)
        self.approves = len(text) <= _SHORT and not self.denies and words.holds(small, words.APPROVAL)


@dataclass(slots=True)
class Timeline:
    """Indexes into ``observations``, each list ascending; of the main agent alone, since subagents work beside each other."""

    observations: Sequence[Observation]
    tools: list[int] = field(default_factory=list[int])
    failures: list[int] = field(default_factory=list[int])
    """Calls that failed for a reason that lies in the work."""
    refused: list[int] = field(default_factory=list[int])
    """Calls that failed otherwise: an edit whose old text is not there, a file that was guessed, a call that was cancelled."""
    changes: list[int] = field(default_factory=list[int])
    """Edits of the project, not of scratch files or of comments alone."""
    runs: list[int] = field(default_factory=list[int])
    """Commands that ran something, whatever came of it."""
    passes: list[int] = field(default_factory=list[int])
    """Those that ended well by what the host states and what they print; where it states nothing, those not seen to fail."""
    checks: list[int] = field(default_factory=list[int])
    """Passes that verify."""
    looks: list[int] = field(default_factory=list[int])
    """What was read or searched, in files or on the web."""
    web: list[int] = field(default_factory=list[int])
    reverts: list[int] = field(default_factory=list[int])
    """Commands that take changes back: what stood between is no cure."""
    commits: list[int] = field(default_factory=list[int])
    users: list[int] = field(default_factory=list[int])
    said: list[int] = field(default_factory=list[int])
    """What the agent said or thought."""
    aloud: list[int] = field(default_factory=list[int])
    closing: list[int] = field(default_factory=list[int])
    """The last thing that was said aloud before each message of the user, and at the end."""
    sums: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    """Of what was counted in each of ``said``: the sum over those before it, one more entry than ``said``."""
    heard: dict[int, Said] = field(default_factory=dict[int, Said])
    asked: dict[int, Asked] = field(default_factory=dict[int, Asked])
    known: dict[int, frozenset[str]] = field(default_factory=dict[int, frozenset[str]])
    tested: dict[int, Check] = field(default_factory=dict[int, Check])

    def within(self, indexes: list[int], start: int, end: int) -> list[int]:
        """Those of ``indexes`` that lie in [start, end)."""
        return indexes[bisect_left(indexes, start) : bisect_left(indexes, end)]

    def after(self, indexes: list[int], index: int) -> int | None:
        """The first of ``indexes`` behind ``index``."""
        at = bisect_right(indexes, index)
        return indexes[at] if at < len(indexes) else None

    def before(self, indexes: list[int], index: int) -> int | None:
        """The last of ``indexes`` before ``index``."""
        at = bisect_left(indexes, index)
        return indexes[at - 1] if at else None

    def check(self, index: int) -> Check:
        """What a command says of what it checked."""
        known = self.tested.get(index)
        if known is None:
            known = self.tested[index] = checks.read(self.observations[index])
        return known

    def tokens(self, index: int) -> frozenset[str]:
        """Words that say what an observation is about: of a change what it changed, of a failure its error, else its text."""
        known = self.known.get(index)
        if known is None:
            one = self.observations[index]
            if one.kind != "tool":
                text = raw(one)[:_TOLD]
            elif one.action in ("edit", "write"):
                text = f"{one.change or one.command} {' '.join(one.files)}"
            else:
                text = f"{one.error} {one.command}"
            known = self.known[index] = tokens(text)
        return known

    def turn(self, index: int) -> int | None:
        """The message of the user that ``index`` belongs to: itself or the last before it."""
        return self.before(self.users, index + 1)

    def turn_end(self, index: int) -> int:
        """Where the user speaks next behind ``index``; the end, where not."""
        following = self.after(self.users, index)
        return len(self.observations) if following is None else following


def timeline(observations: Sequence[Observation], project: str = "") -> Timeline:
    """Index the observations, once. ``project`` is the session's folder, under which nothing is scratch for its place."""
    line = Timeline(observations)
    stated = False
    for index, one in enumerate(observations):
        if one.agent != "main":
            continue
        if one.kind == "tool":
            stated = _tool(line, index, one, project) or stated
        elif one.kind == "user":
            if one.text.strip():
                if line.aloud and (not line.closing or line.closing[-1] != line.aloud[-1]):
                    line.closing.append(line.aloud[-1])
                line.users.append(index)
                line.asked[index] = Asked(one)
        else:
            line.said.append(index)
            line.heard[index] = Said(one)
            if one.kind == "assistant":
                line.aloud.append(index)
    if line.aloud and (not line.closing or line.closing[-1] != line.aloud[-1]):
        line.closing.append(line.aloud[-1])
    if stated:  # what a host states of no call of a session, it states of none
        line.passes = [index for index in line.passes if observations[index].outcome == "ok"]
    line.checks = [index for index in line.passes if is_check(observations[index].signature)]
    _add_up(line)
    return line


def _tool(line: Timeline, index: int, one: Observation, project: str) -> bool:
    """Put a call where it belongs; whether the host states that it ended well."""
    outcome, action = one.outcome, one.action
    line.tools.append(index)
    if action == "run" and one.signature:
        line.runs.append(index)
    elif action in ("read", "search", "web"):
        line.looks.append(index)
    if action == "web" or one.source == "web":
        line.web.append(index)
    if (outcome == "failed" or one.error) and noise.genuine_failure(one):
        line.failures.append(index)
    elif outcome == "failed":
        line.refused.append(index)
    elif outcome not in ("ok", "unknown"):
        return False
    elif action in ("edit", "write"):
        if _lasting(one, project):
            line.changes.append(index)
    elif action == "run" and one.signature:
        if not is_check(one.signature) or line.check(index).verdict in ("passed", "silent"):
            line.passes.append(index)
        if "git " in one.command:
            if takes_back(one):
                line.reverts.append(index)
            if "git commit" in one.command:
                line.commits.append(index)
        return outcome == "ok"
    return False


def _add_up(line: Timeline) -> None:
    heard = [line.heard[index] for index in line.said]
    loud = [line.observations[index].kind == "assistant" for index in line.said]
    line.sums = {
        name: [0, *accumulate(values)]
        for name, values in (
            ("cause", [one.cause for one in heard]),
            ("strong", [one.strong for one in heard]),
            ("strong aloud", [one.strong if aloud else 0 for one, aloud in zip(heard, loud, strict=True)]),
            ("reversal aloud", [one.reversal if aloud else 0 for one, aloud in zip(heard, loud, strict=True)]),
            ("size", [one.size for one in heard]),
            ("permission", [int(one.permission) for one in heard]),
        )
    }


def _lasting(observation: Observation, project: str) -> bool:
    """A change of the project, not of a scratch file or a plan, and not of comments alone."""
    if observation.change and _of_comments_alone(observation.change):
        return False
    for name in observation.files or (observation.command[:_SCRATCH_COMMAND],):
        inside = name.removeprefix(project) if project else name
        for mark in _SCRATCH:
            if mark in inside:
                return False
    return True


def _of_comments_alone(change: str) -> bool:
    """Whether each row of a change is a comment or blank, and one is a comment."""
    any_row = False
    for row in change.split("\n"):
        if row[1:].strip():
            if not _COMMENT.match(row, 1):
                return False
            any_row = True
    return any_row


def takes_back(observation: Observation) -> bool:
    """Whether a command takes changes back for good; a stash that is popped in the same breath does not."""
    return "git " in observation.command and _reverts(observation.command)


@lru_cache(256)
def _reverts(command: str) -> bool:
    return _REVERT.search(command) is not None and "stash pop" not in command
