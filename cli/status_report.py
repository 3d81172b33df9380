"""The JSON of `mind-skills status`; docs/schemas is generated from here. Times are UTC milliseconds."""

from __future__ import annotations

from typing import Literal

from mind_skills.cli.proof_report import ComparisonReport
from mind_skills.cli.skill_report import ProposalReport
from mind_skills.output.candidates import ForeignReport
from mind_skills.output.document import Report
from mind_skills.setup.doctor.loops import LoopReport
from mind_skills.watch.instance import WatchingReport


class CountsReport(Report):
    """From noticed to used, in this project. ``fired`` counts each session that saw a learning, the rest count learnings.

    ``covered`` are not told, because an installed skill says them already; ``used`` are those whose skill a later session
    has used.
    """

    fired: int
    staged: int
    covered: int
    offered: int
    accepted: int
    dismissed: int
    ignored: int
    used: int


class CriterionReport(Report):
    """What was decided about the candidates of one detector, and what that makes of its next ones: 0 is silent."""

    criterion: str
    accepted: int
    dismissed: int
    weight: float


class SkillReport(Report):
    """A skill that came of a candidate: the receipt.

    ``trigger`` is the skill's own description, empty where its file has none or is gone; ``host`` is where it was learned;
    ``offerTokens`` is about what the offer cost that led to it, null where it was never offered.
    """

    id: str
    name: str
    path: str
    trigger: str
    at: int | None
    host: str
    offer_tokens: int | None


class StatusReport(Report):
    """`mind-skills status --json`."""

    version: Literal[1] = 1
    project: str
    enabled: bool
    paused: Literal["", "project", "everywhere"]
    paused_since: int | None
    pending: int
    unfinished: int
    counts: CountsReport
    criteria: list[CriterionReport]
    """Detectors whose candidates were accepted or dismissed, on this machine; the others weigh 1."""
    skills: list[SkillReport]
    """The last skills that came of this project's candidates, the newest first."""
    proposed: list[ProposalReport]
    """Skills that fail for sure, and are proposed for the archive."""
    archived: int
    """How many skills stand in the archive."""
    proof: ComparisonReport | None
    """Whether skills help when their error comes back; null where no error of a skill has."""
    loops: list[LoopReport]
    """How far each host has got in all projects, so that a dead loop is told from a quiet one."""
    watching: WatchingReport | None
    """Who runs `mind-skills watch`; null where nobody does."""
    foreign: list[ForeignReport]
    problems: list[str]
    """What is wrong right now, in sentences: a settings file, the pending file, the database."""
    hook_errors: list[str]
    state_folder: str
    pending_file: str
    config_files: list[str]
