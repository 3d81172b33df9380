"""Whatever text an agent passes to a tool, a secret in it is neither stored nor answered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mind_skills.tasks.mcp.tools import TOOLS, Connection, Tool, call

SECRET = "ghp_" + "a1B2" * 9
HERE = Connection("", "connection")
FITTING: dict[str, Any] = {
    "bead_id": "b",
    "success": False,
    "summary": "Split by feature.",
    "message": "it broke",
    "task": "mend it",
    "query": "mend it",
    "id": "sc_0",
    "skill": ".",
    "reason": "no",
}
NUMBERS = ("duration_ms", "error_count", "retry_count", "limit", "threshold", "success", "include_resolved")
TEXTS = [(tool, name) for tool in TOOLS for name in tool.input_type.model_fields if name not in NUMBERS]


pytestmark = pytest.mark.usefixtures("repository")


def list_files_with_secret(root: Path) -> list[str]:
    """List the files that contain the secret, or most of it."""
    return [str(path) for path in root.rglob("*") if path.is_file() and SECRET[4:].encode() in path.read_bytes()]


@pytest.mark.parametrize(("tool", "field"), TEXTS, ids=lambda each: each.name if isinstance(each, Tool) else each)
def test_a_secret_in_any_text_is_neither_stored_nor_answered(tool: Tool, field: str, tmp_path: Path) -> None:
    planted = f"it is {SECRET} and a build"
    value: Any = [planted] if field == "files_touched" else planted
    arguments = {name: FITTING[name] for name in tool.input_type.model_fields if name in FITTING} | {field: value}
    answer = call(tool.name, arguments, HERE)
    assert SECRET[4:] not in json.dumps(answer.document)
    for name, query in (("plan", {"task": "mend it", "bead_id": "b"}), ("recall", {"query": "build"})):
        assert SECRET[4:] not in json.dumps(call(name, query, HERE).document)
    assert list_files_with_secret(tmp_path) == []
