"""The preliminary search never misses a strategy."""

from itertools import product

import pytest

from mind_skills.learning.strategies import SIGNS, STRATEGIES, extract_strategies

GAPS = (" ", "\n", "\u00a0 ")
WAYS = {
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


def test_every_strategy_has_its_ways_to_be_said() -> None:
    assert tuple(WAYS) == STRATEGIES


@pytest.mark.parametrize("label", WAYS)
def test_whatever_names_a_strategy_shows_one_of_its_signs(label: str) -> None:
    said = [way.replace("_", gap) for way, gap in product(WAYS[label], GAPS)]
    low = [text.lower() for text in said]
    shown = [
        any(word in text and any(all(each in text for each in words) for words in beside) for word, beside in SIGNS)
        for text in low
    ]
    assert ([extract_strategies(text) for text in said], shown) == ([[label]] * len(said), [True] * len(said))


@pytest.mark.parametrize("label", WAYS)
def test_letters_beside_ascii_change_nothing_in_what_is_named(label: str) -> None:
    said = [
        f"{odd} {way.replace('_', ' ')}" for odd, way in product(("\u0130", "\u0131", "\u00e9", "K\u212a"), WAYS[label])
    ]
    assert [extract_strategies(text) for text in said] == [[label]] * len(said)


def test_a_letter_that_only_looks_like_one_names_nothing() -> None:
    assert (extract_strategies("one file per tas\u212a"), extract_strategies("one file per TASK")) == (
        [],
        ["One file per subtask"],
    )
