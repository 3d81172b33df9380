"""What a host attaches to a message has the source of its text; an attachment of an unknown kind counts as third-party text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mind_skills.observations.read import read_session

PROJECT, TEXT = "/home/dev/shop", "The mirror is down, so use the other."
Seen = list[tuple[str, str, str, str]]


def list_attached(path: Path) -> Seen:
    observations = read_session(path).observations
    return [(o.source, o.action, " ".join(o.files), o.text.strip()) for o in observations if o.agent == "host"]


@pytest.mark.parametrize(
    ("attachment", "seen"),
    [
        (
            {"type": "mcp_resource", "server": "docs", "uri": "docs://a", "content": {"contents": [{"text": TEXT}]}},
            [("mcp", "mcp", "docs://a", f"{TEXT}\ndocs")],
        ),
        ({"type": "mcp_instructions_delta", "addedBlocks": [TEXT]}, [("mcp", "mcp", "", TEXT)]),
        (
            {"type": "file", "filename": "/home/other/a.md", "content": {"type": "text", "file": {"content": TEXT}}},
            [("remote", "read", "/home/other/a.md", f"{TEXT}\ntext")],
        ),
        (
            {"type": "file", "filename": f"{PROJECT}/../a.md", "content": TEXT},
            [("remote", "read", "/home/dev/shop/../a.md", TEXT)],
        ),
        ({"type": "file", "filename": f"{PROJECT}/a.md", "content": {"type": "text", "file": {"content": TEXT}}}, []),
        ({"type": "file", "filename": "a.md", "content": TEXT}, []),
        ({"type": "pdf_reference", "filename": f"{PROJECT}/a"}, [("remote", "read", f"{PROJECT}/a", "")]),
        ({"type": "file", "filename": "a.pdf", "content": {"type": "pdf"}}, [("remote", "read", "a.pdf", "pdf")]),
        ({"type": "of_a_later_version", "content": TEXT}, [("remote", "read", "", TEXT)]),
        ({"type": "nested_memory", "path": "/home/dev/CLAUDE.md", "content": {"content": TEXT}}, []),
        ({"type": "hook_success", "stdout": TEXT}, []),
    ],
)
def test_an_attachment_of_claude_code_has_a_source(tmp_path: Path, attachment: dict[str, Any], seen: Seen) -> None:
    lines = [
        {
            "type": "user",
            "uuid": "1",
            "sessionId": "s",
            "cwd": PROJECT,
            "message": {"role": "user", "content": "Look."},
        },
        {"type": "attachment", "uuid": "2", "sessionId": "s", "cwd": PROJECT, "attachment": attachment},
    ]
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert list_attached(path) == seen


@pytest.mark.parametrize(
    ("document", "seen"),
    [
        ({"source": {"type": "base64", "data": "JVBERi0="}, "title": "a.pdf"}, [("remote", "read", "a.pdf", "")]),
        ({"source": {"type": "text", "data": TEXT}}, [("remote", "read", "", TEXT)]),
    ],
)
def test_a_document_in_a_prompt_of_claude_code_is_third_party_text(
    tmp_path: Path, document: dict[str, Any], seen: Seen
) -> None:
    content = [{"type": "text", "text": "Look."}, {"type": "document", **document}]
    line = {"type": "user", "uuid": "1", "sessionId": "s", "message": {"role": "user", "content": content}}
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps(line) + "\n")
    assert list_attached(path) == seen


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("docs:docs://a", "mcp"),
        ("my-server.x:a/1", "mcp"),
        ("a.md", ""),
        (f"{PROJECT}/a.md", ""),
        ("../a.md", "remote"),
        ("/etc/motd", "remote"),
        ("C:\\other\\a.md", "remote"),
    ],
)
def test_a_reference_in_a_prompt_of_gemini_has_a_source(tmp_path: Path, name: str, source: str) -> None:
    texts = (f"Look at @{name}", "\n--- Content from referenced files ---", f"\nContent from @{name}:\n", TEXT)
    message = {"id": "1", "type": "user", "content": [{"text": text} for text in (*texts, "\n--- End of content ---")]}
    header = {"sessionId": "s", "projectHash": "0", "directories": [PROJECT]}
    path = tmp_path / "log.jsonl"
    path.write_text(f"{json.dumps(header)}\n{json.dumps(message)}\n")
    action = "mcp" if source == "mcp" else "read"
    text = f"{TEXT}\n\n--- End of content ---"
    assert list_attached(path) == ([(source, action, name, text)] if source else [])
    assert [o.text for o in read_session(path).observations if o.kind == "user"] == [f"Look at @{name}"]


def test_a_document_in_a_prompt_of_gemini_is_third_party_text(tmp_path: Path) -> None:
    parts = [{"text": "Look at @a.pdf"}, {"inlineData": {"mimeType": "application/pdf", "data": "eA=="}}]
    path = tmp_path / "log.jsonl"
    lines = ({"sessionId": "s", "projectHash": "0"}, {"id": "1", "type": "user", "content": parts})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert list_attached(path) == [("remote", "read", "", "")]


@pytest.mark.parametrize(
    ("part", "seen"),
    [
        (
            {"mime": "text/plain", "source": {"type": "resource", "uri": "docs://a"}},
            [("mcp", "mcp", "docs://a", TEXT)],
        ),
        ({"mime": "application/pdf", "url": f"file://{PROJECT}/a.pdf"}, [("remote", "read", f"{PROJECT}/a.pdf", TEXT)]),
        ({"mime": "text/plain", "url": "file:///etc/my%20file"}, [("remote", "read", "/etc/my file", TEXT)]),
        ({"mime": "text/plain", "url": f"file://{PROJECT}/a.md"}, []),
    ],
)
def test_an_attachment_of_opencode_has_a_source(tmp_path: Path, part: dict[str, Any], seen: Seen) -> None:
    parts = [
        {"type": "text", "text": "Look."},
        {"type": "text", "text": TEXT, "synthetic": True},
        {"type": "file", **part},
    ]
    info = {"id": "ses_1", "projectID": "p", "directory": PROJECT}
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"info": info, "messages": [{"info": {"id": "msg_1", "role": "user"}, "parts": parts}]}))
    assert list_attached(path) == seen
