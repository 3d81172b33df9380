"""Starting the hooks as their host does, in a state folder and a project that are thrown away."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from mind_skills.hosts import spec
from mind_skills.output.document import Report
from mind_skills.plugin import command, hooklog
from mind_skills.plugin.hook import PROBE
from mind_skills.staging import start_files
from mind_skills.store.home import VARIABLE
from mind_skills.store.project import find

ROUNDS = 5
SAMPLE = "This is how mind-skills sees whether a hook answers."
_STATE = "state"
PATIENCE = 20.0
"""Seconds after which a hook counts as one that does not come back."""


class LatencyReport(Report):
    """How long a host waits for a hook, measured here: the median in ms, and how many bare interpreters that is."""

    host: str
    moment: str
    ms: float
    ratio: float


@dataclass(slots=True)
class Hook:
    """One hook: the command line that starts it, and the payload that it gets."""

    host: str
    moment: str
    command: list[str]
    event: str
    times: list[float] = field(default_factory=list[float])
    problem: str = ""


def hooks(host: str, commands: dict[str, str]) -> list[Hook]:
    """The hooks of a host whose settings hold these commands, by event; a shell runs them."""
    moments = spec(host).events
    shell = ["cmd", "/c"] if os.name == "nt" else ["/bin/sh", "-c"]
    return [Hook(host, moments[event], [*shell, text], event) for event, text in commands.items() if event in moments]


def plugin_hooks(host: str, python: str, script: str) -> list[Hook]:
    """Those that a host's plugin file starts, without a shell."""
    return [Hook(host, name, [python, "-I", "-S", script, host], name) for name in ("start", "idle", "end")]


def measure(python: str, all_hooks: list[Hook]) -> tuple[float, list[LatencyReport]]:
    """Run every hook and a bare interpreter, in turn, five times; returns its median in ms and theirs.

    What is wrong with a hook is put into its ``problem``. Raises OSError where the interpreter cannot be started.
    """
    bare: list[float] = []
    # What a hook does behind its host's back may touch the folder a moment longer.
    with tempfile.TemporaryDirectory(prefix="mind-skills-doctor-", ignore_cleanup_errors=True) as folder:
        # One project for each hook: a session begins later where another one of the project is just ending.
        projects = [os.path.join(os.path.realpath(folder), str(number)) for number in range(len(all_hooks))]
        for project in projects:
            os.makedirs(os.path.join(project, ".git"))
        for _ in range(ROUNDS):
            begin = time.perf_counter()
            subprocess.run([python, "-I", "-S", "-c", "pass"], stdin=subprocess.DEVNULL, check=True)
            bare.append(time.perf_counter() - begin)
            for hook, project in zip(all_hooks, projects, strict=True):
                if not hook.problem:
                    said = _run(hook, folder, project, f"doctor-{os.path.basename(project)}")
                    if not hook.problem and said.strip():
                        hook.problem = f"answers, with nothing to tell: {said[:80]!r}"
    unit = statistics.median(bare)
    reports = [
        LatencyReport(
            host=hook.host,
            moment=hook.moment,
            ms=round(statistics.median(hook.times) * 1000, 1),
            ratio=round(statistics.median(hook.times) / unit, 2),
        )
        for hook in all_hooks
        if hook.times and not hook.problem
    ]
    return round(unit * 1000, 1), reports


def ask(all_hooks: list[Hook]) -> str:
    """Begin a session of a host for which something waits; what is wrong with the answer of its hooks, empty for nothing."""
    with tempfile.TemporaryDirectory(prefix="mind-skills-install-", ignore_cleanup_errors=True) as folder:
        project = os.path.join(os.path.realpath(folder), "project")
        os.makedirs(os.path.join(project, ".git"))
        start_files.write_advice(os.path.join(folder, _STATE), find(named=project).id, SAMPLE)
        said = b""
        for hook in (hook for moment in ("start", "prompt") for hook in all_hooks if hook.moment == moment):
            said += _run(hook, folder, project, "install")
            if hook.problem:
                return f"the hook at {hook.event} {hook.problem}"
        return "" if SAMPLE.encode() in said else "its hooks say nothing where something waits"


def _run(hook: Hook, folder: str, project: str, session: str) -> bytes:
    """Start a hook once, and take its time; what it says to its host. What is wrong is put into its ``problem``."""
    state = os.path.join(folder, _STATE)
    told = {"MIND_SKILLS_HOME": state, PROBE: "1", spec(hook.host).project_variable: project}
    told |= {spec(hook.host).pid_variable: str(os.getpid())}
    told.pop("", None)
    environment = {**{name: value for name, value in os.environ.items() if name != "MIND_SKILLS_CONFIG"}, **told}
    begin = time.perf_counter()
    try:
        done = subprocess.run(
            _moved(hook, state),
            input=_payload(hook, project, session),
            capture_output=True,
            env=environment,
            cwd=project,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        hook.problem = f"does not come back within {PATIENCE:.0f} s"
        return b""
    except OSError as error:
        hook.problem = f"cannot be started: {error.strerror}"
        return b""
    hook.times.append(time.perf_counter() - begin)
    log = Path(hooklog.log_path(state))
    if done.returncode or done.stderr.strip():
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        hook.problem = f"fails: {said[-1] if said else f'exit code {done.returncode}'}"
    elif log.exists():
        hook.problem = f"complains: {log.read_text(encoding='utf-8').splitlines()[-1]}"
        log.unlink()
    return done.stdout


def _moved(hook: Hook, state: str) -> list[str]:
    """The command of a hook, with another state folder than the one that was written into it."""
    called = f" {hook.host} {hook.moment} "
    return [part.replace(called, f"{called}{command.quoted(f'{VARIABLE}={state}')} ", 1) for part in hook.command]


def _payload(hook: Hook, project: str, session: str) -> bytes:
    """What every host sends, in the words of each."""
    if spec(hook.host).protocol == "plugin":
        form: dict[str, object] = {"event": hook.event, "sessionID": session, "directory": project, "database": ""}
        return json.dumps({**form, "pid": os.getpid(), "at": time.time_ns() // 1_000_000}).encode()
    form = {"session_id": session, "transcript_path": "", "cwd": project, "hook_event_name": hook.event}
    if hook.moment == "start":
        form["source"] = "startup"
    return json.dumps({**form, "reason": "other", "prompt": ""}).encode()
