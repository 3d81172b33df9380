"""Building the private environment: beside its place, and put there in one step once it is complete.

Runs in the detached process behind a start, so that neither the client waits for it nor the client's end stops it.
One process at a time; what a dead one left is removed by the next. A failure is noted for `doctor` and
``bin/mind-skills``, and tried again after a day at the earliest.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from glob import escape, glob

from mind_skills.plugin.environment import place
from mind_skills.plugin.environment.place import LOCK, MARK, NEW, OLD, REQUIREMENTS, VENV, Note
from mind_skills.store.lock import lock_descriptor

PATIENCE = 20.0
"""Seconds that a Python may take to say what it has."""
ENSUREPIP, PIP = "ensurepip", "pip"
_PLACES = (
    *(
        f"{folder}/python3.{minor}"
        for minor in (13, 12, 11, 14)
        for folder in ("/usr/bin", "/usr/local/bin", "/opt/homebrew/bin")
    ),
    "~/.pyenv/versions/3.1[1-9]*/bin/python3",
    "~/.local/share/uv/python/cpython-3.1[1-9]*/bin/python3",
)
"""As in plugin/hook.sh: real interpreters, never the shim of a version manager."""
_ASK = (
    "import sys\nfrom importlib.util import find_spec\n"
    "print(sys.version_info >= (3, 11) and find_spec('venv') and"
    " ('ensurepip' if find_spec('ensurepip') else 'pip' if find_spec('pip') else '') or '')"
)
"""Debian takes ensurepip out of Python, and puts it into the package python3-venv."""


def list_pythons() -> list[str]:
    """The Pythons of this machine that may do, the one that runs this first, by their own names instead of links."""
    places = [sys.executable, *(path for pattern in _PLACES for path in sorted(glob(os.path.expanduser(pattern))))]
    return list(dict.fromkeys(os.path.realpath(path) for path in places if path and os.access(path, os.X_OK)))


def chosen(pythons: Iterable[str]) -> tuple[str, str] | None:
    """The first that can make an environment, and by what: ``ensurepip``, or where none has that, its own ``pip``."""
    second: tuple[str, str] | None = None
    for path in pythons:
        has = ask(path)
        if has == ENSUREPIP:
            return path, has
        if has == PIP and second is None:
            second = path, has
    return second


def ask(path: str) -> str:
    """What a Python installs packages with; empty where it cannot, or is none."""
    try:
        done = subprocess.run(
            [path, "-I", "-c", _ASK],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""  # not a program, or one that does not come back: it is passed over
    said = done.stdout.decode("ascii", "replace").strip()
    return said if done.returncode == 0 and said in (ENSUREPIP, PIP) else ""


VENV_TIME, PIP_TIME, TRY_TIME = 180.0, 1200.0, 60.0
"""Seconds for each step. The packages are 15 MB; a slow line has twenty minutes for them."""
NEEDED = "click, orjson, pydantic, rich, tomli_w, watchdog, yaml"
_VARIABLES = (
    "PIP_TARGET",
    "PIP_PREFIX",
    "PIP_USER",
    "PIP_ROOT",
    "PIP_PYTHON",
    "PYTHONPATH",
    "PYTHONHOME",
    "VIRTUAL_ENV",
)
"""What would send the packages elsewhere. Everything else of the user's settings for pip holds: mirror, proxy, certificates."""


class BuildError(Exception):
    """An environment could not be built; the message says why, and what to do."""


def ensure(data: str, now: int, known: Iterable[str] | None = None) -> str:
    """Build the environment of a data folder where that is due. Returns a problem for the log, empty where all is well.

    ``now`` is UTC milliseconds, ``known`` the Pythons to choose from. Raises OSError where the folder cannot be written.
    """
    if not place.due(data, now):
        return ""
    os.makedirs(data, exist_ok=True)
    lock = os.open(
        os.path.join(data, LOCK), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0), 0o600
    )
    try:
        if not lock_descriptor(lock, wait=False) or not place.due(data, now):
            return ""  # somebody else is at it, or was faster
        return _attempt(data, now, list_pythons() if known is None else known)
    finally:
        os.close(lock)


