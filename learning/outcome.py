"""The outcome of a session: verdict, signals, reasons. The formula is the specification's (scoring.py). Success is the
latest, after the last change, of: a check's result or commit, the user's approval or complaint, the user stopping
the agent; a submission counts only if nothing else does, a passed check only after a change or repair. Without such
evidence there is no verdict: a guess would distort what is learned.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from mind_skills.detectors.noise import is_genuine_failure
from mind_skills.detectors.timeline import MAX_SPAN, is_revert
from mind_skills.detectors.verification import checks_only_style, repeats_less
from mind_skills.detectors.vetoes import denies_success
from mind_skills.detectors.words import build_phrases
from mind_skills.learning import scoring
from mind_skills.learning.scoring import DEFAULTS, LearningConfig, OutcomeSignals, OutcomeType
from mind_skills.observations.active_time import ActiveTime
from mind_skills.observations.commands import is_check, is_same_command, normalise
from mind_skills.observations.model import Observation, Session
from mind_skills.observations.results import parse_check
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.store.light_dataclasses import dataclass, field, replace

__all__ = ["MAX_FILES", "Outcome", "OutcomeCollector", "OutcomeType", "rescore"]
MAX_FILES = 200
"""Maximum number of changed files listed; a session that changes more has probably moved a directory tree."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verdict; without evidence ``success`` and ``score`` (0.14 to 1.0, before decay) are None. ``duration_ms`` is
    without pauses of over five minutes, 0 without timestamps; ``at`` is the last one (UTC ms).
    """

    type: OutcomeType
    score: float | None
    success: bool | None
    duration_ms: int
    error_count: int
    retry_count: int
    reasoning: str
    """A human-readable explanation in one line."""
    reasons: tuple[str, ...] = ()
    """Why the session counts as a success, a failure or neither; most important first."""
    files_touched: tuple[str, ...] = ()
    at: int | None = None


class FailureCounter:
    """Counts genuine failures (detectors/noise.py), and as retries those of a command whose previous run failed in the
    same way.
    """

    __slots__ = ("_failing_commands", "error_count", "retry_count")
    MAX_RETRY_CANDIDATES = 1_000
    """Maximum number of failing commands whose retries are recognised; when there are more, the oldest is dropped."""

    def __init__(self) -> None:
        self.error_count = 0
        self.retry_count = 0
        self._failing_commands: dict[tuple[str, str], None] = {}

    def feed(self, observation: Observation) -> None:
        if observation.kind != "tool":
            return
        outcome = observation.outcome
        if outcome == "ok":
            if self._failing_commands:
                self._failing_commands.pop((observation.signature, observation.target), None)
        elif outcome == "failed" and is_reported_failure(observation):
            command = (observation.signature, observation.target)
            self.error_count += 1
            self.retry_count += command in self._failing_commands
            if observation.signature:
                self._failing_commands[command] = None
                if len(self._failing_commands) > self.MAX_RETRY_CANDIDATES:
                    del self._failing_commands[next(iter(self._failing_commands))]


class OutcomeCollector:
    """Measures a session: ``feed`` each observation in order, then ``result`` at any time. Memory grows only with pauses."""

    __slots__ = ("_failures", "_files", "_last_timestamp", "_success", "_time")

    def __init__(self, session: Session | None = None) -> None:
        """``session`` supplies the project folder; readers fill it in while they read the log."""
        self._time = ActiveTime()
        self._failures = FailureCounter()
        self._success = SuccessMeter(session or Session())
        self._files: dict[str, None] = {}
        self._last_timestamp: int | None = None

    def feed(self, observation: Observation) -> None:
        if observation.at is not None:
            self._time.feed(observation.at)
            self._last_timestamp = observation.at or self._last_timestamp
        self._success.feed(observation)
        if observation.kind != "tool":
            return
        self._failures.feed(observation)
        if observation.action in ("edit", "write") and observation.outcome in ("ok", "unknown"):
            for name in observation.files:
                if len(self._files) < MAX_FILES:
                    self._files[name] = None

    def result(self, config: LearningConfig = DEFAULTS) -> Outcome:
        success, reasons = self._success.result()
        errors, retries = self._failures.error_count, self._failures.retry_count
        duration, at, files = self._time.milliseconds, self._last_timestamp, tuple(self._files)
        time = "no timestamps in the log" if at is None else _format_time(duration)
        summary = f"{time}, {_format_count(errors, 'error')}, {_format_count(retries, 'retry')}"
        verdict = {True: "succeeded", False: "failed", None: "unknown"}[success]
        reasoning = f"{verdict}: {'; '.join(reasons)} ({summary})"
        unscored = Outcome("unknown", None, success, duration, errors, retries, reasoning, reasons, files, at)
        return rescore(unscored, config)


def rescore(outcome: Outcome, config: LearningConfig) -> Outcome:
    """Score an outcome's signals with this configuration; an unknown outcome is returned unchanged."""
    if outcome.success is None:
        return outcome
    signals = OutcomeSignals("", outcome.duration_ms, outcome.error_count, outcome.retry_count, outcome.success)
    score = scoring.compute_raw_score(signals, config)
    return replace(outcome, score=score, type=scoring.classify_score(score))


