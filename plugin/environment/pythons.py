"""Which Python an environment can be made with: 3.11 or newer, with what it takes to install packages into one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from glob import glob

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


def known() -> list[str]:
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
