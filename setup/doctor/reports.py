"""The JSON that `mind-skills doctor` prints, and the loop of a host that `status` prints, too."""

from __future__ import annotations

from typing import Literal

from mind_skills.output.document import Report

State = Literal["ok", "note", "failed"]


class CheckReport(Report):
    """One thing that was looked at. ``mend`` says what to do, empty where nothing is needed; ``failed`` is unhealthy."""

    name: str
    host: str
    """Empty for what concerns the machine as a whole."""
    state: State
    text: str
    mend: str


class LatencyReport(Report):
    """How long a host waits for a hook, measured here: the median in ms, and how many bare interpreters that is."""

    host: str
    moment: str
    ms: float
    ratio: float


class CountReport(Report):
    """How often, and when last: UTC milliseconds, null for never."""

    count: int
    last: int | None


class LoopReport(Report):
    """How far a host's loop has got, in all projects, and what that means.

    ``verdict``: ``none`` is not installed and was never seen, ``silent`` is installed and no session was seen,
    ``dead`` wrote logs that no hook told of, ``quiet`` is seen and had nothing to learn from, ``working`` learned.
    """

    host: str
    installed: bool
    verdict: Literal["none", "silent", "dead", "quiet", "working"]
    text: str
    observed: CountReport
    detected: CountReport
    staged: CountReport
    offered: CountReport
    accepted: CountReport
    dismissed: CountReport
    used: CountReport


class DoctorReport(Report):
    """`mind-skills doctor --json`."""

    version: Literal[1] = 1
    healthy: bool
    checks: list[CheckReport]
    loops: list[LoopReport]
    bare_ms: float
    """The median of a bare interpreter in the same run; 0 where latency was not measured."""
    latencies: list[LatencyReport]


def fine(name: str, text: str, host: str = "") -> CheckReport:
    """All is well."""
    return CheckReport(name=name, host=host, state="ok", text=text, mend="")


def noted(name: str, text: str, mend: str, host: str = "") -> CheckReport:
    """Worth knowing, and no illness."""
    return CheckReport(name=name, host=host, state="note", text=text, mend=mend)


def failed(name: str, text: str, mend: str, host: str = "") -> CheckReport:
    """Something is broken."""
    return CheckReport(name=name, host=host, state="failed", text=text, mend=mend)
