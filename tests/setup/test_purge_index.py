"""A purge removes LanceDB indexes, even if the library is not installed; foreign indexes are preserved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from mind_skills.memory.lance import RegisteredTable, Registry, locate_table, prepare_folder
from mind_skills.memory.vector_store import SCHEMA
from mind_skills.store.database import Database

MARK = "0123456789abcdef"


def make_indexed_project(state: Path, project: Path, mark: str) -> Path:
    """Create a project with the files of an index that an uninstall examines."""
    (project / ".git/info").mkdir(parents=True)
    (project / ".git/info/exclude").write_text("*.log\n")
    where = locate_table(str(project))
    prepare_folder(where)
    table = Path(where.path)
    (table / "_versions").mkdir(parents=True)
    (table / "_versions/1.manifest").write_bytes(b"\x0amind-skills\x12" + mark.encode())
    (table / "data").mkdir()
    (table / "data/0.lance").write_bytes(bytes(9))
    with Database.open(state, SCHEMA) as database:
        Registry(database).put(where, RegisteredTable(MARK, "e", 1, 1))
    return table


def test_a_purge_removes_our_indexes_from_all_projects_and_preserves_a_foreign_one(
    tmp_path: Path, state: Path, mind_skills: Callable[..., Any], learn: Callable[..., Any], tree: Callable[..., Any]
) -> None:
    table = make_indexed_project(state, tmp_path / "shop", MARK)
    (table.parent / "patterns-0a1b2c-new.lance").mkdir()
    (table.parent / "patterns.lance.corrupt-1").mkdir()
    theirs = make_indexed_project(state, tmp_path / "other", "somebody else's")
    mind_skills("install", "gemini")
    learn(state, tmp_path / "shop")
    dry = mind_skills("uninstall", "--all", "--purge", "--dry-run", "--json").json
    assert table.exists()
    done = mind_skills("uninstall", "--all", "--purge", "--verify", "--json")
    gone = [f"{tmp_path}/shop/.hive/vectors/{name}" for name in
            ("patterns.lance", "patterns-0a1b2c-new.lance", "patterns.lance.corrupt-1")]  # fmt: skip
    gone.append(f"{tmp_path}/shop/.git/info/exclude: **/.hive/vectors/patterns*.lance*")
    assert set(gone) <= set(done.json["purged"]) == set(dry["purged"])
    assert (done.code, done.json["residue"]) == (0, [])
    assert done.json["kept"] == [f"{theirs} is no longer the index that mind-skills created"]
    assert (theirs / "data/0.lance").exists()
    assert sorted(tree(tmp_path / "shop")) == [".git", ".git/info", ".git/info/exclude"]
    for project in ("shop", "other"):
        assert (tmp_path / project / ".git/info/exclude").read_text() == "*.log\n"
