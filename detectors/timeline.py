"""Index of a window's observations: failures, changes, passes, statements and more. All later steps of detection use it.

Lists hold ascending indexes into ``observations``. Values that are needed repeatedly (words, tokens, counts) are
computed once; the sum over a span is the difference of two running sums.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from mind_skills.detectors import noise, words
from mind_skills.detectors.words import build_phrases
from mind_skills.observations import results
from mind_skills.observations.commands import is_check
from mind_skills.observations.model import Observation, estimate_length, get_raw_text
from mind_skills.observations.results import Check, find_pasted_error
from mind_skills.observations.sources import UNTRUSTED_SOURCES
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.store.light_dataclasses import dataclass, field

Span = tuple[int, int]
"""First and last index of an episode."""
MAX_SPAN = 150
"""Maximum difference between the last and the first index of an episode; longer spans include unrelated work."""
_SCRATCH_PATHS = "/tmp/|/var/folders/|plans/|/todo|reproduce|repro_|repro.|/debug_|/scratch".split("|")  # noqa: S108
"""Parts of the paths of scratch files; they are compared with paths in logs, and none is opened."""
_MAX_COMMAND_LENGTH = 300
"""Number of characters at the start of a command that are searched for scratch paths; file content usually comes later."""
_REVERT = compile_lazily(
    r"\bgit (?:checkout (?:-- |\.|HEAD )|restore\b|reset --hard|stash(?: push| save| -u)?\s*(?:$|[;&|]))"
)
_COMMENT = compile_lazily(
    r"\s*(?://(?!\w+:| ?@| ?eslint| ?biome)|# (?!noqa|type:|pylint|pragma|fmt:|nosec|shellcheck)|/\*(?! ?eslint)|\* |<!--|-- )"
)
"""Start of a comment that is not a directive to a tool."""
_MAX_STATEMENT_LENGTH, _MAX_MESSAGE_LENGTH, _MAX_ANSWER_LENGTH, _MAX_BRIEF_LENGTH = 1_500, 1_500, 400, 300
"""Number of leading characters of an agent's statement, and of a user's message, that are searched for words; maximum length
of a user's message that may approve of or deny a success; and the length below which a user's message is brief."""


class StatementTraits:
    """Number of phrases of words.py in a statement by the agent, its estimated length in characters, and whether it mentions permissions.

    ``strong_count`` is 0 if the statement contains no phrase of ``words.CAUSE`` and not "found it".
    """

    __slots__ = ("cause_count", "mentions_permissions", "reversal_count", "size", "strong_count")

    def __init__(self, observation: Observation) -> None:
        text = get_raw_text(observation)[:_MAX_STATEMENT_LENGTH].lower()
        self.cause_count = words.count_occurrences(text, words.CAUSE)
        self.strong_count = words.count_occurrences(text, words.STRONG) if self.cause_count or "found it" in text else 0
        self.reversal_count = words.count_occurrences(text, words.REVERSAL)
        self.mentions_permissions = words.contains_any(text, words.ESCALATION)
        self.size = estimate_length(observation)


class MessageTraits:
    """Properties of a user's message, derived from its text."""

    __slots__ = (
        "asks_why",
        "denies_success",
        "has_pasted_error",
        "is_approval",
        "is_brief",
        "is_plan",
        "reports_problem",
    )

    def __init__(self, observation: Observation) -> None:
        text = observation.text
        lowered = text[:_MAX_MESSAGE_LENGTH].lower()
        is_answer = len(text) <= _MAX_ANSWER_LENGTH
        self.is_brief = len(text) < _MAX_BRIEF_LENGTH
        self.is_plan = is_plan(text)
        self.reports_problem = reports_problem(text)
        self.asks_why = words.contains_any(lowered, words.WHY)
        self.has_pasted_error = bool(find_pasted_error(text))
        self.denies_success = is_answer and words.contains_any(lowered, words.DENIAL)
        self.is_approval = is_answer and not self.denies_success and words.contains_any(lowered, words.APPROVAL)