def _format_time(duration_ms: int) -> str:
    minutes = duration_ms // 60_000
    return f"{minutes} min" if minutes else f"{duration_ms // 1000} s"


def _format_count(number: int, noun: str) -> str:
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number or 'no'} {noun if number == 1 else plural}"


# -- Success: whether the session reached its goal --

_PASS_SUMMARY = compile_lazily(
    r"\b0 (?:fail\w*|errors?)\b|\b[1-9]\d* (?:tests? )?pass(?:ed|ing)?\b|\bno issues found\b", re.IGNORECASE
)
_FAILURE_SUMMARY = compile_lazily(r"\b[1-9]\d* (?:tests? )?(?:fail\w*|errors?)\b", re.IGNORECASE)
_TAIL_LENGTH = 2_000
"""Number of characters searched at the end of the output, where test runners print their summary."""


def is_reported_failure(observation: Observation) -> bool:
    """Return whether the host reported that a tool call failed, and the failure is genuine (detectors/noise.py)."""
    return observation.outcome == "failed" and is_genuine_failure(observation)


def is_unreported_failure(observation: Observation) -> bool:
    """Return whether a command failed although its host says otherwise: the exit code is of a later command in the
    pipeline, the output has an error, and its test summary, if any, reports failures.
    """
    if observation.outcome != "ok" or not observation.error or not normalise(observation.command).hides_status:
        return False
    end = observation.text[-_TAIL_LENGTH:]
    return bool(_FAILURE_SUMMARY.search(end)) or not _PASS_SUMMARY.search(end)


Verdict = tuple[bool | None, tuple[str, ...]]
NOTE_SUFFIXES = (".md", ".mdx", ".txt", ".rst", ".adoc", ".log")
TEMPORARY_FOLDERS = ("/tmp/", "/private/tmp/", "/var/folders/")  # noqa: S108  only compared with paths, never written to
MAX_UNFIXED_COMMANDS = 32
"""Maximum number of commands tracked that failed and have not passed since; when there are more, the oldest is dropped."""

_COMMIT = compile_lazily(r"\bgit(?: +-[cC] +\S+| +(?!-[cC] )-[a-z-]+)*+ +commit\b")
_REDIRECTED = compile_lazily(r">{1,2} *([\w./~$-]+) *(?:<<|[;&|\n]|$)")
_SUBMISSION = compile_lazily(r"\s*submit\b")
_SUBMISSION_MARKERS = ("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL_OUTPUT")


class _Event(NamedTuple):
    """An event: its position in the session, 0 if it never occurred, and its description."""

    position: int
    name: str


_NEVER = _Event(0, "")


