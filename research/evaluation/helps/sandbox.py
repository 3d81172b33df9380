"""The machine of a run: its own home and project at fixed paths, no network, and nothing else of this machine but its programs.

Every run sees the same paths, so no recording names a path of the machine that made it, and what one session learned applies to the
next one's project. A command's processes end with it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from research.evaluation.helps import HERE, ROOT

HOME, PROJECT = "/home/dev", "/home/dev/project"
"""Where the home and the project of a run are, as its agent sees them."""
LOCAL_PROGRAMS = f"{HOME}/.local/bin"
LAUNCHER = f"{LOCAL_PROGRAMS}/mind-skills"
PRODUCT = "/opt/mind-skills"
"""Where mind-skills is, for an agent that has it."""
ENVIRONMENT = {
    "HOME": HOME,
    "USER": "dev",
    "LOGNAME": "dev",
    "SHELL": "/bin/bash",
    "PATH": f"{LOCAL_PROGRAMS}:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "TERM": "dumb",
    "CLAUDECODE": "1",
    "CLAUDE_CODE_ENTRYPOINT": "sdk-cli",
    "PYTHONDONTWRITEBYTECODE": "1",
}
"""The whole environment of a command: that of an unattended session."""
NAMESPACES = ("--user", "--map-root-user", "--mount", "--net", "--pid", "--uts", "--ipc", "--fork", "--kill-child")
_LAUNCHER_TEXT = f"""#!/bin/sh
export PYTHONPATH={PRODUCT}/site-packages
exec {PRODUCT}/python/bin/python3 {PRODUCT}/mind_skills/plugin/console.py "$@"
"""


class Ended(NamedTuple):
    """How a command ended. ``output`` is what it wrote to stdout and stderr, in order."""

    code: int
    output: bytes
    timed_out: bool = False

    @property
    def text(self) -> str:
        return self.output.decode("utf-8", "replace")


class Sandbox:
    """The machine of the run in ``folder``, which holds its ``home`` and ``tmp``."""

    def __init__(self, folder: Path, *, has_product: bool = False, visible: Mapping[str, Path] | None = None) -> None:
        """``visible`` are further files and folders, by the path at which they are seen; they cannot be written to."""
        self.folder, self.home = folder, folder / "home"
        self.project = self.home / "project"
        self.visible = {**(_list_product() if has_product else {}), **(visible or {})}

    def make(self) -> None:
        """Make the folders, and the command that runs mind-skills if the run has it. Raises OSError."""
        for path in (self.project, self.folder / "tmp", self.folder / "root"):
            path.mkdir(parents=True, exist_ok=True)
        if f"{PRODUCT}/python" in self.visible:
            launcher = self.home / ".local/bin/mind-skills"
            launcher.parent.mkdir(parents=True, exist_ok=True)
            launcher.write_text(_LAUNCHER_TEXT, encoding="utf-8")
            launcher.chmod(0o755)

    def run(
        self,
        command: Sequence[str],
        *,
        stdin: bytes = b"",
        timeout: float | None = None,
        environment: Mapping[str, str] | None = None,
        wait_for_all: bool = False,
        keeps_errors_apart: bool = False,
    ) -> Ended:
        """Run a command in the project; ``timeout`` is in seconds. With ``keeps_errors_apart``, stderr is dropped.

        Raises ClickException if this machine has no namespaces for it.
        """
        spec = {
            "root": str(self.folder / "root"),
            "binds": [
                [str(self.home), HOME, True],
                [str(self.folder / "tmp"), "/tmp", True],  # noqa: S108 -- of the run itself
                ["/usr", "/usr", False],
                ["", "/usr/local", False],  # what an administrator installed is not part of the task
                ["/etc/alternatives", "/etc/alternatives", False],
                ["/etc/ld.so.cache", "/etc/ld.so.cache", False],
                *([str(source), target, False] for target, source in self.visible.items()),
            ],
            "command": list(command),
            "folder": PROJECT,
            "environment": {**ENVIRONMENT, **(environment or {})},
            "wait_for_all": wait_for_all,
        }
        arguments = [find_unshare(), *NAMESPACES, sys.executable, "-I", "-S", str(HERE / "enter.py"), json.dumps(spec)]
        errors = subprocess.DEVNULL if keeps_errors_apart else subprocess.STDOUT
        with subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env={}, cwd="/"
        ) as process:
            try:
                output, _ = process.communicate(stdin, timeout)
            except subprocess.TimeoutExpired:
                process.kill()
                return Ended(143, process.communicate()[0], timed_out=True)
            except BaseException:
                process.kill()
                raise
        return Ended(process.returncode, output)


def find_unshare() -> str:
    """Return the program that makes namespaces. Raises ClickException if there is none."""
    program = shutil.which("unshare")
    if program is None:
        raise click.ClickException("Agents act in namespaces of Linux. Install util-linux, which has `unshare`.")
    return program


def can_make_namespaces() -> bool:
    """Return whether this machine lets us make the namespaces of a run."""
    program = shutil.which("unshare")
    return (
        program is not None
        and not subprocess.run([program, *NAMESPACES, "true"], check=False, capture_output=True).returncode
    )


def _list_product() -> dict[str, Path]:
    """Return the files of this checkout that are in the wheel, a Python and its packages, by the path at which they are seen."""
    package = ROOT / ".dev/mind_skills"
    return {
        f"{PRODUCT}/python": Path(os.path.realpath(sys.base_prefix)),
        f"{PRODUCT}/site-packages": Path(sysconfig.get_path("purelib")),
        **{f"{PRODUCT}/mind_skills/{path.name}": path.resolve() for path in sorted(package.iterdir())},
    }