@dataclass(slots=True)
class Timeline:
    """Indexes into ``observations``, each list ascending; main agent only, since subagents work in parallel."""

    observations: Sequence[Observation]
    project: str = ""
    """The session's folder. It is removed from the start of file paths before they are searched for scratch paths, because the
    project itself may be in a folder such as /tmp."""
    foreign: list[int] = field(default_factory=list[int])
    """What may show strangers' text, of all agents."""
    tool_calls: list[int] = field(default_factory=list[int])
    failures: list[int] = field(default_factory=list[int])
    """Calls that genuinely failed (``noise.is_genuine_failure``)."""
    other_failures: list[int] = field(default_factory=list[int])
    """Calls whose failure is not genuine, such as edits whose old text does not match, reads of guessed files, and
    calls that the host cancelled because another call failed. Calls that the user rejected are in neither list."""
    changes: list[int] = field(default_factory=list[int])
    """Changes to the project, except for scratch files, plans and comment-only changes."""
    runs: list[int] = field(default_factory=list[int])
    """Shell commands that have a signature, whatever their result."""
    passes: list[int] = field(default_factory=list[int])
    """Commands that succeeded according to both host and output; if the host never reports success, those that did not visibly fail."""
    passed_checks: list[int] = field(default_factory=list[int])
    lookups: list[int] = field(default_factory=list[int])
    """Reads, searches and web calls, whatever their result."""
    web_calls: list[int] = field(default_factory=list[int])
    reverts: list[int] = field(default_factory=list[int])
    """Commands that revert changes: a change that was reverted is not a fix."""
    commits: list[int] = field(default_factory=list[int])
    user_messages: list[int] = field(default_factory=list[int])
    statements: list[int] = field(default_factory=list[int])
    """The agent's messages and thoughts."""
    agent_messages: list[int] = field(default_factory=list[int])
    closing_messages: list[int] = field(default_factory=list[int])
    """The agent's last message before each user message, and at the end."""
    running_sums: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    """Running sums over ``statements`` by name, each with a leading 0, so it has one more entry than ``statements``."""
    statement_traits: dict[int, StatementTraits] = field(default_factory=dict[int, StatementTraits])
    message_traits: dict[int, MessageTraits] = field(default_factory=dict[int, MessageTraits])
    _checks: dict[int, Check] = field(default_factory=dict[int, Check])

    def select(self, indexes: list[int], start: int, end: int) -> list[int]:
        """Return the ``indexes`` in [start, end)."""
        return indexes[bisect_left(indexes, start) : bisect_left(indexes, end)]

    def find_after(self, indexes: list[int], index: int) -> int | None:
        """Return the first of the ``indexes`` that is greater than ``index``, or None."""
        at = bisect_right(indexes, index)
        return indexes[at] if at < len(indexes) else None

    def find_before(self, indexes: list[int], index: int) -> int | None:
        """Return the last of the ``indexes`` that is less than ``index``, or None."""
        at = bisect_left(indexes, index)
        return indexes[at - 1] if at else None

    def find_ends(self, start: int, limit: int) -> Iterator[int]:
        """Yield the first pass after index ``start`` and, if that is not a check, the first passed check, both up to index ``limit``."""
        passed = self.find_after(self.passes, start)
        if passed is not None and passed <= limit:
            yield passed
        check = self.find_after(self.passed_checks, start)
        if check is not None and check != passed and check <= limit:
            yield check

    def read_check(self, index: int) -> Check:
        """Return the check result of a command, parsed from its output. Cached."""
        cached = self._checks.get(index)
        if cached is None:
            cached = self._checks[index] = results.parse_check(self.observations[index])
        return cached

    def find_turn(self, index: int) -> int | None:
        """Return the index of the user message that began the turn of ``index``, or None before the first message."""
        return self.find_before(self.user_messages, index + 1)

    def find_turn_end(self, index: int) -> int:
        """Return the index of the next user message after ``index``, or the number of observations."""
        following = self.find_after(self.user_messages, index)
        return len(self.observations) if following is None else following


def build_timeline(observations: Sequence[Observation], project: str = "") -> Timeline:
    """Index the observations. ``project`` is the session's folder; its own path does not make a file a scratch file."""
    timeline = Timeline(observations, project)
    host_reports_success = False
    for index, observation in enumerate(observations):
        if observation.source in UNTRUSTED_SOURCES:
            timeline.foreign.append(index)
        if observation.agent != "main":
            continue
        if observation.kind == "tool":
            host_reports_success = _add_call(timeline, index, observation) or host_reports_success
        elif observation.kind == "user":
            if observation.text.strip():
                _close_turn(timeline)
                timeline.user_messages.append(index)
                timeline.message_traits[index] = MessageTraits(observation)
        else:
            timeline.statements.append(index)
            timeline.statement_traits[index] = StatementTraits(observation)
            if observation.kind == "assistant":
                timeline.agent_messages.append(index)
    _close_turn(timeline)
    if host_reports_success:  # a host that reports success does so for every call
        timeline.passes = [index for index in timeline.passes if observations[index].outcome == "ok"]
    timeline.passed_checks = [index for index in timeline.passes if is_check(observations[index].signature)]
    _compute_running_sums(timeline)
    return timeline


