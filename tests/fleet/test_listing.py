"""From the sources of a scan to its files and batches."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

import pytest

from mind_skills.errors import MindSkillsError
from mind_skills.fleet import listing
from mind_skills.fleet.listing import MAX_BATCH_LOGS, Entry, choose_batch_bytes, list_entries, make_batches


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a/one.jsonl", "a/one/subagents/agent-1.jsonl", "b/two.jsonl", "b/notes.txt"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}\n", encoding="utf-8")
    return tmp_path


def list_names(folder: Path, *sources: str, stdin: tuple[str, ...] = ()) -> list[str]:
    return [os.path.relpath(entry.uri, folder) for entry in list_entries(sources, stdin)]


def test_folders_globs_addresses_and_stdin_list_each_log_once(folder: Path) -> None:
    logs = ["a/one.jsonl", "b/two.jsonl"]
    assert list_names(folder, str(folder)) == logs
    assert list_names(folder, f"{folder}/*/*.jsonl", str(folder)) == logs
    assert list_names(folder, f"file://{folder}/a", f"{folder}/b") == logs
    assert list_names(folder, "-", stdin=(f"{folder}/a/one.jsonl", "", f"{folder}/b")) == logs


def test_a_missing_object_on_stdin_is_listed_with_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def list_nothing(source: str) -> NoReturn:
        raise MindSkillsError("not_found", f"{source} does not exist")

    monkeypatch.setattr(listing, "_list_objects", list_nothing)
    assert list_entries(["-"], ["s3://bucket/none.jsonl"]) == [Entry("s3://bucket/none.jsonl", 0, 0, is_named=True)]


def test_a_named_file_needs_no_suffix_and_a_link_to_it_is_not_listed_again(folder: Path) -> None:
    (folder / "link.jsonl").symlink_to(folder / "a" / "one.jsonl")
    assert list_names(folder, f"{folder}/a/one.jsonl", f"{folder}/link.jsonl", f"{folder}/b/notes.txt") == [
        "a/one.jsonl",
        "b/notes.txt",
    ]


def test_a_missing_source_is_an_error_but_a_missing_file_on_stdin_is_listed(folder: Path) -> None:
    with pytest.raises(MindSkillsError) as failure:
        list_entries([f"{folder}/gone.jsonl"])
    assert failure.value.code == "not_found"
    assert list_entries(["-"], [f"{folder}/gone.jsonl"]) == [Entry(f"{folder}/gone.jsonl", 0, 0, is_named=True)]
    with pytest.raises(MindSkillsError) as failure:
        list_entries(["file://elsewhere/logs"])
    assert failure.value.code == "usage"


def test_batches_are_divided_by_size_and_number_and_named_by_their_content() -> None:
    entries = [Entry(f"/log-{number}", 40, 1) for number in range(5)]
    batches = list(make_batches([*entries, Entry("/huge", 1_000, 1)], 100))
    assert [[entry.uri for entry in batch.entries] for batch in batches] == [
        ["/log-0", "/log-1"], ["/log-2", "/log-3"], ["/log-4"], ["/huge"],
    ]  # fmt: skip
    assert [batch.size for batch in batches] == [80, 80, 40, 1_000]
    assert [batch.name for batch in make_batches(entries, 100)] == [batch.name for batch in batches[:3]]
    grown = [entries[0]._replace(size=41), *entries[1:]]
    assert next(make_batches(grown, 100)).name != batches[0].name
    assert len(next(make_batches([Entry(f"/{number}", 0, 1) for number in range(250)])).entries) == MAX_BATCH_LOGS
    assert choose_batch_bytes(10**12, 4) == 64_000_000
    assert choose_batch_bytes(0, 4) == 1_000_000
