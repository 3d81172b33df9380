"""All the checks, in the order in which things depend on each other."""

from __future__ import annotations

import os
import time
from typing import Literal

from mind_skills.errors import MindSkillsError, StoreError
from mind_skills.hosts import NAMES
from mind_skills.output.document import Report
from mind_skills.plugin import command
from mind_skills.setup.doctor import hosts, loops, machine, probe
from mind_skills.setup.doctor.check import CheckReport, failed, noted
from mind_skills.setup.doctor.loops import LoopReport
from mind_skills.setup.doctor.probe import LatencyReport
from mind_skills.staging.ledger import Ledger
from mind_skills.store import database
from mind_skills.store.home import state_folder
from mind_skills.store.project import Project
from mind_skills.watch.instance import read_holder

SLOW = 1000.0
"""Milliseconds of a start, and it is felt."""


class DoctorReport(Report):
    """`mind-skills doctor --json`."""

    version: Literal[1] = 1
    healthy: bool
    installed: list[str]
    """The hosts that have our hooks. Nothing is learned where there are none, whatever is healthy."""
    watching: bool
    """Whether `mind-skills watch` runs."""
    checks: list[CheckReport]
    loops: list[LoopReport]
    bare_ms: float
    """The median of a bare interpreter in the same run; 0 where latency was not measured."""
    latencies: list[LatencyReport]


def examine(project: Project) -> DoctorReport:
    """Look at everything, with ``project`` as the one whose files are looked at. Raises HomeError where there is no home."""
    home = state_folder()
    found = [*machine.interpreter(), *machine.state_folder(home), *machine.state_database(home)]
    found += machine.user_settings(project.root)
    folder = os.path.isdir(home)  # what stands in its place otherwise has been told of
    if all(check.state != "failed" for check in found if check.name == "database"):
        found += machine.redaction(home)
    found += machine.pauses(home, project.id, project.root) if folder else []
    waiting: list[probe.Hook] = []
    for host in NAMES:
        told, hooks = hosts.check_hooks(host, project.root)
        found += [*told, *hosts.check_server(host)]
        waiting += hooks
    found += machine.environment()
    bare, latencies = _measured(waiting)
    found += [_ran(hook) for hook in waiting if hook.problem]
    found += [_slow(one) for one in latencies if one.ms > SLOW]
    told, known = _ledger(home, project)
    found += told
    found += [_dead(loop) for loop in known if loop.verdict in ("dead", "silent")]
    found += machine.complaints(home, time.time_ns() // 1_000_000) if folder else []
    installed = [loop.host for loop in known if loop.installed]
    found += machine.agent_command() if installed else []
    found += machine.kept_state(home) if not installed else []
    return DoctorReport(
        healthy=all(check.state != "failed" for check in found),
        installed=installed,
        watching=read_holder(home) is not None,
        checks=found,
        loops=known,
        bare_ms=bare,
        latencies=latencies,
    )


def _measured(hooks: list[probe.Hook]) -> tuple[float, list[LatencyReport]]:
    if not hooks:
        return 0.0, []
    try:
        python = command.interpreter()
    except MindSkillsError:
        return 0.0, []  # said already
    return probe.measure(python, hooks)


def _ledger(home: str, project: Project) -> tuple[list[CheckReport], list[LoopReport]]:
    """What needs the database; without one nothing happened yet. A damaged one has been told of, and stays as it is."""
    path = os.path.join(home, database.NAME)
    if not os.path.exists(path) or any(check.state == "failed" for check in machine.state_database(home)):
        return [], loops.loops([], home)
    try:
        with Ledger.open(home) as ledger:
            found = [*machine.pending_file(ledger, project), *machine.receipts(ledger)]
            return found, loops.loops(ledger.list_activity(), home)
    except StoreError as error:
        return [failed("database", str(error), error.hint)], loops.loops([], home)


def _ran(hook: probe.Hook) -> CheckReport:
    return failed("hooks", f"the hook at {hook.event} {hook.problem}", f"mind-skills install {hook.host}", hook.host)


def _slow(one: LatencyReport) -> CheckReport:
    text = f"the hook at {one.moment} takes {one.ms:.0f} ms"
    return failed("latency", text, f"mind-skills install {one.host}: it may start a version manager's shim", one.host)


def _dead(loop: LoopReport) -> CheckReport:
    mend = "Start a session there, and look again."
    if loop.verdict == "silent":
        return noted("loop", loop.text, mend, loop.host)
    text = "it wrote logs of sessions that no hook told of"
    mend = (
        "Look for a pause, a project that is switched off, or hooks that the host does not trust or has switched off."
    )
    return noted("loop", text, mend, loop.host)
