"""Data model of sessions and observations, which the readers produce, and of the progress of reading a growing log.

The dataclasses are slotted, because a session can have thousands of observations. In real sessions, only one tool output in thirty
is used, and cleaning a text costs more than all other processing of it. Until its ``text`` is accessed, an observation therefore
stores the raw text, or the two ends of it that cleaning needs. Raw text is accessed only through the functions of this module.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from mind_skills.observations.known_files import KnownFiles
from mind_skills.redaction.session import SessionSecrets
from mind_skills.redaction.text import TextEnds, cut_ends, is_storable_whole, redact_ends
from mind_skills.store.light_dataclasses import dataclass, field

Kind = Literal["user", "assistant", "thinking", "tool"]
Action = Literal["read", "search", "edit", "write", "run", "web", "mcp", "task", "other"]
ToolOutcome = Literal["ok", "failed", "nothing", "rejected", "denied", "aborted", "unknown"]
"""``nothing``: a check succeeded without checking anything, for example because it skipped all tests."""
Agent = Literal["main", "subagent", "host"]
"""``host``: the host attached something to a message, without a call by an agent."""
Source = Literal["user", "agent", "local", "web", "mcp", "issue", "remote"]
"""Where a text comes from: its author (``user``, ``agent``), this project or machine (``local``), or third parties (the others)."""


class _RawText:
    """Raw text (all of it or its two ends), the limit of the cleaned text in characters, and whether the cleaned text is stripped."""

    __slots__ = ("is_stripped", "limit", "text")

    def __init__(self, text: str, limit: int, is_stripped: bool) -> None:
        self.text: str | TextEnds = text if is_storable_whole(text, limit) else cut_ends(text, limit)
        self.limit, self.is_stripped = limit, is_stripped

    def get_ends(self) -> TextEnds:
        """Return the ends that cleaning needs, without invisible characters; computed once."""
        if isinstance(self.text, str):
            self.text = cut_ends(self.text, self.limit)
        return self.text

    def clean(self) -> str:
        text = redact_ends(self.get_ends(), self.limit)
        return text.strip() if self.is_stripped else text


class _LazyText:
    """Base class that computes ``text`` from ``pending_text`` on first access."""

    __slots__ = ("pending_text",)
    pending_text: _RawText

    if not TYPE_CHECKING:  # if a type checker saw this method, it would accept any attribute

        def __getattr__(self, name: str) -> str:
            """Compute ``text``. Called only for unset attributes. Raises AttributeError for any other name."""
            if name != "text":
                raise AttributeError(name)
            self.text = self.pending_text.clean()
            del self.pending_text
            return self.text


@dataclass(slots=True)
class Observation(_LazyText):
    """One event of a session.

    ``text`` is the message or the tool's output: without control characters, redacted and truncated. ``line`` is 1-based, in the unit
    that the format's reader documents. For a tool call, ``line`` is the line of the call and ``end_line`` the line of its result.
    """

    kind: Kind
    line: int
    text: str = ""
    end_line: int = 0
    at: int | None = None
    """UTC milliseconds; None if the log has no time."""
    agent: Agent = "main"
    source: Source = "agent"
    tool: str = ""
    """The host's name for the tool."""
    action: Action = "other"
    command: str = ""
    """The command as executed or, for another tool, the main argument, such as a pattern, URL or plan; redacted, truncated."""
    signature: str = ""
    """Identifies the command, regardless of wrappers, environment, pipes and targets."""
    target: str = ""
    """What the command operates on, such as a test file or a package; not part of the signature."""
    files: tuple[str, ...] = ()
    change: str = ""
    """For ``edit`` and ``write``: the removed and added lines, prefixed with ``-`` or ``+``, truncated."""
    outcome: ToolOutcome = "unknown"
    exit_code: int | None = None
    error: str = ""
    """The line that names the error, if the outcome is ``failed``, or if it is uncertain (unknown, or hidden by a pipe) and the output
    shows a failure."""
    error_signature: str = ""
    """Identifies the error, regardless of folders, numbers and hashes."""
    is_outside_sandbox: bool = False
    """Whether the agent asked the host to run the command outside its sandbox."""


_TEXT_SLOT: Any = vars(Observation)["text"]
"""The slot descriptor of ``text``, which raises AttributeError instead of computing a text that has not been cleaned yet."""


def set_lazy_text(observation: Observation, text: str, limit: int, *, is_stripped: bool = False) -> Observation:
    """Set ``text`` as the text of the observation, to be cleaned on first access, and return the observation.

    The cleaned text has at most ``limit`` characters and, if ``is_stripped``, no whitespace at either end.
    """
    if text:
        observation.pending_text = _RawText(text, limit, is_stripped)  # type: ignore[misc] # a slot of its base
        del observation.text
    return observation


