"""One pass over the observations that every detector shares: where it failed, changed, passed, and what was said of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from mind_skills.detectors import explanations, noise, signals, thresholds
from mind_skills.observations import checks
from mind_skills.observations.checks import Check
from mind_skills.observations.later import compile_later
from mind_skills.observations.model import Observation

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
_REVERT = compile_later(
    r"\bgit (?:checkout (?:-- |\.|HEAD )|restore\b|reset --hard|stash(?: push| save| -u)?\s*(?:$|[;&|]))"
)


_COMMENT = compile_later(
    r"\s*(?://(?!\w+:| ?@| ?eslint| ?biome)|# (?!noqa|type:|pylint|pragma|fmt:|nosec|shellcheck)|/\*(?! ?eslint)|\* |<!--|-- )"
)
"""A comment, but for those by which tools are told what to do."""


@dataclass(slots=True)
class Authored:
    """What the changes of a session wrote, each with the index of the first change that did."""

    rows: dict[str, int] = field(default_factory=dict[str, int])
    files: dict[str, int] = field(default_factory=dict[str, int])
    """Those that were written whole."""
    added: dict[str, int] = field(default_factory=dict[str, int])
    """Identifiers in rows that were added."""
    removed: dict[str, int] = field(default_factory=dict[str, int])


@dataclass(slots=True)
class Timeline:
    """Indexes into ``observations``, each ascending. ``said`` maps an index to the passage that carries the signal."""

    observations: Sequence[Observation]
    failures: list[int] = field(default_factory=list[int])
    changes: list[int] = field(default_factory=list[int])
    ended: list[int] = field(default_factory=list[int])
    """Commands of which the host says that they succeeded; see ``passed``."""
    runs: list[int] = field(default_factory=list[int])
    """Commands that ran and did not fail; where the host states no status, nothing more is known of them."""
    reverts: list[int] = field(default_factory=list[int])
    """Commands that take changes back: what stood between is no cure."""
    reports: list[int] = field(default_factory=list[int])
    spoken: list[int] = field(default_factory=list[int])
    """What the agent said or thought."""
    tasks: list[int] = field(default_factory=list[int])
    """User messages that begin something new: reports, and requests longer than a follow-up."""
    said: dict[int, str] = field(default_factory=dict[int, str])
    marked: dict[int, bool] = field(default_factory=dict[int, bool])
    """What was looked for in the agent's words so far: whether they mark an insight. Most of them nobody asks about."""
    explained: dict[int, bool] = field(default_factory=dict[int, bool])
    """The same of explanations."""
    tested: dict[int, Check] = field(default_factory=dict[int, Check])
    """And what a command said of what it checked."""
    authored: Authored | None = None
    """Made when it is first asked for; see workaround.py."""

    def scope_end(self, index: int) -> int:
        """Where what begins at ``index`` gives way to the next task."""
        at = bisect_right(self.tasks, index)
        return self.tasks[at] if at < len(self.tasks) else len(self.observations)

    def next_report(self, index: int) -> int:
        """Where the next problem is reported after ``index``."""
        at = bisect_right(self.reports, index)
        return self.reports[at] if at < len(self.reports) else len(self.observations)

    def passed(self, index: int) -> bool:
        """Whether one of ``ended`` passed, as far as it says itself: what prints no counts did."""
        return self.check(index).verdict in ("passed", "silent")

    def check(self, index: int) -> Check:
        """What a command says of what it checked."""
        known = self.tested.get(index)
        if known is None:
            known = self.tested[index] = checks.read(self.observations[index])
        return known

    def insights(self, start: int, end: int, *, thoughts: bool = True) -> list[int]:
        """Where in [start, end) a cause or a fact that is not obvious is put into words; aloud, where ``thoughts`` do not count."""
        places = self.within(self.spoken, start, end)
        return [i for i in places if (thoughts or self.observations[i].kind == "assistant") and self._marks(i)]

    def explanations(self, start: int, end: int) -> list[int]:
        """Where the agent said how things are, in no word that marks it; where an insight stands, that is the better one."""
        return [
            index for index in self.within(self.spoken, start, end) if not self._marks(index) and self._explains(index)
        ]

    def _marks(self, index: int) -> bool:
        known = self.marked.get(index)
        if known is None:
            one = self.observations[index]
            passage = signals.insight(one.text) if signals.may_be_insight(one) else ""
            known = self.marked[index] = bool(passage)
            if passage:
                self.said[index] = passage
        return known

    def _explains(self, index: int) -> bool:
        known = self.explained.get(index)
        if known is None:
            one = self.observations[index]
            passage = explanations.explanation(one.text) if one.kind == "assistant" else ""
            known = self.explained[index] = bool(passage)
            if passage:
                self.said[index] = passage
        return known

    def within(self, indexes: list[int], start: int, end: int) -> list[int]:
        """Those of ``indexes`` that lie in [start, end)."""
        return indexes[bisect_right(indexes, start - 1) : bisect_right(indexes, end - 1)]


def timeline(observations: Sequence[Observation], project: str = "") -> Timeline:
    """Index the observations, once. ``project`` is the session's folder, under which nothing is scratch for its place."""
    line = Timeline(observations)
    for index, observation in enumerate(observations):
        if observation.agent != "main":
            continue
        if observation.kind == "tool":
            _tool(line, index, observation, project)
        elif observation.kind == "user":
            _user(line, index, observation)
        else:
            line.spoken.append(index)
    return line


def _tool(line: Timeline, index: int, observation: Observation, project: str) -> None:
    outcome, action = observation.outcome, observation.action
    if (outcome == "failed" or observation.error) and noise.genuine_failure(observation):
        line.failures.append(index)
    elif outcome not in ("ok", "unknown"):
        return
    elif action in ("edit", "write"):
        if _lasting(observation, project):
            line.changes.append(index)
    elif action == "run":
        line.runs.append(index)
        if outcome == "ok":
            line.ended.append(index)
        if takes_back(observation):
            line.reverts.append(index)


def _user(line: Timeline, index: int, observation: Observation) -> None:
    if not observation.text:
        return
    passage = signals.problem_report(observation.text)
    if passage:
        line.reports.append(index)
        line.said[index] = passage
    if passage or not signals.continues(observation.text):
        line.tasks.append(index)


def _lasting(observation: Observation, project: str) -> bool:
    """A change of the project, not of a scratch file or a plan, and not of comments alone."""
    if observation.change and _of_comments_alone(observation.change):
        return False
    for name in observation.files or (observation.command[: thresholds.SCRATCH_COMMAND],):
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
