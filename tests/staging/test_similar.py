"""One learning in two wordings is one candidate, whichever was staged first."""

from __future__ import annotations

import itertools
import shutil
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mind_skills.learning.skills.discovery import Skill
from mind_skills.staging.identity import (
    MIN_NAME_SHARE,
    MIN_WORD_SHARE,
    MIN_WORDS,
    are_alike,
    extract_comparison_key,
    extract_names,
)
from mind_skills.staging.model import serialise_candidate
from mind_skills.staging.tables import candidates as table
from tests.staging.similar_pairs import CLOSE, DIFFERENT, IN_OTHER_WORDS, RECOGNISED, SAME
from tests.staging.workbench import Workbench, candidate
from tests.testkit.examples import examples

FIRST, SECOND = SAME[0]
OTHER = DIFFERENT[3][1]


def extract_keys(pair: tuple[str, str]) -> tuple[Any, Any]:
    return extract_comparison_key(candidate("x", title=pair[0])), extract_comparison_key(candidate("y", title=pair[1]))


@pytest.mark.parametrize("pair", SAME, ids=lambda pair: pair[0][:30])
def test_titles_of_one_learning_are_alike(pair: tuple[str, str]) -> None:
    one, other = extract_keys(pair)
    assert (are_alike(one, other), are_alike(other, one)) == (True, True)


def test_some_paraphrased_titles_are_alike_although_they_share_too_few_words() -> None:
    found = [number for number, pair in enumerate(IN_OTHER_WORDS) if are_alike(*extract_keys(pair))]
    assert (
        found
        == [number for number, pair in enumerate(IN_OTHER_WORDS) if are_alike(*extract_keys(pair[::-1]))]
        == list(RECOGNISED)
    )
    by_words = [number for number, (a, b) in enumerate(map(extract_keys, IN_OTHER_WORDS)) if _share_enough_words(a, b)]
    assert by_words == []


def _share_enough_words(one: Any, other: Any) -> bool:
    return len(one.words & other.words) >= MIN_WORD_SHARE * len(one.words | other.words)


@pytest.mark.parametrize("pair", [*DIFFERENT, *CLOSE], ids=lambda pair: pair[0][:30])
def test_titles_of_two_learnings_are_not_alike(pair: tuple[str, str]) -> None:
    one, other = extract_keys(pair)
    assert (are_alike(one, other), are_alike(other, one)) == (False, False)


def test_the_word_threshold_separates_pairs_of_one_learning_from_pairs_of_two() -> None:
    def shared(pair: tuple[str, str]) -> float:
        one, other = extract_keys(pair)
        return round(len(one.words & other.words) / len(one.words | other.words), 2)

    def unnamed(pair: tuple[str, str]) -> bool:
        one, other = extract_keys(pair)
        return one.names == other.names and len(one.words & other.words) >= MIN_WORDS

    assert (
        min(map(shared, SAME)),
        max(map(shared, filter(unnamed, DIFFERENT))),
        MIN_WORD_SHARE,
        MIN_WORDS,
        MIN_NAME_SHARE,
    ) == (
        0.83,
        0.36,
        0.75,
        4,
        0.5,
    )


def test_no_title_is_like_a_title_of_another_pair() -> None:
    texts = [(number, title) for number, pair in enumerate(SAME) for title in pair]
    mixed = [
        (a, b) for (m, a), (n, b) in itertools.combinations(texts, 2) if m != n and are_alike(*extract_keys((a, b)))
    ]
    assert mixed == []


def test_dismissing_one_wording_dismisses_the_learning(tmp_path: Path) -> None:
    with Workbench(tmp_path) as bench:
        ids: list[str] = []
        for session, title in (("A", FIRST), ("B", SECOND)):
            found = candidate(session, title=title, session=session)
            ids.append(found.id)
            bench.ledger.stage(bench.project, session, "claude-code", [found], 100)
        (head,) = (each.id for each in bench.ledger.list_pending(bench.project))
        (member,) = set(ids) - {head}
        assert bench.ledger.dismiss(member, "no", 300).candidate.id == head
        assert (bench.claim("C"), bench.ledger.list_pending(bench.project)) == (None, [])
        bench.ledger.undo(400)
        assert [each.id for each in bench.ledger.list_pending(bench.project)] == [head]
        merged = [(r.candidate, r.detail) for r in bench.ledger.list_receipts() if r.event == "merged"]
        assert merged == [(member, {"into": head})]


