"""Builds the private environment in a temporary folder and renames it once it is complete.

Runs in the detached process of a session start, so that the client neither waits for the build nor stops it. A lock
allows one builder at a time, which also removes what killed builders left. A failure is recorded for `doctor` and
``bin/mind-skills``; a build with the same requirements is retried after a day at the earliest.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from glob import glob

from mind_skills.plugin.environment import (
    LOCK_FILE,
    MARKER,
    NEW_PREFIX,
    OLD_PREFIX,
    REQUIREMENTS,
    VENV,
    BuildStatus,
    is_due,
    list_leftovers,
    read_requirements_digest,
    write_build_status,
)
from mind_skills.store.processes import Lock

QUERY_TIMEOUT_SECONDS = 20.0
"""Timeout for asking a Python which installer it has."""
ENSUREPIP, PIP = "ensurepip", "pip"
_PYTHON_PATTERNS = (
    *(
        f"{folder}/python3.{minor}"
        for minor in (13, 12, 11, 14)
        for folder in ("/usr/bin", "/usr/local/bin", "/opt/homebrew/bin")
    ),
    "~/.pyenv/versions/3.1[1-9]*/bin/python3",
    "~/.local/share/uv/python/cpython-3.1[1-9]*/bin/python3",
)
"""Must match plugin/hook.sh: paths of real interpreters, never of a version manager's shims."""
_QUERY_SCRIPT = (
    "import sys\nfrom importlib.util import find_spec\n"
    "print(sys.version_info >= (3, 11) and find_spec('venv') and"
    " ('ensurepip' if find_spec('ensurepip') else 'pip' if find_spec('pip') else '') or '')"
)
"""Prints the installer that a Python has. Debian ships ensurepip in the separate package python3-venv."""

VENV_TIMEOUT, PIP_TIMEOUT, IMPORT_TIMEOUT = 180.0, 1200.0, 60.0
"""Timeout of each step in seconds. The packages are 15 MB; twenty minutes suffice for a slow connection."""
NEEDED_MODULES = "click, orjson, pydantic, rich, tomlkit, watchdog, yaml"
_IGNORED_VARIABLES = (
    *("PIP_TARGET", "PIP_PREFIX", "PIP_USER", "PIP_ROOT", "PIP_PYTHON"),
    *("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"),
)
"""Variables with which packages would be installed elsewhere. The user's other pip settings apply, such as a mirror."""


def list_pythons() -> list[str]:
    """List the running Python and those at the usual paths, in this order, with links resolved; they may not work."""
    candidates = [sys.executable]
    for pattern in _PYTHON_PATTERNS:
        candidates += sorted(glob(os.path.expanduser(pattern)))
    return list(dict.fromkeys(os.path.realpath(path) for path in candidates if path and os.access(path, os.X_OK)))


def choose_python(pythons: Iterable[str]) -> tuple[str, str] | None:
    """Return the first Python that has ``ensurepip``, otherwise the first that has ``pip``, and its installer.

    Return None if no Python can create an environment.
    """
    fallback: tuple[str, str] | None = None
    for path in pythons:
        installer = query_installer(path)
        if installer == ENSUREPIP:
            return path, installer
        if installer == PIP and fallback is None:
            fallback = path, installer
    return fallback


