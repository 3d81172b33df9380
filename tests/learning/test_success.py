"""What the user's words say about the work."""

import pytest

from mind_skills.learning.success import approves, complains


@pytest.mark.parametrize("text", ["thanks!", "Great, now commit", "ok perfect", "it works", "LGTM - merge it"])
def test_praise_is_heard(text: str) -> None:
    assert (approves(text), complains(text)) == (True, False)


@pytest.mark.parametrize("text", ["still broken", "no, it doesn't work", "that's wrong", "great, but it still fails"])
def test_complaints_are_heard(text: str) -> None:
    assert (approves(text), complains(text)) == (False, True)


@pytest.mark.parametrize(
    "text", ["5 seems like a great one to tackle", "does that look nice?", "commit this", "x" * 300 + " thanks"]
)
def test_other_words_say_neither(text: str) -> None:
    assert (approves(text), complains(text)) == (False, False)
