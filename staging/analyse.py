"""Turn a session log into a digest, candidates, outcome, errors, skills and episode, in one pass and bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, Protocol

from mind_skills.digest.condense import condense_window
from mind_skills.digest.excerpts import cut_words, excerpt_message
from mind_skills.digest.model import EpisodeDigest, Header, SessionDigest
from mind_skills.digest.rows import flatten
from mind_skills.digest.session import join_windows, render_digest
from mind_skills.hosts import find_spec
from mind_skills.learning.outcome import Outcome, OutcomeCollector, rescore
from mind_skills.learning.scoring import LearningConfig
from mind_skills.learning.strategies import StrategyCollector
from mind_skills.observations import sources
from mind_skills.observations.builders import (
    MAX_CHANGE_CHARACTERS,
    MAX_MESSAGE_CHARACTERS,
    MAX_OUTPUT_CHARACTERS,
    MAX_USER_CHARACTERS,
)
from mind_skills.observations.incremental import IncrementalRead, SavedState
from mind_skills.observations.model import Observation, Session, estimate_length
from mind_skills.observations.read import open_log
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.redaction.session import SessionSecrets
from mind_skills.staging.error_meter import ErrorCollector, SessionError
from mind_skills.staging.model import MAX_PER_SESSION, Candidate
from mind_skills.staging.select import select_candidates
from mind_skills.store.light_dataclasses import dataclass, field, replace


class Condense(Protocol):
    """Takes the observations of one window and the project folder; returns the digest of the window's episodes."""

    def __call__(
        self, observations: Sequence[Observation], project: str, /, *, clean: Callable[[str], str]
    ) -> list[EpisodeDigest]: ...


WINDOW_OBSERVATIONS, OVERLAP_OBSERVATIONS, OVERLAP_DIVISOR = 20_000, 2_000, 8
"""Maximum observations in a window, and shared by two consecutive windows, which is at most an eighth of one. The
longest session measured has 2,000; the shared part is longer than the longest episode (``MAX_SPAN``)."""
MAX_WINDOW_CHARACTERS = 12_000_000
"""A window with this many characters (at most 48 MB) is full. Uncleaned text can be ten times as long."""
MAX_OBSERVATION_CHARACTERS = (
    max(MAX_USER_CHARACTERS, MAX_MESSAGE_CHARACTERS, MAX_OUTPUT_CHARACTERS) + MAX_CHANGE_CHARACTERS
)
"""Maximum number of characters in the text and the change of one observation."""
MAX_REQUEST_LENGTH, MAX_COMMANDS, MAX_SIGNATURE_LENGTH = 1_000, 40, 100
"""Maximum numbers: of characters in the request, of distinct commands, and of characters in a command signature."""
MAX_REASONS, MAX_SHOWN_SKILLS, MAX_REASON, MAX_SHOWN_REQUEST = 2, 5, 160, 200
"""Maximum numbers in a digest's header: of reasons of the outcome, of skills, and of characters of a reason and of the request."""
MAX_WRITTEN_SKILLS = 50
SKILL_FILE_NAME = "SKILL.md"
MAX_USES = 200
"""Maximum number of distinct uses stored per session."""
UseKind = Literal["tool", "read", "host"]
"""Loaded by the host's tool, read as a file, or supplied by the host because the user named it."""


@dataclass(slots=True)
class WrittenSkill:
    """A SKILL.md that the session wrote: its path, the text of the change or command (truncated), and the line of the log."""

    path: str
    text: str
    line: int


@dataclass(slots=True)
class SkillUse:
    """One skill used in one way, with the lines of its first and last use; ``path`` is as in the log, ``at`` (UTC ms)
    is of the last.
    """

    name: str
    path: str
    how: UseKind
    first_line: int
    last_line: int
    at: int | None = None


@dataclass(slots=True)
class Episode:
    """A session's request, commands and untrusted sources. ``commands`` maps signatures to (successes, failures), in order of first use."""

    request: str = ""
    commands: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    taint: set[str] = field(default_factory=set[str])
    request_line: int = 0

    @property
    def has_committed(self) -> bool:
        return any("git commit" in signature and counts[0] for signature, counts in self.commands.items())


