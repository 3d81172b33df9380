"""The private environment of the Claude Code plugin: where it is, and the status of its last build.

The environment has the packages that the command line needs. Hooks do not need it: a detached process builds it after
the first session start (build.py), and before that, and without a network, learning works as usual.

The client gives the plugin a data folder (``CLAUDE_PLUGIN_DATA``, ``plugins/data/<plugin>-<marketplace>`` in the
client's settings folder). It contains

* ``venv``: the environment, which has this name only when it is complete. The digest of its requirements is in
  ``venv/mind-skills-lock``.
* ``environment``: the status of the last build in four lines: the state (``building``, ``failed``), the digest of the
  requirements, the time (UTC milliseconds), and a message that ``bin/mind-skills`` and `doctor` show.
* ``environment.lock``: locked by the process that builds the environment.
"""

from __future__ import annotations

import os
from glob import escape, glob

from mind_skills.store.project import digest_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

DATA_VARIABLE, ROOT_VARIABLE = "CLAUDE_PLUGIN_DATA", "CLAUDE_PLUGIN_ROOT"
"""Variables that the client sets for hooks of a plugin."""
OPT_OUT_VARIABLE = "MIND_SKILLS_NO_ENVIRONMENT"
"""Variable that the user sets to opt out of the build."""
VENV, MARKER, STATUS_FILE, LOCK_FILE = "venv", "mind-skills-lock", "environment", "environment.lock"
NEW_PREFIX, OLD_PREFIX = "venv.new", "venv.old"
"""Prefixes of an environment that is being built, and of one being replaced."""
PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
REQUIREMENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "requirements.txt")
RETRY_MS = 24 * 60 * 60_000
"""Milliseconds before a failed build is retried."""


class BuildStatus:
    """The status of the last build; ``state`` is empty if there was none.

    ``requirements_digest`` identifies what was installed, ``at`` is UTC milliseconds, ``text`` a message for the user.
    """

    __slots__ = ("at", "requirements_digest", "state", "text")

    def __init__(self, state: str = "", requirements_digest: str = "", at: int = 0, text: str = "") -> None:
        self.state = state
        self.requirements_digest = requirements_digest
        self.at = at
        self.text = text


def find_data_folder(environ: Mapping[str, str]) -> str:
    """Return the plugin's data folder; empty outside our plugin's hooks, on Windows, or if the user opted out."""
    data, root = environ.get(DATA_VARIABLE, ""), environ.get(ROOT_VARIABLE, "")
    if environ.get(OPT_OUT_VARIABLE) or not os.path.isabs(data) or not root or os.name != "posix":
        return ""
    return data if os.path.realpath(root) == os.path.realpath(PACKAGE) else ""


def read_requirements_digest() -> str:
    """Return the digest of the locked requirements, 16 hex digits. Raises OSError."""
    with open(REQUIREMENTS, encoding="utf-8") as file:
        return digest_text(file.read())


def find_python(data: str) -> str:
    """Return the path of the environment's interpreter, which may not exist."""
    return os.path.join(data, VENV, "bin", "python")


def is_ready(data: str) -> bool:
    """Return whether the environment is complete, with the requirements of this version and an executable Python."""
    return _read_first_line(os.path.join(data, VENV, MARKER)) == read_requirements_digest() and os.access(
        find_python(data), os.X_OK
    )


def is_due(data: str, now: int) -> bool:
    """Return whether to build the environment: it is not ready, and the last build did not fail within the last day.

    A failure with other requirements does not count. ``now`` is UTC milliseconds.
    """
    if is_ready(data):
        return False
    status = read_build_status(data)
    return (
        status.state != "failed"
        or status.requirements_digest != read_requirements_digest()
        or not 0 <= now - status.at < RETRY_MS
    )


def read_build_status(data: str) -> BuildStatus:
    """Read the status of the last build; empty if it is missing or invalid. Raises OSError."""
    try:
        with open(os.path.join(data, STATUS_FILE), encoding="utf-8", errors="replace") as file:
            lines = file.read(4096).splitlines()
    except FileNotFoundError:
        return BuildStatus()
    if len(lines) < 4 or not lines[2].isdecimal():
        return BuildStatus()
    return BuildStatus(lines[0], lines[1], int(lines[2]), lines[3])


def write_build_status(data: str, status: BuildStatus | None) -> None:
    """Write the status of a build, or delete the last one if ``status`` is None. Raises OSError."""
    path = os.path.join(data, STATUS_FILE)
    if status is None:
        if os.path.lexists(path):
            os.unlink(path)
        return
    text = "\n".join(
        (status.state, status.requirements_digest, str(status.at), " ".join(status.text.split())[:1000], "")
    )
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(f"{path}.new", path)


def list_data_folders(settings: str) -> list[str]:
    """List our plugin's data folders in ``settings``, Claude Code's settings folder: one per marketplace."""
    paths = sorted(glob(os.path.join(escape(settings), "plugins", "data", "mind-skills-*")))
    return [path for path in paths if os.path.isdir(path) and not os.path.islink(path)]


def list_files(data: str) -> list[str]:
    """List the existing files and folders of the environment in a data folder, for removal."""
    paths = [os.path.join(data, name) for name in (VENV, STATUS_FILE, f"{STATUS_FILE}.new", LOCK_FILE)]
    return [path for path in (*paths, *list_leftovers(data)) if os.path.lexists(path)]


def list_leftovers(data: str) -> list[str]:
    """List the environments that are being built or replaced; while no process holds the lock, killed builders left them."""
    return [path for prefix in (NEW_PREFIX, OLD_PREFIX) for path in glob(os.path.join(escape(data), f"{prefix}-*"))]


def _read_first_line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readline(100).strip()
    except (FileNotFoundError, NotADirectoryError):
        return ""
