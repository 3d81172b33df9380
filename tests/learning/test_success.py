"""Approval and complaints in the user's words."""

import pytest

from mind_skills.learning.outcome import is_approval, is_complaint


@pytest.mark.parametrize("text", ["thanks!", "Great, now commit", "ok perfect", "it works", "LGTM - merge it"])
def test_praise_is_an_approval(text: str) -> None:
    assert (is_approval(text), is_complaint(text)) == (True, False)


@pytest.mark.parametrize("text", ["still broken", "no, it doesn't work", "that's wrong", "great, but it still fails"])
def test_a_complaint_is_not_an_approval(text: str) -> None:
    assert (is_approval(text), is_complaint(text)) == (False, True)


@pytest.mark.parametrize(
    "text", ["5 seems like a great one to tackle", "does that look nice?", "commit this", "x" * 300 + " thanks"]
)
def test_other_words_are_neither_approval_nor_complaint(text: str) -> None:
    assert (is_approval(text), is_complaint(text)) == (False, False)
