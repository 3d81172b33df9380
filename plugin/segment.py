"""The text in Claude Code's status line and in shell prompts: how many learnings wait for a decision; empty if none.

``python -I -S plugin/segment.py [MIND_SKILLS_HOME=...]`` reads the client's JSON from stdin, which names the project.
`mind-skills install claude-code --statusline` writes this command into the client's settings. Like plugin/entry.py, the
script is run by path and makes the folder above plugin/ the package ``mind_skills``. Standard library only.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def describe_waiting(folder: str = "") -> str:
    """Return text such as "2 learnings to review" for the project at ``folder`` (default: the current one).

    Empty if none wait, the current folder is gone, or the state folder is unusable, which `mind-skills doctor` reports.
    """
    from mind_skills.errors import HomeError
    from mind_skills.staging.offer import count_waiting
    from mind_skills.store.home import get_state_folder
    from mind_skills.store.project import resolve_project

    try:
        count = count_waiting(get_state_folder(), resolve_project(folder).id)
    except (HomeError, FileNotFoundError):
        return ""
    return f"{count} learning{'s' if count > 1 else ''} to review" if count else ""


def main(arguments: list[str]) -> None:
    """Print the text for the project that the JSON on stdin names, without a final line break."""
    from mind_skills.hooks.hotpath import apply_location_arguments, decode_payload

    apply_location_arguments(arguments)
    try:
        payload: Any = decode_payload(sys.stdin.buffer.read())
        folder = payload["workspace"]["project_dir"]
    except (ValueError, KeyError, TypeError, RecursionError):  # another version of the client
        folder = ""  # the working directory
    sys.stdout.write(describe_waiting(folder if isinstance(folder, str) else ""))


if __name__ == "__main__":
    package = type(sys)("mind_skills")
    package.__path__ = [__file__.replace("\\", "/").rsplit("/", 2)[0]]
    sys.modules["mind_skills"] = package
    main(sys.argv[1:])