@dataclass(slots=True)
class Analysis:
    """The analysis of one log. ``session`` has the header and the warnings, but no observations."""

    session: Session
    outcome: Outcome
    digest: SessionDigest = field(default_factory=SessionDigest)
    observation_count: int = 0
    tool_call_count: int = 0
    has_replied: bool = False
    """Whether the main agent responded. If it did not, it never saw the offer made to its session."""
    replied_at: int | None = None
    """Time of its last response in UTC milliseconds; None without a response or without timestamps."""
    skills_written: list[WrittenSkill] = field(default_factory=list[WrittenSkill])
    skills_used: list[SkillUse] = field(default_factory=list[SkillUse])
    errors: list[SessionError] = field(default_factory=list[SessionError])
    """Errors in the analysed part of the log."""
    episode: Episode = field(default_factory=Episode)
    """Summary of the analysed part of the log."""
    strategies: list[str] = field(default_factory=list[str])
    """Strategies that the session followed (learning/strategies.py), without duplicates."""
    first_line: int = 1
    """First analysed line. It is 1 unless reading resumed from a state that did not store all earlier observations."""
    resume_state: SavedState | None = None
    """State from which the next analysis of a growing log resumes."""
    max_candidates: int = MAX_PER_SESSION
    """Maximum number of candidates of the session."""

    @property
    def candidates(self) -> list[Candidate]:
        """The candidates of the session, best first."""
        return select_candidates(self.digest, self.session, self.outcome.type)[: self.max_candidates]

    @property
    def digest_text(self) -> str:
        """What a reader sees of the session; empty if no episode is probable enough."""
        return render_digest(self.digest)

    def build_header(self) -> Header:
        """Return what the digest says of the session as a whole."""
        session, outcome = self.session, self.outcome
        skills = dict.fromkeys(use.name for use in self.skills_used)
        return Header(
            host=session.host,
            started=session.started,
            minutes=round(outcome.duration_ms / 60_000),
            lines=session.lines,
            outcome=outcome.type,
            reasons=tuple(
                cut_words(flatten(session.secrets.clean(reason)), MAX_REASON)
                for reason in outcome.reasons[:MAX_REASONS]
            ),
            is_committed=self.episode.has_committed,
            skills=tuple(map(flatten, skills))[:MAX_SHOWN_SKILLS],
            request=excerpt_message(session.secrets.clean(self.episode.request), MAX_SHOWN_REQUEST),
            request_line=self.episode.request_line,
        )

    def has_replied_since(self, since: int) -> bool:
        """Return whether the agent responded at or after ``since`` (UTC ms), or, without timestamps, at all."""
        return self.has_replied and (self.replied_at is None or self.replied_at >= since)

    def rescore(self, config: LearningConfig) -> None:
        """Recompute the outcome with the settings of the session's project, which is read from the log."""
        self.outcome = rescore(self.outcome, config)
        self.digest.header = self.build_header()


def analyse(path: Path, *, format_name: str | None = None, condense: Condense = condense_window) -> Analysis:
    """Read a log and analyse it. Raises LogError if it cannot be read at all; unreadable lines become warnings."""
    log = open_log(path, format_name)
    return analyse_observations(log.session, log.observations, condense)


