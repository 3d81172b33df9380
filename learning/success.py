"""Decides whether a session reached its goal. No log states this, but the last events usually show it.

These events count if they come after the last change: the result of a check (test, build, lint, type check) or commit,
a submission, the user's approval or complaint, and the user stopping the agent. The latest takes precedence, except
that a submission counts only if nothing else does, and a passed check only if something was changed or repaired.
Example: edit, `pytest` fails, edit, `pytest` passes -> succeeded.
Without such an event there is no verdict, for example after plans, questions, unchecked changes or changes to notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from mind_skills.detectors.noise import is_genuine_failure
from mind_skills.detectors.phrases import build_phrases
from mind_skills.detectors.timeline import is_revert
from mind_skills.detectors.verification import checks_only_style
from mind_skills.observations.commands import is_check, is_same_command, normalise
from mind_skills.observations.model import Observation, Session
from mind_skills.redaction.lazy_pattern import compile_lazily

_PASS_SUMMARY = compile_lazily(
    r"\b0 (?:fail\w*|errors?)\b|\b[1-9]\d* (?:tests? )?pass(?:ed|ing)?\b|\bno issues found\b", re.IGNORECASE
)
_FAILURE_SUMMARY = compile_lazily(r"\b[1-9]\d* (?:tests? )?(?:fail\w*|errors?)\b", re.IGNORECASE)
_TAIL_LENGTH = 2_000
"""Number of characters searched at the end of the output, where test runners print their summary."""


def is_reported_failure(observation: Observation) -> bool:
    """Return whether a tool call failed because of the work, according to its host; detectors/noise.py lists other causes."""
    return observation.outcome == "failed" and is_genuine_failure(observation)


def is_unreported_failure(observation: Observation) -> bool:
    """Return whether a command failed although its host reported success.

    True only if the exit code comes from a later command in the pipeline, such as ``head``, if the output contains an error,
    and if a summary of tests at the end of the output, where there is one, reports failures.
    """
    if observation.outcome != "ok" or not observation.error or not normalise(observation.command).hides_status:
        return False
    end = observation.text[-_TAIL_LENGTH:]
    return bool(_FAILURE_SUMMARY.search(end)) or not _PASS_SUMMARY.search(end)


Verdict = tuple[bool | None, tuple[str, ...]]
NOTE_SUFFIXES = frozenset({".md", ".mdx", ".txt", ".rst", ".adoc", ".log"})
_NOTE_SUFFIXES = tuple(NOTE_SUFFIXES)
TEMPORARY_FOLDERS = ("/tmp/", "/private/tmp/", "/var/folders/")  # noqa: S108  only compared with paths, never written to
MAX_OPEN_FAILURES = 32
"""Maximum number of failing commands tracked; when there are more, the oldest is dropped."""

_COMMIT = compile_lazily(r"\bgit(?: +-[cC] +\S+| +(?!-[cC] )-[a-z-]+)*+ +commit\b")
_REDIRECTED = compile_lazily(r">{1,2} *([\w./~$-]+) *(?:<<|[;&|\n]|$)")
_SUBMISSION = compile_lazily(r"\s*submit\b")
_SUBMISSION_MARKERS = ("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL_OUTPUT")


class _Event(NamedTuple):
    """An event: its position in the session, 0 if it never occurred, and its description."""

    position: int
    name: str


_NEVER = _Event(0, "")


class SuccessMeter:
    """Tracks the last occurrence of each event that indicates success or failure. Positions are observation numbers.

    Only the project folder of ``session`` is used; readers fill it in while they read.
    """

    __slots__ = (
        "_approved",
        "_committed",
        "_complained",
        "_failing",
        "_has_fixed_check",
        "_last_accepted_call",
        "_last_change",
        "_last_run",
        "_passed",
        "_passed_style_only",
        "_position",
        "_session",
        "_stopped",
        "_submitted",
    )

    def __init__(self, session: Session) -> None:
        self._session = session
        self._position = 1  # 0 means never, and a change can have the position before the call that made it
        self._last_change = 0
        self._last_accepted_call = 0
        """Position of the last tool call that was neither rejected nor aborted."""
        self._last_run = 0
        """Position of the last command that is not known to have failed; SWE-agent logs have no exit codes."""
        self._failing: dict[str, int] = {}
        """Commands that failed and have not passed since, with the position of their last failure."""
        self._has_fixed_check = False
        self._passed = _NEVER
        self._passed_style_only = False
        self._committed = _NEVER
        self._submitted = _NEVER
        self._approved = _NEVER
        self._complained = _NEVER
        self._stopped = _NEVER

    def feed(self, observation: Observation) -> None:
        """Process the next observation."""
        self._position += 1
        if observation.agent == "main" and (observation.outcome == "rejected" or observation.kind == "user"):
            self._process_reaction(observation)
        elif observation.kind == "tool" and observation.outcome not in ("aborted", "rejected"):
            self._last_accepted_call = self._position
            self._process_tool_call(observation)

    def result(self) -> Verdict:
        """Return whether the session succeeded (None if unknown), and the reasons, most important first."""
        verdict = next(self._iterate_verdicts(), None)
        if verdict is not None:
            success, reasons = verdict
            return success, (*reasons, *self._list_caveats(success))
        if not self._last_change:
            return None, ("nothing was changed",)
        return None, ("no command after the last change shows whether it works",)

    def _process_reaction(self, observation: Observation) -> None:
        if observation.kind == "tool":
            self._stopped = _Event(self._position, "the user refused a tool call")
            return
        if observation.outcome == "aborted":
            self._stopped = _Event(self._position, "the user interrupted")
            return
        self._stopped = _NEVER  # a user who continues has not given up
        if is_complaint(observation.text):
            self._complained = _Event(self._position, "the user complained")
        elif is_approval(observation.text):
            self._approved = _Event(self._position, "the user approved")

    def _process_tool_call(self, observation: Observation) -> None:
        if observation.command and _is_submission(observation.command):
            self._submitted = _Event(self._position, "the work was submitted after a command that did not fail")
        elif _changes_project(observation, self._session.project) or (observation.command and is_revert(observation)):
            self._last_change = self._position
        elif observation.action == "run":
            if "<<" in observation.command and _writes_project_file(observation.command, self._session.project):
                self._last_change = self._position - 1  # the call wrote a script before it ran anything
            self._process_run(observation)

    def _process_run(self, observation: Observation) -> None:
        name = _get_command_name(observation)
        if is_reported_failure(observation) or is_unreported_failure(observation):
            self._failing.pop(name, None)
            self._failing[name] = self._position
            if len(self._failing) > MAX_OPEN_FAILURES:
                del self._failing[next(iter(self._failing))]
            return
        self._last_run = self._position
        if observation.outcome == "ok":
            fixed = [failing for failing in self._failing if is_same_command(failing, name)]
            for failing in fixed:
                del self._failing[failing]
            self._has_fixed_check = self._has_fixed_check or any(is_check(failing) for failing in fixed)
            if name == "git commit":
                self._committed = _Event(self._position, "it was committed")
            elif is_check(name):
                self._passed, self._passed_style_only = (
                    _Event(self._position, f"`{name}` passed"),
                    checks_only_style(name),
                )

    def _iterate_verdicts(self) -> Iterator[tuple[bool, tuple[str, ...]]]:
        """Yield the verdicts that events support, with their reasons, most important first."""
        failure = self._find_open_failure()
        passed = self._passed if self._last_change or self._has_fixed_check else _NEVER
        if failure.position and (failure.position > self._last_change or self._passed_style_only):
            passed = _NEVER  # the check that passed is not the one that failed
        success_event = max(passed, self._committed, self._approved)
        last_settled = max(success_event.position, self._last_change)
        if self._stopped.position > max(self._last_accepted_call, success_event.position):
            yield False, (f"{self._stopped.name}, and nothing was done after that",)
        if self._complained.position > max(last_settled, failure.position):
            yield False, (f"{self._complained.name} at the end",)
        if failure.position > last_settled:
            yield False, (f"{failure.name} at the end",)
        if success_event.position > self._last_change:
            first, *more = [
                event.name for event in (passed, self._committed, self._approved) if event.position > self._last_change
            ]
            yield True, (f"{first} after the last change" if self._last_change else first, *more)
        if self._submitted.position > self._last_change and self._last_run > self._last_change:
            yield True, (self._submitted.name,)

    def _find_open_failure(self) -> _Event:
        """Return the last check or commit that failed and has not passed since."""
        failing = [(position, name) for name, position in self._failing.items() if is_check(name) or "commit" in name]
        return max((_Event(position, f"`{name}` failed") for position, name in failing), default=_NEVER)

    def _list_caveats(self, success: bool) -> Iterator[str]:
        failure = self._find_open_failure()
        if success and failure.position:
            yield f"{failure.name} earlier and was not seen to pass"


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
    if name.endswith(_NOTE_SUFFIXES) and name.rsplit("/", 1)[-1] not in NOTE_SUFFIXES:  # ".md" itself has no suffix
        return False
    return not name.startswith(TEMPORARY_FOLDERS) or bool(project and name.startswith(project))


# -- The user's reaction: approval or complaint. Only English is recognised, as in the specification; in other languages the
# outcome depends on the commands. A request such as "commit this" is not praise: commits are detected separately.

MAX_REPLY_LENGTH = 280
"""Maximum number of characters of a reaction; in the sessions examined, longer messages were tasks or pasted output."""

_SENTENCE = compile_lazily(r"(?<=[.!?\n])\s+|\s[-–—]\s")
_PRAISE_FIRST = compile_lazily(
    r"\W*(?:(?:ok(?:ay)?|yes|yeah|yep|ah|wow|oh)\b\W*)?"
    r"(?:great|perfect(?:ly)?|nice|awesome|excellent|amazing|brilliant|wonderful|fantastic)\b",
    re.IGNORECASE,
)
_PRAISE = build_phrases(
    {
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
_PRAISE_WORDS = ("great", "perfect", "nice", "awesome", "excellent", "amazing", "brilliant", "wonderful", "fantastic")
"""Every sentence that matches ``_PRAISE_FIRST`` contains one of these words."""
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
    may_start_with_praise = any(map(text.lower().__contains__, _PRAISE_WORDS))
    if not may_start_with_praise and not _PRAISE.matches(text):
        return False
    statements = [sentence for sentence in _SENTENCE.split(text.strip()) if not sentence.endswith("?")]
    return any((may_start_with_praise and _PRAISE_FIRST.match(each)) or _PRAISE.matches(each) for each in statements)


def is_complaint(text: str) -> bool:
    """Return whether the text is a short message saying that something is wrong or unwanted, or must be undone."""
    return len(text) <= MAX_REPLY_LENGTH and _COMPLAINT.matches(text)
