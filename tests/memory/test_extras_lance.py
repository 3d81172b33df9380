"""The table in the project: it follows the records, recovers from damage, and leaves other tools' tables alone."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest

from mind_skills.errors import RefusedPathError
from mind_skills.errors.records import LanceError
from mind_skills.memory import lance
from mind_skills.memory.encoders import HashEncoder
from mind_skills.memory.lance import COLUMNS, Row, locate_table, remove_tables
from mind_skills.memory.model import Record
from tests.memory.lance_tables import (
    Dice,
    build_learnings,
    find_nearest,
    list_table_folder,
    locate_table_in,
    start_process,
    table,
)
from tests.testkit.paths import ROOT

pytestmark = [pytest.mark.extras, pytest.mark.usefixtures("repository")]


def test_the_table_contains_no_text_and_follows_every_change_of_the_records(project: Path) -> None:
    with table(project) as (records, manager):
        records.put([*build_learnings(3), Record("other", "learning", "of another project", project="elsewhere")])
        assert find_nearest(manager, "what was learned of case 1") == (2, 1.0)
        found = lance.open_table(str(locate_table_in(project)))
        assert (found.count(), found.dimension, sorted(found.read_digests())) == (3, 32, [1, 2, 3])
        held = b"".join(each.read_bytes() for each in locate_table_in(project).rglob("*") if each.is_file())
        assert b"case" not in held
        assert b"of another project" not in held

        records.put([replace(build_learnings(1)[0], content="a new text")])
        records.remove(["r2"])
        assert find_nearest(manager, "a new text") == (1, 1.0)
        found.refresh()
        assert sorted(found.read_digests()) == [1, 2]

        records.put(
            [Record("other", "learning", "of another project")]
        )  # without a project now: it belongs to every project
        assert find_nearest(manager, "of another project") == (4, 1.0)
        records.put([Record("other", "learning", "of another project", project="elsewhere")])
        manager.open_current()
        found.refresh()
        assert sorted(found.read_digests()) == [1, 2]


def test_git_ignores_the_table_and_only_its_owner_can_access_the_folders(project: Path) -> None:
    shutil.rmtree(project / ".git")
    subprocess.run(["git", "init", "-q", project], check=True)
    with table(project) as (records, manager):
        records.put(build_learnings(2))
        manager.open_current()
    output = subprocess.run(["git", "-C", project, "status", "--porcelain"], capture_output=True, text=True, check=True)
    assert output.stdout == ""
    assert [(project / each).stat().st_mode & 0o777 for each in (".hive", ".hive/vectors")] == [0o700, 0o700]


def test_an_uninstall_removes_the_table_and_its_exclude_line_and_nothing_else(project: Path) -> None:
    exclude = project / ".git/info/exclude"
    exclude.write_text("mine\n")
    with table(project) as (records, manager):
        records.put(build_learnings(2))
        manager.open_current()
        known = manager._registry.get(manager.location)
    assert known is not None
    row = (str(locate_table_in(project)), str(project), str(project / ".git"), known.table_id)
    (locate_table_in(project).parent / "patterns-0123-new.lance").mkdir()
    (project / ".hive/issues.jsonl").write_text("{}\n")
    removed = [str(locate_table_in(project)), str(locate_table_in(project).parent / "patterns-0123-new.lance")]
    removed.append(f"{exclude}: {manager.location.pattern}")

    assert remove_tables([row], dry_run=True) == (removed, [])
    assert locate_table_in(project).exists()
    assert remove_tables([row]) == (removed, [])
    assert remove_tables([row]) == ([], [])
    assert exclude.read_text() == "mine\n"
    assert sorted(each.name for each in (project / ".hive").iterdir()) == ["issues.jsonl"]

    locate_table_in(project).mkdir(parents=True)
    assert remove_tables([row]) == ([], [f"{locate_table_in(project)} is no longer the index that mind-skills created"])
    assert locate_table_in(project).exists()


def test_four_processes_that_store_the_same_records_index_each_record_once(project: Path) -> None:
    merging = [start_process("merge_same_records", str(project)) for _ in range(4)]
    output = [each.communicate()[0] for each in merging]
    assert [each.returncode for each in merging] == [0] * 4, output
    found = lance.open_table(str(locate_table_in(project)))
    assert (found.count(), sorted(found.read_digests())) == (16, list(range(1, 17)))
    assert list_table_folder(project) == ["patterns.lance"]


def test_the_primary_key_prevents_duplicate_rows_without_file_locks(tmp_path: Path) -> None:
    """Without file locks: four processes merge into one table concurrently."""
    path = str(tmp_path / "t.lance")
    lance.create_table(path, "mark", 4)
    work = (
        "import sys; from mind_skills.memory import lance as t;"
        f"table = t.open_table({path!r}); table.count(); print('ready', flush=True);"
        "sys.stdin.readline();"
        "[table.merge([t.Row(f'k{n}', n, '', '', '', bytes(16)) for n in range(turn, turn + 4)]) for turn in range(0, 16, 4)]"
    )
    merging = [
        subprocess.Popen([sys.executable, "-c", work], cwd=ROOT, text=True, stdin=PIPE, stdout=PIPE, stderr=PIPE)
        for _ in range(4)
    ]
    for each in merging:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    for each in merging:
        assert each.stdin is not None
        each.stdin.write("\n")
        each.stdin.flush()
    output = [each.communicate()[1] for each in merging]
    assert [each.returncode for each in merging] == [0] * 4, output
    found = lance.open_table(path)
    assert (found.count(), len(found.read_digests())) == (16, 16)


def test_a_damaged_table_is_moved_aside_and_rebuilt(project: Path) -> None:
    with table(project) as (records, manager):
        records.put(build_learnings(3))
        manager.open_current()
    for number, junk in enumerate((b"\0", b"no manifest at all "), 1):
        for each in locate_table_in(project).rglob("*.manifest"):
            each.write_bytes(junk * 40)
        with table(project) as (_, manager):
            assert find_nearest(manager, "what was learned of case 2") == (3, 1.0)
        assert list_table_folder(project) == [
            "patterns.lance",
            *(f"patterns.lance.corrupt-{n}" for n in range(1, number + 1)),
        ]


def test_a_table_with_damaged_or_missing_data_is_rebuilt(project: Path) -> None:
    for damage in (lambda each: each.write_bytes(b"\0" * 9), lambda each: each.unlink()):
        with table(project) as (records, manager):
            records.put(build_learnings(3))
            manager.open_current()
        for each in locate_table_in(project).rglob("data/*"):
            damage(each)
        with table(project) as (_, manager):
            assert find_nearest(manager, "what was learned of case 2") == (3, 1.0)
            assert manager.open_current().count() == 3
    assert list_table_folder(project) == ["patterns.lance"]


def test_a_deleted_table_is_rebuilt(project: Path) -> None:
    with table(project) as (records, manager):
        records.put(build_learnings(3))
        manager.open_current()
        shutil.rmtree(project / ".hive")
        assert find_nearest(manager, "what was learned of case 2") == (3, 1.0)


def test_the_table_is_rebuilt_for_another_dimension_or_encoder(project: Path) -> None:
    with table(project) as (records, manager):
        records.put(build_learnings(3))
        manager.open_current()
    for encoder in (Dice(48, "more"), Dice(48, "others")):
        with table(project, encoder) as (_, manager):
            assert find_nearest(manager, "what was learned of case 2", encoder) == (3, 1.0)
            found = manager.open_current()
            assert (found.dimension, {name for _, name in found.read_digests().values()}) == (48, {encoder.name})


def test_a_table_of_another_tool_is_never_touched(project: Path) -> None:
    lancedb: Any = importlib.import_module("lancedb")
    locate_table_in(project).parent.mkdir(parents=True)
    theirs = lancedb.connect(locate_table_in(project).parent).create_table(
        "patterns", [{"id": "x", "vector": [0.0, 1.0]}]
    )
    before = {each: each.read_bytes() for each in locate_table_in(project).rglob("*") if each.is_file()}
    with table(project) as (records, manager):
        records.put(build_learnings(3))
        for use in (manager.open_current, manager.rebuild):
            with pytest.raises(LanceError, match=r"patterns\.lance .*was left unchanged") as refused:
                use()
            assert "memory.index" in refused.value.hint
    assert {each: each.read_bytes() for each in locate_table_in(project).rglob("*") if each.is_file()} == before
    assert theirs.count_rows() == 1
    assert list_table_folder(project) == ["patterns.lance"]


def test_a_table_of_another_tool_in_the_place_of_ours_is_not_touched(project: Path) -> None:
    with table(project) as (records, manager):
        records.put(build_learnings(3))
        manager.open_current()
    shutil.rmtree(locate_table_in(project))
    lancedb: Any = importlib.import_module("lancedb")
    lancedb.connect(locate_table_in(project).parent).create_table("patterns", [{"id": "x", "vector": [0.0, 1.0]}])
    with (
        table(project) as (_, manager),
        pytest.raises(LanceError, match="is not recognised as an index of mind-skills, and was left unchanged"),
    ):
        manager.open_current()
    assert list_table_folder(project) == ["patterns.lance"]


def test_only_a_rebuild_takes_over_the_table_of_another_state_folder(project: Path) -> None:
    with table(project) as (records, manager):
        records.put(build_learnings(3))
        manager.open_current()
    with table(project, home=project.parent / "another") as (records, manager):
        records.put(build_learnings(2))
        with pytest.raises(LanceError, match="is not registered in this state folder"):
            manager.open_current()
        assert manager.rebuild() == 2
        assert manager.open_current().count() == 2
    assert list_table_folder(project) == ["patterns.lance"]


def test_a_symbolic_link_in_the_path_of_the_table_is_not_followed(project: Path, tmp_path: Path) -> None:
    (tmp_path / "away").mkdir()
    (project / ".hive").symlink_to(tmp_path / "away")
    with table(project) as (records, manager):
        records.put(build_learnings(1))
        with pytest.raises(RefusedPathError, match=r"\.hive is a symbolic link"):
            manager.open_current()
    assert list((tmp_path / "away").iterdir()) == []


@pytest.mark.parametrize("path", ["../patterns.lance", "/tmp/patterns.lance", "a//b.lance", "./b.lance", "vectors", ""])
def test_an_index_path_outside_the_project_or_without_the_suffix_is_refused(project: Path, path: str) -> None:
    with pytest.raises(LanceError, match=r"is not a relative path that stays inside the project and ends in \.lance"):
        locate_table(str(project), path)


def test_no_index_is_created_in_the_home_or_outside_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    (tmp_path / "me/.claude").mkdir(parents=True)
    for folder in (tmp_path, tmp_path / "me"):
        with pytest.raises(LanceError, match="is not a project, so no index is created in it"):
            locate_table(str(folder))


def test_a_table_that_is_too_far_behind_needs_a_rebuild(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lance, "MAX_QUERY_RECORDS", 5)
    with table(project) as (records, manager):
        records.put(build_learnings(6))
        with pytest.raises(LanceError, match="is 6 records behind") as late:
            manager.open_current()
        assert late.value.hint == "Run: mind-skills memory rebuild"
        assert manager.rebuild() == 6
        records.put(build_learnings(5, first=6))
        assert manager.open_current().count() == 11
        records.put(build_learnings(6, first=11))
        with pytest.raises(LanceError, match="is 6 records behind"):
            manager.open_current()


def test_many_small_changes_are_compacted(project: Path) -> None:
    with table(project) as (records, manager):
        for n in range(70):
            records.put(build_learnings(1, first=n))
            manager.open_current()
        assert manager.open_current().count() == 70
    assert len(list(locate_table_in(project).rglob("data/*"))) < 140
    lancedb: Any = importlib.import_module("lancedb")
    found = lancedb.connect(locate_table_in(project).parent).open_table("patterns")
    assert found.stats()["fragment_stats"]["num_fragments"] < 64
    assert found.list_indices() == [] or list(found.list_indices()) == []


def test_the_table_has_the_documented_columns_and_the_primary_key(project: Path) -> None:
    with table(project) as (records, manager):
        records.put(build_learnings(1))
        manager.open_current()
    lancedb: Any = importlib.import_module("lancedb")
    schema = lancedb.connect(locate_table_in(project).parent).open_table("patterns").schema
    assert tuple(schema.names) == COLUMNS == Row._fields
    assert schema.field("id").metadata == {b"lance-schema:unenforced-primary-key": b"true"}
    assert not schema.field("id").nullable


def test_the_hash_encoder_has_as_many_dimensions_as_the_default_model() -> None:
    encoder = HashEncoder()
    assert encoder.dimension == 768
    assert [len(each) for each in encoder.encode_documents(["the heap grows", ""])] == [768 * 4] * 2
    assert encoder.encode_query("") == bytes(768 * 4)
    assert encoder.encode_documents(["the heap grows"]) == [encoder.encode_query("the heap grows")]


def test_the_libraries_of_the_extra_are_not_imported_before_a_table_is_opened() -> None:
    code = (
        "import sys; import mind_skills.memory.vector_store as choice; from mind_skills.memory import lance;"
        "assert lance.is_lancedb_installed();"
        "print(sorted({'lancedb', 'pyarrow', 'numpy', 'torch', 'transformers', 'sentence_transformers'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, env=os.environ
    )
    assert done.stdout == "[]\n"
