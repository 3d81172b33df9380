"""`mind-skills doctor`: does everything work, and how to mend what does not."""

from __future__ import annotations

import click

from mind_skills.cli import options
from mind_skills.errors import DONE, INPUT
from mind_skills.output.state import choose_project
from mind_skills.output.text import emit, heading, line, table, when
from mind_skills.setup.doctor.check import CheckReport
from mind_skills.setup.doctor.examination import DoctorReport, examine
from mind_skills.setup.doctor.loops import LoopReport


@click.command(epilog=options.examples("mind-skills doctor", "mind-skills doctor --json"))
@options.project
@options.as_json
def command(project: str, as_json: bool) -> int:
    """Check that everything works, and say how to mend what does not. Exit code 1 if something is broken.

    The hooks are started as their hosts start them, five times each, in a state folder that is thrown away. Nothing
    is changed, and nothing is mended.
    """
    report = examine(choose_project(project))
    emit(report, as_json, lambda: _print(report))
    return DONE if report.healthy else INPUT


def _print(report: DoctorReport) -> None:
    for check in report.checks:
        line(_describe_check(check))
        if check.mend:
            line(f"        {check.mend}")
    if report.latencies:
        rows = [(one.host, one.moment, f"{one.ms:.1f}", f"{one.ratio:.2f}") for one in report.latencies]
        rows.insert(0, ("a bare interpreter", "", f"{report.bare_ms:.1f}", "1.00"))
        table("How long a host waits", ("host", "moment", "ms", "x bare"), rows, right=("ms", "x bare"))
    table(
        "The last time",
        ("host", "observed", "detected", "offered", "accepted"),
        [(one.host, *_list_times(one)) for one in report.loops],
    )
    heading(_conclude(report))


def _list_times(loop: LoopReport) -> list[str]:
    times = [when(step.last) for step in (loop.observed, loop.detected, loop.offered, loop.accepted)]
    return times if loop.installed or loop.observed.count else ["not installed", *["-"] * 3]


def _conclude(report: DoctorReport) -> str:
    """The verdict: what no hook reaches is not called healthy."""
    if not report.healthy:
        return "Not healthy: see what failed above."
    if report.installed:
        return "Healthy."
    if report.watching:
        return "Nothing is broken. No hook is installed; `mind-skills watch` reads session logs in their place."
    return "Nothing is broken, and nothing is learned: no hook is installed. `mind-skills install` installs them."


def _describe_check(check: CheckReport) -> str:
    mark = {"ok": "ok  ", "note": "note", "failed": "FAIL"}[check.state]
    where = f"{check.host} {check.name}" if check.host else check.name
    return f"{mark}  {where}: {check.text}"