def test_an_ignored_learning_is_pending_again_once_for_each_session_that_words_it_otherwise(tmp_path: Path) -> None:
    with Workbench(tmp_path) as bench:
        found = {"A": candidate("A", title=FIRST, session="A"), "B": candidate("B", title=SECOND, session="B")}
        offered: list[str] = []
        # B repeats its candidate at each of its checkpoints.
        for session, taker in (("A", "C"), ("B", "D"), ("B", "E"), ("B", "F")):
            bench.ledger.stage(bench.project, session, "claude-code", [found[session]], 100)
            offered += [taker for _ in filter(None, [bench.claim(taker)])]
            bench.ledger.apply_verdicts(taker, {}, 300)
        assert offered == ["C", "D"]


def test_candidates_with_unrelated_remedies_and_rules_of_the_user_are_not_alike() -> None:
    def same(**other: Any) -> bool:
        return are_alike(
            extract_comparison_key(candidate("x", title=FIRST, remedy="run `make seed`")),
            extract_comparison_key(candidate("y", title=FIRST, **other)),
        )

    found = [
        same(),
        same(kind="non_obvious"),
        same(remedy="make seed-all seed"),
        same(remedy="`npm ci`"),
        same(kind="user_rule"),
    ]
    assert found == [True, True, True, False, False]


def test_names_are_codes_identifiers_numbers_and_quotes_without_paths_and_lines() -> None:
    title = "a.go:26: E0502 in `self.x` of 'map' at /usr/lib/x.py, useApi() got 404 on 2026-01-02"
    assert extract_names(title) == {"a.go", "e0502", "self.x", "map", "useapi", "404"}


def stage_titles(bench: Workbench, session: str, *titles: str, at: int = 100, score: float = 1.0) -> Any:
    """Stage learnings whose anchors differ as their titles do."""
    made = [candidate(f"anchor of {title}", score, at, session, title=title) for title in titles]
    return bench.ledger.stage(bench.project, session, "claude-code", made, at)


def id_of(title: str) -> str:
    return candidate(f"anchor of {title}").id


def list_ids_and_sessions(bench: Workbench) -> list[tuple[str, tuple[str, ...]]]:
    return [(c.id, c.sessions) for c in bench.ledger.list_pending(bench.project)]


class TestPending:
    def test_the_earliest_wording_represents_both_and_has_all_sessions(self, bench: Workbench) -> None:
        stage_titles(bench, "S", FIRST, OTHER, at=200)
        done = stage_titles(bench, "R", SECOND, at=100, score=0.5)
        assert (done.new, done.seen_before, done.pending_count) == ((id_of(SECOND),), (), 2)
        assert sorted(list_ids_and_sessions(bench)) == sorted([(id_of(SECOND), ("R", "S")), (id_of(OTHER), ("S",))])
        best = next(c for c in bench.ledger.list_pending(bench.project) if c.id == id_of(SECOND))
        assert (best.title, best.score) == (FIRST, 1.0)
        assert bench.ledger.find_candidate(id_of(FIRST)).detail == id_of(SECOND)

    def test_a_later_wording_counts_as_seen_again_and_not_as_new(self, bench: Workbench) -> None:
        stage_titles(bench, "S", FIRST)
        done = stage_titles(bench, "R", SECOND, at=300)
        assert (done.new, done.seen_before) == ((), (id_of(FIRST),))
        assert bench.in_file() == [id_of(FIRST)]

    def test_the_second_wording_is_pending_alone_after_the_first_is_withdrawn(self, bench: Workbench) -> None:
        stage_titles(bench, "S", FIRST)
        stage_titles(bench, "R", SECOND, at=300)
        done = stage_titles(bench, "S", OTHER)
        assert done.withdrawn == (id_of(FIRST),)
        assert sorted(list_ids_and_sessions(bench)) == sorted([(id_of(SECOND), ("R",)), (id_of(OTHER), ("S",))])

    def test_a_skill_that_teaches_the_learning_covers_both_wordings(self, bench: Workbench) -> None:
        stage_titles(bench, "S", FIRST)
        stage_titles(bench, "R", SECOND, at=300)
        skill = Skill("a", "/a/SKILL.md", "", f"{FIRST}. {SECOND}.")
        bench.ledger.update_pending_file(bench.project, 400, [skill])
        assert (list_ids_and_sessions(bench), [r.candidate.id for r in bench.ledger.list_covered(bench.project)]) == (
            [],
            [id_of(FIRST)],
        )
        stage_titles(bench, "Q", SECOND, at=500)
        assert list_ids_and_sessions(bench) == []