@dataclass(slots=True)
class SuccessMeter:
    """Tracks the last occurrence of each event that indicates success or failure. Positions are observation numbers."""

    session: Session
    """Only its project folder is used; readers fill it in while they read."""
    _position: int = 1
    """Starts at 1, because 0 means never and a change may be recorded one position before its call."""
    _last_change: int = 0
    _last_accepted_call: int = 0
    """Position of the last tool call that was neither rejected nor aborted."""
    _last_run: int = 0
    """Position of the last command that is not known to have failed; SWE-agent logs have no exit codes."""
    _failing: dict[str, int] = field(default_factory=dict[str, int])
    """Commands that failed and have not passed since, with the position of their last failure."""
    _was_failing_check_fixed: bool = False
    _last_pass: _Event = _NEVER
    _is_last_pass_style_only: bool = False
    _last_commit: _Event = _NEVER
    _last_submission: _Event = _NEVER
    _last_approval: _Event = _NEVER
    _last_complaint: _Event = _NEVER
    _last_stop: _Event = _NEVER
    _last_answer: Observation | None = None
    """The last message of the agent."""
    _recent_calls: deque[Observation] = field(default_factory=lambda: deque[Observation](maxlen=MAX_SPAN))
    """The last calls since a check failed that has not passed."""

    def feed(self, observation: Observation) -> None:
        self._position += 1
        if observation.agent == "main" and (observation.outcome == "rejected" or observation.kind == "user"):
            self._process_reaction(observation)
        elif observation.kind == "assistant" and observation.agent == "main":
            self._last_answer = observation
        elif observation.kind == "tool" and observation.outcome not in ("aborted", "rejected"):
            self._last_accepted_call = self._position
            self._recent_calls.append(observation)
            self._process_tool_call(observation)

    def result(self) -> Verdict:
        """Return whether the session succeeded (None if unknown), and the reasons, most important first."""
        verdict = next(self._iterate_verdicts(), None)
        if verdict is not None:
            success, reasons = verdict
            failure = self._find_open_failure()
            if success and failure.position:
                reasons = (*reasons, f"{failure.name} earlier and has not passed since")
            return success, reasons
        if not self._last_change:
            return None, ("nothing was changed",)
        return None, ("no command after the last change shows whether it works",)

    def _process_reaction(self, observation: Observation) -> None:
        if observation.kind == "tool":
            self._last_stop = _Event(self._position, "the user refused a tool call")
            return
        if observation.outcome == "aborted":
            self._last_stop = _Event(self._position, "the user interrupted the agent")
            return
        self._last_stop = _NEVER  # a user who continues has not given up
        if is_complaint(observation.text) or (self._last_change and self._is_denial(observation.text)):
            self._last_complaint = _Event(self._position, "the user complained")
        elif is_approval(observation.text):
            self._last_approval = _Event(self._position, "the user approved")

    def _is_denial(self, text: str) -> bool:
        return len(text) <= MAX_REPLY_LENGTH and denies_success(text, self._last_answer)

    def _process_tool_call(self, observation: Observation) -> None:
        if observation.command and _is_submission(observation.command):
            self._last_submission = _Event(self._position, "the work was submitted after a command that did not fail")
        elif _changes_project(observation, self.session.project) or (observation.command and is_revert(observation)):
            self._last_change = self._position
        elif observation.action == "run":
            if "<<" in observation.command and _writes_project_file(observation.command, self.session.project):
                self._last_change = self._position - 1  # the call wrote a script before it ran anything
            self._process_run(observation)

    def _process_run(self, observation: Observation) -> None:
        name = _get_command_name(observation)
        is_check_result = is_check(name) and observation.outcome == "ok"
        if (
            is_reported_failure(observation)
            or is_unreported_failure(observation)
            or (is_check_result and parse_check(observation).verdict == "failed")
        ):
            self._failing.pop(name, None)
            self._failing[name] = self._position
            if len(self._failing) > MAX_UNFIXED_COMMANDS:
                del self._failing[next(iter(self._failing))]
            return
        self._last_run = self._position
        if is_check_result and self._repeats_less(name):
            return
        if observation.outcome == "ok":
            fixed = [failing for failing in self._failing if is_same_command(failing, name)]
            for failing in fixed:
                del self._failing[failing]
            self._was_failing_check_fixed = self._was_failing_check_fixed or any(is_check(failing) for failing in fixed)
            if name == "git commit":
                self._last_commit = _Event(self._position, "the work was committed")
            elif is_check(name):
                self._last_pass = _Event(self._position, f"`{name}` passed")
                self._is_last_pass_style_only = checks_only_style(name)

    def _repeats_less(self, name: str) -> bool:
        """Return whether the last call passes a check that had failed, for fewer tests or another state of the code."""
        has_failed = any(is_same_command(failing, name) for failing in self._failing)
        return has_failed and repeats_less(self._recent_calls, self.session.project)

    def _iterate_verdicts(self) -> Iterator[tuple[bool, tuple[str, ...]]]:
        """Yield the verdicts that events support, with their reasons, most important first."""
        failure = self._find_open_failure()
        last_pass = self._last_pass if self._last_change or self._was_failing_check_fixed else _NEVER
        if failure.position and (failure.position > self._last_change or self._is_last_pass_style_only):
            last_pass = _NEVER  # the check that passed is not the one that failed
        success_event = max(last_pass, self._last_commit, self._last_approval)
        last_success_or_change = max(success_event.position, self._last_change)
        if self._last_stop.position > max(self._last_accepted_call, success_event.position):
            yield False, (f"{self._last_stop.name}, and nothing was done after that",)
        if self._last_complaint.position > max(last_success_or_change, failure.position):
            yield False, (f"{self._last_complaint.name} at the end",)
        if failure.position > last_success_or_change:
            yield False, (f"{failure.name} at the end",)
        if success_event.position > self._last_change:
            first, *more = [
                event.name
                for event in (last_pass, self._last_commit, self._last_approval)
                if event.position > self._last_change
            ]
            yield True, (f"{first} after the last change" if self._last_change else first, *more)
        if self._last_submission.position > self._last_change and self._last_run > self._last_change:
            yield True, (self._last_submission.name,)

    def _find_open_failure(self) -> _Event:
        """Return the last check or commit that failed and has not passed since."""
        failing = [(position, name) for name, position in self._failing.items() if is_check(name) or "commit" in name]
        return max((_Event(position, f"`{name}` failed") for position, name in failing), default=_NEVER)


