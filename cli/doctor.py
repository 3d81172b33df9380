"""`mind-skills doctor`: check the installation and say how to fix problems."""

from __future__ import annotations

from mind_skills.cli import options
from mind_skills.errors import DONE, FAILURE
from mind_skills.hosts import load_spec
from mind_skills.output.state import resolve_project_option
from mind_skills.output.text import (
    emit,
    format_path,
    format_time,
    join_names,
    print_heading,
    print_table,
    print_wrapped,
)
from mind_skills.plugin.pausing import is_paused_here
from mind_skills.settings.lenient import is_enabled
from mind_skills.setup.doctor import CheckReport
from mind_skills.setup.doctor.examination import DoctorReport, examine
from mind_skills.setup.doctor.host_progress import HostProgressReport


@options.top_level_command("mind-skills doctor", "mind-skills doctor --json")
@options.project_and_json
def command(folder: str, as_json: bool) -> int:
    """Check that everything works, and say how to fix what does not. The exit code is 1 if something is broken.

    Each hook is started five times, as its host starts it, with a temporary state folder. Nothing is changed or fixed.
    """
    project = resolve_project_option(folder)
    report = examine(project)
    emit(report, as_json, lambda: _print_report(report, project.root))
    return DONE if report.healthy else FAILURE


def _print_report(report: DoctorReport, root: str) -> None:
    print_heading(_describe_state(report, root))
    for check in report.checks:
        print_wrapped(_describe_check(check), hanging_indent=" " * 6)
        if check.mend:
            print_wrapped(check.mend, " " * 8)
    if report.latencies:
        rows = [(each.host, each.moment, f"{each.ms:.1f}", f"{each.ratio:.2f}") for each in report.latencies]
        rows.insert(0, ("a bare interpreter", "", f"{report.bare_ms:.1f}", "1.00"))
        print_table(
            "How long hosts wait for hooks", ("host", "moment", "ms", "ratio"), rows, right_aligned=("ms", "ratio")
        )
    print_table(
        "The last time of each step, by host",
        ("host", "observed", "detected", "offered", "accepted"),
        [(progress.host, *_list_times(progress)) for progress in report.loops],
    )
    verdict, advice = _judge_health(report)
    print_heading(verdict)
    if advice:
        print_wrapped(advice)


def _list_times(progress: HostProgressReport) -> list[str]:
    times = [
        format_time(step.last) for step in (progress.observed, progress.detected, progress.offered, progress.accepted)
    ]
    return times if progress.installed or progress.observed.count else ["no hooks", *["-"] * 3]


def _describe_state(report: DoctorReport, root: str) -> str:
    """Return a sentence on whether mind-skills is active in the project at ``root``."""
    if not is_enabled(root):
        return f"mind-skills is switched off in {format_path(root)}"
    if is_paused_here(root):
        return f"mind-skills is paused in {format_path(root)}"
    if not report.installed and not report.watching:
        return f"mind-skills is not installed, so it is not active in {format_path(root)}"
    return f"mind-skills is on in {format_path(root)}"


def _judge_health(report: DoctorReport) -> tuple[str, str]:
    """Return the verdict, which is only "Healthy" if hooks are installed and trusted, and advice, which may be empty."""
    if not report.healthy:
        return "Not healthy: see the failures above.", ""
    untrusted_hosts = [check.host for check in report.checks if (check.name, check.state) == ("trust", "note")]
    if untrusted_hosts:
        titles = list(dict.fromkeys(load_spec(host).title for host in untrusted_hosts))
        verb, notes = "skips" if len(titles) == 1 else "skip", "note" if len(untrusted_hosts) == 1 else "notes"
        verdict = f"Nothing is broken, but {join_names(titles)} {verb} hooks until you trust them."
        return verdict, f"See the {notes} on trust above."
    if report.installed:
        return "Healthy.", ""
    if report.watching:
        return (
            "Nothing is broken.",
            "No hook is installed; `mind-skills watch` is running and reads session logs instead.",
        )
    return "Nothing is broken, but nothing is learned.", "No hook is installed: run `mind-skills install`."


def _describe_check(check: CheckReport) -> str:
    mark = {"ok": "ok  ", "note": "note", "failed": "FAIL"}[check.state]
    label = f"{check.host} {check.name}" if check.host else check.name
    return f"{mark}  {label}: {check.text}"
