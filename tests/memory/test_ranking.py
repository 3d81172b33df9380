"""Terms of a query, and the scores of each search method."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.memory import ranking
from mind_skills.memory.features import (
    PIECE_BITS,
    PIECE_DIMENSION,
    compute_cosine,
    compute_overlap,
    hash_pieces,
    hash_text,
)
from mind_skills.memory.index import quote_term
from mind_skills.memory.model import Record
from mind_skills.memory.ranking import MAX_IDENTIFIERS, MAX_WORDS, extract_identifiers, extract_words
from mind_skills.memory.store import open_memory


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Why does my Server hold the port, the PORT?", ["server", "hold", "port"]),
        ("the of and", ["the", "of", "and"]),
        ('" OR 1=1 --', ["or", "1"]),
        ("größer als groß", ["größer", "als", "groß"]),
        ("", []),
        ("\x00\x01", []),
    ],
)
def test_a_question_asks_for_its_telling_words_once_each(text: str, expected: list[str]) -> None:
    assert extract_words(text) == expected


def test_a_question_asks_for_the_identifiers_in_it_and_for_no_plain_word() -> None:
    text = "After the upgrade useEffect runs twice, see src/app.py, ECONNREFUSED, MAX_RETRIES and HttpClient"
    assert extract_identifiers(text) == ["useEffect", "src/app.py", "ECONNREFUSED", "MAX_RETRIES", "HttpClient"]
    assert extract_identifiers("nothing but plain words. And more of them") == []


@given(st.text(max_size=300))
def test_any_question_is_bounded_and_quoted_so_that_nothing_in_it_is_syntax(text: str) -> None:
    assert len(extract_words(text * 20)) <= MAX_WORDS
    assert len(extract_identifiers(text * 20)) <= MAX_IDENTIFIERS
    assert quote_term(text).count('"') % 2 == 0


@given(st.text(max_size=200), st.text(max_size=200))
def test_the_pieces_of_two_texts_are_as_near_one_way_as_the_other_and_to_themselves_the_nearest(
    one: str, other: str
) -> None:
    vectors, sets = (hash_text(one), hash_text(other)), (hash_pieces(one), hash_pieces(other))
    assert [len(each) for each in (*vectors, *sets)] == [
        PIECE_DIMENSION,
        PIECE_DIMENSION,
        PIECE_BITS // 8,
        PIECE_BITS // 8,
    ]
    assert compute_cosine(*vectors) == pytest.approx(compute_cosine(*vectors[::-1]))
    first, second = (int.from_bytes(each, "little") for each in sets)
    assert compute_overlap(first, second) == compute_overlap(second, first)
    assert 0 <= compute_overlap(first, second) <= 1
    assert compute_overlap(first, second) <= max(compute_overlap(first, first), compute_overlap(second, second))


def best(home: Path, records: list[Record], text: str) -> list[str]:
    with open_memory(str(home)) as store:
        store.store_all(records)
        return [hit.record.id for hit in store.query(text)]


def test_half_an_identifier_finds_the_whole(tmp_path: Path) -> None:
    others = [Record(f"r{n}", "learning", f"Nothing to see in number {n}") for n in range(5)]
    whole = Record("whole", "learning", "AbstractHttpClientFactoryBean ignores its pool")
    assert best(tmp_path, [*others, whole], "ClientFactory") == ["whole"]


def test_another_form_of_a_word_finds_it(tmp_path: Path) -> None:
    records = [Record("a", "learning", "Quokkas were migrating"), Record("b", "learning", "Wombats stay at home")]
    assert best(tmp_path, records, "quokka migration")[0] == "a"


def test_what_says_the_same_in_other_words_comes_before_what_shares_a_word_in_passing(tmp_path: Path) -> None:
    records = [
        Record("meant", "learning", "An unbounded cache grows the heap; bound it with an LRU"),
        Record("passing", "learning", "Name the program in the title bar of its window"),
        *(Record(f"r{n}", "learning", f"Column {n} of the table is narrow") for n in range(20)),
    ]
    assert best(tmp_path, records, "my program eats all the RAM")[0] == "meant"


def test_words_that_stand_in_nearly_every_record_do_not_keep_a_question_from_its_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranking, "MIN_COMMON_COUNT", 3)
    records = [Record(f"r{n}", "learning", f"The zorble shows value {n}") for n in range(50)]
    records.append(Record("meant", "learning", "The zorble frobnicates"))
    assert best(tmp_path, records, "zorble frobnicates")[0] == "meant"
    assert len(best(tmp_path, records, "zorble")) == 5


def test_both_of_its_texts_bring_a_record_before_those_that_one_text_brings(tmp_path: Path) -> None:
    records = [
        Record("content", "learning", "The frobnicator needs oil", task="Paint the shed"),
        Record("task", "learning", "Paint dries slowly", task="Oil the frobnicator"),
        Record("both", "learning", "The frobnicator needs oil", task="Oil the frobnicator"),
    ]
    assert best(tmp_path, records, "oil for the frobnicator")[0] == "both"
