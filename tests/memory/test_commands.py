"""The output of `mind-skills memory`, for people and programs."""

from __future__ import annotations

import io
import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mind_skills.memory import encoders, lance
from mind_skills.memory.index import IndexManager, RecordCallback
from mind_skills.memory.model import KINDS, Record
from mind_skills.memory.store import ENCODER, open_memory
from mind_skills.plugin.cli import run
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


def test_a_stored_record_is_found_by_a_paraphrase_with_all_its_fields(call: Any, apart: Path) -> None:
    options = ("--task", "start the dev server twice", "--task-id", "shop-12", "--failed", "--kind", "episode")
    code, stored = call("add", PORT, *options)
    record = stored["record"]
    assert (code, stored["memory_stored"], stored["id"]) == (0, True, record["id"])
    assert record == {
        "id": record["id"],
        "content": PORT,
        "kind": "episode",
        "is_negative": False,
        "task": "start the dev server twice",
        "project": resolve_project(str(apart / "project")).id,
        "reference": "",
        "task_id": "shop-12",
        "success": False,
        "failure_rate": None,
        "at": record["at"],
        "source": "command line",
        "taint": [],
    }
    code, found = call("search", "EADDRINUSE when I run it again")
    assert (code, found["version"], found["query"]) == (0, 1, "EADDRINUSE when I run it again")
    assert (found["memory_queried"], found["patterns_found"]) == (True, 1)
    assert found["results"] == [record | {"score": found["results"][0]["score"]}]
    assert 0 < found["results"][0]["score"] <= 1


def test_storing_the_same_text_again_adds_no_record(call: Any) -> None:
    first, second = call("add", PORT)[1]["id"], call("add", f" {PORT}\n")[1]["id"]
    named = call("add", "Another text", "--id", first)[1]["id"]
    assert (first, first) == (second, named)
    assert call("health")[1]["count"] == 1


@pytest.mark.parametrize("command", [("memory", "list"), ("memory", "search", PORT), ("task", "plan", PORT)])
def test_a_damaged_database_is_reported_with_the_place_of_its_copy(
    call: Any, apart: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    call("add", PORT)
    (apart / "state/mind-skills.db").write_bytes(b"no database")
    assert run([*command]) == 0
    moved = apart / "state/mind-skills.db.corrupt-1"
    assert capsys.readouterr().err == f"mind-skills: the database was damaged and moved to {moved}\n"
    assert moved.read_bytes() == b"no database"


def test_a_search_marks_an_anti_pattern_as_negative(call: Any) -> None:
    call("add", "AVOID: split by file type", "--kind", "anti_pattern")
    assert [each["is_negative"] for each in call("search", "split the work by file")[1]["results"]] == [True]


def test_a_record_is_found_in_other_projects_only_if_stored_for_all_or_searched_in_all(
    call: Any, apart: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = call("add", PORT)[1]["id"]
    everybody = call("add", "Stop the server that holds the port.", "--everywhere")[1]["id"]
    call("trust", everybody)
    theirs = call("add", "A port is held by a server of theirs", "--project", str(apart / "other"))[1]["id"]
    assert set(ids(call("search", "server port")[1])) == {mine, everybody}
    monkeypatch.chdir(apart / "other")
    assert set(ids(call("search", "server port")[1])) == {theirs, everybody}
    assert set(ids(call("search", "server port", "--all-projects")[1])) == {mine, everybody, theirs}


def test_limit_and_threshold_restrict_the_results(call: Any) -> None:
    for number in range(4):
        call("add", f"{PORT} {number}")
    assert len(call("search", "port", "--limit", "3")[1]["results"]) == 3
    assert call("search", "port", "--threshold", "2")[1]["results"] == []


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


def test_imported_records_stay_in_quarantine_until_they_are_trusted(call: Any, apart: Path) -> None:
    home = os.environ["HOME"]
    call("add", f"{PORT} See {home}/notes.", "--task", "deploy", "--success")
    code, done = call("export", "out.jsonl")
    assert (code, done["action"], done["records"]) == (0, "exported", 1)
    text = Path("out.jsonl").read_text(encoding="utf-8")
    assert home not in text
    assert str(apart) not in text
    assert resolve_project(str(apart / "project")).id not in text
    assert json.dumps(call("export")[1]["records"]) == json.dumps([json.loads(text.splitlines()[1])])
    code, taken = call("import", "out.jsonl")
    assert (code, taken["records"], taken["skipped"], taken["problems"]) == (0, 1, 0, [])
    [imported] = taken["ids"]
    assert imported not in ids(call("search", "server port")[1])
    shown = {each["id"]: each["taint"] for each in call("search", "server port", "--untrusted")[1]["results"]}
    assert shown[imported] == ["import"]
    assert call("health")[1]["quarantined"] == 1
    assert call("trust", imported[:12])[1]["ids"] == [imported]
    assert call("trust", imported)[1]["ids"] == []
    assert imported in ids(call("search", "server port")[1])
    assert call("import", "out.jsonl")[1]["records"] == 0
    assert imported in ids(call("search", "server port")[1])


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


def test_an_export_replaces_an_earlier_one_but_no_other_file(call: Any) -> None:
    call("add", "a note")
    path = Path("notes.md").absolute()
    path.write_text("mine", encoding="utf-8")
    code, error = call("export", "notes.md")
    assert (code, error["error"]["code"], path.read_text(encoding="utf-8")) == (1, "refused_path", "mine")
    assert error["error"]["message"] == f"{path} exists and is not an export of the memory"
    assert [call("export", "out.jsonl")[0] for _ in range(2)] == [0, 0]


@pytest.mark.parametrize("text", ["", "no json", "{}", '{"form": "mind-skills-memory", "version": 2}'])
def test_a_file_that_is_no_export_is_refused(call: Any, text: str) -> None:
    Path("in.jsonl").write_text(text, encoding="utf-8")
    code, error = call("import", "in.jsonl")
    assert (code, error["error"]["code"]) == (1, "not_an_export")


@pytest.mark.parametrize(("name", "reason"), [("nowhere.jsonl", "No such file or directory"), (".", "Is a directory")])
def test_an_unreadable_import_file_is_an_error_with_the_reason(call: Any, name: str, reason: str) -> None:
    assert call("import", name) == (
        1,
        {
            "error": {
                "code": "unreadable_file",
                "message": f"{name} cannot be read: {reason}",
                "hint": "Use a file that `mind-skills memory export` wrote.",
            }
        },
    )


def test_a_forgotten_record_is_not_found_and_an_ambiguous_id_is_an_error(call: Any) -> None:
    first, second = (call("add", f"{PORT} {number}", "--id", f"memo-{number}")[1]["id"] for number in (1, 2))
    assert call("forget", "memo-")[1]["error"]["code"] == "unknown_record"
    assert call("forget", "")[1]["error"]["code"] == "unknown_record"
    assert call("forget", first)[1]["ids"] == [first]
    assert ids(call("search", "port")[1]) == [second]


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


def test_the_commands_print_short_lines_with_quoted_content(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["memory", "search", "anything"]) == 0
    assert run(["memory", "add", f'{PORT} "quoted"', "--id", "memo-1"]) == 0
    assert run(["memory", "search", "server port"]) == 0
    assert run(["memory", "health"]) == 0
    assert run(["memory", "rebuild"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["No similar records found.", "Stored as memo-1."]
    assert lines[2].endswith("  memo-1  (learning)")
    assert lines[3] == '      "' + PORT + ' \\"quoted\\""'
    assert lines[-1] == "The index has 1 record."


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
