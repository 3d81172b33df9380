"""Tests that a change takes away are seen as such: a check that passes after that has not been mended."""

from __future__ import annotations

import pytest

from mind_skills.observations import build
from mind_skills.observations.model import Observation
from mind_skills.observations.patch import parse_patch
from mind_skills.observations.removed_tests import removed_tests


def edit(removed: str, added: str, **fields: str) -> Observation:
    return build.tool("Edit", "edit", line=1, files=("a",), removed=removed, added=added, outcome="ok", **fields)  # type: ignore[arg-type]


def patched(text: str) -> Observation:
    patch = parse_patch(text)
    return build.tool(
        "apply_patch", "edit", line=1, files=patch.files, removed=patch.removed, added=patch.added, outcome="ok"
    )


CHANGES = [
    ("def test_old():\n    assert 1\n", "", ("test_old",)),
    ("    async def test_old(self):\n", "    # async def test_old(self):\n", ("test_old",)),
    ("func TestOld(t *testing.T) {\n", "", ("TestOld",)),
    ("  it('keeps the day', () => {\n", "  // it('keeps the day', () => {\n", ("keeps the day",)),
    ("    fn test_old() {\n", "", ("test_old",)),
    ("def test_old():\n", "def test_old(day):\n", ()),
    ("def test_old():\n    pass\n", "def helper():\n", ("test_old",)),
    ("x = 1\n", "def test_new():\n", ()),
]


@pytest.mark.parametrize(("removed", "added", "names"), CHANGES)
def test_a_test_that_is_cut_out_or_commented_out_is_named(removed: str, added: str, names: tuple[str, ...]) -> None:
    assert removed_tests(edit(removed, added)) == names


def test_a_file_of_tests_that_a_patch_deletes_is_named() -> None:
    gone = patched(
        "*** Begin Patch\n*** Delete File: tests/test_old.py\n*** Delete File: src/old.py\n*** Update File: a.py\n@@\n-x = 1\n*** End Patch"
    )
    assert (gone.files, gone.change) == (
        ("tests/test_old.py", "src/old.py", "a.py"),
        "-*** Delete File: tests/test_old.py\n-*** Delete File: src/old.py\n-x = 1",
    )
    assert removed_tests(gone) == ("tests/test_old.py",)


@pytest.mark.parametrize("command", ["rm -f tests/test_old.py a.py", "cd a && git rm tests/test_old.py && pytest"])
def test_a_file_of_tests_that_a_command_removes_is_named(command: str) -> None:
    removed = build.tool("Bash", "run", line=1, command=command, outcome="ok")
    assert removed_tests(removed) == ("tests/test_old.py",)


def test_a_change_that_was_refused_removes_nothing() -> None:
    refused = build.tool("Edit", "edit", line=1, removed="def test_old():", added="", outcome="rejected")
    assert removed_tests(refused) == ()