class TestDecided:
    @pytest.mark.parametrize("verdict", ["accept", "dismiss"])
    def test_a_candidate_like_a_decided_one_is_not_offered(self, bench: Workbench, verdict: str) -> None:
        stage_titles(bench, "S", FIRST)
        getattr(bench.ledger, verdict)(id_of(FIRST), "why", 200)
        done = stage_titles(bench, "R", SECOND, at=300)
        assert (done.new, done.settled_before, list_ids_and_sessions(bench), bench.claim("T")) == (
            (),
            (id_of(FIRST),),
            [],
            None,
        )
        bench.ledger.undo(400)
        assert list_ids_and_sessions(bench) == [(id_of(FIRST), ("S",))]
        stage_titles(bench, "R", SECOND, at=500)
        assert list_ids_and_sessions(bench) == [(id_of(FIRST), ("S", "R"))]

    def test_a_candidate_like_an_offered_one_merges_with_it(self, bench: Workbench) -> None:
        stage_titles(bench, "S", SECOND, at=300)
        assert bench.claim("T") is not None
        stage_titles(bench, "R", FIRST, at=100)
        assert list_ids_and_sessions(bench) == [(id_of(SECOND), ("R", "S"))]
        assert bench.claim("U") is None

    def test_an_ignored_candidate_is_pending_again_when_a_new_session_sees_it_in_other_words(
        self, bench: Workbench
    ) -> None:
        stage_titles(bench, "S", FIRST)
        bench.claim("T")
        bench.ledger.apply_verdicts("T", {}, 400)
        stage_titles(bench, "S", FIRST, SECOND, at=500)
        stage_titles(bench, "T", SECOND, at=500)
        assert list_ids_and_sessions(bench) == []
        stage_titles(bench, "R", SECOND, at=600)
        assert [id_ for id_, _ in list_ids_and_sessions(bench)] == [id_of(FIRST)]
        assert bench.claim("U") is not None

    def test_a_merged_candidate_can_be_dismissed_by_its_own_id(self, bench: Workbench) -> None:
        stage_titles(bench, "S", FIRST)
        stage_titles(bench, "R", SECOND, at=300)
        bench.ledger.dismiss(id_of(SECOND), "no", 400)
        stage_titles(bench, "R", OTHER, at=500)
        assert list_ids_and_sessions(bench) == [(id_of(OTHER), ("R",))]


TITLES = [title for pair in SAME[:3] for title in pair] + [DIFFERENT[1][0], DIFFERENT[1][1]]
logs = st.lists(st.lists(st.sampled_from(TITLES), min_size=1, max_size=3, unique=True), min_size=2, max_size=5)


def stage_in_order(sessions: list[tuple[int, list[str]]]) -> dict[str, object]:
    """Return the records and the list of a database after staging these sessions in this order."""
    folder = Path(tempfile.mkdtemp())
    try:
        with mock.patch("os.fsync"), Workbench(folder) as bench:
            for number, titles in sessions:
                stage_titles(bench, f"S{number}", *titles, at=100 + number, score=1.0 + number / 8)
            with bench.ledger.database.reading() as sql:
                rows = table.select_records(sql, "project = ? ORDER BY id", bench.project.id)
            kept = {r.candidate.id: (r.state, r.detail, serialise_candidate(r.candidate)) for r in rows}
            return {**kept, "order": [c.id for c in bench.ledger.list_pending(bench.project)]}
    finally:
        shutil.rmtree(folder)


@pytest.mark.process
@settings(max_examples=examples(20))
@given(logs, st.randoms(use_true_random=False))
def test_the_pending_list_does_not_depend_on_the_order_of_staging(found: list[list[str]], random: Any) -> None:
    sessions = list(enumerate(found))
    shuffled = sessions[:]
    random.shuffle(shuffled)
    assert stage_in_order(sessions) == stage_in_order(shuffled) == stage_in_order([*shuffled, *sessions])
