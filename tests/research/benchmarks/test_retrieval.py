"""That the retrieval benchmark asks what it says it asks, and counts right."""

import pytest

from research.benchmarks.retrieval import figures, methods, pairs, synthetic, through_commands

PAIRS, LEARNINGS = pairs.load_pairs()
DOORS = [
    pairs.Learning("hinge", "house", "A squeaking hinge wants oil.", "Repair what is loud at night"),
    pairs.Learning("lock", "house", "A lock that jams wants graphite, never grease.", "The key turns hard"),
    pairs.Learning("draught", "house", "Felt along the frame keeps out the wind.", "Heat less"),
]


def rounded(share: figures.Share) -> tuple[float, float, float]:
    return round(share["value"], 4), round(share["low"], 4), round(share["high"], 4)


def test_the_numbers_of_pairs_and_learnings_are_as_declared_and_half_share_no_word() -> None:
    apart = sum(not pair.shares_words for pair in PAIRS)
    held_out = sum(pair.half == "held-out" for pair in PAIRS)
    assert (len(PAIRS), apart, held_out, len(LEARNINGS)) == (161, 93, 88, 414)


def test_every_pair_refers_to_a_learning_and_no_learning_occurs_twice() -> None:
    names = [learning.id for learning in LEARNINGS]
    assert [pair.id for pair in PAIRS] == names[: len(PAIRS)]
    assert len(set(names)) == len({learning.text for learning in LEARNINGS}) == len(names)
    assert [learning.id for learning in LEARNINGS if not (learning.area and learning.text and learning.task)] == []


def test_late_pairs_search_all_learnings_and_belong_to_no_half() -> None:
    late, stored = pairs.load_pairs(late=True)
    assert ({pair.half for pair in late}, len(late), sum(not pair.shares_words for pair in late)) == ({"late"}, 40, 25)
    assert [one.id for one in stored] == [one.id for one in LEARNINGS] + [pair.id for pair in late]


def test_shared_words_are_compared_by_stem_without_stop_words() -> None:
    assert pairs.find_shared_words(
        [("the indexes are never used", "an indexed column, used or not"), ("Locks, the", "the key"), ("", "nothing")]
    ) == [{"index"}, set(), set()]


def test_every_method_finds_a_text_and_its_task_only_if_stored() -> None:
    plain = [methods.bm25, methods.bm25_without_stop_words, methods.hashing, methods.fusion, methods.search_store]
    asked = ["squeaking hinge", "key turns"]
    found = {method.__name__: [answer[:1] for answer in method(DOORS, asked, task=True)] for method in plain}
    assert found == {method.__name__: [["hinge"], ["lock"]] for method in plain}
    assert methods.bm25(DOORS, asked, task=False) == [["hinge"], []]


def test_three_letters_in_a_row_are_enough_for_the_trigram_index() -> None:
    assert methods.trigram(DOORS, ["graphitic", "of", "no"], task=False) == [["lock"], [], []]


def test_full_text_search_treats_every_query_as_words() -> None:
    assert methods.build_any_query(["a", 'b"c', "NEAR"]) == '"a" OR "b""c" OR "NEAR"'


def test_a_rank_beyond_five_counts_only_for_the_mean_and_a_missing_one_not_at_all() -> None:
    found = figures.compute_figures([1, 2, 8, 0])
    values = [found["r1"]["value"], found["r5"]["value"], found["mrr"]["value"]]
    assert (found["pairs"], values) == (4, [0.25, 0.5, pytest.approx((1 + 1 / 2 + 1 / 8) / 4)])


@pytest.mark.parametrize(
    ("hits", "of", "share"),
    [
        (0, 10, (0.0, 0.0, 0.2775)),
        (5, 10, (0.5, 0.2366, 0.7634)),
        (10, 10, (1.0, 0.7225, 1.0)),
        (0, 0, (0.0, 0.0, 1.0)),
    ],
)
def test_the_interval_is_wilsons(hits: int, of: int, share: tuple[float, float, float]) -> None:
    assert rounded(figures.compute_wilson_share(hits, of)) == share


def test_a_table_gives_each_figure_with_its_interval() -> None:
    found: figures.Figures = {
        "pairs": 10,
        "r1": figures.compute_wilson_share(0, 10),
        "r5": figures.compute_wilson_share(10, 10),
        "mrr": {"value": 0.504, "low": 0.3, "high": 0.7},
    }
    assert figures.format_table([("one", found)]).splitlines() == [
        "| method | R@1 | R@5 | MRR |",
        "|---|---|---|---|",
        "| one | .00 (.00-.28) | 1.00 (.72-1.00) | .50 (.30-.70) |",
    ]


def test_variations_are_reproducible_and_all_different() -> None:
    once, again = (list(synthetic.generate_variations(LEARNINGS, 500)) for _ in range(2))
    assert once == again
    assert len({one.text for one in once}) == len({one.id for one in once}) == 500


@pytest.mark.process
def test_the_commands_find_what_the_store_finds() -> None:
    asked = ["squeaking hinge", "key turns"]
    found = through_commands.search_by_commands(DOORS, asked, task=True)
    assert [answer[:1] for answer in found] == [["hinge"], ["lock"]]
