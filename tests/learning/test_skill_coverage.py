"""Coverage of learnings by skills: hand-written pairs on both sides of the threshold."""

from __future__ import annotations

import pytest

from mind_skills.learning.skills.coverage import LEAST, SHARE, covers, distinctive_words, mentions, share_held
from tests.learning.covered_pairs import PAIRS, SAME_ERROR, UNRELATED

LEARNINGS = [distinctive_words(pair.learning) for pair in PAIRS]
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
    assert covers(LEARNINGS[number], distinctive_words([PAIRS[number].covers]))


def test_a_skill_about_the_same_tool_the_same_error_or_anything_else_covers_none() -> None:
    assert [
        (number, text[:60]) for number, text in OTHERS if covers(LEARNINGS[number], distinctive_words([text]))
    ] == []


def test_the_threshold_stands_between_the_pairs_with_room_on_either_side() -> None:
    pairs = (len(PAIRS) >= 10, len(OTHERS) >= 20)
    lowest = min(share_held(LEARNINGS[n], distinctive_words([pair.covers])) for n, pair in enumerate(PAIRS))
    highest = max(share_held(LEARNINGS[n], distinctive_words([text])) for n, text in OTHERS)
    assert (pairs, round(lowest, 2), round(highest, 2), SHARE, LEAST) == ((True, True), 0.64, 0.47, 0.6, 5)


def test_a_learning_of_few_words_is_covered_by_nothing_and_one_of_none_is_no_division() -> None:
    assert not covers({"make", "fails"}, {"make", "fails"})
    assert (share_held(set(), {"make"}), covers(set(), set())) == (0.0, False)


def test_an_id_counts_where_it_stands_alone() -> None:
    text = "metadata:\n  candidate: sc_1a2b3c4d\n"
    assert (mentions(text, "sc_1a2b3c4d"), mentions(text, "sc_1a2b3c4"), mentions("xsc_1a2b3c4d", "sc_1a2b3c4d")) == (
        True,
        False,
        False,
    )
    assert not mentions(text, "")
