"""Readers continue after any line: a bad line is a warning, and a bad file an error with a hint, never a traceback."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson
import pytest

from mind_skills.errors import LogError
from mind_skills.observations import codec
from mind_skills.observations.model import LogWarning, Session
from mind_skills.observations.read import FORMATS, detect_format, open_log, read_session
from tests.testkit.paths import DEMO

WriteLog = Callable[[bytes], Path]
STEP = "2026-06-18T02:34:50.278Z"
JSONL: dict[str, tuple[str, ...]] = {
    "claude-code": (
        '{"type":"user","uuid":"1","sessionId":"s","timestamp":"%s","cwd":"/home/dev/project","message":{"role":"user","content":"one"}}',
        '{"type":"user","uuid":"2","sessionId":"s","timestamp":"%s","message":{"role":"user","content":"two"}}',
    ),
    "codex-rollout": (
        '{"timestamp":"%s","type":"response_item","payload":{"type":"message","role":"user","content":[{"text":"one"}]}}',
        '{"timestamp":"%s","type":"response_item","payload":{"type":"message","role":"user","content":[{"text":"two"}]}}',
    ),
    "gemini": (
        '{"sessionId":"s","projectHash":"0","id":"1","timestamp":"%s","type":"user","content":"one"}',
        '{"id":"2","timestamp":"%s","type":"user","content":"two"}',
    ),
}
jsonl = pytest.mark.parametrize("format_name", JSONL)
every_format = pytest.mark.parametrize("format_name", FORMATS)


def _lines(format_name: str, first: str = STEP, second: str = STEP) -> tuple[bytes, bytes]:
    one, two = JSONL[format_name]
    return (one % first).encode(), (two % second).encode()


def _list_texts(session: Session) -> list[str]:
    return [o.text for o in session.observations]


@pytest.mark.parametrize("data", [b"", b"\n\n  \r\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_an_error_with_a_hint(write_log: WriteLog, data: bytes) -> None:
    with pytest.raises(LogError) as caught:
        open_log(write_log(data))
    assert caught.value.code == "empty"
    assert caught.value.hint


def test_a_file_of_nul_bytes_is_damaged_and_a_log_with_nul_bytes_around_its_records_is_read(
    write_log: WriteLog,
) -> None:
    with pytest.raises(LogError) as caught:
        open_log(write_log(b"\0" * 4096))
    assert (caught.value.code, caught.value.message) == ("broken", "there are only NUL bytes where a log begins")
    log, zeros = DEMO.read_bytes(), b"\0" * 4096
    texts = [list(map(repr, open_log(write_log(data)).observations)) for data in (log, zeros + log + zeros)]
    assert texts[0] == texts[1] != []


@every_format
def test_a_directory_is_an_error(tmp_path: Path, format_name: str) -> None:
    for name in (None, format_name):
        with pytest.raises(LogError) as caught:
            list(open_log(tmp_path, name).observations)
        assert caught.value.code == "directory"


def test_a_binary_file_has_no_known_format(write_log: WriteLog) -> None:
    with pytest.raises(LogError) as caught:
        detect_format(write_log(b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 100))
    assert caught.value.code == "unknown_format"


@pytest.mark.parametrize("data", [b"\x28\xb5\x2f\xfd\x04\x00", b"\x1f\x8b\x08\x00"])
def test_a_compressed_log_has_to_be_decompressed_first(write_log: WriteLog, data: bytes) -> None:
    with pytest.raises(LogError, match=r"^the file is compressed$") as caught:
        detect_format(write_log(data))
    assert "zstd -d" in caught.value.hint


@jsonl
def test_a_binary_file_with_the_suffix_of_a_log_gives_warnings(write_log: WriteLog, format_name: str) -> None:
    session = read_session(write_log(b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 100), format_name)
    assert session.observations == []
    assert session.warnings


@jsonl
@pytest.mark.parametrize("parse", [orjson.loads, codec._parse_with_json])
def test_a_truncated_last_line_is_a_warning_and_the_rest_is_read(
    write_log: WriteLog, format_name: str, parse: Callable[[bytes], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(codec, "_parse", parse)
    monkeypatch.setattr(codec, "MIN_BYTES_FOR_ORJSON", sys.maxsize)
    one, two = _lines(format_name)
    session = read_session(write_log(one + b"\n" + two[:-20]), format_name)
    assert _list_texts(session) == ["one"]
    assert [(w.line, w.message) for w in session.warnings] == [(2, "not valid JSON")]


@jsonl
def test_an_incomplete_utf8_sequence_invalidates_only_its_line(write_log: WriteLog, format_name: str) -> None:
    one, two = _lines(format_name)
    broken = one.replace(b'"one"', '"öne"'.encode()[:2] + b'ne"')
    session = read_session(write_log(broken + b"\n" + two + b"\n"), format_name)
    assert _list_texts(session) == ["two"]
    assert [w.line for w in session.warnings] == [1]


@jsonl
def test_a_lone_surrogate_becomes_one_replacement_character(write_log: WriteLog, format_name: str) -> None:
    one, two = _lines(format_name)
    session = read_session(write_log(one.replace(b'"one"', b'"one \\ud83d"') + b"\n" + two), format_name)
    assert _list_texts(session) == ["one \ufffd", "two"]
    assert session.warnings == []


@jsonl
def test_nul_bytes_between_lines_are_ignored(write_log: WriteLog, format_name: str) -> None:
    one, two = _lines(format_name)
    session = read_session(write_log(one + b"\n" + b"\x00" * 5000 + b"\n\x00\x00" + two + b"\x00"), format_name)
    assert _list_texts(session) == ["one", "two"]
    assert session.warnings == []


@jsonl
def test_nul_bytes_inside_a_line_invalidate_that_line(write_log: WriteLog, format_name: str) -> None:
    one, two = _lines(format_name)
    session = read_session(write_log(one[:30] + b"\x00" * 9 + one[30:] + b"\n" + two), format_name)
    assert _list_texts(session) == ["two"]
    assert [w.line for w in session.warnings] == [1]


@jsonl
def test_a_byte_order_mark_is_ignored(write_log: WriteLog, format_name: str) -> None:
    one, two = _lines(format_name)
    path = write_log(b"\xef\xbb\xbf" + one + b"\n" + two)
    assert detect_format(path) == format_name
    session = read_session(path, format_name)
    assert _list_texts(session) == ["one", "two"]
    assert session.warnings == []


@jsonl
def test_every_whole_record_of_a_line_is_read(write_log: WriteLog, format_name: str) -> None:
    one, two = _lines(format_name)
    scenarios = {
        one + two: ([], ["one", "two"]),
        one + b" " + two + b"\x00": ([], ["one", "two"]),
        one + b"\n\xef\xbb\xbf" + two: ([], ["one", "two"]),
        one + b"\xef\xbb\xbf" + two: ([], ["one", "two"]),
        one + two + two[:-9]: ([1], ["one", "two"]),
        one + two[:20] * 3000 + two: ([1], ["one", "two"]),
        one + b"\nx" + two: ([2], ["one", "two"]),
    }
    for data, (warned, texts) in scenarios.items():
        session = read_session(write_log(data), format_name)
        assert ([w.line for w in session.warnings], _list_texts(session)) == (warned, texts), data


@jsonl
def test_a_record_that_follows_a_part_of_another_is_read(write_log: WriteLog, format_name: str) -> None:
    one, two = _lines(format_name)
    for end in range(1, len(two)):
        session = read_session(write_log(one + b"\n" + two[:end] + two + b"\n"), format_name)
        assert _list_texts(session) == ["one", "two"], two[:end]


def test_a_line_with_a_large_image_has_its_text(write_log: WriteLog) -> None:
    one, two = _lines("claude-code")
    image = {"type": "image", "source": {"type": "base64", "data": "iVBORw0KGgo=" * 2_000_000}}
    entry = json.loads(two)
    entry["message"]["content"] = [{"type": "text", "text": "two"}, image]
    path = write_log(one + b"\n" + json.dumps(entry).encode() + b"\n" + one.replace(b'"one"', b'"three"') + b"\n")
    session = read_session(path, "claude-code")
    assert [(o.text, o.line) for o in session.observations] == [
        ("one", 1),
        ("two", 2),
    ]  # the third line has the first one's id
    assert session.warnings == []


@jsonl
def test_windows_line_endings_separate_lines(write_log: WriteLog, format_name: str) -> None:
    one, two = _lines(format_name)
    session = read_session(write_log(one + b"\r\n\r\n" + two + b"\r\n"), format_name)
    assert [(o.text, o.line) for o in session.observations] == [("one", 1), ("two", 3)]
    assert session.warnings == []


@jsonl
def test_separators_that_only_look_like_line_ends_do_not_split_a_line(write_log: WriteLog, format_name: str) -> None:
    one, two = _lines(format_name)
    session = read_session(write_log(one.replace(b'"one"', '"o\u2028n\u0085e"'.encode()) + b"\n" + two), format_name)
    assert [(o.text, o.line) for o in session.observations] == [("o\nn\ne", 1), ("two", 2)]


@jsonl
def test_a_line_of_a_hundred_megabytes_is_skipped(tmp_path: Path, format_name: str) -> None:
    one, two = _lines(format_name)
    path = tmp_path / "log"
    with path.open("wb") as handle:  # sparse: the file system stores the hole, not its bytes
        handle.write(one + b"\n" + two[:-3])
        handle.seek(100 * 1024 * 1024)
        handle.write(two[-3:] + b"\n" + two + b"\n")
    session = read_session(path, format_name)
    assert [(o.text, o.line) for o in session.observations] == [("one", 1), ("two", 3)]
    assert session.warnings == [LogWarning(2, "skipped a line longer than 16 MB")]
    assert session.lines == 3


@jsonl
@pytest.mark.parametrize("depth", [200, 1_100, 100_000])
def test_a_deeply_nested_line_invalidates_at_most_itself(write_log: WriteLog, format_name: str, depth: int) -> None:
    one, two = _lines(format_name)
    deep = one.replace(b'"one"', b"[" * depth + b"]" * depth)
    session = read_session(write_log(deep + b"\n" + two), format_name)
    assert _list_texts(session) == ["two"]
    assert {w.line for w in session.warnings} <= {1}


@jsonl
@pytest.mark.parametrize("depth", [200, 100_000])
def test_a_deeply_nested_line_invalidates_at_most_itself_with_the_standard_library(
    write_log: WriteLog, format_name: str, depth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(codec, "_parse", codec._parse_with_json)
    monkeypatch.setattr(codec, "MIN_BYTES_FOR_ORJSON", sys.maxsize)
    one, two = _lines(format_name)
    deep = one.replace(b'"one"', b"[" * depth + b"]" * depth)
    assert _list_texts(read_session(write_log(deep + b"\n" + two), format_name)) == ["two"]


@jsonl
def test_unknown_line_types_are_silently_ignored(write_log: WriteLog, format_name: str) -> None:
    one, two = _lines(format_name)
    unknown = b'{"type":"progress-of-tomorrow","payload":{"type":"x"},"data":[1]}\n{"$future":1}\n{}'
    session = read_session(write_log(one + b"\n" + unknown + b"\n" + two), format_name)
    assert [(o.text, o.line) for o in session.observations] == [("one", 1), ("two", 5)]
    assert session.warnings == []


@jsonl
def test_json_lines_that_are_not_objects_are_warnings(write_log: WriteLog, format_name: str) -> None:
    one, two = _lines(format_name)
    session = read_session(write_log(one + b'\n[1,2]\n"text"\n3\nnull\n' + two), format_name)
    assert _list_texts(session) == ["one", "two"]
    assert session.warnings == [LogWarning(line, "not a JSON object") for line in (2, 3, 4, 5)]


@jsonl
def test_the_number_of_warnings_about_a_broken_log_is_limited(write_log: WriteLog, format_name: str) -> None:
    session = read_session(write_log(b"{broken\n" * 10_000), format_name)
    assert len(session.warnings) == 101
    assert session.warnings[-1].line == 0


@jsonl
@pytest.mark.parametrize(
    "stamp", ["", "yesterday", "0000-00-00T00:00:00Z", "99999", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z"]
)
def test_an_impossible_time_is_ignored(write_log: WriteLog, format_name: str, stamp: str) -> None:
    one, two = _lines(format_name, stamp, STEP)
    session = read_session(write_log(one + b"\n" + two), format_name)
    assert [o.at for o in session.observations] == [None, 1781750090278]
    assert (session.started, session.ended) == (1781750090278, 1781750090278)


@jsonl
def test_a_missing_time_is_none(write_log: WriteLog, format_name: str) -> None:
    one, two = _lines(format_name)
    session = read_session(write_log(one.replace(b'"timestamp"', b'"when"') + b"\n" + two), format_name)
    assert [o.at for o in session.observations] == [None, 1781750090278]


@jsonl
def test_a_clock_that_goes_backwards_does_not_change_the_order(write_log: WriteLog, format_name: str) -> None:
    one, two = _lines(format_name, "2026-06-18T04:00:00.000Z", "2026-06-18T03:00:00.000Z")
    session = read_session(write_log(one + b"\n" + two), format_name)
    assert _list_texts(session) == ["one", "two"]
    assert (session.started, session.ended) == (1781751600000, 1781755200000)


@every_format
def test_a_missing_path_is_an_error(tmp_path: Path, format_name: str) -> None:
    for name in (None, format_name):
        with pytest.raises(LogError) as caught:
            list(open_log(tmp_path / "gone", name).observations)
        assert caught.value.code == "not_found"


@jsonl
def test_a_path_removed_after_it_was_opened_is_an_error(write_log: WriteLog, format_name: str) -> None:
    path = write_log(b"\n".join(_lines(format_name)))
    log = open_log(path)
    path.unlink()
    with pytest.raises(LogError) as caught:
        list(log.observations)
    assert caught.value.code == "not_found"


@jsonl
def test_a_read_error_in_the_middle_of_a_file_is_an_error_with_its_message(
    write_log: WriteLog, format_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(path: Path, session: Session) -> Iterator[tuple[int, dict[str, object]]]:
        yield 1, json.loads(_lines(format_name)[0])
        raise OSError(5, "Input/output error")

    module = {"claude-code": "claude_code", "codex-rollout": "codex", "gemini": "gemini"}[format_name]
    monkeypatch.setattr(f"mind_skills.observations.readers.{module}.read_objects", failing)
    log = open_log(write_log(b"\n".join(_lines(format_name))))
    assert next(log.observations).text == "one"
    with pytest.raises(LogError) as caught:
        next(log.observations)
    assert (caught.value.code, caught.value.message) == ("unreadable", "Input/output error")
