"""`mind-skills status` from its arguments to its output: the plain ones are read here, all others by the argument parser.

Importing that parser (cli/group.py) costs four bare interpreters, and of what it does for this command, help and errors
in the arguments are what nobody asks for who wants to know how things stand.
"""

from __future__ import annotations

import os


def plain(arguments: list[str]) -> int | None:
    """Do what ``arguments`` say and return the exit code, where they are those of a plain `status`; None for all others."""
    told = _told(arguments)
    if told is None:
        return None
    run(*told)
    return 0


def run(project: str, as_json: bool) -> None:
    """Print how things stand in the project at ``project``, or in that of the working directory where it is empty.

    Raises MindSkillsError, StoreError, OSError.
    """
    from mind_skills.cli.status_facts import status
    from mind_skills.output.state import choose_project
    from mind_skills.output.text import emit

    report = status(choose_project(project))

    def render() -> None:
        from mind_skills.cli.status_text import show

        show(report)

    emit(report, as_json, render)


def _told(arguments: list[str]) -> tuple[str, bool] | None:
    """The project and whether JSON is wanted, as cli/status.py has its options; a test compares."""
    command, project, as_json = "", "", False
    left = iter(arguments)
    for word in left:
        if word == "--json":
            as_json = True
        elif not command and word == "status":
            command = word
        elif command and word == "--project":
            project = next(left, "-")
        elif command and word.startswith("--project="):
            project = word.partition("=")[2]
        else:
            return None
        if project.startswith("-"):  # as an option does
            return None
    # What there is has to be a folder that can be read; what there is not, `folders.chosen` refuses.
    fits = not project or not os.path.lexists(project) or (os.path.isdir(project) and os.access(project, os.R_OK))
    return (project, as_json) if command and fits else None
