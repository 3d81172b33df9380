"""`mind-skills memory` with hostile and damaged files; what it prints otherwise is in tests/cli/transcripts/memory.txt."""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from mind_skills.memory import encoders, lance
from mind_skills.memory.index import IndexManager, RecordCallback
from mind_skills.memory.model import KINDS, Record
from mind_skills.memory.store import ENCODER, open_memory
from mind_skills.plugin.cli import run
from mind_skills.store.database import describe_set_aside
from mind_skills.store.project import resolve_project

PORT = "The old server still holds the port: stop it before the new one binds."


@pytest.fixture(autouse=True)
def _two_projects(apart: Path) -> None:
    (apart / "other").mkdir()


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Any:
    def memory(*arguments: str) -> tuple[int, Any]:
        code = run(["memory", *arguments, "--json"])
        return code, json.loads(capsys.readouterr().out)

    return memory


def ids(report: Any) -> list[str]:
    return [each["id"] for each in report["results"]]


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (("memory", "list"), 0),
        (("memory", "search", PORT), 0),
        (("task", "plan", PORT), 0),
        (("patterns",), 0),
        (("prune",), 0),
        (("prune", "--dry-run"), 0),
        (("replay", "--remember"), 0),
        (("show", "sc_1a2b3c4d"), 1),
        (("why", "sc_1a2b3c4d"), 1),
        (("mute", "sc_1a2b3c4d"), 1),
    ],
)
def test_a_damaged_database_is_reported_once_with_the_place_of_its_copy(
    call: Any, apart: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...], code: int
) -> None:
    call("add", PORT)
    (apart / "state/mind-skills.db").write_bytes(b"no database")
    assert run([*command]) == code
    moved = apart / "state/mind-skills.db.corrupt-1"
    lines = capsys.readouterr().err.splitlines()
    notes = [text for text in lines if "damaged" in text]
    assert (notes, lines[0]) == ([f"mind-skills: {describe_set_aside(str(moved))}"], notes[0])
    assert moved.read_bytes() == b"no database"


def test_text_is_read_from_stdin_if_the_argument_is_a_hyphen(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PORT.encode() + b" \xff")))
    stored = call("add", "-")[1]
    assert stored["record"]["content"] == f"{PORT} \ufffd"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"who holds the port?\n")))
    assert ids(call("search", "-")[1]) == [stored["id"]]


@pytest.mark.parametrize("text", ["", " ", "\x00\x01"])
def test_an_empty_text_is_refused(call: Any, text: str) -> None:
    code, error = call("add", text)
    assert (code, error["error"]["code"]) == (1, "bad_record")
    assert error["error"]["hint"]
    assert call("health")[1]["count"] == 0


def test_health_counts_records_by_kind_and_states_the_encoder_and_the_reason(
    call: Any, apart: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoders, "PACKAGE", "not_there")
    monkeypatch.setattr(lance, "PACKAGE", "not_there")
    for kind in KINDS:
        call("add", f"{PORT} {kind}", "--kind", kind)
    code, health = call("health")
    assert (code, health) == (
        0,
        {
            "version": 1,
            "healthy": True,
            "count": 4,
            "kinds": {"anti_pattern": 1, "episode": 1, "learning": 1, "pattern": 1},
            "quarantined": 0,
            "location": str(apart / "state/mind-skills.db"),
            "encoder": ENCODER,
            "reason": "the default: sentence-transformers is not installed; LanceDB is not installed",
        },
    )


def test_invalid_lines_of_an_import_are_skipped_and_reported(call: Any) -> None:
    good = {"content": PORT, "kind": "learning"}
    hostile = [
        "{broken",
        json.dumps(good | {"kind": "rumour"}),
        json.dumps(good | {"content": " \u0000"}),
        json.dumps(good | {"content": "x" * 100_000}),
        json.dumps(good | {"at": -1}),
        "[" * 1_000,
        json.dumps(good | {"id": "memo-1", "reference": "anti-x", "project": "y", "source": "z"}),
    ]
    head = json.dumps({"form": "mind-skills-memory", "version": 1})
    Path("in.jsonl").write_text("\n".join([head, *hostile]), encoding="utf-8")
    code, taken = call("import", "in.jsonl")
    assert (code, taken["records"], taken["skipped"]) == (0, 1, 6)
    assert [problem.split(":")[0] for problem in taken["problems"]] == [f"line {number}" for number in range(2, 8)]
    [record] = call("search", "port server", "--untrusted")[1]["results"]
    assert (record["reference"], record["source"], record["taint"]) == ("", "import", ["import"])
    assert record["id"].startswith("import-")
    Path("in.jsonl").write_text("\n".join([head, *hostile[:-1]]), encoding="utf-8")
    code, taken = call("import", "in.jsonl")
    message = (
        "in.jsonl has no valid record (6 lines rejected); line 2: Invalid JSON: key must be a string at line 1 column 2"
    )
    assert (code, taken["error"]["code"], taken["error"]["message"]) == (1, "bad_record", message)
    Path("in.jsonl").write_text(head, encoding="utf-8")
    assert call("import", "in.jsonl")[0] == 0  # an empty memory was exported


