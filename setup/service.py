"""A service of systemd for one user, which runs `mind-skills watch` from login to logout: one file, put there and taken back
like the hooks of a host.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time

from mind_skills.errors import MindSkillsError, as_error
from mind_skills.plugin import command
from mind_skills.setup.install import installing
from mind_skills.setup.install.installing import Done
from mind_skills.setup.install.journal import Entry, Journal
from mind_skills.setup.install.reports import FailureReport, FileReport, HostReport
from mind_skills.setup.install.targets import Change, home
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


class ServiceTarget:
    """The file of the service, as setup/install/targets.py has those of the hosts."""

    host = NAME
    trust = ""

    def __init__(self, path: str = "") -> None:
        """Raises MindSkillsError where no home is known."""
        settings = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home(), ".config")
        self.path = self.key = path or os.path.join(settings, "systemd", "user", UNIT)

    def add(self, before: bytes | None) -> Change:
        """See Target. Raises MindSkillsError where somebody else's file has this name."""
        if before is not None:
            hint = "Move it away, and run it again."
            raise MindSkillsError("foreign_file", f"{self.path} is not from mind-skills, and was left as it is", hint)
        return Change(unit().encode(), made=("document",))

    def remove(self, now: bytes, entry: Entry | None) -> bytes | None:
        """See Target."""
        return None if self.ours(now) else now

    def ours(self, now: bytes | None) -> list[str]:
        """See Target."""
        return ["the service"] if now is not None and now.startswith(_FIRST.encode()) else []

    def current(self, now: bytes | None) -> bool:
        """See Target."""
        return now == unit().encode()


def unit() -> str:
    """The file, for this interpreter and where things are now. Raises MindSkillsError where hooks could not be installed."""
    command.entry()  # says no where this environment will be thrown away
    called = (command.interpreter(), *command.alone(), "-m", "mind_skills.plugin.watch")
    words = " ".join(_quoted(word).replace("$", "$$") for word in called)  # where $ begins a variable, unlike below
    places = "".join(f"Environment={_quoted(f'{name}={os.environ[name]}')}\n" for name in KEPT if os.environ.get(name))
    return (
        f"{_FIRST}[Unit]\nDescription=mind-skills: learn from session logs as they are written\n\n"
        f"[Service]\nExecStart={words}\n{places}Restart=on-failure\nRestartSec=30\nNice=10\nKillMode=mixed\n\n"
        "[Install]\nWantedBy=default.target\n"
    )


def _quoted(text: str) -> str:
    """A word of a unit file (systemd.syntax(7), systemd.exec(5)). Raises MindSkillsError where it cannot be one."""
    if "\n" in text:
        raise MindSkillsError("odd_path", f"no unit file can name {text!r}", "Use a path without a line break.")
    plain = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{plain}"'


def installed(*, dry_run: bool, alone: bool) -> HostReport:
    """Put the service there and have systemd start it. ``alone`` as in setup/install/running.py: raises MindSkillsError."""
    try:
        _needs_systemd()
        target = ServiceTarget()
        done = _install(target, dry_run)
        said = [] if dry_run or done.action == "none" else _started()
    except MindSkillsError as failure:
        return _failed(failure, alone)
    return HostReport(host=NAME, files=[_file(done)], next=said, error=None)


def _needs_systemd() -> None:
    if not sys.platform.startswith("linux"):
        hint = "`mind-skills watch --once` can be run by whatever this system has for the purpose."
        raise MindSkillsError("no_systemd", "services are made for systemd, which this system has not", hint)


def uninstalled(*, dry_run: bool, alone: bool) -> HostReport:
    """Have systemd end the service, and take its file away. ``alone`` as above."""
    try:
        target = ServiceTarget()
        known = Journal.peek(state_folder()).paths(NAME)
        there = [ServiceTarget(path) for path in dict.fromkeys([*known, target.path])]
        ours = any(os.path.lexists(one.path) and installing.residue(one) for one in there)
        if ours and not dry_run:
            _systemctl("disable", "--now", UNIT)
        done = [_uninstall(one, dry_run) for one in there]
        if ours and not dry_run:
            _systemctl("daemon-reload")
    except MindSkillsError as failure:
        return _failed(failure, alone)
    return HostReport(host=NAME, files=[_file(one) for one in done], next=[], error=None)


def residue() -> list[str]:
    """What is left of the service, in sentences."""
    try:
        return installing.residue(ServiceTarget())
    except MindSkillsError as failure:
        return [failure.message]


def _started() -> list[str]:
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


def _install(target: ServiceTarget, dry_run: bool) -> Done:
    if dry_run:
        return installing.install(Journal.peek(state_folder()), target, 0, dry_run=True)
    with Journal(state_folder()) as journal:
        return installing.install(journal, target, time.time_ns() // 1_000_000)


def _uninstall(target: ServiceTarget, dry_run: bool) -> Done:
    if dry_run:
        return installing.uninstall(Journal.peek(state_folder()), target, dry_run=True)
    with Journal(state_folder()) as journal:
        return installing.uninstall(journal, target)


def _file(done: Done) -> FileReport:
    return FileReport(path=done.path, action=done.action, diff=done.diff, backup=done.backup)


def _failed(failure: Exception, alone: bool) -> HostReport:
    known = as_error(failure)
    if known is None or alone:
        raise failure
    error = FailureReport(code=known.code, message=known.message, hint=known.hint)
    return HostReport(host=NAME, files=[], next=[], error=error)
