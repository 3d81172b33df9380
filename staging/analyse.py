"""From a log to its candidates: read, detect, judge, select. Memory does not follow the size of the log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from mind_skills.detectors import registry
from mind_skills.detectors.model import Finding
from mind_skills.detectors.scorer import tier
from mind_skills.learning.outcome import Outcome, OutcomeMeter, rescore
from mind_skills.learning.scoring import LearningConfig
from mind_skills.learning.strategies import find_followed
from mind_skills.observations.build import CHANGE_TEXT, SAID_TEXT, TOOL_TEXT, USER_TEXT
from mind_skills.observations.following import Following, Kept
from mind_skills.observations.model import Observation, Session
from mind_skills.observations.printed import Recording
from mind_skills.observations.read import open_log
from mind_skills.observations.unread import length
from mind_skills.staging.episode import Episode, EpisodeMeter
from mind_skills.staging.error_meter import ErrorMeter, Met
from mind_skills.staging.model import USUAL, Candidate
from mind_skills.staging.provenance import mark_sources
from mind_skills.staging.select import Tiers, select, split
from mind_skills.staging.skill_use import SkillMeter, SkillUse

Detect = Callable[[Sequence[Observation], str], list[Finding]]
"""Given the observations of one look and the project's folder: what is found, best first."""
WINDOW, OVERLAP, SHARED = 20_000, 2_000, 8
"""Observations that are looked at together, and how many of them the next look shares, at most one in ``SHARED``: no session
that was seen had more than 2,000, and a window that is full of text still shares more than a failure and its cure are apart
(``REACH`` of detectors/patterns/spans.py)."""
WINDOW_TEXT = 12_000_000
"""Characters of text in one window as it is shown, whatever the number of its observations: at most 48 MB. What is kept to
clean it later is longer where nobody has read it: of an output of 10,000 characters, 2,000 are shown; nine times at most."""
MOST_TEXT = max(USER_TEXT, SAID_TEXT, TOOL_TEXT) + CHANGE_TEXT
"""Characters of text that one observation can have."""
MAX_SKILLS = 50


@dataclass(slots=True)
class WrittenSkill:
    """A SKILL.md that the session wrote: where, what stands in it (bounded), and at which line of the log."""

    path: str
    text: str
    line: int


@dataclass(slots=True)
class Analysis:
    """What one log says. ``session`` carries the header and the warnings; its observations are not kept."""

    session: Session
    outcome: Outcome
    found: list[Candidate]
    """All that reached a tier, best first: those to tell and those that wait."""
    observations: int = 0
    tools: int = 0
    replied: bool = False
    """The agent said something: without it, an offer made to this session was never seen."""
    replied_at: int | None = None
    """When it last did: UTC milliseconds, None where the log does not tell."""
    skills_written: list[WrittenSkill] = field(default_factory=list[WrittenSkill])
    skills_used: list[SkillUse] = field(default_factory=list[SkillUse])
    errors_met: list[Met] = field(default_factory=list[Met])
    """The errors that it met, of what was judged."""
    episode: Episode = field(default_factory=Episode)
    """The session in short, of what was judged."""
    strategies: list[str] = field(default_factory=list[str])
    """The strategies that it followed (learning/strategies.py), each once."""
    since: int = 1
    """The first line that was judged: 1 but for a log that was read on and of which not all was kept."""
    kept: Kept | None = None
    """What the next look at a log that grows needs."""
    most: int = USUAL
    """So many of them are told, of all parts of the session."""

    @property
    def candidates(self) -> list[Candidate]:
        """Those that are told, best first."""
        return split(self.found, self.most).told

    def answered(self, since: int) -> bool:
        """Whether the agent said anything from ``since`` (UTC ms) on: before that the session may have been resumed."""
        return self.replied and (self.replied_at is None or self.replied_at >= since)

    def rescore(self, config: LearningConfig) -> None:
        """Judge what was measured by a project's own numbers, which are not known before its log is read."""
        self.outcome = rescore(self.outcome, config)
        for candidate in self.found:
            candidate.outcome = self.outcome.type


