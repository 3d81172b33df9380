"""Bounds on what attack.py counts: almost no drawn secret is left, and almost no harmless line is changed.

With ``MIND_SKILLS_DEEP=1`` in the environment every kind is drawn 200 times, as ``python -m tests.redaction.attack`` does.
"""

from __future__ import annotations

import os

import pytest

from tests.redaction.attack import FILES, KINDS, WRITTEN, Left, count_leaks, find_mangled

DEEP = bool(os.environ.get("MIND_SKILLS_DEEP"))
DRAWS = 200 if DEEP else 2
ALLOWED_SHARES = {"under a name": 0.01, "in another form": 0.005, "under a label": 0.013, "by its appearance": 0.12}
"""The share of leaks allowed in groups whose secrets are recognised by their appearance, since a few draws look like words.

Without a nearby word for a secret, more are missed."""


def test_there_are_enough_kinds_and_places() -> None:
    kinds = {kind for group in KINDS.values() for kind in group}
    assert (len(kinds) >= 150, sum(map(len, KINDS.values())) + 15 * len(KINDS["by issuer"]) >= 400) == (True, True)


@pytest.mark.parametrize("held_out", [False, True], ids=["not held out", "held out"])
@pytest.mark.parametrize("group", KINDS)
def test_almost_no_drawn_secret_of_a_group_is_left(group: str, held_out: bool) -> None:
    found: dict[str, Left] = count_leaks(DRAWS, held_out, (group,))[group]
    # If there are few draws, a few leaks are chance.
    draws, left = sum(one.draws for one in found.values()), {kind: one for kind, one in found.items() if one.pieces}
    assert sum(one.pieces for one in left.values()) <= ALLOWED_SHARES.get(group, 0) * (draws + 100), left


@pytest.mark.parametrize("held_out", [False, True], ids=["not held out", "held out"])
def test_at_most_one_in_a_hundred_harmless_lines_is_changed(held_out: bool) -> None:
    counts = find_mangled(10 if DEEP else 1, held_out, (*WRITTEN, *FILES) if DEEP else WRITTEN)
    changed = [text for _, texts in counts.values() for text in texts]
    assert len(changed) <= 0.01 * sum(count for count, _ in counts.values()), changed
