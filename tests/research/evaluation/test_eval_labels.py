"""Labels and logs: what is read, what is skipped with a note, and what is an error with a hint."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.errors import MindSkillsError
from research.evaluation.labels import find_sources, get_owner, load_labels, locate_logs
from research.evaluation.study import read_sessions
from tests.research.evaluation.conftest import Place


def test_invalid_lines_are_reported_and_the_others_count(place: Place) -> None:
    place.label("a.jsonl", learnings=((1, 9),), borderline=[{"note": "no lines"}, {"start_line": 2, "end_line": 3}])
    for line in ("{broken", '{"learnings": []}', '{"session_file": "b", "borderline": 3}'):
        place.line(line)
    loaded = load_labels(place.labels)
    (label,) = loaded.labels
    assert [(each.start_line, each.end_line) for each in label.borderline] == [(2, 3)]
    assert [problem.partition(": ")[0] for problem in loaded.problems] == [
        f"Labels, line {number} is skipped" for number in (2, 3, 4)
    ]


def _copy(path: Path) -> None:
    (path.parent / "copy").mkdir()
    (path.parent / "copy" / path.name).write_bytes(path.read_bytes())


@pytest.mark.parametrize(
    ("spoil", "code", "says"),
    [
        (lambda place: place.labels.unlink(), "no_labels", "No such file"),
        (lambda place: place.labels.write_text("\n"), "no_labels", "No labels"),
        (lambda place: place.labels.write_text("[1]\n"), "no_labels", "No labels"),
        (lambda place: place.label("other/a.jsonl"), "ambiguous", "Two labels are for a session named a.jsonl"),
        (lambda place: place.folder.rename(place.folder.with_name("x")), "no_corpus", "No such folder"),
        (lambda place: (place.folder / "a.jsonl").unlink(), "no_sessions", "None of the 1 labelled sessions"),
        (lambda place: _copy(place.folder / "a.jsonl"), "ambiguous", "Two sessions are named a.jsonl"),
        (lambda _: None, "too_few", "1 owners"),
    ],
)
def test_wrong_input_is_an_error_with_a_hint(place: Place, spoil: Callable[[Place], Any], code: str, says: str) -> None:
    place.session("a.jsonl", learnings=((1, 22),))
    spoil(place)
    with pytest.raises(MindSkillsError) as raised:
        read_sessions([place.labels], [place.folder], 1)
    assert (raised.value.code, says in raised.value.message, raised.value.hint != "") == (code, True, True)


def test_files_that_no_label_names_are_not_opened_and_missing_ones_are_reported(place: Place) -> None:
    place.session("a.jsonl")
    place.label("gone.jsonl")
    place.session("torn.jsonl")
    (place.folder / "torn.jsonl").write_text("{broken", encoding="utf-8")
    os.mkfifo(place.folder / "b.jsonl")
    logs, problems = locate_logs([place.folder], load_labels(place.labels).labels)
    assert "a.jsonl" in logs
    assert "There is no log of gone.jsonl." in problems


def test_the_owner_comes_from_any_inventory_else_from_the_label_else_from_the_name(apart: Path, place: Place) -> None:
    (place.folder / "inventory.csv").write_text("file,source_repo\nsessions/a.jsonl,Listed/shop\nb.jsonl,\n")
    place.label("a.jsonl", source_repo="Labelled/shop")
    place.label("b.jsonl", source_repo="Labelled/shop")
    place.label("Named__shop__1.jsonl")
    sources = find_sources(load_labels(place.labels).labels, [apart, place.folder])
    assert [get_owner(source) for source in sources.values()] == ["listed", "labelled", "named"]


def test_labels_of_several_files_are_pooled(place: Place, apart: Path) -> None:
    place.label("a.jsonl")
    other = Place(apart / "more")
    other.label("b.jsonl")
    assert [label.name for label in load_labels(place.labels, other.labels).labels] == ["a.jsonl", "b.jsonl"]
    other.label("a.jsonl")
    with pytest.raises(MindSkillsError, match="Two labels"):
        load_labels(place.labels, other.labels)
