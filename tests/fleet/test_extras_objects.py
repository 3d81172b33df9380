"""Logs in object storage."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from mind_skills.fleet.listing import list_entries
from tests.fleet.object_server import ObjectServer, serve_objects
from tests.fleet.scanning import list_findings, list_replayed, read_rows, run_scan
from tests.testkit.command import CommandResult

pytestmark = pytest.mark.extras


@pytest.fixture
def server(logs: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[ObjectServer]:
    """Object storage with the logs of the folder, and credentials for it."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    with serve_objects() as serving:
        for path in logs.rglob("*.jsonl"):
            serving.objects[f"bucket/logs/{path.relative_to(logs).as_posix()}"] = path.read_bytes()
        yield serving


def test_a_scan_of_objects_finds_what_replay_finds_on_disk_and_leaves_no_copy(
    mind_skills: Callable[..., CommandResult], server: ObjectServer, logs: Path, out: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    source = server.address("bucket/logs")
    assert mind_skills("fleet", "scan", source, "--out", out, "--workers", 2, "--titles").code == 0
    assert list_findings(out) == list_replayed(mind_skills("replay", "--json", logs).json)
    assert [path for path in (tmp_path / "temporary").rglob("*") if path.is_file()] == []
    before = server.downloads
    assert mind_skills("fleet", "scan", source, "--out", out, "--workers", 1, "--titles").code == 0
    assert server.downloads == before


def test_a_glob_a_single_object_and_the_companions_of_a_session_are_listed(server: ObjectServer) -> None:
    server.objects["bucket/logs/project-0/session-0/subagents/agent-1.jsonl"] = b"{}\n"
    server.objects["bucket/logs/notes.txt"] = b"no log"
    found = list_entries([server.address("bucket/logs/*-0/*.jsonl")])
    assert sorted(entry.uri.partition("?")[0].rpartition("/")[2] for entry in found) == [
        "session-0.jsonl", "session-3.jsonl", "session-6.jsonl", "session-9.jsonl",
    ]  # fmt: skip
    assert [len(entry.companions) for entry in found if "session-0" in entry.uri] == [1]
    (one,) = list_entries([server.address("bucket/logs/project-0/session-3.jsonl")])
    assert (one.is_named, one.size) == (True, len(server.objects["bucket/logs/project-0/session-3.jsonl"]))


def test_keys_with_special_characters_of_addresses_and_globs_are_read(server: ObjectServer, out: Path) -> None:
    text = server.objects["bucket/logs/project-0/session-0.jsonl"]
    server.objects = {f"bucket/odd/{name}.jsonl": text for name in ("a b", "c%41", "d?e=f", "g#h", "i[1]", "ü")}
    progress = run_scan(server.address("bucket/odd"), out)
    assert (progress.sessions, progress.set_aside) == (6, [])


def test_an_object_that_cannot_be_read_is_set_aside_and_read_by_the_next_scan(server: ObjectServer, out: Path) -> None:
    server.lost = {"bucket/logs/project-0/session-0.jsonl"}
    progress = run_scan(server.address("bucket/logs"), out)
    assert ([each.reason for each in progress.set_aside], progress.again) == (["storage"], 1)
    server.lost = set()
    again = run_scan(server.address("bucket/logs"), out)
    assert (again.logs, again.set_aside) == (1, [])
    assert len([row for row in read_rows(out) if row["status"] == "read"]) == 12


def test_missing_storage_and_a_password_in_the_address_are_errors(
    mind_skills: Callable[..., CommandResult], server: ObjectServer, out: Path
) -> None:
    refused = mind_skills("fleet", "scan", server.address("nowhere/logs"), "--out", out, "--json")
    assert (refused.code, refused.json["error"]["code"]) == (1, "not_found")
    refused = mind_skills("fleet", "scan", "s3://user:secret@bucket/logs", "--out", out, "--json")
    assert (refused.code, refused.json["error"]["code"]) == (2, "usage")
    assert "secret" not in refused.out + refused.err
