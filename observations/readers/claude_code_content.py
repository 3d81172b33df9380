"""What stands in the lines of a transcript of Claude Code, and beside it: texts in many forms, and the logs of subagents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mind_skills.observations.codec import Json, items, mapping, string


def strings_of(attachment: Json) -> Iterator[str]:
    """All strings that the client put beside a message: files, the output of hooks, lists of skills, in many forms."""
    waiting: list[object] = [] if attachment.get("type") == "queued_command" else [attachment]  # the user's words
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        waiting += items(one) or mapping(one).values()


def subagent_logs(path: Path) -> dict[str, Path]:
    """The logs of the subagents of a transcript, by their names."""
    folder = path.with_suffix("") / "subagents"
    try:
        found = sorted(folder.glob("**/agent-*.jsonl")) if folder.is_dir() else []
    except OSError:
        found = []
    return {file.stem.removeprefix("agent-"): file for file in found}


def text_of(content: object) -> str:
    """The text of a result, which is a string or a list of text and image blocks."""
    if isinstance(content, str):
        return content
    return "\n".join(
        string(mapping(block).get("text")) for block in items(content) if mapping(block).get("type") == "text"
    )