def analyse(
    path: Path,
    *,
    format_name: str | None = None,
    whole: bool = True,
    rules: bool = False,
    detect: Detect = registry.detect,
    tiers: Tiers = tier,
) -> Analysis:
    """Read a log and judge it, as ``judge`` does. Without ``whole``, what waits is left out; with ``rules``, the user's
    lasting rules are sought, too.

    Raises:
        LogError: the log cannot be read at all. Lines that cannot are warnings of the session.
    """
    log, heard = open_log(path, format_name), Recording()
    result = judge(
        log.session, heard.over(log.observations), partial(registry.detect, rules=True) if rules else detect, tiers
    )
    again = heard.again if heard.whole else lambda: open_log(path, format_name).observations
    result.found = mark_sources(result.found if whole else result.candidates, again)
    return result


def judge(
    session: Session, observations: Iterable[Observation], detect: Detect = registry.detect, tiers: Tiers = tier
) -> Analysis:
    """What a session's observations say, taken in order and once; its header may fill while they come.

    ``detect`` and ``tiers`` are those of the shipped weights; an evaluation gives others. Whose words the candidates quote is
    not known yet: provenance.py reads the session again for that.
    """
    meter, looks, window = OutcomeMeter(session), list[list[Finding]](), list[Observation]()
    result, skills, errors = Analysis(session, meter.result(), []), SkillMeter(session), ErrorMeter()
    short = EpisodeMeter()
    few, text, counted = WINDOW_TEXT // MOST_TEXT, 0, 0
    for observation in observations:
        meter.feed(observation)
        short.feed(observation)
        if observation.kind == "tool":
            skills.feed(observation)
            errors.feed(observation)
        _count(result, observation)
        window.append(observation)
        if len(window) < few:
            continue  # so few are never too long
        text += sum(length(each) + len(each.change) for each in window[counted:])
        counted = len(window)
        if text >= WINDOW_TEXT or counted >= WINDOW:
            looks.append(detect(window, session.project))
            del window[: counted - min(OVERLAP, counted // SHARED)]
            text = counted = 0
    looks.append(detect(window, session.project))
    result.outcome, result.skills_used, result.errors_met = meter.result(), skills.result(), errors.result()
    result.episode = short.episode
    result.found = select(looks, session, result.outcome, tiers)
    return result


def look(
    path: Path,
    kept: Kept | None = None,
    *,
    rules: bool = False,
    detect: Detect = registry.detect,
    tiers: Tiers = tier,
) -> Analysis:
    """Judge a log that grows: what an earlier look kept of it, and what stands behind that. The rest is as for ``analyse``.

    What it says of the session as a whole (its outcome, what it wrote) is said of that part alone, where that is not all.

    Raises:
        LogError: the log cannot be read at all.
    """
    log = Following(path, kept)
    result = judge(log.session, log.observations, partial(registry.detect, rules=True) if rules else detect, tiers)
    result.since = log.since
    result.found = mark_sources(result.found, lambda: open_log(path).observations, log.memo)
    result.kept = log.kept()
    return result


def _count(result: Analysis, observation: Observation) -> None:
    result.observations += 1
    kind = observation.kind
    if kind != "user" and observation.agent == "main":  # also one that acts without a word
        result.replied = True
        if observation.at is not None:
            result.replied_at = max(observation.at, result.replied_at or 0)
        if kind == "assistant" or observation.action == "task":
            result.strategies += [name for name in find_followed(observation) if name not in result.strategies]
    if kind != "tool":
        return
    result.tools += 1
    if observation.outcome not in ("ok", "unknown"):
        return
    if observation.action in ("edit", "write", "run"):
        _wrote(result, observation)


def _wrote(result: Analysis, observation: Observation) -> None:
    """The skills that a tool call wrote."""
    paths = [name for name in observation.files if name.endswith("SKILL.md")]
    if not paths and "SKILL.md" in observation.command and observation.action in ("write", "edit"):
        paths = [word.strip("'\"") for word in observation.command.split() if word.strip("'\"").endswith("SKILL.md")][
            :1
        ]
    for name in paths:
        if len(result.skills_written) < MAX_SKILLS:
            result.skills_written.append(
                WrittenSkill(name, observation.change or observation.command, observation.line)
            )
