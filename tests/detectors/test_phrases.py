"""Phrases match like one expression that joins them, and each is indexed by words of which every match contains one."""

import re
from itertools import product
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.detectors import noise, timeline, vetoes
from mind_skills.detectors.words import Phrases, build_phrases, lower_preserving_offsets
from mind_skills.learning import outcome as learning_words
from mind_skills.learning import strategies
from mind_skills.observations.model import Observation, get_raw_text, set_lazy_text
from mind_skills.redaction.text import clean_text

LISTS = {
    name: value
    for module in (noise, timeline, vetoes, learning_words, strategies)
    for name, value in vars(module).items()
    if isinstance(value, Phrases)
}
MAX_FORMS = 20_000
GAP = "\0"
"""Represents anything that is not a literal character: no word extends across it."""


def _list_forms(tree):
    """The possible forms of the matches of a pattern, with alternatives expanded if they are literal."""
    found = [""]
    for code, argument in tree:
        found = ["".join(pair) for pair in product(found, dict.fromkeys(_expand(code, argument)))]
        assert len(found) <= MAX_FORMS
    return found


def _expand(code, argument):
    if code == codes.LITERAL:
        return [chr(argument)]
    if code == codes.IN and all(kind == codes.LITERAL for kind, _ in argument) and len(argument) < 5:
        return [chr(letter) for _, letter in argument]
    if code == codes.SUBPATTERN:
        return _list_forms(argument[-1])
    if code == codes.BRANCH:
        return [form for branch in argument[1] for form in _list_forms(branch)]
    if code == codes.MAX_REPEAT and argument[:2] == (0, 1):
        return ["", *_list_forms(argument[2])]
    if code in (codes.AT, codes.ASSERT, codes.ASSERT_NOT):
        return [""]
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
        low, _, inner = argument
        end = "".join(_list_forms(inner)[0][-1:])
        return [GAP + end] if low else ["", GAP + end]  # a repetition ends like a single occurrence
    return [GAP]


def _list_forms_without(hints, pattern):
    forms = _list_forms(
        parser.parse(pattern.pattern.lower() if isinstance(pattern.pattern, str) else "", pattern.flags)
    )
    return [form for form in forms if not any(hint in form.lower() for hint in hints)]


@pytest.mark.parametrize("name", LISTS)
def test_every_match_of_a_phrase_contains_one_of_its_index_words(name):
    patterns, under, *_ = LISTS[name]
    found = {
        pattern.pattern: _list_forms_without([word for word, of in under if of is pattern], pattern)[:3]
        for pattern in patterns
    }
    assert {pattern: missed for pattern, missed in found.items() if missed} == {}


def test_the_check_finds_matches_without_an_index_word():
    assert _list_forms_without(("bug",), re.compile(r"(?:the bug|a flaw) is")) == ["a flaw is"]
    assert _list_forms_without(("two",), re.compile(r"one(?: two)?")) == ["one"]
    assert _list_forms_without(("one two",), re.compile(r"one \w+two")) == [f"one {GAP}{GAP}two"]


TEXTS = st.lists(
    st.one_of(
        st.sampled_from(sorted({word for found in LISTS.values() for word, _ in found.expressions_by_word})),
        st.sampled_from(
            "the fix is because it needs to be silently dropping this issue I understand what doesn't match".split()
        ),
        st.sampled_from(
            ["\u0130", "\u0131", "\u017filently", "\u212anown bug", "é", "’", "\n", "x", "TURNS OUT", "Root Cause"]
        ),
    ),
    max_size=20,
).flatmap(lambda parts: st.sampled_from([" ".join(parts), "".join(parts)]))


@pytest.mark.parametrize("name", LISTS)
@given(text=TEXTS)
def test_phrases_match_where_the_joined_expression_matches(name, text):
    whole = LISTS[name].join_expressions(re.IGNORECASE)
    expected = whole.search(text) is not None
    for long in (0, len(text)):  # searched by its lines, and as a whole
        with mock.patch("mind_skills.detectors.words._LINE_SEARCH_LENGTH", long):
            assert LISTS[name].matches(text) == expected


def test_word_boundaries_around_an_index_word_are_respected():
    some = build_phrases({"which ": r"\bwhich (?:leads|is)\b"})
    texts = ["which leads", "Which is", "xwhich is", "_which is", "éwhich is", "a-which is so", "which isn"]
    assert [some.matches(text) for text in texts] == [True, True, False, False, False, True, False]


def test_a_text_is_lowered_only_if_its_positions_and_matches_stay_the_same():
    texts = ["ABC", "É’x", "\u212a", "\u0130", "\u0131", "\u017f"]
    assert [lower_preserving_offsets(text) for text in texts] == ["abc", "é’x", "k", None, None, None]


SECRETS = ("AKIA" + "IOSFODNN7ABCDEFG", "password=hunter2hunter2", "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8")
STATEMENTS = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "the real cause is",
                "turns out",
                "found the",
                "bug",
                "which drops",
                "silently",
                "not",
                "because",
                "it fails",
                "this",
                "causes",
                "so i'm",
                "instead",
                "use",
                "`x",
                "does not work",
                "split by",
                "feature",
                "tests with",
                "code",
                "\n",
                "it",
            ]
        ),
        st.sampled_from(SECRETS),
        st.sampled_from(["\u200b", "x", "[", "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"]),
    ),
    max_size=14,
)


@given(STATEMENTS, st.sampled_from([" ", "", " \n"]), st.sampled_from([40, 120, 4_000]))
def test_an_uncleaned_text_may_match_if_its_cleaned_form_contains_a_strategy(parts, gap, limit):
    text = gap.join(parts)
    said = clean_text(text, limit)
    raw_text = get_raw_text(set_lazy_text(Observation("assistant", 1), text, limit))
    may = strategies.STRATEGY_PHRASES.matches(raw_text)
    assert may or strategies.extract_strategies(said) == []
