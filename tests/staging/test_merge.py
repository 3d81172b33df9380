from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.staging.model import (
    Candidate,
    compute_rank,
    find_minimal_cover,
    merge_candidates,
    merge_sightings,
    sort_best_first,
)
from tests.staging.workbench import candidate

candidates = st.builds(
    lambda anchor, score, at, session, taint: replace(
        candidate(anchor, score, at, session), taint=taint, confidence="high" if score > 1 else "medium"
    ),
    st.sampled_from("abcdefghijklmnop"),
    st.sampled_from([0.0, 0.5, 1.0, 1.5, 3.0]),
    st.integers(0, 3),
    st.sampled_from(["S", "T", "U"]),
    st.sampled_from([(), ("web",), ("mcp",)]),
)
many = st.lists(candidates, max_size=25)


def sort_sessions(found: list[Candidate]) -> list[Candidate]:
    """The candidates with their sessions sorted, since a merge of merges cannot know the order of sessions."""
    return sort_best_first(replace(c, sessions=tuple(sorted(c.sessions))) for c in found)


@given(many, st.randoms(use_true_random=False))
def test_the_order_of_candidates_does_not_change_their_merge(found: list[Candidate], random: object) -> None:
    mixed = list(found)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert merge_candidates(mixed) == merge_candidates(found)


@given(many)
def test_merging_merged_candidates_again_changes_nothing(found: list[Candidate]) -> None:
    once = merge_candidates(found)
    assert [merge_candidates(once), sort_sessions(merge_candidates(found, found)), merge_candidates(once, [])] == [
        once,
        sort_sessions(once),
        once,
    ]


@given(many, many, many)
def test_the_order_of_merges_does_not_matter(
    one: list[Candidate], two: list[Candidate], three: list[Candidate]
) -> None:
    whole = sort_sessions(merge_candidates(one, two, three))
    assert sort_sessions(merge_candidates(merge_candidates(one, two), three)) == whole
    assert sort_sessions(merge_candidates(one, merge_candidates(two, three))) == whole
    assert sort_sessions(merge_candidates(merge_candidates(three, one), two)) == whole


@given(many)
def test_merged_candidates_are_sorted_best_first_without_duplicates(found: list[Candidate]) -> None:
    every = merge_candidates(found)
    assert [compute_rank(c) for c in every] == sorted((compute_rank(c) for c in every), reverse=True)
    assert len({c.fingerprint for c in every}) == len(every)


def test_a_recurrence_unites_the_sessions_and_raises_the_rank() -> None:
    one = candidate("a", 1.0, 10, "S", confidence="high")
    two = replace(candidate("a", 2.0, 20, "T", title="Better", confidence="medium"), taint=("web",), files=("b.py",))
    assert merge_sightings([two, one]) == replace(
        two, confidence="high", detected_at=10, sessions=("S", "T"), files=("b.py",), session_id="T"
    )
    assert compute_rank(merge_sightings([one, two])) > compute_rank(two) > compute_rank(one)


def test_the_older_of_two_equal_candidates_comes_first() -> None:
    found = [candidate("a", at=2), candidate("b", at=1)]
    assert [c.detected_at for c in sort_best_first(found)] == [1, 2]


def test_merging_an_empty_list_of_sightings_raises() -> None:
    with pytest.raises(ValueError, match="no sightings to merge"):
        merge_sightings([])


sightings = st.lists(
    st.builds(
        lambda found, files, session: replace(found, files=files, session_id=session, sessions=(session,)),
        candidates,
        st.lists(st.sampled_from([f"{number}.py" for number in range(40)]), max_size=5).map(tuple),
        st.uuids(version=4).map(str),
    ),
    min_size=1,
    max_size=60,
)


@given(sightings, st.data())
def test_a_minimal_cover_merges_into_the_same_candidate_except_for_sessions_and_files(
    found: list[Candidate], data: st.DataObject
) -> None:
    needed = find_minimal_cover(found)
    some = [c for place, c in enumerate(found) if place in needed or data.draw(st.booleans())]
    assert replace(merge_sightings(some), sessions=(), files=()) == replace(
        merge_sightings(found), sessions=(), files=()
    )
    assert len(needed) <= 5  # the first, the best, one that is sure, and one for each of two taints


def test_the_minimal_cover_of_no_sightings_is_empty() -> None:
    assert find_minimal_cover([]) == set()
