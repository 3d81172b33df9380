"""Complete logs of each host: recorded ones, and hand-written ones for cases that the recordings lack."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from mind_skills.observations import codec
from mind_skills.observations.model import Session
from mind_skills.observations.read import FORMATS, detect_format, read_session

Facts = Callable[[Session], list[dict[str, object]]]
Expected = Callable[[str], list[dict[str, object]]]
Log = Callable[[str], Path]

HEADERS: dict[str, tuple[str, str, str, str, int | None, int | None, int]] = {
    "claude_code/transcript.jsonl": (
        "claude-code", "claude-code", "00000000-0000-4000-8000-0000000000ee", "/home/dev/project", 1781748001000, 1781748024000, 28,
    ),
    # fixture: format, host, session, project, start, end, lines
    "codex/rollout-0.169.jsonl": (
        "codex-rollout", "codex", "00000000-0000-7000-8000-000000000001", "/home/dev/project", 1795229660872, 1795229664509, 83,
    ),
    "codex/rollout-0.142.jsonl": (
        "codex-rollout", "codex", "00000000-0000-7000-8000-0000000000aa", "/home/dev/project", 1781750041000, 1781750075000, 35,
    ),
    "codex/rollout-2025.jsonl": (
        "codex-rollout", "codex", "00000000-0000-4000-8000-0000000000cc", "/home/dev/project", 1748772000000, 1748772000000, 10,
    ),
    "gemini/chat-0.61.jsonl": (
        "gemini", "gemini", "00000000-0000-4000-8000-000000000001", "/home/dev/project", 1795228784965, 1795228785367, 46,
    ),
    "gemini/chat-document.json": (
        "gemini", "gemini", "00000000-0000-4000-8000-0000000000dd", "", 1762074000000, 1762074300000, 6,
    ),
    "antigravity/brain/00000000000000000000000000000002/.system_generated/logs/transcript_full.jsonl": (
        "antigravity", "antigravity", "00000000000000000000000000000002", "/home/dev/project", 1795948843000, 1795948856000, 36,
    ),
    "opencode/export-1.18.json": (
        "opencode-export", "opencode", "ses_0001", "/home/dev/project", 1795228792661, 1795228797797, 10,
    ),
    "opencode/export-refusals.json": (
        "opencode-export", "opencode", "ses_x", "/home/dev/project", 1795228793000, 1795228796000, 4,
    ),
    "swe_agent/session.traj": ("swe-agent-traj", "swe-agent", "session", "", None, None, 11),
    "mini_swe_agent/session.traj.json": (
        "mini-swe-traj", "mini-swe-agent", "example__name-1", "/testbed", 1775795600500, 1775795601500, 9,
    ),
    "mini_swe_agent/blocks.traj.json": ("mini-swe-traj", "mini-swe-agent", "blocks", "", None, None, 9),
}  # fmt: skip


def _header(session: Session) -> tuple[object, ...]:
    return (
        session.format,
        session.host,
        session.session_id,
        session.project,
        session.started,
        session.ended,
        session.lines,
    )


@pytest.mark.parametrize("name", HEADERS)
def test_a_log_is_read_completely(name: str, log: Log, facts: Facts, expected: Expected) -> None:
    session = read_session(log(name))
    assert facts(session) == expected(name)
    assert _header(session) == HEADERS[name]
    assert session.warnings == []


@pytest.mark.parametrize("name", HEADERS)
def test_the_format_is_detected_by_content(name: str, log: Log, tmp_path: Path) -> None:
    anonymous = tmp_path / "log"
    anonymous.write_bytes(log(name).read_bytes())
    assert detect_format(anonymous) == HEADERS[name][0]


@pytest.mark.parametrize("name", HEADERS)
def test_no_two_formats_claim_the_same_log(name: str, log: Log) -> None:
    """Except for Claude Code's, which is tried last because its marks occur in the logs of other hosts, too."""
    head = log(name).read_bytes()[:65536]
    claims = [found for found in FORMATS if FORMATS[found].sniff(head)]
    assert claims[0] == HEADERS[name][0]
    assert claims[1:] in ([], ["claude-code"])


@pytest.mark.parametrize("name", HEADERS)
def test_every_line_number_is_within_the_log(name: str, log: Log) -> None:
    session = read_session(log(name))
    assert all(1 <= o.line <= max(o.line, o.end_line) <= session.lines for o in session.observations)


@pytest.mark.parametrize("name", HEADERS)
def test_the_standard_library_reads_what_orjson_reads(name: str, log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "_parse", orjson.loads)
    with_orjson = read_session(log(name))
    monkeypatch.setattr(codec, "_parse", codec._parse_with_json)
    monkeypatch.setattr(codec, "MIN_BYTES_FOR_ORJSON", sys.maxsize)
    assert read_session(log(name)) == with_orjson


@pytest.mark.parametrize(
    "document",
    [
        b"1",
        b' {"a": [1.5, "\xc3\xa9", null, true]}\r\n',
        b"NaN",
        b"-Infinity",
        b"\xef\xbb\xbf1",
        b'"\xff"',
        b'"\t"',
        b"1 2",
        b"01",
    ],
)
def test_the_standard_library_accepts_the_documents_that_orjson_accepts(
    document: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def parse() -> object:
        try:
            return codec.parse_json(memoryview(document))
        except ValueError:
            return "invalid"

    monkeypatch.setattr(codec, "_parse", orjson.loads)
    with_orjson = parse()
    monkeypatch.setattr(codec, "_parse", codec._parse_with_json)
    monkeypatch.setattr(codec, "MIN_BYTES_FOR_ORJSON", sys.maxsize)
    assert parse() == with_orjson


def test_orjson_is_loaded_for_a_long_log_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "_parse", codec._parse_with_json)
    monkeypatch.setattr(codec, "_parsed_bytes", 0)
    monkeypatch.setattr(codec, "MIN_BYTES_FOR_ORJSON", 10)
    used = []
    for _ in range(3):
        assert codec.parse_json(b"[1,2]") == [1, 2]
        used.append(codec._parse is orjson.loads)
    assert used == [False, True, True]
