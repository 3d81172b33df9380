"""Of secrets drawn anew next to none is left, and next to no harmless line is changed: attack.py counts, these are the bounds.

With ``MIND_SKILLS_DEEP=1`` in the environment every kind is drawn 200 times, as ``python -m tests.redaction.attack`` does.
"""

from __future__ import annotations

import os

import pytest

from tests.redaction.attack import FILES, KINDS, WRITTEN, Left, leaked, mangled

DEEP = bool(os.environ.get("MIND_SKILLS_DEEP"))
DRAWS = 200 if DEEP else 2
GUESSED = {"under a name": 0.01, "behind a form": 0.005, "told beside it": 0.01, "by its looks": 0.12}
"""Kinds under a name or in a form are judged by what a password looks like, so that a few draws look like words.

Where no word tells of one, more do."""


def test_there_are_enough_kinds_and_places() -> None:
    kinds = {kind for group in KINDS.values() for kind in group}
    assert (len(kinds) >= 150, sum(map(len, KINDS.values())) + 15 * len(KINDS["by issuer"]) >= 400) == (True, True)


@pytest.mark.parametrize("apart", [False, True], ids=["adapted to", "held out"])
@pytest.mark.parametrize("group", KINDS)
def test_next_to_nothing_is_left_of_secrets_drawn_anew(group: str, apart: bool) -> None:
    found: dict[str, Left] = leaked(DRAWS, apart, (group,))[group]
    # A few draws more or less are chance where there are not many.
    draws, left = sum(one.draws for one in found.values()), {kind: one for kind, one in found.items() if one.pieces}
    assert sum(one.pieces for one in left.values()) <= GUESSED.get(group, 0) * (draws + 100), left


@pytest.mark.parametrize("apart", [False, True], ids=["adapted to", "held out"])
def test_next_to_no_harmless_line_is_changed(apart: bool) -> None:
    counts = mangled(10 if DEEP else 1, apart, (*WRITTEN, *FILES) if DEEP else WRITTEN)
    changed = [text for _, texts in counts.values() for text in texts]
    assert len(changed) <= 0.01 * sum(count for count, _ in counts.values()), changed
