"""Run hooks as their host does, in a temporary state folder and project."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from mind_skills.hosts import load_spec
from mind_skills.output.document import Report
from mind_skills.plugin import command, hooklog
from mind_skills.plugin.hook import PROBE
from mind_skills.staging import start_files
from mind_skills.store.home import HOME_VARIABLE
from mind_skills.store.project import resolve_project

ROUNDS = 5
SAMPLE_ADVICE = "mind-skills uses this text to check that a hook responds."
_STATE_FOLDER = "state"
TIMEOUT_SECONDS = 20.0
"""Timeout of a hook in seconds."""


class LatencyReport(Report):
    """How long a host waits for a hook: the median in ms, and its ratio to the start-up of a bare interpreter."""

    host: str
    moment: str
    ms: float
    ratio: float


@dataclass(slots=True)
class Hook:
    """A hook: the command line that starts it, its run times in seconds, and its first problem, or an empty string."""

    host: str
    moment: str
    command: list[str]
    event: str
    times: list[float] = field(default_factory=list[float])
    problem: str = ""


def make_hooks(host: str, commands: dict[str, str]) -> list[Hook]:
    """Return the hooks of a host. ``commands`` maps events to the command lines in its settings; a shell runs each."""
    moments = load_spec(host).events
    shell = ["cmd", "/c"] if os.name == "nt" else ["/bin/sh", "-c"]
    return [Hook(host, moments[event], [*shell, text], event) for event, text in commands.items() if event in moments]


def make_plugin_hooks(host: str, python: str, script: str) -> list[Hook]:
    """Return the hooks that a host's plugin file starts, without a shell."""
    return [Hook(host, name, [python, "-I", "-S", script, host], name) for name in ("start", "idle", "end")]


def measure_hooks(python: str, all_hooks: list[Hook]) -> tuple[float, list[LatencyReport]]:
    """Run a bare interpreter and every working hook in turn, five times.

    Returns the interpreter's median time in ms and the latencies of the hooks that work. The error of any other hook is
    stored in its ``problem``. Raises OSError or CalledProcessError if the interpreter fails.
    """
    bare: list[float] = []
    # A hook's detached process may use the folder a moment longer than the hook.
    with tempfile.TemporaryDirectory(prefix="mind-skills-doctor-", ignore_cleanup_errors=True) as folder:
        # One project per hook: a session start is delayed while another session of its project ends.
        projects = [os.path.join(os.path.realpath(folder), str(number)) for number in range(len(all_hooks))]
        for project in projects:
            os.makedirs(os.path.join(project, ".git"))
        for _ in range(ROUNDS):
            begin = time.perf_counter()
            subprocess.run([python, "-I", "-S", "-c", "pass"], stdin=subprocess.DEVNULL, check=True)
            bare.append(time.perf_counter() - begin)
            for hook, project in zip(all_hooks, projects, strict=True):
                if not hook.problem:
                    output = _run_hook(hook, folder, project, f"doctor-{os.path.basename(project)}")
                    if not hook.problem and output.strip():
                        hook.problem = f"responds although there is nothing to offer: {output[:80]!r}"
    bare_median = statistics.median(bare)
    reports = [
        LatencyReport(
            host=hook.host,
            moment=hook.moment,
            ms=round(statistics.median(hook.times) * 1000, 1),
            ratio=round(statistics.median(hook.times) / bare_median, 2),
        )
        for hook in all_hooks
        if hook.times and not hook.problem
    ]
    return round(bare_median * 1000, 1), reports


def run_start_hooks(all_hooks: list[Hook]) -> str:
    """Run the hooks of a session start for which advice is waiting; return what is wrong with them, or an empty string."""
    with tempfile.TemporaryDirectory(prefix="mind-skills-install-", ignore_cleanup_errors=True) as folder:
        project = os.path.join(os.path.realpath(folder), "project")
        os.makedirs(os.path.join(project, ".git"))
        start_files.write_advice(
            os.path.join(folder, _STATE_FOLDER), resolve_project(project_folder=project).id, SAMPLE_ADVICE
        )
        output = b""
        for hook in (hook for moment in ("start", "prompt") for hook in all_hooks if hook.moment == moment):
            output += _run_hook(hook, folder, project, "install")
            if hook.problem:
                return f"the hook at {hook.event} {hook.problem}"
        return "" if SAMPLE_ADVICE.encode() in output else "its hooks do not output the waiting advice"


def _run_hook(hook: Hook, folder: str, project: str, session: str) -> bytes:
    """Run a hook once, record its time and return its output. An error is stored in the hook's ``problem``."""
    state = os.path.join(folder, _STATE_FOLDER)
    overrides = {"MIND_SKILLS_HOME": state, PROBE: "1", load_spec(hook.host).project_env_var: project}
    overrides |= {load_spec(hook.host).pid_env_var: str(os.getpid())}
    overrides.pop("", None)
    environment = {**{name: value for name, value in os.environ.items() if name != "MIND_SKILLS_CONFIG"}, **overrides}
    begin = time.perf_counter()
    try:
        process = subprocess.run(
            _replace_state_folder(hook, state),
            input=_make_payload(hook, project, session),
            capture_output=True,
            env=environment,
            cwd=project,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        hook.problem = f"does not finish within {TIMEOUT_SECONDS:.0f} s"
        return b""
    except OSError as error:
        hook.problem = f"cannot be started: {error.strerror}"
        return b""
    hook.times.append(time.perf_counter() - begin)
    log = Path(hooklog.find_log_path(state))
    if process.returncode or process.stderr.strip():
        error_lines = process.stderr.decode("utf-8", "replace").strip().splitlines()
        hook.problem = f"fails: {error_lines[-1] if error_lines else f'exit code {process.returncode}'}"
    elif log.exists():
        hook.problem = f"logs an error: {log.read_text(encoding='utf-8').splitlines()[-1]}"
        log.unlink()
    return process.stdout


def _replace_state_folder(hook: Hook, state: str) -> list[str]:
    """Return the command of a hook with ``state`` as its state folder."""
    hook_words = f" {hook.host} {hook.moment} "
    return [
        part.replace(hook_words, f"{hook_words}{command.quote_word(f'{HOME_VARIABLE}={state}')} ", 1)
        for part in hook.command
    ]


def _make_payload(hook: Hook, project: str, session: str) -> bytes:
    if load_spec(hook.host).protocol == "plugin":
        fields: dict[str, object] = {"event": hook.event, "sessionID": session, "directory": project, "database": ""}
        return json.dumps({**fields, "pid": os.getpid(), "at": time.time_ns() // 1_000_000}).encode()
    fields = {"session_id": session, "transcript_path": "", "cwd": project, "hook_event_name": hook.event}
    if hook.moment == "start":
        fields["source"] = "startup"
    fields |= {"reason": "other", "prompt": ""}
    return json.dumps(load_spec(hook.host).hook_form.write_payload(fields)).encode()
