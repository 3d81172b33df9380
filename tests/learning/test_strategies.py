"""The preliminary search never misses a strategy."""

from itertools import product

import pytest

from mind_skills.learning.strategies import SIGNS, STRATEGIES, extract_strategies

GAPS = (" ", "\n", "\u00a0 ")
PHRASES = {
    "Split by file type": ("split_by_file_type", "Splitting_by_file_type"),
    "Split by component": ("split_by_component",),
    "Split by layer (UI/logic/data)": ("splitting_by_layer",),
    "Split by feature": ("SPLIT_by_feature",),
    "One file per subtask": ("one_file_per_task", "one_file_per_subtask"),
    "Handle shared types first": ("shared_types_first", "shared_type_first"),
    "Separate API routes": ("API_routes_separate", "api_route_separate"),
    "Tests alongside implementation": tuple(
        f"{tests}_{how}_{what}"
        for tests, how, what in product(("test", "tests"), ("with", "alongside"), ("code", "implementation"))
    ),
    "Tests in separate subtask": ("tests_in_separate_subtask", "test_separate_task"),
    "Maximize parallelization": ("parallelize_everything", "parallel_all"),
    "Sequential execution order": ("sequential_order", "sequential_execution"),
    "Respect dependency chain": ("dependency_chain", "dependency_order"),
}


def test_every_strategy_has_phrases_in_this_test() -> None:
    assert tuple(PHRASES) == STRATEGIES


@pytest.mark.parametrize("label", PHRASES)
def test_every_phrase_of_a_strategy_contains_a_sign_of_the_preliminary_search(label: str) -> None:
    texts = [phrase.replace("_", gap) for phrase, gap in product(PHRASES[label], GAPS)]
    low = [text.lower() for text in texts]
    has_sign = [
        any(
            word in text and any(all(each in text for each in words) for words in companions)
            for word, companions in SIGNS
        )
        for text in low
    ]
    assert ([extract_strategies(text) for text in texts], has_sign) == ([[label]] * len(texts), [True] * len(texts))


@pytest.mark.parametrize("label", PHRASES)
def test_a_non_ascii_letter_before_a_phrase_does_not_change_the_strategy(label: str) -> None:
    texts = [
        f"{odd} {phrase.replace('_', ' ')}"
        for odd, phrase in product(("\u0130", "\u0131", "\u00e9", "K\u212a"), PHRASES[label])
    ]
    assert [extract_strategies(text) for text in texts] == [[label]] * len(texts)


def test_a_phrase_with_a_lookalike_letter_names_no_strategy() -> None:
    assert (extract_strategies("one file per tas\u212a"), extract_strategies("one file per TASK")) == (
        [],
        ["One file per subtask"],
    )