def _close_turn(timeline: Timeline) -> None:
    last = timeline.agent_messages[-1:]
    if last != timeline.closing_messages[-1:]:
        timeline.closing_messages += last


def _add_call(timeline: Timeline, index: int, observation: Observation) -> bool:
    """Add a call to the lists it belongs to. Return whether it is a command that the host reports as successful."""
    outcome, action = observation.outcome, observation.action
    timeline.tool_calls.append(index)
    if action == "run" and observation.signature:
        timeline.runs.append(index)
    elif action in ("read", "search", "web"):
        timeline.lookups.append(index)
    if action == "web" or observation.source == "web":
        timeline.web_calls.append(index)
    if (outcome == "failed" or observation.error) and noise.is_genuine_failure(observation):
        timeline.failures.append(index)
    elif outcome == "failed":
        timeline.other_failures.append(index)
    elif outcome not in ("ok", "unknown"):
        return False
    elif action in ("edit", "write"):
        if _is_project_change(observation, timeline.project):
            timeline.changes.append(index)
    elif action == "run" and observation.signature:
        if _passed(timeline, index):
            timeline.passes.append(index)
        if "git " in observation.command:
            if is_revert(observation):
                timeline.reverts.append(index)
            if "git commit" in observation.command:
                timeline.commits.append(index)
        return outcome == "ok"
    return False


def _passed(timeline: Timeline, index: int) -> bool:
    """Return whether a command that the host reports as successful was so by its output, too."""
    observation = timeline.observations[index]
    if is_check(observation.signature):
        return timeline.read_check(index).verdict in ("passed", "silent")
    # Behind a pipe, the counts of tests say more than the exit code, even if the name of the command names no check.
    return not (results.hides_status(observation.command) and timeline.read_check(index).failed)


def _compute_running_sums(timeline: Timeline) -> None:
    traits_and_kinds = [
        (timeline.statement_traits[index], timeline.observations[index].kind == "assistant")
        for index in timeline.statements
    ]
    timeline.running_sums = {
        name: [0, *accumulate(values)]
        for name, values in (
            ("cause", [traits.cause_count for traits, _ in traits_and_kinds]),
            ("strong", [traits.strong_count for traits, _ in traits_and_kinds]),
            ("strong_in_messages", [traits.strong_count * is_message for traits, is_message in traits_and_kinds]),
            ("reversal_in_messages", [traits.reversal_count * is_message for traits, is_message in traits_and_kinds]),
            ("size", [traits.size for traits, _ in traits_and_kinds]),
            ("permission", [int(traits.mentions_permissions) for traits, _ in traits_and_kinds]),
        )
    }


def _is_project_change(observation: Observation, project: str) -> bool:
    """Return whether a change affects the project: not a scratch file or a plan, and not only comments."""
    if observation.change and _has_only_comments(observation.change):
        return False
    names = observation.files or (observation.command[:_MAX_COMMAND_LENGTH],)
    return not any(words.contains_any(name.removeprefix(project), _SCRATCH_PATHS) for name in names)


def _has_only_comments(change: str) -> bool:
    """Return whether each line of a change is a comment or blank, and at least one is a comment."""
    has_comment = False
    for row in change.split("\n"):
        if row[1:].strip():
            if not _COMMENT.match(row, 1):
                return False
            has_comment = True
    return has_comment


def is_revert(observation: Observation) -> bool:
    """Return whether a command reverts changes. One that also pops a stash does not count, since it restores them."""
    command = observation.command
    return "git " in command and "stash pop" not in command and _REVERT.search(command) is not None


# -- Whether a user's message reports a problem rather than requesting something new. English only. The result is one feature among
# others; no episode is proposed or vetoed because of it. --

