"""JSON printed on a terminal contains no control characters, and every reader gets the same text."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mind_skills.output.document import to_json


@given(
    st.text() | st.text(alphabet="\x7f\x80\x9b\x9d\u202e\u200b\u2066\ufeff\U000e0041\u2028 aé日\n\x1b"),
    st.sampled_from([None, 2]),
)
def test_unprintable_characters_are_escaped_in_a_document(said: str, indent: int | None) -> None:
    document = to_json({said: [said]}, indent)
    whole = said.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    assert json.loads(document) in ({whole: [whole]}, {said: [whole]})
    assert [sign for sign in document if not (sign.isprintable() or sign == "\n")] == []


def test_control_characters_in_a_foreign_candidate_are_escaped_in_json(
    project: Path, mind_skills: Callable[..., Any]
) -> None:
    (project / ".claude").mkdir()
    theirs = {"candidates": [{"id": "x\x9b2J", "title": "\x9b31m\u202eevil\x7f"}]}
    (project / ".claude/mind-skills-pending.json").write_text(json.dumps(theirs))
    done = mind_skills("status", "--json")
    assert [sign for sign in done.out if not (sign.isprintable() or sign == "\n")] == []
    assert done.json["foreign"] == [{"id": "x\x9b2J", "title": "\x9b31m\u202eevil\x7f"}]
