"""What Claude Code's user is told when a session begins, and its model is not: receipts, and that something is installed.

The client shows ``systemMessage`` on its terminal and nowhere else, so a session without one (``claude -p``) is passed
over, and the line waits for the next. plugin/hook.py looks whether there can be anything before it imports this.
"""

from __future__ import annotations

import os

from mind_skills.hooks.session_state import RECEIPTS, list_markers
from mind_skills.hosts import spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from mind_skills.hooks.moment import Moment

SHOWN = 3
"""Lines; `mind-skills status` has the others."""
LINE = 700
"""Characters."""
DATA = "CLAUDE_PLUGIN_DATA"
INSTALLING = (
    "mind-skills: the packages of its command line are being installed into {data}, once and in the background. "
    "Sessions are read and told without them."
)


def take_user_lines(home: str, moment: Moment, environ: Mapping[str, str]) -> str:
    """What to show at this start; empty where there is nothing, or nobody who would see it. ``home`` is the state folder.

    Raises OSError.
    """
    variable, begin = spec(moment.host).headless
    if environ.get(variable, "").startswith(begin):
        return ""
    lines = _take_receipts(home, moment.project)
    data = environ.get(DATA, "")
    if data and not any(os.path.lexists(os.path.join(data, name)) for name in ("venv", "environment")):
        from mind_skills.plugin.environment.place import due, own_data

        ours = own_data(environ)
        lines += [INSTALLING.format(data=ours)] if ours and due(ours, moment.at) else []
    return "\n".join(line[:LINE] for line in lines)


def _take_receipts(home: str, project: str) -> list[str]:
    """The lines that wait for this project, to one caller only, the newest; to all others nothing."""
    from mind_skills.store.project import find

    found: list[str] = []
    id_ = find(project).id
    for path in sorted(list_markers(home, RECEIPTS, id_), key=_changed_at):
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                lines = file.read(1 << 14).splitlines()
            os.unlink(path)
        except FileNotFoundError:
            continue  # another start was faster
        found += lines
    for folder in (os.path.join(home, RECEIPTS, id_), os.path.join(home, RECEIPTS)):
        try:
            os.rmdir(folder)  # from now on the question costs one stat again
        except OSError:
            break  # others wait in there
    more = len(found) - SHOWN
    return [*found[-SHOWN:], f"mind-skills: {more} more; `mind-skills status` lists them."] if more > 0 else found


def _changed_at(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except FileNotFoundError:
        return 0
