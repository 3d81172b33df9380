"""Whether a session reached what it was after: no log says so, but what happened last usually does.

Sees: a check (test, build, lint, type check) after the last change, and whether it passed; a commit; a submission; the
user's last words; the user stopping the agent. The latest of them outweighs the earlier ones.
Example: edit, `pytest` fails, edit, `pytest` passes -> succeeded.
Must not decide: plans and questions (nothing was changed or run), changes that nobody checked, notes alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from mind_skills.detectors.noise import genuine_failure
from mind_skills.detectors.phrases import phrases
from mind_skills.detectors.timeline import takes_back
from mind_skills.detectors.verification import only_style
from mind_skills.observations.commands import is_check, normalise, same
from mind_skills.observations.model import Observation, Session
from mind_skills.redaction.lazy_pattern import compile_later

_GREEN = compile_later(
    r"\b0 (?:fail\w*|errors?)\b|\b[1-9]\d* (?:tests? )?pass(?:ed|ing)?\b|\bno issues found\b", re.IGNORECASE
)
_RED = compile_later(r"\b[1-9]\d* (?:tests? )?(?:fail\w*|errors?)\b", re.IGNORECASE)
_TAIL = 2_000
"""Test runners put their sum at the end."""


def is_genuine(observation: Observation) -> bool:
    """Whether a tool call failed, as its host states, for a reason that lies in the work (detectors/noise.py says which do not)."""
    return observation.outcome == "failed" and genuine_failure(observation)


def failed_unseen(observation: Observation) -> bool:
    """Whether a command failed although the host saw none: piped into head or tail, it answers with their exit code.

    Then the output has to say it: a line that names an error, and no sum such as `12 pass, 0 fail` below it.
    """
    if observation.outcome != "ok" or not observation.error or not normalise(observation.command).hides_status:
        return False
    end = observation.text[-_TAIL:]
    return bool(_RED.search(end)) or not _GREEN.search(end)


Verdict = tuple[bool | None, tuple[str, ...]]
NOTES = frozenset({".md", ".mdx", ".txt", ".rst", ".adoc", ".log"})
_NOTES = tuple(NOTES)
TEMPORARY = ("/tmp/", "/private/tmp/", "/var/folders/")  # noqa: S108  compared with, never written to
OPEN_FAILURES = 32
"""So many different failing commands are kept apart; beyond them the oldest is forgotten."""

_COMMIT = compile_later(r"\bgit(?: +-[cC] +\S+| +(?!-[cC] )-[a-z-]+)*+ +commit\b")
_REDIRECTED = compile_later(r">{1,2} *([\w./~$-]+) *(?:<<|[;&|\n]|$)")
_SUBMISSION = compile_later(r"\s*submit\b")
_FINAL = ("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL_OUTPUT")


class _Mark(NamedTuple):
    """Something that happened: its number in the session, and how to call it."""

    place: int
    name: str


_NEVER = _Mark(0, "")


class SuccessMeter:
    """Remembers the last time of each thing that speaks for success or failure; places are numbers of observations.

    Of ``session`` only the project folder is read, which readers learn while they read.
    """

    __slots__ = (
        "_approved",
        "_changed",
        "_committed",
        "_complained",
        "_cured",
        "_green",
        "_green_style",
        "_place",
        "_red",
        "_session",
        "_stopped",
        "_submitted",
        "_tried",
        "_worked",
    )

    def __init__(self, session: Session) -> None:
        self._session = session
        self._place = 1  # 0 is never, and a change may be put one place before what ran it
        self._changed = 0
        self._worked = 0
        """The last tool call that the user let pass."""
        self._tried = 0
        """The last command that was run and did not fail; the logs of SWE-agent name no exit codes."""
        self._red: dict[str, int] = {}
        """Commands that failed and have not passed since, with the place of the failure."""
        self._cured = False
        self._green = _NEVER
        self._green_style = False
        self._committed = _NEVER
        self._submitted = _NEVER
        self._approved = _NEVER
        self._complained = _NEVER
        self._stopped = _NEVER

    def feed(self, observation: Observation) -> None:
        """Take in the next observation."""
        self._place += 1
        if observation.agent == "main" and (observation.outcome == "rejected" or observation.kind == "user"):
            self._note_user(observation)
        elif observation.kind == "tool" and observation.outcome not in ("aborted", "rejected"):
            self._worked = self._place
            self._note_tool(observation)

    def result(self) -> Verdict:
        """Success, failure or None, and the reasons, weightiest first."""
        for success, reasons in self._grounds():
            return success, (*reasons, *self._caveats(success))
        if not self._changed:
            return None, ("nothing was changed and checked",)
        return None, ("nothing that was run after the last change shows whether it works",)

    def _note_user(self, observation: Observation) -> None:
        if observation.kind == "tool":
            self._stopped = _Mark(self._place, "the user refused a tool call")
            return
        if observation.outcome == "aborted":
            self._stopped = _Mark(self._place, "the user interrupted")
            return
        self._stopped = _NEVER  # whoever goes on talking has not given up
        if complains(observation.text):
            self._complained = _Mark(self._place, "the user's last words were a complaint")
        elif approves(observation.text):
            self._approved = _Mark(self._place, "the user approved")

    def _note_tool(self, observation: Observation) -> None:
        if observation.command and _is_submission(observation.command):
            self._submitted = _Mark(self._place, "the work was handed in, after a run that did not fail")
        elif _changes_project(observation, self._session.project) or (observation.command and takes_back(observation)):
            self._changed = self._place
        elif observation.action == "run":
            if "<<" in observation.command and _writes_project_file(observation.command, self._session.project):
                self._changed = self._place - 1  # a script that is written and run in one call was there before it ran
            self._note_run(observation)

    def _note_run(self, observation: Observation) -> None:
        name = _command_name(observation)
        if is_genuine(observation) or failed_unseen(observation):
            self._red.pop(name, None)
            self._red[name] = self._place
            if len(self._red) > OPEN_FAILURES:
                del self._red[next(iter(self._red))]
            return
        self._tried = self._place
        if observation.outcome == "ok":
            cured = [red for red in self._red if same(red, name)]
            for red in cured:
                del self._red[red]
            self._cured = self._cured or any(is_check(red) for red in cured)
            if name == "git commit":
                self._committed = _Mark(self._place, "it was committed")
            elif is_check(name):
                self._green, self._green_style = _Mark(self._place, f"`{name}` passed"), only_style(name)

    def _grounds(self) -> Iterator[tuple[bool, tuple[str, ...]]]:
        """What decides, weightiest first, each with its reasons; nothing, if nothing does."""
        red = self._open_failure()
        green = self._green if self._changed or self._cured else _NEVER
        if red.place and (red.place > self._changed or self._green_style):
            green = _NEVER  # another check than the one that is red has passed
        good = max(green, self._committed, self._approved)
        settled = max(good.place, self._changed)
        if self._stopped.place > max(self._worked, good.place):
            yield False, (f"{self._stopped.name}, and nothing was done after it",)
        if self._complained.place > max(settled, red.place):
            yield False, (self._complained.name,)
        if red.place > settled:
            yield False, (f"{red.name} at the end",)
        if good.place > self._changed:
            first, *more = [
                mark.name for mark in (green, self._committed, self._approved) if mark.place > self._changed
            ]
            yield True, (f"{first} after the last change" if self._changed else first, *more)
        if self._submitted.place > self._changed and self._tried > self._changed:
            yield True, (self._submitted.name,)

    def _open_failure(self) -> _Mark:
        """The last check or commit that failed and was not seen to pass since."""
        red = [
            _Mark(place, f"`{name}` failed") for name, place in self._red.items() if is_check(name) or "commit" in name
        ]
        return max(red, default=_NEVER)

    def _caveats(self, success: bool) -> Iterator[str]:
        red = self._open_failure()
        if success and red.place:
            yield f"{red.name} before and was not seen to pass"


def _is_submission(command: str) -> bool:
    """Whether a command hands in the work, as SWE-agent and mini-swe-agent do it."""
    return bool(_SUBMISSION.match(command)) or _FINAL[0] in command or _FINAL[1] in command


def _command_name(observation: Observation) -> str:
    """The command's signature; a commit is one whatever stands between `git` and `commit`, or was added before it."""
    commits = "commit" in observation.command and _COMMIT.search(observation.command)
    return "git commit" if commits else observation.signature