def _is_submission(command: str) -> bool:
    """Return whether a command submits the work, as in SWE-agent and mini-swe-agent."""
    return bool(_SUBMISSION.match(command)) or _SUBMISSION_MARKERS[0] in command or _SUBMISSION_MARKERS[1] in command


def _get_command_name(observation: Observation) -> str:
    """Return the command's signature, or "git commit" for a commit with any options or after other commands."""
    commits = "commit" in observation.command and _COMMIT.search(observation.command)
    return "git commit" if commits else observation.signature


def _changes_project(observation: Observation, project: str) -> bool:
    """Return whether a tool call changed the project; notes, and temporary files outside the project, do not count."""
    if observation.action not in ("edit", "write") or observation.outcome not in ("ok", "unknown"):
        return False
    if observation.files:
        return any(_is_project_file(name, project) for name in observation.files)
    return observation.action == "edit" or _writes_project_file(observation.command, project)


def _writes_project_file(command: str, project: str) -> bool:
    return ">" in command and any(_is_project_file(name, project) for name in _REDIRECTED.findall(command))


def _is_project_file(name: str, project: str) -> bool:
    if name.endswith(NOTE_SUFFIXES) and name.rsplit("/", 1)[-1] not in NOTE_SUFFIXES:  # ".md" itself has no suffix
        return False
    return not name.startswith(TEMPORARY_FOLDERS) or bool(project and name.startswith(project))


# -- The user's reaction: approval or complaint, in English as in the specification; that a problem persists is also recognised
# as the detectors do (detectors/vetoes.py). A request such as "commit this" is not praise: commits are detected separately.

MAX_REPLY_LENGTH = 280
"""Maximum number of characters of a reaction; in the sessions examined, longer messages were tasks or pasted output."""

_SENTENCE = compile_lazily(r"(?<=[.!?\n])\s+|\s[-–—]\s")
_PRAISE = build_phrases(
    {
        "great|perfect|nice|awesome|excellent|amazing|brilliant|wonderful|fantastic": r"^\W*(?:(?:ok(?:ay)?|yes|yeah|yep|ah|wow|oh)\b\W*)?"
        r"(?:great|perfect(?:ly)?|nice|awesome|excellent|amazing|brilliant|wonderful|fantastic)\b",
        "thanks": r"\bthanks\b",
        "thank you": r"\bthank you\b",
        "thx": r"\bthx\b",
        "lgtm": r"\blgtm\b",
        "looks ": r"\blooks (?:good|great)\b",
        "love it": r"\blove it\b",
        "well done": r"\bwell done\b",
        "good job": r"\bgood job\b",
        "nice work": r"\bnice work\b",
        "all good": r"\ball good\b",
        "exactly what i": r"\bexactly what i\b",
        " works": r"\b(?:it|that|this|everything) works\b",
        "works ": r"\bworks (?:now|great|fine|perfectly|as expected|like a charm)\b",
        "fixed it": r"\bfixed it\b",
    }
)
"""Praise in one sentence."""
_COMPLAINT = build_phrases(
    {
        "still ": r"\bstill (?:not|fail\w*|broken|wrong|crash\w*|the same|doesn.?t|does not|isn.?t|can.?t|getting|seeing|see|get)\b",
        "t work|t fixed|t correct|t right": r"\b(?:does not|doesn.?t|didn.?t|did not|isn.?t|is not|not)"
        r" (?:work|working|fixed|correct|right)\b",
        "s wrong|s broken|s incorrect|s worse|s not ": r"\b(?:that|this|it)(?:'s| is)"
        r" (?:wrong|broken|incorrect|worse|not (?:right|what))\b",
        "you broke": r"\byou broke\b",
        "not what i ": r"\bnot what i (?:asked|meant|want)",
        "undo |revert ": r"\b(?:undo|revert) (?:this|that|it|everything)\b",
        "wtf": r"\bwtf\b",
    }
)


def is_approval(text: str) -> bool:
    """Return whether the text is a short message with thanks or praise (not in a question) and without a complaint."""
    if len(text) > MAX_REPLY_LENGTH or is_complaint(text):
        return False
    return any(_PRAISE.matches(part) for part in _SENTENCE.split(text.strip()) if not part.endswith("?"))


def is_complaint(text: str) -> bool:
    """Return whether the text is a short message saying that something is wrong or unwanted, or must be undone."""
    return len(text) <= MAX_REPLY_LENGTH and _COMPLAINT.matches(text)
