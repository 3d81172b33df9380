"""A service of systemd for one user, which runs `mind-skills watch` from login to logout: one file, put there and taken back
like the hooks of a host.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from mind_skills.errors import MindSkillsError
from mind_skills.plugin import command
from mind_skills.setup.install import installing
from mind_skills.setup.install.journal import Journal
from mind_skills.setup.install.running import HostReport, install_file, report_failure, uninstall_file
from mind_skills.setup.install.targets import OwnFileTarget, find_home
from mind_skills.store.home import VARIABLE, state_folder

NAME = "watch"
"""What `install` and `uninstall` call it, beside the hosts."""
UNIT = "mind-skills-watch.service"
PATIENCE = 30
"""Seconds that systemctl may take."""
KEPT = (
    *(VARIABLE, "MIND_SKILLS_CONFIG", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"),
    *("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "OPENCODE_DB"),
)
"""Variables that say where things are: a service does not get those of a shell, so they stand in its file."""
_FIRST = "# Made by `mind-skills install watch`; `mind-skills uninstall watch` takes it back.\n"


def make_target(path: str = "") -> OwnFileTarget:
    """The file of the service, as a target of an installation. Raises MindSkillsError where no home is known."""
    settings = os.environ.get("XDG_CONFIG_HOME") or os.path.join(find_home(), ".config")
    path = path or os.path.join(settings, "systemd", "user", UNIT)
    return OwnFileTarget(NAME, path, _FIRST, "the service", lambda: make_unit().encode())


def make_unit() -> str:
    """The file, for this interpreter and where things are now. Raises MindSkillsError where hooks could not be installed."""
    command.entry()  # says no where this environment will be thrown away
    called = (command.interpreter(), *command.alone(), "-m", "mind_skills.plugin.watch")
    words = " ".join(_quote(word).replace("$", "$$") for word in called)  # where $ begins a variable, unlike below
    places = "".join(f"Environment={_quote(f'{name}={os.environ[name]}')}\n" for name in KEPT if os.environ.get(name))
    return (
        f"{_FIRST}[Unit]\nDescription=mind-skills: learn from session logs as they are written\n\n"
        f"[Service]\nExecStart={words}\n{places}Restart=on-failure\nRestartSec=30\nNice=10\nKillMode=mixed\n\n"
        "[Install]\nWantedBy=default.target\n"
    )


def _quote(text: str) -> str:
    """A word of a unit file (systemd.syntax(7), systemd.exec(5)). Raises MindSkillsError where it cannot be one."""
    if "\n" in text:
        raise MindSkillsError("odd_path", f"no unit file can name {text!r}", "Use a path without a line break.")
    plain = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{plain}"'


def install_service(*, dry_run: bool, alone: bool) -> HostReport:
    """Put the service there and have systemd start it. ``alone`` as in setup/install/running.py: raises MindSkillsError."""
    try:
        _require_systemd()
        target = make_target()
        done = install_file(target, dry_run)
        said = [] if dry_run or done.action == "none" else _start()
    except MindSkillsError as failure:
        return report_failure(NAME, failure, alone)
    return HostReport(host=NAME, files=[done], next=said, error=None)


def _require_systemd() -> None:
    if not sys.platform.startswith("linux"):
        hint = "`mind-skills watch --once` can be run by whatever this system has for the purpose."
        raise MindSkillsError("no_systemd", "services are made for systemd, which this system has not", hint)


def uninstall_service(*, dry_run: bool, alone: bool) -> HostReport:
    """Have systemd end the service, and take its file away. ``alone`` as above."""
    try:
        target = make_target()
        known = Journal.peek(state_folder()).paths(NAME)
        there = [make_target(path) for path in dict.fromkeys([*known, target.path])]
        ours = any(os.path.lexists(one.path) and installing.find_residue(one) for one in there)
        if ours and not dry_run:
            _systemctl("disable", "--now", UNIT)
        done = [uninstall_file(one, dry_run) for one in there]
        if ours and not dry_run:
            _systemctl("daemon-reload")
    except MindSkillsError as failure:
        return report_failure(NAME, failure, alone)
    return HostReport(host=NAME, files=done, next=[], error=None)


def find_residue() -> list[str]:
    """What is left of the service, in sentences."""
    try:
        return installing.find_residue(make_target())
    except MindSkillsError as failure:
        return [failure.message]


def _start() -> list[str]:
    """Have systemd start it; what is left for the user to do."""
    if shutil.which("systemctl") is None:
        return ["There is no systemctl here, so the service was not started: `mind-skills watch` does the same."]
    why = _systemctl("daemon-reload") or _systemctl("enable", "--now", UNIT)
    if why:
        return [f"systemd did not start it: {why}", f"`systemctl --user enable --now {UNIT}` tries again."]
    return []


def _systemctl(*words: str) -> str:
    """Ask systemd for something; why that failed, empty where it did not, or where there is no systemd."""
    program = shutil.which("systemctl")
    if program is None:
        return ""
    try:
        done = subprocess.run(
            [program, "--user", *words], capture_output=True, text=True, errors="replace", timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as failure:
        return f"{type(failure).__name__}: {failure}"
    said = " ".join(done.stderr.split())[:300]
    return "" if done.returncode == 0 else said or f"systemctl ended with {done.returncode}"