def _changes_project(observation: Observation, project: str) -> bool:
    """Whether it changed the project: notes, plans and files in a temporary folder outside of it do not count."""
    if observation.action not in ("edit", "write") or observation.outcome not in ("ok", "unknown"):
        return False
    if observation.files:
        return any(_is_project_file(name, project) for name in observation.files)
    return observation.action == "edit" or _writes_project_file(observation.command, project)


def _writes_project_file(command: str, project: str) -> bool:
    return ">" in command and any(_is_project_file(name, project) for name in _REDIRECTED.findall(command))


def _is_project_file(name: str, project: str) -> bool:
    if name.endswith(_NOTES) and name.rsplit("/", 1)[-1] not in NOTES:  # a file of no other name has no suffix
        return False
    return not name.startswith(TEMPORARY) or bool(project and name.startswith(project))


# -- the user's words: approval or complaint. English, as the documents are: in another language nothing is seen, and the
# outcome rests on what was run. A wish such as "commit this" is no praise: whether the commit was made is seen elsewhere.

SHORT = 280
"""Characters. Longer messages of the sessions that were read were always tasks or pasted output."""

_SENTENCE = compile_later(r"(?<=[.!?\n])\s+|\s[-–—]\s")
_PRAISE_FIRST = compile_later(
    r"\W*(?:(?:ok(?:ay)?|yes|yeah|yep|ah|wow|oh)\b\W*)?"
    r"(?:great|perfect(?:ly)?|nice|awesome|excellent|amazing|brilliant|wonderful|fantastic)\b",
    re.IGNORECASE,
)
_PRAISE = phrases(
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
_FIRST = ("great", "perfect", "nice", "awesome", "excellent", "amazing", "brilliant", "wonderful", "fantastic")
"""One of these stands in a sentence that begins with praise."""
_COMPLAINT = phrases(
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


def approves(text: str) -> bool:
    """A short message with thanks or praise in it, and no complaint."""
    if len(text) > SHORT or complains(text):
        return False
    first = any(map(text.lower().__contains__, _FIRST))
    if not first and not _PRAISE.anywhere(text):
        return False
    statements = [sentence for sentence in _SENTENCE.split(text.strip()) if not sentence.endswith("?")]
    return any((first and _PRAISE_FIRST.match(sentence)) or _PRAISE.anywhere(sentence) for sentence in statements)


def complains(text: str) -> bool:
    """A short message that says that it does not work, or is not what was wanted."""
    return len(text) <= SHORT and _COMPLAINT.anywhere(text)
