"""The codes of errors in what a command line, a file of our settings or a tool of the MCP server asks for."""

from __future__ import annotations

from mind_skills.plugin.cli import NOT_LOADED, READABLE

ASKING: dict[str, tuple[str, str]] = {
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
        "`mind-skills errors show TASK` has the ids.",
    ),
    "unknown_task": (
        "Nobody has said how that task came out.",
        "`mind-skills outcome list` has those of this project.",
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
        "`mind-skills lint` shows them until they are mended; `--force` accepts it as it is.",
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
    "not_archived": ("No skill of that name is archived here.", "`mind-skills archive` lists what is archived."),
    "place_taken": ("Something stands where an archived skill belongs.", "Move it away first; nothing is overwritten."),
    "for_a_person": (
        "An agent has typed a command by which a person vouches for something.",
        "Type it yourself, in a terminal of your own.",
    ),
    "unknown_record": (
        "The memory has no record of that id, or several.",
        "`mind-skills memory query` shows the ids; those of imported records with `--untrusted`.",
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
}
"""What happened, and what to do, by code."""