def query_installer(path: str) -> str:
    """Return the installer that a Python has; empty if it has none, is too old or is not a Python."""
    try:
        done = subprocess.run(
            [path, "-I", "-c", _QUERY_SCRIPT],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=QUERY_TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""  # not a program, or it hangs: skip it
    output = done.stdout.decode("ascii", "replace").strip()
    return output if done.returncode == 0 and output in (ENSUREPIP, PIP) else ""


class BuildError(Exception):
    """An environment could not be built; the message says why."""


def ensure_environment(data: str, now: int, pythons: Iterable[str] | None = None) -> str:
    """Build the environment of a data folder if a build is due. Returns a problem for the log, or an empty string.

    ``now`` is UTC ms; ``pythons`` are the Pythons to choose from. Raises OSError if the folder is not writable.
    """
    os.makedirs(data, exist_ok=True)
    with Lock(os.path.join(data, LOCK_FILE), wait=False) as lock:
        if not lock.is_held or not is_due(data, now):
            return ""  # another process is building it, or has just built it or failed
        return _try_build(data, now, list_pythons() if pythons is None else pythons)


def _try_build(data: str, now: int, pythons: Iterable[str]) -> str:
    requirements_digest = read_requirements_digest()
    _remove_leftovers(data)
    text = "its packages are being installed; try again in a minute"
    write_build_status(data, BuildStatus("building", requirements_digest, now, text))
    new_path = os.path.join(data, f"{NEW_PREFIX}-{os.getpid()}")
    try:
        _build(new_path, pythons)
        with open(os.path.join(new_path, MARKER), "w", encoding="utf-8") as file:
            file.write(f"{requirements_digest}\n")
        _replace_environment(data, new_path)
    except (BuildError, OSError) as error:
        _remove_leftovers(data)
        write_build_status(data, BuildStatus("failed", requirements_digest, now, str(error)))
        return f"the plugin's private environment could not be built: {error}"
    write_build_status(data, None)
    return ""


def _build(new_path: str, pythons: Iterable[str]) -> None:
    choice = choose_python(pythons)
    if choice is None:
        raise BuildError(
            "no Python 3.11 or newer with venv and pip was found; on Debian and Ubuntu run `apt install python3-venv`"
        )
    base, installer = choice
    python = os.path.join(new_path, "bin", "python")
    venv = [base, "-I", "-m", "venv", *([] if installer == ENSUREPIP else ["--without-pip"]), new_path]
    _run_step(venv, VENV_TIMEOUT, "the virtual environment could not be created")
    pip = [python, "-I", "-m", "pip"] if installer == ENSUREPIP else [base, "-m", "pip", "--python", python]
    options = ["--quiet", "--no-input", "--disable-pip-version-check", "--no-warn-script-location"]
    # Wheels only: building a source distribution would run its code.
    options += ["--require-hashes", "--only-binary", ":all:", "-r", REQUIREMENTS]
    _run_step([*pip, "install", *options], PIP_TIMEOUT, "its packages could not be installed")
    test = [python, "-I", "-c", f"import {NEEDED_MODULES}"]
    _run_step(test, IMPORT_TIMEOUT, "the installed packages cannot be imported")
    for name in os.listdir(os.path.join(new_path, "bin")):  # the first line of a script contains the temporary path
        if not name.startswith("python"):
            os.unlink(os.path.join(new_path, "bin", name))


def _replace_environment(data: str, new_path: str) -> None:
    """Replace the old environment with the new one. In between there is none, as before the first build."""
    final_path, old_path = os.path.join(data, VENV), os.path.join(data, f"{OLD_PREFIX}-{os.getpid()}")
    if os.path.lexists(final_path):
        os.rename(final_path, old_path)
    os.rename(new_path, final_path)
    _remove(old_path)


def _run_step(command: list[str], seconds: float, failure: str) -> None:
    """Run one step with a timeout that also ends its child processes.

    Raises BuildError; if the step failed, the message quotes the line of its output that describes the error.
    """
    environment = {name: value for name, value in os.environ.items() if name not in _IGNORED_VARIABLES}
    pipe, devnull = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(
        command, stdin=devnull, stdout=devnull, stderr=pipe, env=environment, cwd="/", start_new_session=True
    ) as process:
        try:
            _, output = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise BuildError(f"{failure} within {seconds:.0f} s") from None
    if process.returncode:
        raise BuildError(f"{failure}: {_extract_error(output) or f'exit code {process.returncode}'}")


def _extract_error(output: bytes) -> str:
    """Return the line of ``output`` that describes the error, redacted: the URL of an index may contain a password."""
    from mind_skills.redaction.secrets import redact

    lines = [line.strip() for line in output.decode("utf-8", "replace").splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()] or lines
    # Redact before truncating, since a truncated URL might not be recognised.
    return redact(errors[-1][:4000])[:300] if errors else ""


def _remove_leftovers(data: str) -> None:
    """Remove what killed builders left. The caller must hold the lock."""
    for path in list_leftovers(data):
        _remove(path)


def _remove(path: str) -> None:
    shutil.rmtree(path, ignore_errors=True)  # the next builder retries what cannot be removed now
