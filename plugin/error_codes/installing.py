"""The codes of errors around the settings of hosts, and of the watch."""

from __future__ import annotations

INSTALLING: dict[str, tuple[str, str]] = {
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
}
"""What happened, and what to do, by code."""
