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
        ("re\u0301solution \u0301", ["re\u0301solution"]),
        ("", []),
        ("\x00\x01", []),
        (
            "数据库の接続, HttpClientを使う 値",
            ["数据", "据库", "库の", "の接", "接続", "httpclient", "を使", "使う", "値"],
        ),
    ],
)
def test_the_significant_words_of_a_query_are_extracted_once_each(text: str, expected: list[str]) -> None:
    assert extract_words(text) == expected


def test_the_identifiers_of_a_query_are_extracted_without_plain_words() -> None:
    text = "After the upgrade useEffect runs twice, see src/app.py, ECONNREFUSED, MAX_RETRIES and HttpClient"
    assert extract_identifiers(text) == ["useEffect", "src/app.py", "ECONNREFUSED", "MAX_RETRIES", "HttpClient"]
    assert extract_identifiers("nothing but plain words. And more of them") == []


@given(st.text(max_size=300))
def test_the_terms_of_any_query_are_bounded_and_quoted(text: str) -> None:
    assert len(extract_words(text * 20)) <= MAX_WORDS
    assert len(extract_identifiers(text * 20)) <= MAX_IDENTIFIERS
    assert quote_term(text).count('"') % 2 == 0


@given(st.text(max_size=200), st.text(max_size=200))
def test_the_similarity_of_two_texts_is_symmetric_and_at_most_that_of_a_text_to_itself(one: str, other: str) -> None:
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


def list_ranked_ids(home: Path, records: list[Record], text: str) -> list[str]:
    with open_memory(str(home)) as store:
        store.store_all(records)
        return [hit.record.id for hit in store.query(text)]


def test_part_of_an_identifier_finds_the_whole(tmp_path: Path) -> None:
    others = [Record(f"r{n}", "learning", f"Nothing to see in number {n}") for n in range(5)]
    whole = Record("whole", "learning", "AbstractHttpClientFactoryBean ignores its pool")
    assert list_ranked_ids(tmp_path, [*others, whole], "ClientFactory") == ["whole"]


def test_a_record_is_found_by_another_form_of_its_words(tmp_path: Path) -> None:
    records = [Record("a", "learning", "Quokkas were migrating"), Record("b", "learning", "Wombats stay at home")]
    assert list_ranked_ids(tmp_path, records, "quokka migration")[0] == "a"


def test_a_paraphrase_ranks_above_a_record_that_shares_a_word_by_chance(tmp_path: Path) -> None:
    records = [
        Record("meant", "learning", "An unbounded cache grows the heap; bound it with an LRU"),
        Record("passing", "learning", "Name the program in the title bar of its window"),
        *(Record(f"r{n}", "learning", f"Column {n} of the table is narrow") for n in range(20)),
    ]
    assert list_ranked_ids(tmp_path, records, "my program eats all the RAM")[0] == "meant"


def test_words_of_nearly_every_record_do_not_hide_the_record_that_matches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranking, "MIN_COMMON_COUNT", 3)
    records = [Record(f"r{n}", "learning", f"The zorble shows value {n}") for n in range(50)]
    records.append(Record("meant", "learning", "The zorble frobnicates"))
    assert list_ranked_ids(tmp_path, records, "zorble frobnicates")[0] == "meant"
    assert len(list_ranked_ids(tmp_path, records, "zorble")) == 5


def test_a_match_in_task_and_content_ranks_above_a_match_in_one_of_them(tmp_path: Path) -> None:
    records = [
        Record("content", "learning", "The frobnicator needs oil", task="Paint the shed"),
        Record("task", "learning", "Paint dries slowly", task="Oil the frobnicator"),
        Record("both", "learning", "The frobnicator needs oil", task="Oil the frobnicator"),
    ]
    assert list_ranked_ids(tmp_path, records, "oil for the frobnicator")[0] == "both"


@pytest.mark.parametrize(("project", "taint"), [("b", ""), ("a", "import")], ids=["project", "quarantine"])
@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("Give zorbleFrobnicator a bound", "zorbleFrob"),
        ("The heap grows without a limit", "my program eats all the RAM"),
    ],
    ids=["half a name", "concept"],
)
def test_a_record_is_found_however_many_records_out_of_scope_match_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, project: str, taint: str, content: str, query: str
) -> None:
    monkeypatch.setattr("mind_skills.memory.store.MAX_CANDIDATES", 2)
    with open_memory(str(tmp_path)) as store:
        store.store(Record("own", "learning", content, project="a"))
        store.store_all(
            Record(f"r{number}", "learning", content, project=project, taint=taint) for number in range(201)
        )
        assert [hit.record.id for hit in store.query(query, 1, project_id="a")] == ["own"]


@pytest.mark.parametrize("query", ["la résolution", "la re\u0301solution", "RESOLUTION"])
def test_a_word_is_found_whatever_the_form_of_its_accents(tmp_path: Path, query: str) -> None:
    with open_memory(str(tmp_path)) as store:
        store.store(Record("french", "learning", "La résolution du nom échoue"))
        assert [hit.record.id for hit in store.query(query)] == ["french"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("连接超时", "chinese"),
        ("内存泄漏怎么办", "leak"),
        ("接続", "japanese"),
        ("タイムアウト", "japanese"),
        ("연결", "korean"),
        ("HttpClient", "leak"),
    ],
)
def test_a_part_of_a_sentence_without_spaces_finds_it(tmp_path: Path, query: str, expected: str) -> None:
    texts = {
        "chinese": "数据库连接超时是因为连接池太小",
        "leak": "使用HttpClient时缓存没有上限导致内存泄漏",
        "japanese": "データベースの接続がタイムアウトするのは接続プールが小さいから",
        "korean": "데이터베이스 연결은 연결 풀이 작아서 시간이 초과된다",
    }
    with open_memory(str(tmp_path)) as store:
        store.store_all(Record(name, "learning", text) for name, text in texts.items())
        assert store.query(query)[0].record.id == expected
