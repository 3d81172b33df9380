"""Meaning and remedy of each error code; docs/errors.md is generated from this module.

No command imports this module. The message and hint of an error name the file, setting or id concerned; the texts here
apply to every error with the same code. Codes with their own class are in errors/__init__.py and errors/records.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from inspect import getdoc
from typing import NamedTuple

from mind_skills import errors
from mind_skills.errors import EXIT_CODES, FAILURE, NOT_LOADED, NOT_LOADED_HINT, CodedError, records

CODES: dict[str, tuple[str, str]] = {
    # The command line in general, our own settings files, tasks, skills and the memory.
    "usage": (
        "The command line is wrong: unknown command or option, or an invalid value.",
        "Run the command with `--help` to see its options.",
    ),
    "bug": (
        "A bug in mind-skills; if several logs were read, it may affect only one of them.",
        "Send us the lines in the hint; they contain nothing from your sessions.",
    ),
    "interrupted": ("Ctrl-C or a signal ended the command.", "Run it again."),
    "system": (
        "The operating system refused an operation: no permission, no space left, no such path, or too many open files.",
        "Check the path, its permissions and the free space.",
    ),
    NOT_LOADED: ("A part of mind-skills itself cannot be read, or memory is exhausted.", NOT_LOADED_HINT),
    "project_missing": (
        "The project's folder does not exist, or the current folder was removed.",
        "Name the project's folder with `--project`, or change to another folder.",
    ),
    "config_key": (
        "The setting does not exist, or a file sets it twice under two names.",
        "`mind-skills config list --all` shows all settings.",
    ),
    "config_value": (
        "The value of a setting is invalid.",
        "See [configuration.md](configuration.md) for the allowed values.",
    ),
    "config_syntax": ("A settings file is not valid TOML.", "Correct the line in the message, or move the file away."),
    "config_unreadable": (
        "A settings file cannot be read.",
        "Replace it with a regular file that you can read, or move it away.",
    ),
    "session_unknown": (
        "No hook has reported that session.",
        "Use the session id of the host; `mind-skills doctor` shows whether the hooks work.",
    ),
    "nothing_to_undo": ("There is no decision to undo in this project.", "Name another project with `--project`."),
    "unknown_error": (
        "The task has no open error with that id, or the id is ambiguous.",
        "`mind-skills task errors show TASK` lists the ids.",
    ),
    "not_solved": (
        "No session of this project has solved such an error, so there are no reminders of it.",
        "Give the line that names the error, or the id in the reminder.",
    ),
    "unknown_task": (
        "No outcome of that task was recorded.",
        "`mind-skills task outcome list` lists the outcomes of this project.",
    ),
    "line_range": (
        "The lines to show are no range of lines.",
        "Use the numbers that the rows of a digest begin with, as in `--lines 120-180`.",
    ),
    "log_unknown": (
        "It is not known which log a candidate came from.",
        "Its digest is all that is left of the session.",
    ),
    "distil_failed": (
        "The tool `distil` could not read the logs of the project in time.",
        "Run `mind-skills distil` in a shell.",
    ),
    "unknown_pattern": (
        "The strategy does not exist in this project.",
        "`mind-skills patterns` lists the strategies that sessions have used.",
    ),
    "unknown_skill": (
        "No skill in this project has that name. `mind-skills proof` accepts only skills that came from a candidate.",
        "`mind-skills skills list` lists the names.",
    ),
    "ambiguous_skill": ("Several skills have that name.", "Give the path of the skill."),
    "skill_missing": ("There is no SKILL.md at that path.", "Give the path of the SKILL.md or of its folder."),
    "skill_flawed": (
        "The skill has errors that prevent its acceptance.",
        "`mind-skills skills lint` lists them; `--force` accepts the skill as it is.",
    ),
    "path_missing": ("The path to check does not exist.", "Give the path of a SKILL.md or of a folder of skills."),
    "no_skill": (
        "The path exists, but contains no skill.",
        "Give the path of a SKILL.md (in capitals, as hosts expect), its folder, or a folder of skills.",
    ),
    "not_ours": (
        "The skill did not come from a candidate of this project, so mind-skills does not move it.",
        "Move it by hand.",
    ),
    "not_archived": ("No archived skill has that name.", "`mind-skills skills archive` lists the archived skills."),
    "place_taken": (
        "The original path of an archived skill is occupied.",
        "Move that file or folder away first; nothing is overwritten.",
    ),
    "for_a_person": ("An agent ran a command that only a person may run.", "Run it yourself, in your own terminal."),
    "unknown_record": (
        "The memory has no record with that id, or the id is ambiguous.",
        "`mind-skills memory list` shows the ids; add `--untrusted` for imported records.",
    ),
    "not_an_export": (
        "The file is not an export of a memory, or was written by an incompatible version.",
        "Use a file written by `mind-skills memory export`.",
    ),
    "unreadable_file": (
        "The file to import cannot be read.",
        "Give the path of a file written by `mind-skills memory export`.",
    ),
    "too_long": ("The file has more records than a single import accepts.", "Split the file."),
    "extra_missing": (
        "A package required by the MCP server, by `mind-skills fleet` or `team`, or by a fit is not installed.",
        "Reinstall mind-skills with the `mcp`, `fleet` or `team` extra; the hint names what a fit requires.",
    ),
    # Teams.
    "no_team": ("This machine has not joined a team.", "`mind-skills team join URL` joins one."),
    "team_joined": ("This machine is already in a team.", "`mind-skills team leave` leaves it."),
    "team_code": (
        "The name of the team, or its code, is malformed.",
        "Use up to 40 lower-case letters, digits and dashes as a name; copy all of the code that `mind-skills team init` printed.",
    ),
    "team_address": (
        "The address is not that of a PostgreSQL server, or it contains a password.",
        "Correct the address. Put a password into PostgreSQL's password file, or use a certificate.",
    ),
    "not_shared": (
        "Nothing of a project can have been shared with the team, since it has no git remote.",
        "Name the project's folder with `--project`.",
    ),
    "team_unreachable": (
        "The team's server does not answer, does not accept the login, or cannot store anything. Nothing is lost.",
        "Do what the hint says, and run `mind-skills team sync` again.",
    ),
    "team_refused": (
        "The team's server refused the request: not a member, a revoked device, a closed project, too many events, or another version.",
        "Ask whoever runs the server; [team.md](team.md) lists what it refuses and why.",
    ),
    # Scans of many logs.
    "other_scan": (
        "The folder contains a scan by another version of mind-skills, or with other options.",
        "Name another folder with `--out`, or remove this one.",
    ),
    "no_scan": (
        "The folder does not contain a scan, or a file of the scan is damaged.",
        "Name the folder that `mind-skills fleet scan --out` wrote; if it is damaged, scan into another folder.",
    ),
    "other_version": (
        "A worker of the cluster has another version of mind-skills, whose findings would differ.",
        "Install the same version everywhere, restart the workers, and repeat the command.",
    ),
    "no_workers": (
        "The Dask scheduler has had no workers for a minute.",
        "Start workers with `dask worker ADDRESS`, then repeat the command: it reads only the remaining logs.",
    ),
    "scheduler_lost": (
        "The Dask scheduler cannot be reached, or ended during a scan.",
        "Check that the scheduler runs, then repeat the command: it reads only the remaining logs.",
    ),
    "scan_failed": (
        "A batch of logs failed several times, and not because of a single log.",
        "Repeat the command: it reads only the remaining logs.",
    ),
    "storage": (
        "Object storage cannot be reached or listed, or an object cannot be downloaded.",
        "Check the address, the credentials in the environment and the network, then repeat the command: it reads those logs again.",
    ),
    "timeout": (
        "Reading a log took longer than its time limit.",
        "Raise `--time-limit` and add `--retry`, or inspect the log with `replay`.",
    ),
    "memory": (
        "Reading a log took more memory than the limit allows.",
        "Raise `--memory` and add `--retry`, or inspect the log with `replay`.",
    ),
    # Tools for agents.
    "unknown_tool": ("The MCP server has no such tool.", "`mind-skills mcp --list` lists the tools."),
    "invalid_arguments": (
        "An argument of a tool, or of the equivalent command, is invalid.",
        "The hint lists the accepted arguments.",
    ),
    "switched_off": (
        "mind-skills is disabled in this project, and the tool did nothing.",
        "Continue without it, or run `mind-skills config set enabled true --project`.",
    ),
    "paused": ("mind-skills is paused, and the tool did nothing.", "Continue without it, or run `mind-skills resume`."),
    # Installation and its removal, and the watch.
    "no_home": ("The home folder is unknown, so settings cannot be found.", "Set `HOME`."),
    "not_confirmed": (
        "The command would ask before it changes or deletes something, and nobody can answer.",
        "Add `--yes`, or run it on a terminal.",
    ),
    "no_host": ("No coding agent was found on this machine.", "Name it: `mind-skills install claude-code`."),
    "no_such_host": ("mind-skills does not support a host of that name.", "Use one of the names in the hint."),
    "no_interpreter": (
        "No Python interpreter was found that could run the hooks.",
        "Install mind-skills with pip, pipx or uv into its own environment, and run it from there.",
    ),
    "passing_environment": (
        "mind-skills runs from a temporary uv environment; its hooks would stop working when uv deletes that environment.",
        "Run `uv tool install .` in your checkout, then `mind-skills install`.",
    ),
    "installed_as_plugin": (
        "The plugin, which provides the same hooks, is enabled in the host.",
        "Nothing else is needed. To install the hooks in the host's settings instead, disable the plugin first.",
    ),
    "settings_shape": (
        "A settings file of a host has an unexpected structure, and was not changed.",
        "Correct the part named in the message.",
    ),
    "settings_syntax": (
        "A settings file of a host is not valid JSON or TOML, and was not changed.",
        "Correct the part named in the message, and run the command again.",
    ),
    "foreign_server": (
        "The host's settings contain an MCP server named `mind-skills` that mind-skills did not add; they were not changed.",
        "Remove that server from the settings, and install again.",
    ),
    "foreign_file": (
        "The path of one of our files is occupied by a file from another source, which was not changed.",
        "Move it away, and run the command again.",
    ),
    "broken_link": ("A settings file is a broken symbolic link.", "Repair or remove the link."),
    "read_only": (
        "A settings file or its folder is read-only, and was not changed.",
        "Make it writable; or, if a tool manages it, let that tool write what `--dry-run` shows.",
    ),
    "changed_meanwhile": ("Another program changed the settings file at the same time.", "Run the command again."),
    "still_installed": (
        "Other hosts use the state that `--purge` would remove.",
        "Name those hosts too, or use `--all`.",
    ),
    "still_watching": (
        "A running watch would create the state folder again.",
        "End the process named in the hint, and run the command again.",
    ),
    "already_watching": (
        "Another process is already watching.",
        "A user needs only one watch; the hint shows how to end it.",
    ),
    "not_restarted": (
        "A watch could not restart with the currently installed version.",
        "Start `mind-skills watch` again.",
    ),
    "no_systemd": (
        "The service requires systemd, which this system does not have.",
        "Run `mind-skills watch --once` regularly with the system's own scheduler, such as cron.",
    ),
    "odd_path": (
        "A path cannot be written into a file: it is not valid UTF-8 or, in a systemd unit file, contains a line break.",
        "Use a path that is valid UTF-8, without line breaks, and a locale with UTF-8.",
    ),
    # Logs, and the labels of sessions.
    "not_found": (
        "A log does not exist or was deleted while it was being read, or none of the paths to watch exists.",
        "Check the spelling of the path.",
    ),
    "too_large": (
        "A settings file, or a log that is a single JSON document, exceeds the size limit.",
        "Check that it is the intended file; for a log, the hint names alternatives.",
    ),
    "empty": ("A log is empty.", "If its session has just started, wait until something is written."),
    "unknown_format": (
        "A file is not a session log of a known host, or the named format does not exist.",
        "Name the format with `--format` if the log has an unusual beginning.",
    ),
    "compressed": (
        "A log is compressed with zstd, and no module for that is installed.",
        "Install the extra `zstd`, or decompress the log with `zstd -d`.",
    ),
    "wrong_format": ("A log contains nothing in the format that was specified for it.", "Omit `--format`."),
    "broken": ("No part of a log could be read: it is damaged or truncated.", "Export or copy it again."),
    "directory": ("The path of a log is a folder.", "Name the files in it, or use `mind-skills replay FOLDER`."),
    "no_permission": ("You have no permission to read a log.", "Check its mode and its owner."),
    "unreadable": (
        "A log, or a folder of logs, cannot be read.",
        "Check the file and its disk, and the folder's mode.",
    ),
    "not_a_file": ("The path of a log is a pipe or a device.", "Save its content to a file first."),
    "locked": (
        "Another program has locked OpenCode's database for longer than reading waits.",
        "Try again when that program has finished, or close it.",
    ),
    "newer_opencode": ("A database belongs to OpenCode 2.", "Only sessions of OpenCode 1.x can be read."),
    "not_opencode": ("A database is damaged, or does not belong to OpenCode.", "Check that it is the intended file."),
    "worker_died": ("The process that was reading a log was killed.", "Memory may be exhausted: try `--jobs 1`."),
    "given_up": (
        "Several attempts to read a log have failed.",
        "Run `mind-skills replay` on it to see why.",
    ),
    "ambiguous": (
        "Two labels, or two logs, match the same session, because their paths have the same last part.",
        "Rename one of the logs, and its label.",
    ),
    "no_report": (
        "The file is not the report of a replay.",
        "Pass what `mind-skills replay SESSIONS --json` printed.",
    ),
    "bad_answer": (
        "A line of a reader's answers is no valid answer.",
        "One object per line: `id`, and `learnings` with `p`, `text`, `start_line`, `end_line`.",
    ),
    "no_labels": (
        "The label file does not exist or contains no label.",
        "Write one JSON object per line: `session_file`, `length`, `learnings`.",
    ),
    "no_corpus": ("The folder of sessions does not exist.", "Name the folder that contains the labelled sessions."),
    "no_sessions": (
        "The folder contains no log of the labelled sessions.",
        "Name the folder that contains them; labels refer to the last part of the path.",
    ),
    "too_few": (
        "The labelled sessions are too few for a fit: too few owners, or no learning.",
        "Label sessions of at least three owners, some of them with learnings; `source_repo` names a session's owner.",
    ),
}
"""Meaning and remedy of each code without a class of its own."""


class ErrorCode(NamedTuple):
    """Error code with its meaning, its remedy, and the exit code of a command that ends with it."""

    code: str
    meaning: str
    remedy: str
    exit_code: int


def list_codes() -> list[ErrorCode]:
    """Return all error codes, sorted. A code defined in two modules would appear twice."""
    rows = [*_list_class_codes(), *CODES.items()]
    return sorted(ErrorCode(code, *texts, EXIT_CODES.get(code, FAILURE)) for code, texts in rows)


def _list_class_codes() -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield (code, (meaning, remedy)) of each error class with a code: its docstring and its hint."""
    for module in (errors, records):
        for error_class in vars(module).values():
            if (
                isinstance(error_class, type)
                and issubclass(error_class, CodedError)
                and error_class.__module__ == module.__name__
                and error_class.code
            ):
                yield error_class.code, (" ".join((getdoc(error_class) or "").split()), error_class.hint)
