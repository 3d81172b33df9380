"""Observations with lazily cleaned text equal those with plain text."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import copy, deepcopy
from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.observations import builders
from mind_skills.observations.model import Observation, estimate_length, get_raw_text, may_contain_all, set_lazy_text
from mind_skills.redaction.text import clean_text

SECRET = "gh" + "p_" + "a1B2c3D4" * 5
PRINTED = f"\x1b[31mred\x1b[0m token {SECRET} end"
CLEAN = "red token [redacted:github-token] end"


def _make_lazy(text: str = PRINTED, limit: int = 100) -> Observation:
    return set_lazy_text(Observation("tool", 7, tool="Bash", files=("a.py",)), text, limit)


def _make_plain(text: str = CLEAN) -> Observation:
    return Observation("tool", 7, text, tool="Bash", files=("a.py",))


WAYS: dict[str, Callable[[Observation], object]] = {
    "read": lambda one: one.text,
    "getattr": lambda one: getattr(one, "text"),  # noqa: B009 - like code that iterates over all fields
    "asdict": lambda one: asdict(one)["text"],
    "copy": lambda one: copy(one).text,
    "deepcopy": lambda one: deepcopy(one).text,
    "replace": lambda one: replace(one, line=8).text,
    "pickle": lambda one: pickle.loads(pickle.dumps(one)).text,
}


@pytest.mark.parametrize("way", WAYS)
def test_the_text_is_clean_however_it_is_accessed(way: str) -> None:
    assert WAYS[way](_make_lazy()) == CLEAN


def test_a_lazy_observation_has_the_repr_of_a_plain_one_and_equals_it_on_either_side() -> None:
    assert repr(_make_lazy()) == repr(_make_plain())
    assert (_make_lazy() == _make_plain(), _make_plain() == _make_lazy(), _make_lazy() == _make_lazy()) == (
        True,
        True,
        True,
    )
    other: object = 3
    assert (_make_lazy() == _make_plain("x"), _make_plain("x") == _make_lazy(), _make_lazy() == other) == (
        False,
        False,
        False,
    )


def test_a_lazy_observation_is_plain_once_its_text_was_read_or_set() -> None:
    first, second = _make_lazy(), _make_lazy()
    assert first.text == CLEAN
    second.text = "other"
    assert [hasattr(first, "pending_text"), second.text, estimate_length(second), get_raw_text(second)] == [
        False,
        "other",
        5,
        "other",
    ]


def test_no_attribute_of_a_lazy_observation_shows_the_uncleaned_text() -> None:
    assert [name for name in dir(_make_lazy()) if SECRET in str(getattr(_make_lazy(), name, ""))] == []


def test_tool_output_is_not_cleaned_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    cleaned: list[str] = []

    def redact(text: str) -> str:
        cleaned.append(text)
        return text

    monkeypatch.setattr("mind_skills.redaction.text.redact", redact)
    made = builders.build_tool_call("Read", "read", line=1, output=f"x {SECRET}", outcome="ok")
    before = [text for text in cleaned if SECRET in text]
    assert (before, made.text, [text for text in cleaned if SECRET in text]) == ([], f"x {SECRET}", [f"x {SECRET}"])


@given(st.text(max_size=300), st.integers(1, 60), st.integers(1, 200))
def test_a_lazily_cleaned_text_equals_one_that_was_cleaned_at_once(text: str, times: int, limit: int) -> None:
    made = set_lazy_text(Observation("tool", 1), text * times, limit)
    assert made.text == clean_text(text * times, limit)


def test_the_length_of_a_lazy_text_is_estimated_before_it_is_cleaned() -> None:
    texts = ["", "short", "x" * 5_000, "line\n" * 20_000]
    assert [estimate_length(set_lazy_text(Observation("tool", 1), text, 2_000)) for text in texts] == [
        0,
        5,
        2_000,
        2_000,
    ]
    assert estimate_length(_make_plain()) == len(CLEAN)


def test_a_lazy_text_is_searched_for_words_without_cleaning_it() -> None:
    made = set_lazy_text(Observation("tool", 1), "Ran 0 TESTS " + "x\n" * 20_000 + " at the END", 100)
    assert [word in get_raw_text(made) for word in ("0 TEST", "the END", "password")] == [True, True, False]
    beside = ((), ("password",), ("the end",)), (("password",), ("ran", "x", "y"))
    assert [may_contain_all(made, [("tests", sets)]) for sets in beside] == [True, False]
    assert may_contain_all(made, [("password", beside[0])]) is False
    assert hasattr(made, "pending_text")
    assert get_raw_text(_make_plain()) == CLEAN


def test_a_word_with_invisible_characters_is_found_before_and_after_cleaning() -> None:
    texts = ["Pass\u200bword", "Pass\x1b[0mword", "Pass word", "x\n" * 20_000 + "Pass\u200bword"]
    made = [set_lazy_text(Observation("tool", 1), text, 2_000) for text in texts]
    before = ["Password" in get_raw_text(each) for each in made]
    assert (before, ["Password" in each.text for each in made]) == (
        [True, True, False, True],
        [True, True, False, True],
    )