def _attempt(data: str, now: int, known: Iterable[str]) -> str:
    wanted = place.wanted()
    _sweep(data)
    place.put_note(
        data, Note("building", wanted, now, "its packages are being installed right now; try again in a minute")
    )
    new = os.path.join(data, f"{NEW}-{os.getpid()}")
    try:
        _build(new, known)
        with open(os.path.join(new, MARK), "w", encoding="utf-8") as file:
            file.write(f"{wanted}\n")
        _put_in_place(data, new)
    except (BuildError, OSError) as error:
        _sweep(data)
        place.put_note(data, Note("failed", wanted, now, str(error)))
        return f"the plugin's private environment could not be built: {error}"
    place.put_note(data, None)
    return ""


def _build(new: str, known: Iterable[str]) -> None:
    found = chosen(known)
    if found is None:
        raise BuildError(
            "no Python 3.11 or newer with venv and pip was found; on Debian and Ubuntu `apt install python3-venv` brings them"
        )
    base, by = found
    inside = os.path.join(new, "bin", "python")
    alone = [] if by == ENSUREPIP else ["--without-pip"]
    _run([base, "-I", "-m", "venv", *alone, new], VENV_TIME, "the virtual environment could not be made")
    pip = [inside, "-I", "-m", "pip"] if by == ENSUREPIP else [base, "-m", "pip", "--python", inside]
    options = ["--quiet", "--no-input", "--disable-pip-version-check", "--no-warn-script-location"]
    _run(
        # Wheels alone: building a source distribution would run whatever is in it.
        [*pip, "install", *options, "--require-hashes", "--only-binary", ":all:", "-r", REQUIREMENTS],
        PIP_TIME,
        "its packages could not be installed",
    )
    _run([inside, "-I", "-c", f"import {NEEDED}"], TRY_TIME, "what was installed cannot be imported")
    for name in os.listdir(os.path.join(new, "bin")):  # their first line names a folder that will not be there
        if not name.startswith("python"):
            os.unlink(os.path.join(new, "bin", name))


def _put_in_place(data: str, new: str) -> None:
    """The old one out of the way, the new one to its name. Whoever looks in between finds none, which is a usual state."""
    final, old = os.path.join(data, VENV), os.path.join(data, f"{OLD}-{os.getpid()}")
    if os.path.lexists(final):
        os.rename(final, old)
    os.rename(new, final)
    _remove(old)


def _run(command: list[str], seconds: float, failure: str) -> None:
    """One step, with everything that it starts, in bounded time. Raises BuildError with the last line that it said."""
    environment = {name: value for name, value in os.environ.items() if name not in _VARIABLES}
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(
        command, stdin=nowhere, stdout=nowhere, stderr=pipe, env=environment, cwd="/", start_new_session=True
    ) as running:
        try:
            _, said = running.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
            running.communicate()
            raise BuildError(f"{failure} within {seconds:.0f} s") from None
    if running.returncode:
        raise BuildError(f"{failure}: {_telling(said) or f'exit code {running.returncode}'}")


def _telling(said: bytes) -> str:
    """The line of an output that says what went wrong, without what is secret: the address of an index may hold a password."""
    from mind_skills.redaction.secrets import redact

    lines = [line.strip() for line in said.decode("utf-8", "replace").splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()] or lines
    return redact(errors[-1][:4000])[:300] if errors else ""  # cut before, half a password would be no address any more


def _sweep(data: str) -> None:
    """Remove what dead builders left. Only whoever holds the lock may."""
    for name in (NEW, OLD):
        for path in glob(os.path.join(escape(data), f"{name}-*")):
            _remove(path)


def _remove(path: str) -> None:
    shutil.rmtree(path, ignore_errors=True)  # what cannot be removed now is waste that the next builder removes
