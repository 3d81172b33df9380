"""The codes of errors around logs: of `replay`, of each log in its report, of `eval` and `learn`."""

from __future__ import annotations

READING: dict[str, tuple[str, str]] = {
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
