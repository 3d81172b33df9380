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
from mind_skills.memory import lance_index_manager, lance_table
from mind_skills.memory.encoders import HashEncoder
from mind_skills.memory.lance_location import locate_table, remove_tables
from mind_skills.memory.lance_table import COLUMNS, Row
from mind_skills.memory.model import Record
from tests.memory.lance_tables import Dice, beside, learnings, nearest, path_in, process, table
from tests.testkit.paths import ROOT

pytestmark = [pytest.mark.extras, pytest.mark.usefixtures("repository")]


def test_the_table_stands_at_the_documented_place_holds_no_text_and_follows_every_change(project: Path) -> None:
    with table(project) as (records, following):
        records.put([*learnings(3), Record("other", "learning", "of another project", project="elsewhere")])
        assert nearest(following, "what was learned of case 1") == (2, 1.0)
        found = lance_table.open_table(str(path_in(project)))
        assert (found.count(), found.dimension, sorted(found.read_digests())) == (3, 32, [1, 2, 3])
        held = b"".join(each.read_bytes() for each in path_in(project).rglob("*") if each.is_file())
        assert b"case" not in held
        assert b"of another project" not in held

        records.put([replace(learnings(1)[0], content="a new text")])
        records.remove(["r2"])
        assert nearest(following, "a new text") == (1, 1.0)
        found.refresh()
        assert sorted(found.read_digests()) == [1, 2]

        records.put([Record("other", "learning", "of another project")])  # of none now: it belongs to every project
        assert nearest(following, "of another project") == (4, 1.0)
        records.put([Record("other", "learning", "of another project", project="elsewhere")])
        following.open_current()
        found.refresh()
        assert sorted(found.read_digests()) == [1, 2]


def test_the_table_is_kept_out_of_commits_and_the_folders_are_the_users_alone(project: Path) -> None:
    shutil.rmtree(project / ".git")
    subprocess.run(["git", "init", "-q", project], check=True)
    with table(project) as (records, following):
        records.put(learnings(2))
        following.open_current()
    said = subprocess.run(["git", "-C", project, "status", "--porcelain"], capture_output=True, text=True, check=True)
    assert said.stdout == ""
    assert [(project / each).stat().st_mode & 0o777 for each in (".hive", ".hive/vectors")] == [0o700, 0o700]


def test_an_uninstall_removes_the_table_and_the_line_and_leaves_what_is_not_of_ours(project: Path) -> None:
    exclude = project / ".git/info/exclude"
    exclude.write_text("mine\n")
    with table(project) as (records, following):
        records.put(learnings(2))
        following.open_current()
        known = following._registry.get(following.location)
    assert known is not None
    row = (str(path_in(project)), str(project), str(project / ".git"), known.mark)
    (path_in(project).parent / "patterns-0123-new.lance").mkdir()
    (project / ".hive/issues.jsonl").write_text("{}\n")
    removed = [str(path_in(project)), str(path_in(project).parent / "patterns-0123-new.lance")]
    removed.append(f"{exclude}: {following.location.pattern}")

    assert remove_tables([row], dry_run=True) == (removed, [])
    assert path_in(project).exists()
    assert remove_tables([row]) == (removed, [])
    assert remove_tables([row]) == ([], [])
    assert exclude.read_text() == "mine\n"
    assert sorted(each.name for each in (project / ".hive").iterdir()) == ["issues.jsonl"]

    path_in(project).mkdir(parents=True)
    assert remove_tables([row]) == ([], [f"{path_in(project)} is no longer the index that mind-skills created"])
    assert path_in(project).exists()


def test_four_processes_that_merge_the_same_new_keys_leave_each_once(project: Path) -> None:
    merging = [process("merge_the_same", str(project)) for _ in range(4)]
    said = [each.communicate()[0] for each in merging]
    assert [each.returncode for each in merging] == [0] * 4, said
    found = lance_table.open_table(str(path_in(project)))
    assert (found.count(), sorted(found.read_digests())) == (16, list(range(1, 17)))
    assert beside(project) == ["patterns.lance"]


