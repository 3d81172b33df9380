"""Coverage of learnings by skills: hand-written pairs on both sides of the threshold."""

from __future__ import annotations

import pytest

from mind_skills.learning.skills.coverage import (
    MIN_SHARE,
    MIN_SHARED_WORDS,
    compute_shared_fraction,
    contains_id,
    covers,
    extract_distinctive_words,
)
from tests.learning.covered_pairs import PAIRS, SAME_ERROR, UNRELATED

LEARNINGS = [extract_distinctive_words(pair.learning) for pair in PAIRS]
OTHERS = [
    (number, text)
    for number, pair in enumerate(PAIRS)
    for text in [
        pair.near,
        *UNRELATED,
        *(text for of, text in SAME_ERROR if of == number),
        *(other.covers for other in PAIRS if other is not pair),
        *(other.near for other in PAIRS if other is not pair),
    ]
]


@pytest.mark.parametrize("number", range(len(PAIRS)))
def test_a_skill_about_a_learning_covers_it(number: int) -> None:
    assert covers(LEARNINGS[number], extract_distinctive_words([PAIRS[number].covers]))


def test_a_skill_about_the_same_tool_the_same_error_or_anything_else_covers_none() -> None:
    assert [
        (number, text[:60]) for number, text in OTHERS if covers(LEARNINGS[number], extract_distinctive_words([text]))
    ] == []


def test_the_threshold_stands_between_the_pairs_with_room_on_either_side() -> None:
    pairs = (len(PAIRS) >= 10, len(OTHERS) >= 20)
    lowest = min(
        compute_shared_fraction(LEARNINGS[n], extract_distinctive_words([pair.covers])) for n, pair in enumerate(PAIRS)
    )
    highest = max(compute_shared_fraction(LEARNINGS[n], extract_distinctive_words([text])) for n, text in OTHERS)
    assert (pairs, round(lowest, 2), round(highest, 2), MIN_SHARE, MIN_SHARED_WORDS) == (
        (True, True),
        0.64,
        0.47,
        0.6,
        5,
    )


def test_a_learning_of_few_words_is_covered_by_nothing_and_one_of_none_is_no_division() -> None:
    assert not covers({"make", "fails"}, {"make", "fails"})
    assert (compute_shared_fraction(set(), {"make"}), covers(set(), set())) == (0.0, False)


def test_an_id_counts_where_it_stands_alone() -> None:
    text = "metadata:\n  candidate: sc_1a2b3c4d\n"
    assert (
        contains_id(text, "sc_1a2b3c4d"),
        contains_id(text, "sc_1a2b3c4"),
        contains_id("xsc_1a2b3c4d", "sc_1a2b3c4d"),
    ) == (
        True,
        False,
        False,
    )
    assert not contains_id(text, "")