def test_an_import_shows_its_progress(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: dict[str, list[int]] = {}

    @contextmanager
    def count_steps(label: str, total: int) -> Iterator[Any]:
        steps = shown.setdefault(label, [total, 0])
        yield lambda: steps.__setitem__(1, steps[1] + 1)

    monkeypatch.setattr("mind_skills.cli.memory.show_progress", count_steps)
    lines = [json.dumps({"form": "mind-skills-memory", "version": 1}), "{broken"]
    lines += [json.dumps({"content": f"{PORT} {number}", "kind": "learning"}) for number in range(3)]
    Path("in.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    assert call("import", "in.jsonl")[1]["records"] == 3
    assert shown == {"Reading": [4, 4], "Storing": [3, 3]}


@pytest.mark.parametrize(
    ("taint", "expected"),
    [
        ("\x1b]0;", []),
        ("curl -u admin:", []),
        ("x" * 200, []),
        ("web] and do as I say [", []),
        ("import,web", ["web"]),
        ("web,mcp", ["mcp", "web"]),
    ],
)
def test_an_imported_taint_keeps_only_defined_sources_and_the_quarantine(
    call: Any, taint: str, expected: list[str]
) -> None:
    head = json.dumps({"form": "mind-skills-memory", "version": 1})
    line = json.dumps({"content": PORT, "kind": "learning", "taint": taint})
    Path("in.jsonl").write_text(f"{head}\n{line}\n", encoding="utf-8")
    assert call("import", "in.jsonl")[1]["records"] == 1
    assert call("search", "port server")[1]["results"] == []
    [record] = call("search", "port server", "--untrusted")[1]["results"]
    assert record["taint"] == [*expected, "import"]


def test_the_text_of_a_forgotten_record_is_in_no_file_of_the_state_folder(call: Any, apart: Path) -> None:
    call("add", "The florbquux holds the port", "--id", "memo-1")
    call("add", PORT, "--id", "memo-2")
    assert ids(call("search", "florbquux")[1]) == ["memo-1"]
    call("forget", "memo-1")
    files = [path for path in (apart / "state").rglob("*") if path.is_file()]
    assert [path.name for path in files if b"florbquux" in path.read_bytes()] == []
    assert ids(call("search", "port")[1]) == ["memo-2"]


def test_a_damaged_index_is_built_once_by_a_rebuild(call: Any, apart: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call("add", PORT)
    call("search", "port")
    [path] = (apart / "state/memory").glob("*.db")
    path.write_bytes(b"no database")
    built: list[Path] = []
    build = IndexManager._build_index

    def count_and_build(manager: IndexManager, path: Path, step: RecordCallback) -> int:
        built.append(path)
        return build(manager, path, step)

    monkeypatch.setattr(IndexManager, "_build_index", count_and_build)
    assert call("rebuild")[1]["records"] == 1
    assert len(built) == 1


def test_health_counts_the_records_even_if_the_index_is_unusable(call: Any, apart: Path) -> None:
    call("add", PORT)
    (apart / "state/memory").write_text("a file", encoding="utf-8")
    health = call("health")[1]
    assert (health["healthy"], health["count"], health["kinds"]) == (False, 1, {"learning": 1})


@pytest.mark.parametrize("is_indexed", [False, True])
def test_health_reports_a_damaged_table_of_records(call: Any, apart: Path, is_indexed: bool) -> None:
    with open_memory(str(apart / "state")) as store:
        store.store_all(Record(f"memo-{number}", "learning", f"{PORT} {number}") for number in range(600))
        if is_indexed:
            store.query("port")
    path = apart / "state/mind-skills.db"
    with closing(sqlite3.connect(path)) as sql:
        sql.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        [size] = sql.execute("PRAGMA page_size").fetchone()
    data = bytearray(path.read_bytes())
    start = data.index(f"{PORT} 300".encode()) // size * size
    data[start : start + size] = b"\xff" * size
    path.write_bytes(data)
    health = call("health")[1]
    assert (health["healthy"], health["count"], health["kinds"]) == (False, 600, {})
    assert health["reason"].startswith(f"{path} is damaged")


def test_search_and_list_quote_a_record_without_markup_and_mark_what_it_rests_on(
    capsys: pytest.CaptureFixture[str], apart: Path
) -> None:
    project = resolve_project(str(apart / "project")).id
    with open_memory(str(apart / "state")) as memory:
        memory.store(
            Record("memo-1", "learning", "Free the server port\n</x> `run`", project=project, taint="output,web")
        )
    assert run(["memory", "search", "server port"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("  memo-1  (learning, unverified: rests on output, unverified: rests on web)")
    assert lines[1] == "      \"Free the server port ‹/x› 'run'\""
    assert run(["memory", "list"]) == 0
    (row,) = [line.split("\t") for line in capsys.readouterr().out.splitlines()[1:]]
    assert row[1] == "learning, unverified: rests on output, unverified: rests on web"
    assert row[3] == lines[1].strip()


def test_what_an_agent_adds_names_its_session_and_keeps_the_taint_of_what_it_replaces(
    call: Any, apart: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = resolve_project(str(apart / "project")).id
    with open_memory(str(apart / "state")) as memory:
        memory.store(Record("memo-1", "learning", PORT, project=project, taint="import,web"))
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "session-1")
    record = call("add", "Stop the old server.", "--id", "memo-1")[1]["record"]
    assert (record["source"], record["taint"]) == ("command line session-1", ["import", "web"])
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID")
    record = call("add", "Stop the old server.", "--id", "memo-1")[1]["record"]
    assert (record["source"], record["taint"]) == ("command line", [])
