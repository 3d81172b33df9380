"""The concepts of a text, according to the lexicon."""

import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mind_skills.memory.concepts import (
    IRREGULAR,
    LEXICON_PATH,
    MAX_CONCEPTS,
    MAX_TEXT_LENGTH,
    MIN_STRENGTH,
    extract_concepts,
    load_lexicon,
    stem,
)
from mind_skills.memory.concepts import build as building
from tests.testkit.examples import examples

# The main concepts of each text: those of at least half strength, strongest first.
MAIN_CONCEPTS = {
    "my program eats all the RAM": ["memory_growth", "cache_unbounded", "memory_killed"],
    "NullPointerException in OrderService": ["null_reference"],
    "connect ECONNREFUSED 127.0.0.1:5432": ["connection_refused", "db_connection_refused", "container_localhost"],
    "tests pass alone but fail together": [
        "test_isolation",
        "ci_exit_code",
        "db_seed_test",
        "parallel_test_clash",
        "shared_state",
        "test_time",
    ],
    "umlauts come out as rubbish": ["encoding", "db_charset", "terminal_encoding"],
    "the certificate ran out at the weekend": ["tls_certificate"],
    "two users booked the same seat": ["race_condition", "duplicates", "unique_violation", "locking", "lost_update"],
    "divide the work by the type of its files": ["way_file_type", "cron_env"],
    "let people sign in with their social account": ["task_login"],
    "git push is rejected": ["git_push_rejected"],
    "prices are off by a cent": ["float_precision", "money", "rounding"],
    "the pod restarts again and again": ["k8s_probe", "crash_loop", "k8s_pod_crash"],
    "the page is blank after the deploy": ["white_screen"],
    "cron job runs twice when the clocks change": ["cron", "dst", "idempotency", "duplicates", "cron_env"],
    "the migration added a column that does not exist in production": ["migration"],
    "my list forgets where I was when I scroll back": ["overflow_scroll", "long_list_render"],
    "pip installed it but python cannot find the module": ["module_not_found", "shebang", "import_path", "virtualenv"],
}


def list_main_concepts(text: str) -> list[str]:
    return [name for name, strength in extract_concepts(text).items() if strength >= 0.5]


@pytest.mark.parametrize("text", MAIN_CONCEPTS)
def test_a_text_has_the_main_concepts_that_a_reader_would_name(text: str) -> None:
    assert list_main_concepts(text) == MAIN_CONCEPTS[text]


def test_an_exit_code_and_a_phrase_give_their_concepts_and_related_ones_with_less_strength() -> None:
    assert extract_concepts("exit code 137") == {
        "memory_killed": 0.9886,
        "exit_status": 0.6209,
        "memory_growth": 0.5932,
        "load_whole_file": 0.4943,
        "ci_exit_code": 0.3105,
        "word_exit": 0.2953,
        "async_generator_ctx": 0.1829,
        "memory": 0.0989,
        "config": 0.0621,
    }


# A symptom as a user types it, and the learning as an engineer writes it, with no significant word in common.
PAIRS = [
    ("my program eats all the RAM", "An unbounded cache grows the heap; bound it with an LRU"),
    ("umlauts come out as rubbish", "Decode the export as cp1252, not utf-8"),
    ("the test is green but the feature is broken", "The assertion sat in a callback that was never invoked"),
    ("customers abroad see the wrong hour", "Store instants in UTC and convert with zoneinfo for display"),
    ("two people got the same seat", "The check-then-act was not atomic: SELECT ... FOR UPDATE"),
    ("the menu is hidden behind the map", "The transform opened a new stacking context; render into a portal"),
    ("Postman is fine, the browser refuses", "Answer the OPTIONS preflight with Access-Control-Allow-Origin"),
    ("totals differ by a few pennies", "Use Decimal and quantize at the end"),
    (
        "it cannot be stopped with control-C",
        "The handler swallowed KeyboardInterrupt: catch Exception, not BaseException",
    ),
    ("clicking save twice makes two invoices", "Enforce an idempotency key with a unique index"),
    ("the list of orders needs half a minute", "A composite index replaces the sequential scan"),
    ("the build box has run out of space", "Prune docker images and rotate the logs"),
]


def compute_similarity(one: dict[str, float], other: dict[str, float]) -> float:
    def length(of: dict[str, float]) -> float:
        return math.sqrt(sum(strength * strength for strength in of.values()))

    return sum(strength * other.get(name, 0.0) for name, strength in one.items()) / (length(one) * length(other))


def test_a_symptom_is_nearest_to_its_own_remedy_although_they_share_no_word() -> None:
    remedies = [extract_concepts(remedy) for _, remedy in PAIRS]
    nearest: list[int] = []
    for symptom, _ in PAIRS:
        near = [compute_similarity(extract_concepts(symptom), remedy) for remedy in remedies]
        nearest.append(near.index(max(near)))
    assert nearest == list(range(len(PAIRS)))


