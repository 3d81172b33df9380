"""The machine of a run: its own home and project at fixed paths, no network, and nothing else of this machine but its programs.

Every run sees the same paths, so no recording names a path of the machine that made it, and what one session learned applies to the
next one's project. A command's processes end with it.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple

import click

from research.evaluation.helps import HERE, ROOT
from research.evaluation.helps.enter import READY

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
MAX_OUTPUT_BYTES, MAX_SECONDS = 4 * 1024 * 1024, 600
"""A command that writes more, or takes longer, is ended."""
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

        Raises ClickException if the command could not be started in its namespaces.
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
        errors = subprocess.DEVNULL if keeps_errors_apart else subprocess.STDOUT
        with TemporaryFile() as given, TemporaryFile() as ready:
            given.write(stdin)
            given.seek(0)
            enter = [sys.executable, "-I", "-S", str(HERE / "enter.py"), json.dumps({**spec, "ready": ready.fileno()})]
            with subprocess.Popen(
                [find_unshare(), *NAMESPACES, *enter],
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={},
                cwd="/",
                pass_fds=(ready.fileno(),),
            ) as process:
                try:
                    assert process.stdout is not None
                    output, timed_out = _read_output(process.stdout.fileno(), timeout)
                finally:
                    process.kill()  # ends the namespace, also if the command goes on; nothing happens to an ended process
            ready.seek(0)
            if ready.read() != READY:
                said = output.decode("utf-8", "replace").strip()
                raise click.ClickException(
                    f"No machine of its own for the command. Are user namespaces allowed here? {said}"
                )
        code = process.returncode if process.returncode >= 0 else 128 - process.returncode
        return Ended(143 if timed_out else code, output, timed_out)


def _read_output(descriptor: int, timeout: float | None) -> tuple[bytes, bool]:
    """Read up to ``MAX_OUTPUT_BYTES``, for up to ``timeout`` seconds. Return the output, and whether the time was up."""
    deadline = time.monotonic() + (MAX_SECONDS if timeout is None else timeout)
    output = bytearray()
    while len(output) < MAX_OUTPUT_BYTES:
        readable, _, _ = select.select([descriptor], [], [], max(0, deadline - time.monotonic()))
        if not readable:
            return bytes(output), True
        part = os.read(descriptor, 1 << 16)
        if not part:
            break
        output += part
    return bytes(output), False


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
