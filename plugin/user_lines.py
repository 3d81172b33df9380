"""Lines for the user that the model does not see: receipts, new learnings and installation notes.

Claude Code, Codex and Gemini CLI show ``systemMessage`` on their terminal. Only Claude Code marks sessions without a
terminal (``claude -p``); these are skipped, so that the lines wait for the next session. plugin/hook.py checks whether
there may be lines before it imports this module.
"""

from __future__ import annotations

import os

from mind_skills.hooks.session_state import RECEIPTS, list_markers
from mind_skills.hooks.start import find_command, is_headless

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from mind_skills.hooks.moment import Moment

MAX_LINES = 3
"""Maximum number of receipts shown at one start; of older ones, only the number is shown."""
MAX_LINE_LENGTH = 700
"""Maximum length of a line in characters."""
DATA_VARIABLE = "CLAUDE_PLUGIN_DATA"
INSTALLING = (
    "mind-skills: the packages that its command line needs are being installed into {data}, once and in the background. "
    "Learning works without them."
)


def take_user_lines(home: str, moment: Moment, environ: Mapping[str, str]) -> str:
    """Return the lines to show at this start; empty if there are none or no user would see them.

    ``home`` is the state folder. Raises OSError.
    """
    if is_headless(moment.host, environ):
        return ""
    lines = _take_receipts(home, moment.project)
    data = environ.get(DATA_VARIABLE, "")
    if data and not any(os.path.lexists(os.path.join(data, name)) for name in ("venv", "environment")):
        from mind_skills.plugin.environment.paths import find_data_folder, is_due

        data_folder = find_data_folder(environ)
        lines += [INSTALLING.format(data=data_folder)] if data_folder and is_due(data_folder, moment.at) else []
    return "\n".join(line[:MAX_LINE_LENGTH] for line in lines)


def describe_learned(titles: list[str]) -> str:
    """Return the line about new learnings that have these titles."""
    subject = "1 new learning" if len(titles) == 1 else f"{len(titles)} new learnings"
    review = f"To decide about {'it' if len(titles) == 1 else 'them'}, run `{find_command()} review`."
    shown = "; ".join(titles)[: MAX_LINE_LENGTH - len(review) - 80].rstrip(".")
    return f"mind-skills: {subject} from this session: {shown}{'' if shown.endswith('…') else '.'} {review}"


def _take_receipts(home: str, project: str) -> list[str]:
    """Return the newest receipts of this project and the number of others; delete all, so that none is shown twice."""
    from mind_skills.store.project import resolve_project

    receipts: list[str] = []
    id_ = resolve_project(project).id
    for path in sorted(list_markers(home, RECEIPTS, id_), key=_read_mtime):
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                lines = file.read(1 << 14).splitlines()
            os.unlink(path)
        except FileNotFoundError:
            continue  # another session start has taken it
        receipts += lines
    for folder in (os.path.join(home, RECEIPTS, id_), os.path.join(home, RECEIPTS)):
        try:
            os.rmdir(folder)  # later checks then need only one stat call
        except OSError:
            break  # receipts of other projects remain, or there were none
    hidden_count = len(receipts) - MAX_LINES
    return (
        [*receipts[-MAX_LINES:], f"mind-skills: {hidden_count} more; `mind-skills status --verbose` lists the newest."]
        if hidden_count > 0
        else receipts
    )


def _read_mtime(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except FileNotFoundError:
        return 0