_PLAN = compile_lazily(
    r"\s*(?:please )?(?:implement|execute|carry out) (?:the following plan|this plan:)", re.IGNORECASE
)
_HEADING = compile_lazily(r"^#{1,3}\s+(\S.*)$", re.MULTILINE)
_FIX_HEADING = compile_lazily(
    r"^(?:plan:\s*)?(?:bug ?)?(?:fix|debug|resolve|investigate|repair)\b|\bbug\b|\bregression\b", re.IGNORECASE
)
_MANY_FIXES = compile_lazily(
    r"\b(?:issues|comments|findings|suggestions|feedback|warnings|todos|improvements)\b", re.IGNORECASE
)
"""Words in a heading that stand for many small fixes, none of which is an episode by itself."""
_REASON = "because|root cause|due to|caus|problem is|issue is|bug is|never |doesn't|does not|without ".split("|")
_REQUEST = compile_lazily(
    r"\s*(?:please |can you |could you |ok(?:ay)?,? |now |also,? |let'?s |i want to |i'd like |we should |add |remove |create |implement"
    r"|write |rename |update |refactor |generate |review |explain |what |how |is |are |does |do )",
    re.IGNORECASE,
)
_MAX_FIRST_LINE_LENGTH = 300
_NEGATION = (
    r"\b(?:can(?:not|['’]t| not)|could(?: not|n['’]t)|won['’]t|will not|would(?: not|n['’]t)|do(?:es)?(?: not|n['’]t)"
    r"|did(?: not|n['’]t)|(?:is|are|was|were|has|have)(?: not|n['’]t)|not) (?:\w{1,30} ){0,2}"
    r"(?:work|run|re-?run|start|build|compil|load|show|see|display|appear|visible|find|found|produc|captur|count|open|connect|pass"
    r"|trigger|updat|save|return|render|match|respond|appl|handl|propagat|inherit|includ|persist|set)"
)
_MALFUNCTION = {
    "not |n't |n’t ": _NEGATION,
    "fail|broken|break|bug|crash|hang|stuck|freez|tim": r"\b(?:fails?|failing|failed|failure|broken|breaks?|bug(?:gy)?|crash\w*|hangs?"
    r"|stuck|freez\w*|tim(?:es|ed|ing) out)\b",
    "wrong|incorrect|weird|strange|unexpected|regression|silently": r"\b(?:wrong(?:ly)?|incorrect(?:ly)?|weird|strange|unexpected(?:ly)?"
    r"|regression|silently)\b",
    "error|exception": r"\b\w+(?:error|exception): |\berror: |\berrors? when\b",
    "traceback|panic": r"\btraceback\b|\bpanic: ",
    "root cause|infinite loop|leak|race condition|deadlock": r"\b(?:root cause|infinite loop|leak(?:s|ing|ed)?"
    r"|race condition|deadlock\w*)\b",
}
MALFUNCTION = build_phrases(_MALFUNCTION)
"""Words for something broken that a request for something new does not use."""
PROBLEM = build_phrases(
    {
        **_MALFUNCTION,
        "missing|deprecat": r"\b(?:missing|deprecat\w+)\b",
        "error|exception|warning|traceback|panic": r"\b(?:error|exception|warning|traceback|panic)s?\b[:\s]",
        "rror|xception": r"\b\w+(?:error|exception)\b(?=[:(\"']| when| if| as soon| whenever)",
        "why ": r"\bwhy (?:did|does|do|is|are|was|isn't|doesn't)\b",
        "still ": r"\bstill (?:have|get|see|show|the)\w*\b",
        "never ": r"\bnever (?:captured|called|passed|set|updated)\b",
        "debug|investigate|diagnose|troubleshoot": r"^\s*(?:debug|investigate|diagnose|troubleshoot)\b",
    }
)
"""Words for something that is wrong."""


def is_plan(text: str) -> bool:
    """Return whether a message begins by asking the agent to carry out a plan."""
    return _PLAN.match(text) is not None


def reports_problem(text: str) -> bool:
    """Return whether a message reports a problem. A plan does so if its first heading names one fix and its text gives a reason."""
    if is_plan(text):
        heading = _HEADING.search(text)
        if heading is None or not _FIX_HEADING.search(heading[1]) or _MANY_FIXES.search(heading[1]):
            return False
        lowered = text[heading.end() :].lower()
        return words.contains_any(lowered, _REASON)
    if not PROBLEM.matches(text):
        return False
    first_line = text.strip().split("\n", 1)[0][:_MAX_FIRST_LINE_LENGTH]
    return not _REQUEST.match(text) or MALFUNCTION.matches(first_line)
