"""A list of many words covers no learning; a long text with a relevant passage does."""

from __future__ import annotations

from random import Random

import pytest

from mind_skills.learning.skills.files import WORDS_PER_PASSAGE, covers, extract_distinctive_words, split_passages
from tests.learning.covered_pairs import PAIRS, UNRELATED

LEARNINGS = [extract_distinctive_words(pair.learning) for pair in PAIRS]


def build_dictionary(order: str) -> str:
    """Every word of every learning, with enough other words for a file of 64 kB."""
    drawn = Random(7)
    known = sorted({word for wanted in LEARNINGS for word in wanted})
    others = ["".join(drawn.choices("abcdefghijklmnopqrstuvwxyz", k=drawn.randint(4, 12))) for _ in range(6000)]
    words = [*known, *others]
    if order == "sorted":
        words.sort()
    if order == "shuffled":
        drawn.shuffle(words)
    return "---\nname: style\ndescription: Use when writing code here.\n---\n" + " ".join(words)


@pytest.mark.parametrize("order", ["sorted", "shuffled"])
def test_a_dictionary_covers_no_learning(order: str) -> None:
    found = split_passages(build_dictionary(order))
    assert [n for n, wanted in enumerate(LEARNINGS) if any(covers(wanted, words) for words in found)] == []


@pytest.mark.parametrize("number", range(len(PAIRS)))
def test_a_long_skill_covers_a_learning_that_one_of_its_passages_is_about(number: int) -> None:
    around = " ".join(f"{text} {chr(97 + n % 26) * 5}{n}" for n in range(40) for text in UNRELATED)
    text = f"{around}\n{PAIRS[number].covers}\n{around}"
    assert len(split_passages(text)) > 3
    assert any(covers(LEARNINGS[number], words) for words in split_passages(text))


def test_a_short_skill_is_one_passage_and_the_passages_of_a_long_one_contain_every_word() -> None:
    words = [f"word{number}" for number in range(5 * WORDS_PER_PASSAGE + 7)]
    assert split_passages(" ".join(words[:WORDS_PER_PASSAGE])) == [set(words[:WORDS_PER_PASSAGE])]
    assert split_passages("") == [set()]
    long = split_passages(" ".join(words))
    assert set[str]().union(*long) == set(words)
    assert max(map(len, long)) == WORDS_PER_PASSAGE