def test_symptoms_and_remedies_of_the_pairs_share_no_significant_word() -> None:
    silent = {word for word, counts_as in load_lexicon().canonical.items() if not counts_as}
    shared = {
        symptom: {stem(word) for word in re.findall(r"[a-z]+", symptom.lower()) if word not in silent}
        & {stem(word) for word in re.findall(r"[a-z]+", remedy.lower()) if word not in silent}
        for symptom, remedy in PAIRS
    }
    assert {symptom: words for symptom, words in shared.items() if words - {"not"}} == {}


@pytest.mark.parametrize(
    "text", ["", "   ", "hello there", "привет 世界 🙂", "\x00\x1b[31m", "' \" OR 1=1 --", "'" * 5000]
)
def test_a_text_that_is_not_about_software_has_no_main_concept(text: str) -> None:
    assert list_main_concepts(text) == []


@given(st.text(max_size=600) | st.lists(st.sampled_from(sorted(load_lexicon().single)), max_size=200).map(" ".join))
@settings(deadline=None, max_examples=examples(60))
def test_any_text_has_a_bounded_number_of_defined_concepts(text: str) -> None:
    found = extract_concepts(text)
    assert found == extract_concepts(text)
    assert len(found) <= MAX_CONCEPTS
    assert found.keys() <= set(load_lexicon().names)
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert all(round(MIN_STRENGTH, 4) <= strength <= 1 for strength in found.values())


def test_only_the_first_four_thousand_characters_of_a_text_are_read() -> None:
    start = "the heap leaks ".ljust(MAX_TEXT_LENGTH, ".")
    assert extract_concepts(start + " deadlock" * 200_000) == extract_concepts(start)


def test_concept_names_fit_into_a_search_index_and_are_unique() -> None:
    names = load_lexicon().names
    assert [name for name in names if not re.fullmatch(r"[a-z0-9_]+", name)] == []
    assert len(set(names)) == len(names)


def test_the_hash_seed_of_a_process_does_not_change_the_concepts() -> None:
    texts = [text for pair in PAIRS for text in pair]
    script = (
        "import json, sys; from mind_skills.memory.concepts import extract_concepts; "
        "print(json.dumps([list(extract_concepts(text).items()) for text in json.load(sys.stdin)]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps(texts),
        env={**os.environ, "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == [
        [[name, strength] for name, strength in extract_concepts(text).items()] for text in texts
    ]


def test_the_lexicon_is_loaded_with_the_first_text() -> None:
    script = (
        "from mind_skills.memory.concepts import extract_concepts; from mind_skills.memory.concepts import load_lexicon; "
        "before = load_lexicon.cache_info().currsize; extract_concepts('leak'); print(before, load_lexicon.cache_info().currsize)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "1"]


def test_the_stored_lexicon_is_up_to_date_with_its_sources() -> None:
    assert Path(LEXICON_PATH).read_text(encoding="utf-8") == building.serialise(building.build())


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("one: leak\none: heap", "one is defined twice"),
        ("one: leak > two", "one is related to two, which is not defined"),
        ("one: the leak", "one: stop words reduce 'the leak' to ['leak']"),
        ("one: the", "one: stop words reduce 'the' to []"),
        ("one: a1 b2 c3 d4 e5 f6", "one: 'a1 b2 c3 d4 e5 f6' has more than 5 words"),
        ("+one: leak", "+one is extended but not defined"),
    ],
)
def test_an_invalid_line_of_the_lexicon_is_an_error_that_names_it(
    lines: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "area.txt").write_text(lines)
    (tmp_path / "stop.txt").write_text("the")
    (tmp_path / "synonyms.txt").write_text("crash: die")
    monkeypatch.setattr(building, "FOLDER", tmp_path)
    with pytest.raises(ValueError, match=re.escape(message)):
        building.build()


@pytest.mark.parametrize(
    "forms",
    [
        "cache cached caches caching",
        "migrate migrated migrates migrating migration migrations",
        "serialise serialised serialisation serialize serialized serialization serializer",
        "retry retried retries retrying",
        "dependency dependencies depend dependent depends",
        "connect connected connection connections",
        "drop dropped dropping drops",
        "freeze freezes freezing froze frozen",
        "index indexes indexing indices",
        "lose loses losing lost",
        "random randomly",
        "format formats formatted formatting",
        "alias aliases",
    ],
)
def test_the_forms_of_a_word_have_one_stem(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize(
    "words",
    [
        "server serve",
        "user use",
        "valid invalid",
        "string strip",
        "format form",
        "evening even",
        "status state",
        "null nullify",
    ],
)
def test_words_of_different_meaning_have_different_stems(words: str) -> None:
    one, other = words.split()
    assert stem(one) != stem(other)


@given(st.from_regex(r"[a-zA-Z0-9]{1,30}", fullmatch=True))
@settings(deadline=None, max_examples=examples(60))
def test_the_stem_of_any_word_starts_like_the_word_and_ignores_case(word: str) -> None:
    assert stem(word) == stem(word.upper())
    assert stem(word) in IRREGULAR.values() or stem(word)[0] == word[0].lower()