def test_the_key_alone_keeps_rows_apart_where_a_lock_does_not_hold(tmp_path: Path) -> None:
    """Without file locks: four processes merge into one table concurrently."""
    path = str(tmp_path / "t.lance")
    lance_table.create_table(path, "mark", 4)
    work = (
        "import sys; from mind_skills.memory import lance_table as t;"
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
    said = [each.communicate()[1] for each in merging]
    assert [each.returncode for each in merging] == [0] * 4, said
    found = lance_table.open_table(path)
    assert (found.count(), len(found.read_digests())) == (16, 16)


def test_a_damaged_table_is_set_aside_and_built_again(project: Path) -> None:
    with table(project) as (records, following):
        records.put(learnings(3))
        following.open_current()
    for number, spoilt in enumerate((b"\0", b"no manifest at all "), 1):
        for each in path_in(project).rglob("*.manifest"):
            each.write_bytes(spoilt * 40)
        with table(project) as (_, following):
            assert nearest(following, "what was learned of case 2") == (3, 1.0)
        assert beside(project) == ["patterns.lance", *(f"patterns.lance.corrupt-{n}" for n in range(1, number + 1))]


def test_a_table_whose_data_is_damaged_or_gone_is_built_again(project: Path) -> None:
    for spoil in (lambda each: each.write_bytes(b"\0" * 9), lambda each: each.unlink()):
        with table(project) as (records, following):
            records.put(learnings(3))
            following.open_current()
        for each in path_in(project).rglob("data/*"):
            spoil(each)
        with table(project) as (_, following):
            assert nearest(following, "what was learned of case 2") == (3, 1.0)
            assert following.open_current().count() == 3
    assert beside(project) == ["patterns.lance"]


def test_a_table_that_is_deleted_is_built_again(project: Path) -> None:
    with table(project) as (records, following):
        records.put(learnings(3))
        following.open_current()
        shutil.rmtree(project / ".hive")
        assert nearest(following, "what was learned of case 2") == (3, 1.0)


def test_another_dimension_and_another_encoder_make_another_table(project: Path) -> None:
    with table(project) as (records, following):
        records.put(learnings(3))
        following.open_current()
    for encoder in (Dice(48, "more"), Dice(48, "others")):
        with table(project, encoder) as (_, following):
            assert nearest(following, "what was learned of case 2", encoder) == (3, 1.0)
            found = following.open_current()
            assert (found.dimension, {name for _, name in found.read_digests().values()}) == (48, {encoder.name})


def test_a_table_of_another_tool_is_never_touched(project: Path) -> None:
    lancedb: Any = importlib.import_module("lancedb")
    path_in(project).parent.mkdir(parents=True)
    theirs = lancedb.connect(path_in(project).parent).create_table("patterns", [{"id": "x", "vector": [0.0, 1.0]}])
    before = {each: each.read_bytes() for each in path_in(project).rglob("*") if each.is_file()}
    with table(project) as (records, following):
        records.put(learnings(3))
        for use in (following.open_current, following.rebuild):
            with pytest.raises(LanceError, match=r"patterns\.lance .*was left unchanged") as refused:
                use()
            assert "memory.index" in refused.value.hint
    assert {each: each.read_bytes() for each in path_in(project).rglob("*") if each.is_file()} == before
    assert theirs.count_rows() == 1
    assert beside(project) == ["patterns.lance"]


def test_a_table_that_another_tool_put_in_the_place_of_ours_is_not_touched_either(project: Path) -> None:
    with table(project) as (records, following):
        records.put(learnings(3))
        following.open_current()
    shutil.rmtree(path_in(project))
    lancedb: Any = importlib.import_module("lancedb")
    lancedb.connect(path_in(project).parent).create_table("patterns", [{"id": "x", "vector": [0.0, 1.0]}])
    with (
        table(project) as (_, following),
        pytest.raises(LanceError, match="is not recognised as an index of mind-skills, and was left unchanged"),
    ):
        following.open_current()
    assert beside(project) == ["patterns.lance"]


def test_the_table_of_a_state_folder_that_is_gone_is_taken_over_by_a_rebuild_alone(project: Path) -> None:
    with table(project) as (records, following):
        records.put(learnings(3))
        following.open_current()
    with table(project, home=project.parent / "another") as (records, following):
        records.put(learnings(2))
        with pytest.raises(LanceError, match="is not registered in this state folder"):
            following.open_current()
        assert following.rebuild() == 2
        assert following.open_current().count() == 2
    assert beside(project) == ["patterns.lance"]


def test_a_link_on_the_way_is_not_followed(project: Path, tmp_path: Path) -> None:
    (tmp_path / "away").mkdir()
    (project / ".hive").symlink_to(tmp_path / "away")
    with table(project) as (records, following):
        records.put(learnings(1))
        with pytest.raises(RefusedPathError, match=r"\.hive is a symbolic link"):
            following.open_current()
    assert list((tmp_path / "away").iterdir()) == []


@pytest.mark.parametrize(
    "inside", ["../patterns.lance", "/tmp/patterns.lance", "a//b.lance", "./b.lance", "vectors", ""]
)
def test_a_place_outside_of_the_project_or_of_another_kind_is_refused(project: Path, inside: str) -> None:
    with pytest.raises(LanceError, match=r"is not a relative path that stays inside the project and ends in \.lance"):
        locate_table(str(project), inside)


def test_no_index_is_put_into_a_folder_that_is_no_project_or_into_the_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    (tmp_path / "me/.claude").mkdir(parents=True)
    for folder in (tmp_path, tmp_path / "me"):
        with pytest.raises(LanceError, match="is not a project, so no index is created in it"):
            locate_table(str(folder))


def test_more_than_can_be_waited_for_is_left_to_a_rebuild(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lance_index_manager, "MAX_QUERY_RECORDS", 5)
    with table(project) as (records, following):
        records.put(learnings(6))
        with pytest.raises(LanceError, match="is 6 records behind") as late:
            following.open_current()
        assert late.value.hint == "Run: mind-skills memory rebuild"
        assert following.rebuild() == 6
        records.put(learnings(5, first=6))
        assert following.open_current().count() == 11
        records.put(learnings(6, first=11))
        with pytest.raises(LanceError, match="is 6 records behind"):
            following.open_current()


def test_many_small_changes_are_made_one_piece_again(project: Path) -> None:
    with table(project) as (records, following):
        for n in range(70):
            records.put(learnings(1, first=n))
            following.open_current()
        assert following.open_current().count() == 70
    assert len(list(path_in(project).rglob("data/*"))) < 140
    lancedb: Any = importlib.import_module("lancedb")
    found = lancedb.connect(path_in(project).parent).open_table("patterns")
    assert found.stats()["fragment_stats"]["num_fragments"] < 64
    assert found.list_indices() == [] or list(found.list_indices()) == []


def test_what_is_kept_is_what_the_schema_says(project: Path) -> None:
    with table(project) as (records, following):
        records.put(learnings(1))
        following.open_current()
    lancedb: Any = importlib.import_module("lancedb")
    schema = lancedb.connect(path_in(project).parent).open_table("patterns").schema
    assert tuple(schema.names) == COLUMNS == Row._fields
    assert schema.field("id").metadata == {b"lance-schema:unenforced-primary-key": b"true"}
    assert not schema.field("id").nullable


def test_hashed_words_and_concepts_make_a_vector_as_long_as_the_documents_model_does() -> None:
    encoder = HashEncoder()
    assert encoder.dimension == 768
    assert [len(each) for each in encoder.encode_documents(["the heap grows", ""])] == [768 * 4] * 2
    assert encoder.encode_query("") == bytes(768 * 4)
    assert encoder.encode_documents(["the heap grows"]) == [encoder.encode_query("the heap grows")]


def test_nothing_of_the_extra_is_imported_before_a_table_is_opened() -> None:
    code = (
        "import sys; import mind_skills.memory.vector_store as choice; from mind_skills.memory import lance_table;"
        "assert lance_table.is_installed();"
        "print(sorted({'lancedb', 'pyarrow', 'numpy', 'torch', 'transformers', 'sentence_transformers'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, env=os.environ
    )
    assert done.stdout == "[]\n"
