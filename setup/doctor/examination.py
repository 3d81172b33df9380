"""All checks of `mind-skills doctor`, in dependency order."""

from __future__ import annotations

import os
import time
from typing import Literal

from mind_skills.errors import MindSkillsError, StoreError
from mind_skills.hosts import HOST_NAMES
from mind_skills.output.document import Report
from mind_skills.plugin import command
from mind_skills.setup.doctor import hosts, loops, machine, probe
from mind_skills.setup.doctor.check import CheckReport, make_failure, make_note
from mind_skills.setup.doctor.loops import LoopReport
from mind_skills.setup.doctor.probe import LatencyReport
from mind_skills.staging.ledger import Ledger
from mind_skills.store import database
from mind_skills.store.home import get_state_folder
from mind_skills.store.project import Project
from mind_skills.watch.instance import read_holder

MAX_LATENCY_MS = 1000.0
"""Maximum latency of a hook, in milliseconds; a slower hook delays the user noticeably."""


class DoctorReport(Report):
    """`mind-skills doctor --json`."""

    version: Literal[1] = 1
    healthy: bool
    installed: list[str]
    """The hosts that have our hooks."""
    watching: bool
    """Whether `mind-skills watch` is running."""
    checks: list[CheckReport]
    loops: list[LoopReport]
    bare_ms: float
    """Median start-up time of a bare interpreter in the same run, in milliseconds; 0 if latency was not measured."""
    latencies: list[LatencyReport]


def examine(project: Project) -> DoctorReport:
    """Run all checks, including those of ``project``. Raises HomeError; MindSkillsError if there is no home folder."""
    home = get_state_folder()
    checks = [*machine.check_interpreter(), *machine.check_state_folder(home), *machine.check_database(home)]
    checks += machine.check_settings(project.root)
    has_state_folder = os.path.isdir(home)  # a file in its place was reported above
    if all(check.state != "failed" for check in checks if check.name == "database"):
        checks += machine.check_redaction(home)
    checks += machine.check_pauses(home, project.id, project.root) if has_state_folder else []
    hooks_to_run: list[probe.Hook] = []
    for host in HOST_NAMES:
        new_checks, hooks = hosts.check_hooks(host, project.root)
        checks += [*new_checks, *hosts.check_server(host)]
        hooks_to_run += hooks
    checks += hosts.check_status_line()
    checks += machine.check_environments()
    bare_ms, latencies = _measure_latency(hooks_to_run)
    checks += [_report_broken_hook(hook) for hook in hooks_to_run if hook.problem]
    checks += [_report_slow_hook(latency) for latency in latencies if latency.ms > MAX_LATENCY_MS]
    new_checks, loop_reports = _check_ledger(home, project)
    checks += new_checks
    checks += [_report_inactive_loop(loop) for loop in loop_reports if loop.verdict in ("dead", "silent")]
    checks += machine.check_hook_log(home, time.time_ns() // 1_000_000) if has_state_folder else []
    installed = [loop.host for loop in loop_reports if loop.installed]
    checks += machine.check_agent_command() if installed else []
    checks += machine.check_preserved_state(home) if not installed else []
    return DoctorReport(
        healthy=all(check.state != "failed" for check in checks),
        installed=installed,
        watching=read_holder(home) is not None,
        checks=checks,
        loops=loop_reports,
        bare_ms=bare_ms,
        latencies=latencies,
    )


def _measure_latency(hooks: list[probe.Hook]) -> tuple[float, list[LatencyReport]]:
    if not hooks:
        return 0.0, []
    try:
        python = command.find_interpreter()
    except MindSkillsError:
        return 0.0, []  # reported above
    return probe.measure_hooks(python, hooks)


def _check_ledger(home: str, project: Project) -> tuple[list[CheckReport], list[LoopReport]]:
    """Run the checks that need the database, and report on the loops.

    Without a usable database, these checks are skipped, and the loops are reported without activity.
    """
    path = os.path.join(home, database.DATABASE_NAME)
    if not os.path.exists(path) or any(check.state == "failed" for check in machine.check_database(home)):
        return [], loops.report_loops([], home)
    try:
        with Ledger.open(home) as ledger:
            checks = [*machine.check_pending_file(ledger, project), *machine.check_receipts(ledger)]
            return checks, loops.report_loops(ledger.list_activity(), home)
    except StoreError as error:
        return [make_failure("database", str(error), error.hint)], loops.report_loops([], home)


def _report_broken_hook(hook: probe.Hook) -> CheckReport:
    return make_failure(
        "hooks", f"the hook at {hook.event} {hook.problem}", f"mind-skills install {hook.host}", hook.host
    )


def _report_slow_hook(latency: LatencyReport) -> CheckReport:
    text = f"the hook at {latency.moment} takes {latency.ms:.0f} ms"
    return make_failure(
        "latency",
        text,
        f"Run `mind-skills install {latency.host}`: the hook may start Python through a version manager's shim.",
        latency.host,
    )


def _report_inactive_loop(loop: LoopReport) -> CheckReport:
    fix = "Start a session in this host, then run `mind-skills doctor` again."
    if loop.verdict == "silent":
        return make_note("loop", loop.text, fix, loop.host)
    text = "this host wrote session logs that no hook reported"
    fix = "Check whether mind-skills is paused or disabled there, and whether the host has disabled or does not trust the hooks."
    return make_note("loop", text, fix, loop.host)