def analyse_observations(
    session: Session, observations: Iterable[Observation], condense: Condense = condense_window
) -> Analysis:
    """Analyse observations in one pass; ``session`` may be filled in meanwhile. An evaluation passes other weights in
    ``condense``.
    """
    outcome_collector, episode_collector = OutcomeCollector(session), EpisodeCollector()
    skill_collector, error_collector = SkillUseCollector(session), ErrorCollector()
    result = Analysis(session, outcome_collector.result())
    windows, window = list[list[EpisodeDigest]](), list[Observation]()
    earlier = set(session.earlier_taint)
    strategy_collector = StrategyCollector()
    min_count, characters, counted = MAX_WINDOW_CHARACTERS // MAX_OBSERVATION_CHARACTERS, 0, 0
    for observation in observations:
        outcome_collector.feed(observation)
        episode_collector.feed(observation)
        if observation.kind == "tool":
            skill_collector.feed(observation)
            error_collector.feed(observation)
        if observation.kind == "assistant" or observation.action in ("task", "edit", "write"):
            strategy_collector.feed(observation)
        _record_observation(result, observation)
        window.append(observation)
        if len(window) < min_count:
            continue  # too few to reach the limit
        characters += sum(estimate_length(each) + len(each.change) for each in window[counted:])
        counted = len(window)
        if characters >= MAX_WINDOW_CHARACTERS or counted >= WINDOW_OBSERVATIONS:
            windows.append(_taint(condense(window, session.project, clean=session.secrets.hide), earlier))
            end = counted - min(OVERLAP_OBSERVATIONS, counted // OVERLAP_DIVISOR)
            earlier = earlier | sources.find_taint(window[:end])
            del window[:end]
            characters = counted = 0
    windows.append(_taint(condense(window, session.project, clean=session.secrets.hide), earlier))
    result.outcome, result.episode = outcome_collector.result(), episode_collector.episode
    result.strategies = strategy_collector.list_followed()
    result.skills_used, result.errors = skill_collector.result(), error_collector.result()
    for error in result.errors:
        error.signature = session.secrets.clean(error.signature)
    result.episode.request = session.secrets.clean(result.episode.request)
    result.digest = SessionDigest(
        result.build_header(), [_clean(episode, session.secrets) for episode in join_windows(windows)]
    )
    return result


def _taint(episodes: list[EpisodeDigest], earlier: set[str]) -> list[EpisodeDigest]:
    """Return a window's episodes, which also rest on the strangers' text that the session read before the window."""
    return [replace(each, taint=tuple(sorted(earlier.union(each.taint)))) for each in episodes] if earlier else episodes


def _clean(episode: EpisodeDigest, secrets: SessionSecrets) -> EpisodeDigest:
    """Return the episode without what the session must not show: a later window may have shown that a value is a secret."""
    rows = tuple(row._replace(text=secrets.clean(row.text)) for row in episode.rows)
    facts = episode.facts._replace(
        target=secrets.hide(episode.facts.target), changed=tuple(map(secrets.hide, episode.facts.changed))
    )
    solved = (
        error._replace(
            program=secrets.hide(error.program), name=secrets.clean(error.name), facts=secrets.hide(error.facts)
        )
        for error in episode.solved
    )
    return replace(
        episode,
        rows=rows,
        facts=facts,
        error=secrets.clean(episode.error),
        remedy=secrets.clean(episode.remedy),
        origin=secrets.clean(episode.origin),
        solved=tuple(error for error in solved if "[redacted:" not in f"{error.program}{error.facts}"),
        files=tuple(map(secrets.hide, episode.files)),
    )


def analyse_growing_log(path: Path, saved: SavedState | None = None) -> Analysis:
    """Analyse what follows the state ``saved`` by the previous analysis, from ``first_line`` on. Raises LogError."""
    log = IncrementalRead(path, saved)
    result = analyse_observations(log.session, log.observations)
    result.first_line = log.first_line
    result.resume_state = log.build_state()
    return result


def _record_observation(result: Analysis, observation: Observation) -> None:
    result.observation_count += 1
    kind = observation.kind
    if kind != "user" and observation.agent == "main":  # an agent that acts without a message has responded too
        result.has_replied = True
        if observation.at is not None:
            result.replied_at = max(observation.at, result.replied_at or 0)
    if kind != "tool":
        return
    result.tool_call_count += 1
    if observation.outcome in ("ok", "unknown") and observation.action in ("edit", "write", "run"):
        _record_written_skills(result, observation)


# -- skills ------------------------------------------------------------------------------------------------------------

_PRINTED = compile_lazily(
    r"(?:^|[;&|(\n]|\s-l?c\s+['\"])\s*(?:cat|sed\s+-n|head|tail|less|more|bat|nl|awk)\s([^;&|\n]*SKILL\.md)"
)
_WORD = compile_lazily(r"[^\s'\"<>=]*SKILL\.md\Z")


class SkillUseCollector:
    """Collects the skills that were loaded with a tool, read, printed by a shell command (Codex), or added to the
    prompt by the host. A file that was written, searched or listed, or could not be read, does not count.
    """

    __slots__ = ("_session", "_tool", "_uses")

    def __init__(self, session: Session) -> None:
        """``session`` may be filled in while observations are processed; its ``skills`` are read by ``result``."""
        self._session = session
        self._tool: str | None = None
        self._uses: dict[tuple[UseKind, str], SkillUse] = {}

    def feed(self, observation: Observation) -> None:
        if observation.kind != "tool" or observation.outcome not in ("ok", "unknown"):
            return
        if self._tool is None:
            spec = find_spec(self._session.host)
            self._tool = spec.skill_tool if spec else ""
        if SKILL_FILE_NAME not in observation.command and not observation.files and observation.tool != self._tool:
            return  # the usual case
        for how, key in _find_uses(observation, self._tool):
            _add_use(self._uses, how, key, observation.line, observation.at)

    def result(self) -> list[SkillUse]:
        """Return the uses so far, in order of first use. Can be called repeatedly."""
        uses = {key: replace(use) for key, use in self._uses.items()}
        for loaded in self._session.skills:
            _add_use(uses, "host", loaded.path, loaded.line, loaded.at)
        return sorted(uses.values(), key=lambda use: (use.first_line, use.name))


def _add_use(uses: dict[tuple[UseKind, str], SkillUse], how: UseKind, key: str, line: int, at: int | None) -> None:
    """Add a use of the skill named ``key`` (loaded by a tool) or at the path ``key`` (read as a file or supplied by the host)."""
    previous = uses.get((how, key))
    if previous is not None:
        previous.last_line, previous.at = max(previous.last_line, line), at or previous.at
    elif len(uses) < MAX_USES:
        path = "" if how == "tool" else key
        uses[how, key] = SkillUse(key if how == "tool" else _get_skill_name(key), path, how, line, line, at)


def _find_uses(observation: Observation, skill_tool: str) -> Iterator[tuple[UseKind, str]]:
    if skill_tool and observation.tool == skill_tool:
        if name := observation.command.strip():
            yield "tool", name
    elif observation.action == "read" and observation.files:
        for name in filter(_is_skill, observation.files):
            yield "read", name
    elif observation.action in ("read", "run"):
        for name in _find_printed_skills(observation.command):
            yield "read", name


def _find_printed_skills(command: str) -> Iterable[str]:
    """Return the paths of the skills that a shell command prints, without duplicates and without wildcards."""
    if SKILL_FILE_NAME not in command:
        return []
    words = (word.strip("'\"") for part in _PRINTED.findall(command) for word in part.split())
    return dict.fromkeys(word for word in words if _WORD.match(word) and _is_skill(word))


def _is_skill(path: str) -> bool:
    if not path.endswith(SKILL_FILE_NAME):
        return False
    parts = path.replace("\\", "/").split("/")
    return parts[-1] == SKILL_FILE_NAME and len(parts) > 1 and not set(path) & set("*?[${")


def _get_skill_name(path: str) -> str:
    return path.replace("\\", "/").split("/")[-2]


def _record_written_skills(result: Analysis, observation: Observation) -> None:
    paths = [name for name in observation.files if name.endswith(SKILL_FILE_NAME)]
    if not paths and SKILL_FILE_NAME in observation.command and observation.action in ("write", "edit"):
        words = (word.strip("'\"") for word in observation.command.split())
        paths = [word for word in words if word.endswith(SKILL_FILE_NAME)][:1]
    for path in paths[: MAX_WRITTEN_SKILLS - len(result.skills_written)]:
        text = observation.change or observation.command
        result.skills_written.append(WrittenSkill(path, text, observation.line))


# -- episode -----------------------------------------------------------------------------------------------------------


class EpisodeCollector:
    """Collector of a session's episode: call ``feed`` once per observation, in order."""

    __slots__ = ("episode",)

    def __init__(self) -> None:
        self.episode = Episode()

    def feed(self, observation: Observation) -> None:
        if observation.kind == "tool":
            self.episode.taint |= sources.find_taint((observation,))
            if observation.action == "run" and observation.signature:
                self._record_command(observation)
        elif observation.kind == "user" and not self.episode.request and observation.agent == "main":
            self.episode.request = observation.text[:MAX_REQUEST_LENGTH].strip()
            self.episode.request_line = observation.line

    def _record_command(self, observation: Observation) -> None:
        commands = self.episode.commands
        signature = observation.signature[:MAX_SIGNATURE_LENGTH]
        if signature in commands or len(commands) < MAX_COMMANDS:
            succeeded, failed = commands.get(signature, (0, 0))
            commands[signature] = (
                succeeded + (observation.outcome == "ok"),
                failed + (observation.outcome == "failed"),
            )
