"""A systemd user service that runs `mind-skills watch`: one unit file, installed and removed like a host's hooks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from mind_skills.errors import MindSkillsError, as_error
from mind_skills.plugin import command
from mind_skills.setup.install import targets
from mind_skills.setup.install.host_install import HostReport, install_file, report_failure, uninstall_file
from mind_skills.setup.install.journal import Journal
from mind_skills.setup.install.targets import OwnFileTarget, find_home
from mind_skills.store.home import HOME_VARIABLE, get_state_folder

SERVICE_NAME = "watch"
"""Name of the service as an argument of `install` and `uninstall`, which also take the names of hosts."""
UNIT_NAME = "mind-skills-watch.service"
TIMEOUT_SECONDS = 30
"""Timeout of systemctl in seconds."""
PASSED_VARIABLES = (
    *(HOME_VARIABLE, "MIND_SKILLS_CONFIG", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"),
    *("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "OPENCODE_DB"),
)
"""Environment variables that locate files. A service does not inherit them from a shell, so the unit file sets them."""
_PREFIX = "# Made by `mind-skills install watch`;"
_HEADER = f"{_PREFIX} `mind-skills uninstall watch` removes it.\n"


def make_target(path: str = "") -> OwnFileTarget:
    """Return the target for the unit file, at ``path`` or at the default path. Raises MindSkillsError if there is no home folder."""
    config_folder = os.environ.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(config_folder):  # ignored by systemd, too
        config_folder = os.path.join(find_home(), ".config")
    path = path or os.path.join(config_folder, "systemd", "user", UNIT_NAME)
    return OwnFileTarget(SERVICE_NAME, path, _PREFIX, "the service", make_unit)


def make_unit() -> str:
    """Return the content of the unit file for this interpreter and the current paths.

    Raises MindSkillsError if no interpreter is usable, this environment is temporary, or a path contains a line break.
    """
    command.find_entry_script()  # raises if this environment is temporary
    command_line = (command.find_interpreter(), *command.list_isolation_options(), "-m", "mind_skills.plugin.watch")
    # ExecStart expands $, unlike Environment.
    quoted_words = " ".join(_quote_word(word).replace("$", "$$") for word in command_line)
    environment_lines = "".join(
        f"Environment={_quote_word(f'{name}={os.environ[name]}')}\n"
        for name in PASSED_VARIABLES
        if os.environ.get(name)
    )
    return (
        f"{_HEADER}[Unit]\nDescription=mind-skills: learn from session logs as they are written\n\n"
        f"[Service]\nExecStart={quoted_words}\n{environment_lines}Restart=on-failure\nRestartSec=30\nNice=10\nKillMode=mixed\n\n"
        "[Install]\nWantedBy=default.target\n"
    )


def _quote_word(text: str) -> str:
    """Quote a word of a unit file (systemd.syntax(7), systemd.exec(5)). Raises MindSkillsError if it has a line break or is not UTF-8."""
    if "\n" in text:
        raise MindSkillsError("odd_path", f"a unit file cannot contain {text!r}", "Use a path without a line break.")
    plain = command.require_utf8(text).replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{plain}"'


def install_service(*, dry_run: bool, raise_failure: bool) -> HostReport:
    """Install and start the service. With ``raise_failure``, a failure is raised as an exception instead of being reported."""
    try:
        _require_systemd()
        target = make_target()
        file_report = install_file(target, dry_run)
        next_steps = [] if dry_run or file_report.action == "none" else _start_service()
    except Exception as failure:  # noqa: BLE001 -- a failure must not stop the hosts; bugs are re-raised
        return report_failure(SERVICE_NAME, failure, raise_failure)
    return HostReport(host=SERVICE_NAME, files=[file_report], next=next_steps, error=None)


def _require_systemd() -> None:
    if not sys.platform.startswith("linux"):
        hint = "Run `mind-skills watch --once` from your system's scheduler instead."
        raise MindSkillsError("no_systemd", "the service requires systemd, which this system does not have", hint)


def uninstall_service(*, dry_run: bool, raise_failure: bool) -> HostReport:
    """Stop the service and remove its unit file. ``raise_failure`` is as in ``install_service``."""
    try:
        recorded_paths = Journal.open_read_only(get_state_folder()).list_keys(SERVICE_NAME)
        service_targets = [make_target(path) for path in dict.fromkeys([*recorded_paths, make_target().path])]
        is_present = any(os.path.lexists(target.path) and targets.find_residue(target) for target in service_targets)
        if is_present and not dry_run:
            _run_systemctl("disable", "--now", UNIT_NAME)
        file_reports = [uninstall_file(target, dry_run) for target in service_targets]
        if is_present and not dry_run:
            _run_systemctl("daemon-reload")
    except Exception as failure:  # noqa: BLE001 -- a failure must not stop the hosts; bugs are re-raised
        return report_failure(SERVICE_NAME, failure, raise_failure)
    return HostReport(host=SERVICE_NAME, files=file_reports, next=[], error=None)


def find_residue() -> list[str]:
    """Describe what is left of the service, or why that cannot be determined; return an empty list if nothing is left."""
    try:
        return targets.find_residue(make_target())
    except Exception as failure:
        error = as_error(failure)
        if error is None:
            raise
        return [error.message]


def _start_service() -> list[str]:
    """Start the service; return the remaining steps for the user."""
    if shutil.which("systemctl") is None:
        return ["systemctl was not found, so the service was not started: run `mind-skills watch` instead."]
    error = _run_systemctl("daemon-reload") or _run_systemctl("enable", "--now", UNIT_NAME)
    if error:
        return [
            f"systemd did not start the service: {error}",
            f"Run `systemctl --user enable --now {UNIT_NAME}` to try again.",
        ]
    return []


def _run_systemctl(*words: str) -> str:
    """Run systemctl and return an error message; empty if it succeeded or is not installed."""
    program = shutil.which("systemctl")
    if program is None:
        return ""
    try:
        process = subprocess.run(
            [program, "--user", *words],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as failure:
        return f"{type(failure).__name__}: {failure}"
    output = " ".join(process.stderr.split())[:300]
    return "" if process.returncode == 0 else output or f"systemctl failed with exit code {process.returncode}"
