"""JSON documents of `mind-skills fleet`: the lines of a scan, and the report; docs/schemas is generated from them."""

from __future__ import annotations

from typing import Literal

from mind_skills.output.document import Report

Dimension = Literal["project", "host", "model", "week"]
DIMENSIONS: tuple[Dimension, ...] = ("project", "host", "model", "week")


class ScanEventReport(Report):
    """One line of `mind-skills fleet scan --json`. Members that do not belong to an event are null.

    ``started``, ``progress`` (after each batch) and ``done``, the last event, have the counts; ``size`` and
    ``totalSize`` are in bytes, and only ``progress`` has ``secondsLeft``. ``set_aside`` has a path and the code of the reason.
    """

    version: Literal[1] = 1
    event: Literal["started", "progress", "set_aside", "done"]
    logs: int | None = None
    total_logs: int | None = None
    size: int | None = None
    total_size: int | None = None
    skipped: int | None = None
    """Logs that an earlier run covered."""
    sessions: int | None = None
    findings: int | None = None
    set_aside: int | None = None
    again: int | None = None
    """Those set aside because storage or a worker failed: the next scan reads them again."""
    seconds_left: float | None = None
    path: str | None = None
    reason: str | None = None


class SpreadReport(Report):
    """In how many different sessions, projects, hosts (coding agents) and weeks something occurred."""

    sessions: int
    projects: int
    hosts: int
    weeks: int


class FleetLearningReport(SpreadReport):
    """One recurring learning. ``key`` is the hash of its family or, if it has none, the hash of the learning in its project.

    ``probability`` is the highest probability of its findings, ``tries`` the number of occurrences of its errors in all
    sessions, and ``minutes`` the total time until they were solved.
    """

    key: str
    joined_by: Literal["family", "exact"]
    kind: str
    code: str
    error_class: str
    words: str
    program: str
    probability: float
    tries: int
    minutes: float


class FleetErrorReport(SpreadReport):
    """One error; ``key`` is the hash of its signature. ``tries`` counts its occurrences, ``solved`` the sessions that solved it.

    ``minutes`` is the time from its first occurrence to its solution, summed over these sessions.
    """

    key: str
    code: str
    error_class: str
    words: str
    tries: int
    minutes: float
    solved: int


class ShareReport(Report):
    """``helpful`` of ``n`` sessions with a clear outcome; ``share`` with its 95 % interval (Wilson), null if ``n`` is 0."""

    n: int
    helpful: int
    share: float | None
    low: float
    high: float


class FleetSkillReport(Report):
    """Sessions that loaded a skill, compared with the other sessions of the same projects.

    ``name`` is empty if the Agent Skills specification does not allow it. ``difference`` is the difference between the
    shares, with its 95 % interval (Newcombe); null if a side has no session with a clear outcome. The difference proves
    nothing: sessions that load a skill have different tasks from those that do not.
    """

    key: str
    name: str
    projects: int
    loaded: ShareReport
    others: ShareReport
    difference: float | None
    low: float
    high: float


class FleetGroupReport(Report):
    """The sessions of one project (by its hash), host, model or week; ``minutes`` is their working time."""

    name: str
    sessions: int
    findings: int
    errors: int
    tries: int
    minutes: float
    helpful: int
    harmful: int


class ReasonReport(Report):
    """How many files were set aside for ``reason``, which is the code of an error."""

    reason: str
    files: int


class FleetReport(SpreadReport):
    """`mind-skills fleet report --json`. Lists except ``setAside`` have at most 200 rows; ``*Total`` counts all rows.

    Learnings are sorted by projects, errors by minutes, skills by ``loaded.n``, groups by sessions, the highest first;
    weeks are in order of time. ``minProjects`` is the number of projects that a learning, an error or a skill must
    occur in to be listed.
    """

    version: Literal[1] = 1
    findings: int
    min_projects: int
    set_aside: list[ReasonReport]
    learnings_total: int
    learnings: list[FleetLearningReport]
    errors_total: int
    errors: list[FleetErrorReport]
    skills_total: int
    skills: list[FleetSkillReport]
    by: Dimension
    groups_total: int
    groups: list[FleetGroupReport]