def _get_pending_text(observation: Observation) -> _RawText | None:
    """Return the raw text of the observation, or None if its text is already cleaned."""
    try:
        _TEXT_SLOT.__get__(observation)
    except AttributeError:
        return observation.pending_text
    return None


def estimate_length(observation: Observation) -> int:
    """Estimate the length of the text in characters without cleaning it."""
    pending = _get_pending_text(observation)
    if pending is None:
        return len(observation.text)
    parts = (pending.text,) if isinstance(pending.text, str) else pending.text
    return min(pending.limit, len(parts[0])) if len(parts) == 1 else pending.limit


def get_raw_text(observation: Observation) -> str:
    """Return the text, or its two ends, without invisible characters. It may be unredacted: use it only to search or to count words."""
    pending = _get_pending_text(observation)
    return observation.text if pending is None else "\n".join(pending.get_ends())


def may_contain_all(observation: Observation, word_sets: Sequence[tuple[str, Sequence[tuple[str, ...]]]]) -> bool:
    """Return whether the text may contain the word of one of ``word_sets`` and all words of one of that word's groups, in any case.

    The words in ``word_sets`` are in lower case. The text is not cleaned for this search. Because cleaning only removes words,
    there are no false negatives, except for words that occur in a marker that cleaning inserts.
    """
    text = get_raw_text(observation).lower()
    for word, groups in word_sets:
        if word in text:
            for required_words in groups:
                for required_word in required_words:
                    if required_word not in text:
                        break
                else:
                    return True
    return False


@dataclass(slots=True)
class LogWarning:
    """A warning about a part of a log that was not read. ``line`` is 0 if the warning is about the entire log."""

    line: int
    message: str


@dataclass(slots=True)
class LoadedSkill:
    """A skill that the host loaded for the model: the path of its SKILL.md, the line in the log, and the time (UTC ms)."""

    path: str
    line: int
    at: int | None = None


PART_STRIDE, PART_CONTEXT = 50, 400
"""The minimum distance between two marks in OpenCode's database, and the minimum number of parts at the end that are read again,
because a part is rewritten when it ends. Both are in parts of the session; the part of a tool call has about 2.5 kB."""
Position = tuple[int, int]
"""The number of a line, and the line's offset in bytes."""
State = dict[str, object]
"""A reader's state at a mark: strings, numbers, booleans, and nested lists of these. It contains no message text."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A position before a line: the line's number, its offset (in bytes or, in a database, in parts of the session), and a proof.

    The proof is a checksum of the bytes before the offset or, in a database, the message's id. It shows whether the file was rewritten.
    """

    line: int
    offset: int
    proof: str


@dataclass(slots=True)
class Progress:
    """Progress of an incremental read (observations/incremental.py), passed to a reader as part of the session.

    Reading starts at ``mark``, with the ``state`` that the reader had there; at the beginning of the log, ``mark`` is None and
    ``state`` is empty. During the read, ``position`` is the number and offset of the current line in the session's own log. A reader
    that has restored its state calls ``register_state_function`` with a function that returns its current state. ``add_mark`` is called
    when everything before a mark has been processed.
    """

    register_state_function: Callable[[Callable[[], State]], object]
    add_mark: Callable[[Mark], object]
    mark: Mark | None
    state: State
    saved_observations: list[Observation]
    """The observations from earlier reads."""
    position: Position = (0, 0)


@dataclass(slots=True)
class Session:
    """A session of a host: a header and the observations, in order. ``started`` and ``ended`` are in UTC milliseconds."""

    path: str = ""
    session_id: str = ""
    host: str = ""
    format: str = ""
    project: str = ""
    started: int | None = None
    ended: int | None = None
    end_reason: str = ""
    lines: int = 0
    """The number of lines in the log, in the unit of ``Observation.line``."""
    observations: list[Observation] = field(default_factory=list[Observation])
    warnings: list[LogWarning] = field(default_factory=list[LogWarning])
    skills: list[LoadedSkill] = field(default_factory=list[LoadedSkill])
    """Skills that the host loaded. A skill that the agent read with a tool is an ordinary tool call instead."""
    secrets: SessionSecrets = field(default_factory=SessionSecrets, compare=False)
    """The values and names that no text of the session may show. ``secrets.clean`` a text before it is stored or shown."""
    known_files: KnownFiles = field(default_factory=KnownFiles, compare=False)
    """The files of which more is known than their paths (known_files.py)."""
    earlier_taint: tuple[str, ...] = ()
    """Sources of the strangers' text in the part of a log that an incremental read leaves out."""
    progress: Progress | None = None
    """The progress of an incremental read; None for any other read."""


def extend_span(session: Session, at: int | None) -> None:
    """Extend the session's time span to include ``at`` (UTC ms), in either direction, because clocks may go backwards."""
    if at is None:
        return
    if session.started is None or at < session.started:
        session.started = at
    if session.ended is None or at > session.ended:
        session.ended = at
