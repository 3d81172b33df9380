"""Types of a digest: rows, episodes with their typed facts, and the digest of a session."""

from __future__ import annotations

from typing import Literal, NamedTuple

from mind_skills.detectors.model import EpisodeKind
from mind_skills.store.light_dataclasses import dataclass, field

MAX_EPISODES = 8
"""Maximum number of episodes of a digest."""
Role = Literal["context", "symptom", "cause", "insight", "change", "verification"]
"""What a row is in its episode: a failure, a named cause, another statement of the agent, a change, what bears it out (the pass that
its facts name, a later check that passed, a later commit), or anything else, such as a message of the user."""


class Row(NamedTuple):
    """One observation as it is shown. ``text`` begins with the line number, and may have several lines."""

    line: int
    end_line: int
    role: Role
    text: str


class Facts(NamedTuple):
    """Typed facts about an episode: words of closed lists, numbers, and names of local programs, error classes and files.

    No sentence that anybody wrote is among them. A part is empty, 0 or False if it is unknown.
    """

    program: str = ""
    """The program that failed first, with its subcommands; without a failure, the first one that ran."""
    target: str = ""
    """What it worked on: the name of a file, a folder or a package."""
    error: str = ""
    """Class or code of the error, or one of the phrases of facts.py."""
    failures: int = 0
    minutes: int = 0
    changed: tuple[str, ...] = ()
    """Names of the changed files, without folders."""
    passed: str = ""
    """The last program that passed after the failure."""
    passed_again: bool = False
    """Whether that was the one that had failed."""
    committed: bool = False
    lookups: int = 0
    reported: bool = False
    """Whether the user reported a problem at the beginning."""


class SolvedError(NamedTuple):
    """A specific error that an episode solved.

    ``key``, which may be that of a place, and ``codes`` are hexadecimal (store/error_index.py).
    """

    key: str
    codes: str
    program: str
    """The program that failed, with its subcommands."""
    name: str
    """The error's signature."""
    facts: str
    """What failed and what it passed after, in typed facts: ``pytest test_invoice.py, passes after a change in invoice.py``."""


@dataclass(frozen=True, slots=True)
class EpisodeDigest:
    """One episode of a session. ``first_line`` and ``last_line`` include the rows that bear it out."""

    first_line: int
    last_line: int
    kind: EpisodeKind
    patterns: tuple[str, ...]
    """The patterns that proposed it (detectors/registry.py)."""
    probability: float
    """Calibrated probability, 0 to 1, that a reader of the whole session would call it a learning (detectors/scorer.py)."""
    facts: Facts
    rows: tuple[Row, ...]
    error: str = ""
    """Name of its first specific error (observations/error_names.py), which identifies it across sessions; empty without one."""
    remedy: str = ""
    """The files of its last change, or else the last command."""
    origin: str = ""
    """The request and the first observation, which identify an episode without a specific error."""
    files: tuple[str, ...] = ()
    deciding: tuple[tuple[str, float], ...] = ()
    """At most six deciding features with their contributions to the log odds, largest absolute value first."""
    taint: tuple[str, ...] = ()
    """Sources of strangers' text among its observations: web, mcp, issue, remote."""
    doubt: str = ""
    """Why it is shown in the digest but is no candidate (detectors/vetoes.py), such as ``reverted`` or ``unproven``; mostly empty."""
    solved: tuple[SolvedError, ...] = ()


class Header(NamedTuple):
    """The session as a whole. ``started`` is UTC milliseconds; ``outcome`` is helpful, neutral, harmful or unknown."""

    host: str = ""
    started: int | None = None
    minutes: int = 0
    lines: int = 0
    outcome: str = "unknown"
    reasons: tuple[str, ...] = ()
    is_committed: bool = False
    skills: tuple[str, ...] = ()
    """Names of the skills that it loaded."""
    request: str = ""
    """The user's first message, or its beginning."""
    request_line: int = 0


NO_HEADER = Header()


@dataclass(slots=True)
class SessionDigest:
    """What is shown of a session: its header and its episodes, in order of time."""

    header: Header = NO_HEADER
    episodes: list[EpisodeDigest] = field(default_factory=list[EpisodeDigest])
