"""Coverage of learnings by skills: hand-written pairs on both sides of the threshold."""

from __future__ import annotations

import pytest

from mind_skills.learning.skills.files import (
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


def test_a_skill_about_the_same_tool_or_the_same_error_does_not_cover_a_learning() -> None:
    assert [
        (number, text[:60]) for number, text in OTHERS if covers(LEARNINGS[number], extract_distinctive_words([text]))
    ] == []


def test_the_coverage_threshold_separates_the_two_sets_of_pairs_with_a_margin() -> None:
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


def test_a_learning_with_few_or_no_words_is_never_covered() -> None:
    assert not covers({"make", "fails"}, {"make", "fails"})
    assert (compute_shared_fraction(set(), {"make"}), covers(set(), set())) == (0.0, False)


def test_a_candidate_id_counts_only_as_a_whole_word() -> None:
    text = "metadata:\n  candidate: sc_1a2b3c4d\n"
    assert (
        contains_id(text, "sc_1a2b3c4d"),
        contains_id(text, "sc_1a2b3c4"),
        contains_id("xsc_1a2b3c4d", "sc_1a2b3c4d"),
    ) == (True, False, False)
    assert not contains_id(text, "")
