"""What each code of an error means, and what to do: docs/errors.md is generated from here.

No command imports this. An error's own message and hint name the file, the setting or the id that it is about; what stands
here is true of all errors of a code. Those that are classes of their own stand in
errors/__init__.py and errors/records.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from inspect import getdoc
from typing import NamedTuple

from mind_skills import errors
from mind_skills.errors import EXIT_CODES, INPUT, NOT_LOADED, READABLE, CodedError, records

CODES: dict[str, tuple[str, str]] = {
    # What a command line, a file of our settings or a tool of the MCP server asks for.
    "usage": (
        "The command line is wrong: no such command or option, or a value that it does not take.",
        "`--help` of the command says what it takes.",
    ),
    "bug": (
        "A fault of ours, be it in one log of many.",
        "Send us the report that stands in the hint; it holds nothing of your sessions.",
    ),
    "interrupted": ("Ctrl-C, or a signal, has ended the command.", "Run it again."),
    "system": (
        "The machine refuses: no permission, no room, no such path, too many open files.",
        "Check the path, its permissions and the free space.",
    ),
    NOT_LOADED: ("A part of mind-skills itself cannot be read, or memory has run out.", READABLE),
    "project_missing": (
        "The folder of the project is not there, or you are in a folder that was removed.",
        "Name the project's folder with `--project`, or change to another one.",
    ),
    "config_key": (
        "There is no such setting, or it stands twice in a file, by two names.",
        "`mind-skills config list` shows all settings.",
    ),
    "config_value": (
        "A setting has a value that it cannot have.",
        "[configuration.md](configuration.md) says which it can.",
    ),
    "config_syntax": (
        "A file of settings is not TOML.",
        "Correct the line that the message names, or move the file away.",
    ),
    "config_unreadable": (
        "A file of settings cannot be read.",
        "Put a plain file in its place that you can read, or move it away.",
    ),
    "session_unknown": (
        "No hook has told of that session.",
        "Give the id that its host uses; `mind-skills doctor` says whether the hooks work.",
    ),
    "nothing_to_undo": (
        "Nothing was decided in this project, or all of it has been taken back.",
        "Name another project with `--project`.",
    ),
    "unknown_error": (
        "The task has no open error of that id, or several.",
        "`mind-skills task errors show TASK` has the ids.",
    ),
    "unknown_task": (
        "Nobody has said how that task came out.",
        "`mind-skills task outcome list` has those of this project.",
    ),
    "unknown_pattern": (
        "There is no such strategy in this project.",
        "`mind-skills patterns` lists those that sessions have followed.",
    ),
    "unknown_skill": (
        "There is no such skill here, or for `proof` none that came from a candidate.",
        "`mind-skills skills list` has the names.",
    ),
    "ambiguous_skill": ("Several skills have that name.", "Name the path of the one that you mean."),
    "skill_missing": (
        "There is no SKILL.md at the path that was named.",
        "Name the SKILL.md, or the folder that it is in.",
    ),
    "skill_flawed": (
        "The skill has errors for which it is not accepted.",
        "`mind-skills skills lint` shows them until they are mended; `--force` accepts it as it is.",
    ),
    "path_missing": (
        "There is nothing at the path that was to be looked at.",
        "Name a SKILL.md, or a folder with skills.",
    ),
    "no_skill": (
        "There is something at that path, but no skill.",
        "Name a SKILL.md (in capitals, as hosts look for it), its folder, or a folder of skills.",
    ),
    "not_ours": ("The skill came from no candidate of this project, so it is not ours to move.", "Move it by hand."),
    "not_archived": ("No skill of that name is archived here.", "`mind-skills skills archive` lists what is archived."),
    "place_taken": ("Something stands where an archived skill belongs.", "Move it away first; nothing is overwritten."),
    "for_a_person": (
        "An agent has typed a command by which a person vouches for something.",
        "Type it yourself, in a terminal of your own.",
    ),
    "unknown_record": (
        "The memory has no record of that id, or several.",
        "`mind-skills memory search` shows the ids; those of imported records with `--untrusted`.",
    ),
    "not_an_export": (
        "The file is no export of a memory, or one of another version.",
        "Give it a file that `mind-skills memory export` wrote.",
    ),
    "unreadable_file": (
        "The file that was to be imported cannot be read.",
        "Name the file that `mind-skills memory export` wrote.",
    ),
    "too_long": ("The file has more records than are imported at once.", "Divide it."),
    "extra_missing": (
        "A package that the MCP server or a fit needs is not installed.",
        "Install mind-skills again with the extra `mcp` or `fit`.",
    ),
    "unknown_tool": ("The MCP server has no such tool.", "`mind-skills mcp --list` shows those that it has."),
    "invalid_arguments": (
        "An argument of a tool, or of the command that does the same, is wrong.",
        "Give it what the hint says that it takes.",
    ),
    "switched_off": (
        "mind-skills is switched off in this project, and the tool did nothing.",
        "Go on without it, or `mind-skills config set enabled true --project`.",
    ),
    "paused": ("mind-skills is paused, and the tool did nothing.", "Go on without it, or `mind-skills resume`."),
    # The settings of hosts, and the watch.
    "no_home": ("No home folder is known in which settings could be found.", "Set `HOME`."),
    "no_host": (
        "No coding agent was found on this machine.",
        "Name the one that you mean: `mind-skills install claude-code`.",
    ),
    "no_such_host": ("mind-skills knows no host of that name.", "Name one that it knows; the hint lists them."),
    "no_interpreter": (
        "There is no Python program that the hooks could be started with.",
        "Install mind-skills with pip, pipx or uv into an environment of its own, and run it from there.",
    ),
    "passing_environment": (
        "mind-skills runs from an environment that uv removes again, and the hooks with it.",
        "Run `uv tool install mind-skills` first, and then `mind-skills install`.",
    ),
    "installed_as_plugin": (
        "The host has the plugin enabled, which brings the same hooks.",
        "That is all it takes. To use the settings instead, disable the plugin first.",
    ),
    "settings_shape": (
        "A settings file of a host is not built as that host builds it, and was left as it is.",
        "Correct the place that the message names.",
    ),
    "settings_syntax": (
        "A settings file of a host is no JSON or TOML, and was left as it is.",
        "Correct the place that the message names, and run the command again.",
    ),
    "foreign_server": (
        "The host's settings have a server `mind-skills` that no installation made, and were left as they are.",
        "Take it out, and install again.",
    ),
    "foreign_file": (
        "A file that is not from mind-skills stands where one of ours belongs, and was left as it is.",
        "Move it away, and run the command again.",
    ),
    "broken_link": ("A settings file is a link to a place that is not there.", "Mend or remove the link."),
    "read_only": (
        "A settings file or its folder is read-only, and was left as it is.",
        "Make it writable; or, if a tool manages it, let that tool write what `--dry-run` shows.",
    ),
    "changed_meanwhile": (
        "Another program wrote the same settings file at that very moment.",
        "Run the command again.",
    ),
    "still_installed": ("Other hosts use the state that `--purge` would remove.", "Name them, too, or say `--all`."),
    "still_watching": (
        "A watch runs, which would make the state folder anew.",
        "End the process that the hint names, and run the command again.",
    ),
    "already_watching": (
        "Another process watches already.",
        "One watch a user is enough; the hint says how to end it.",
    ),
    "not_restarted": (
        "A watch could not begin anew as the version that is installed now.",
        "Start `mind-skills watch` again.",
    ),
    "no_systemd": (
        "The service is made for systemd, which this system has not.",
        "Let whatever it has for the purpose run `mind-skills watch --once`.",
    ),
    "odd_path": ("A path that belongs into a unit file of systemd has a line break.", "Use a path without one."),
    # Logs: of `replay`, of each log in its report, of `eval` and `learn`.
    "not_found": (
        "A log, or each path that was to be watched, is not there, or vanished while it was read.",
        "Check the spelling.",
    ),
    "too_large": (
        "A settings file, or a log that is a single JSON document, is larger than what is read of such.",
        "Check that it is the file that you mean; the hint on a log says what else is read.",
    ),
    "empty": ("A log is empty.", "Wait: a session that was just started has none yet."),
    "unknown_format": (
        "A file is not a session log of a known host, or there is no format of that name.",
        "Name its format with `--format` if it begins otherwise than such logs do.",
    ),
    "wrong_format": ("Nothing in a log is of the format that it was read as.", "Leave `--format` out."),
    "broken": ("A log could not be read, not even in part: it is damaged or cut off.", "Export or copy it again."),
    "directory": (
        "A folder stands where a log was to be read.",
        "Name the files in it, or use `mind-skills replay FOLDER`.",
    ),
    "no_permission": ("You may not read a log.", "Check its mode and whom it belongs to."),
    "unreadable": (
        "A log, or a folder of logs, cannot be read.",
        "Check the file and its disk, and the folder's mode.",
    ),
    "not_a_file": ("What was named as a log is a pipe or a device.", "Save it to a file first."),
    "not_opencode": ("A database is not one of OpenCode, or is damaged.", "Check that it is the file that you mean."),
    "worker_died": (
        "The process that read a log was ended from outside.",
        "Memory may have run out: try it with `--jobs 1`.",
    ),
    "given_up": (
        "A log was begun to be read several times, and never to the end.",
        "`mind-skills replay` on it says why.",
    ),
    "ambiguous": (
        "Two labels, or two logs, are for one session, by the last part of their path.",
        "Rename one of them, and its label.",
    ),
    "no_labels": (
        "There is no such file of labels, or not one label in it.",
        "Give it one JSON object a line: `session_file`, `length`, `learnings`.",
    ),
    "no_corpus": ("There is no such folder of sessions.", "Name the folder that holds the labelled sessions."),
    "no_sessions": (
        "Of the labelled sessions there is no log in that folder.",
        "Name the folder that holds them; labels name them by the last part of their path.",
    ),
    "too_few": (
        "The labelled sessions are of too few owners, or nothing was learned in them, so that nothing can be fitted.",
        "Label sessions of three owners at least, with learnings; `source_repo` says whose a session is.",
    ),
}
"""What happened, and what to do, by code."""


class ErrorCode(NamedTuple):
    """A code, what has happened, what to do, and the exit code of a command that ends with it."""

    code: str
    happened: str
    advice: str
    exit_code: int


def every() -> list[ErrorCode]:
    """All of them, by code. One that stood in two places would be listed twice."""
    rows = [*_of_classes(), *CODES.items()]
    return sorted(ErrorCode(code, *texts, EXIT_CODES.get(code, INPUT)) for code, texts in rows)


def _of_classes() -> Iterator[tuple[str, tuple[str, str]]]:
    """The docstring of a typed error says what happened, and its own hint what to do."""
    for module in (errors, records):
        for kind in vars(module).values():
            if (
                isinstance(kind, type)
                and issubclass(kind, CodedError)
                and kind.__module__ == module.__name__
                and kind.code
            ):
                yield kind.code, (" ".join((getdoc(kind) or "").split()), kind.hint)
