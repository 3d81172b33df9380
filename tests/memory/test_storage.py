"""One contract for every backend of the memory; new backends are added to ``BACKENDS``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mind_skills.errors.records import BadRecordError
from mind_skills.memory.model import MAX_CONTENT_LENGTH, MAX_TASK_LENGTH, Record
from mind_skills.memory.store import SemanticMemoryStore, open_memory

PORT = Record("port", "learning", "The old server still holds the port: stop it before the new one binds.")
HEAP = Record(
    "heap", "learning", "An unbounded cache grows the heap; give the LRU a limit.", task="The service gets killed"
)
ZONE = Record("zone", "pattern", "Compare instants in UTC, never local times.", project="clocks", at=5, success=True)
AVOID = Record("anti", "anti_pattern", "AVOID: split by file type. Failed 5/7 times", failure_rate=5 / 7, task_id="t-1")
EVERY = [PORT, HEAP, ZONE, AVOID]


@contextmanager
def default(folder: Path) -> Iterator[SemanticMemoryStore]:
    with open_memory(str(folder)) as store:
        yield store


BACKENDS: dict[str, Callable[[Path], AbstractContextManager[SemanticMemoryStore]]] = {
    "default": default,
}


@pytest.fixture(params=BACKENDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SemanticMemoryStore]:
    with BACKENDS[request.param](tmp_path) as made:
        yield made


def found(store: SemanticMemoryStore, text: str, **more: object) -> list[str]:
    return [hit.record.id for hit in store.query(text, **more)]  # type: ignore[arg-type]


def test_an_empty_store_answers_with_nothing_and_is_healthy(store: SemanticMemoryStore) -> None:
    assert (list(store.query("anything")), list(store.list_all()), store.get("x")) == ([], [], None)
    store.remove("x")
    health = store.check_health()
    assert (health.healthy, health.count) == (True, 0)
    assert health.location
    assert health.encoder
    assert health.reason


def test_what_is_stored_comes_back_as_it_was_and_in_the_order_in_which_it_came(store: SemanticMemoryStore) -> None:
    assert store.store_all(EVERY) == 4
    assert list(store.list_all()) == EVERY
    assert [store.get(record.id) for record in EVERY] == EVERY
    assert store.check_health().count == 4


def test_a_record_takes_the_place_of_the_one_that_has_its_id(store: SemanticMemoryStore) -> None:
    store.store_all(EVERY)
    before = {hit.record.id: hit.score for hit in store.query("the old server still holds it", 10)}
    store.store(replace(PORT, content="Rotate the certificate before it expires."))
    assert found(store, "the certificate expires")[0] == "port"
    after = {hit.record.id: hit.score for hit in store.query("the old server still holds it", 10)}
    assert after.get("port", 0.0) < before["port"] / 2
    assert [record.id for record in store.list_all()] == ["port", "heap", "zone", "anti"]


def test_what_is_removed_is_not_found_any_more(store: SemanticMemoryStore) -> None:
    store.store_all(EVERY)
    assert found(store, "unbounded cache heap")[0] == "heap"
    store.remove("heap")
    assert "heap" not in found(store, "unbounded cache heap", limit=10)
    assert (store.get("heap"), store.check_health().count) == (None, 3)


def test_the_text_of_the_task_finds_what_it_led_to(store: SemanticMemoryStore) -> None:
    store.store_all(EVERY)
    assert found(store, "why is my service killed", limit=1) == ["heap"]


def test_scores_are_above_nothing_at_most_one_and_the_best_comes_first(store: SemanticMemoryStore) -> None:
    store.store_all(EVERY)
    scores = [hit.score for hit in store.query("the port is held by the old server, split by file, UTC", limit=10)]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


def test_no_more_come_than_asked_for_and_none_below_the_threshold(store: SemanticMemoryStore) -> None:
    store.store_all(EVERY)
    text = "the old server holds the port; compare local times; split by file type; cache limit"
    every = store.query(text, limit=10)
    assert len(every) > 2
    assert [hit.record for hit in store.query(text, limit=2)] == [hit.record for hit in every[:2]]
    assert [hit.record for hit in store.query(text, 10, every[1].score)] == [hit.record for hit in every[:2]]
    assert (
        list(store.query(text, limit=0)) == list(store.query(text, limit=-3)) == list(store.query(text, 5, 1.1)) == []
    )


def test_a_project_gets_its_own_and_what_is_of_none(store: SemanticMemoryStore) -> None:
    store.store_all(EVERY)
    assert found(store, "compare instants in UTC")[0] == "zone"
    assert found(store, "compare instants in UTC", project="clocks")[0] == "zone"
    assert "zone" not in found(store, "compare instants in UTC", project="other", limit=10)
    assert found(store, "old server port", project="other")[0] == "port"


def test_trust_changes_the_order_and_nothing_of_it_leaves_out(store: SemanticMemoryStore) -> None:
    twins = [replace(PORT, id=name, reference=name) for name in ("given-up", "candidate", "proven")]
    store.store_all(twins)
    worth = {"given-up": 0.0, "candidate": 0.5, "proven": 1.5}
    hits = store.query("the old server holds the port", trust=lambda record: worth[record.reference])
    assert [hit.record.id for hit in hits] == ["proven", "candidate"]
    assert hits[0].score == pytest.approx(3 * hits[1].score)


def test_what_is_found_stays_found_behind_many_that_are_given_up(store: SemanticMemoryStore) -> None:
    store.store_all(replace(PORT, id=f"old-{n}", reference="given-up") for n in range(150))
    store.store(replace(PORT, id="new"))
    assert found(store, PORT.content, trust=lambda record: float(not record.reference)) == ["new"]


def test_what_is_to_be_avoided_comes_back_marked(store: SemanticMemoryStore) -> None:
    store.store_all(EVERY)
    hit = store.query("split the work by file type", limit=1)[0]
    assert (hit.record, hit.record.is_negative, hit.record.failure_rate) == (AVOID, True, 5 / 7)


def test_what_is_in_quarantine_is_found_only_by_who_asks_for_it(store: SemanticMemoryStore) -> None:
    store.store(replace(PORT, taint="web,import"))
    assert found(store, "old server port") == []
    assert found(store, "old server port", untrusted=True) == ["port"]
    store.store(replace(PORT, taint="web"))
    assert found(store, "old server port") == ["port"]


HOSTILE = [
    "",
    " ",
    '" OR 1=1 --',
    '"unbalanced',
    "port* NEAR(server old) AND NOT (",
    "content : port",
    "{content task} : ^port + -",
    "'; DROP TABLE memory_records; --",
    "\x00\x01\x1b[31mport\x7f",
    "\ud800 port \udfff",
    "%_\\",
    "🧨" * 50,
    "the of and",
    "port " * 200_000,
    "x" * 1_000_000,
    "AbC_dEf.gHi " * 80_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:24]))
def test_any_text_may_be_asked_and_may_be_stored(store: SemanticMemoryStore, text: str) -> None:
    store.store_all(EVERY)
    hits = store.query(text, limit=10)
    assert {hit.record.id for hit in hits} <= {record.id for record in EVERY}
    assert all(0 < hit.score <= 1 for hit in hits)
    store.store(Record("hostile", "episode", f"What it said: {text}", task=text))
    kept = store.get("hostile")
    assert kept is not None
    assert len(kept.content) <= MAX_CONTENT_LENGTH
    assert len(kept.task) <= MAX_TASK_LENGTH
    assert not set(kept.content + kept.task) & {chr(0), chr(27), chr(0xD800), chr(0xDFFF)}
    assert found(store, "old server port")[0] in ("port", "hostile")
    assert len(store.list_all()) == 5


@settings(max_examples=25)
@given(st.text(st.characters(codec=None), max_size=300))
def test_no_text_is_too_strange_for_any_backend(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    for backend in BACKENDS.values():
        with backend(tmp_path_factory.mktemp("memory")) as store:
            store.store(Record("r", "episode", f"x {text}", task=text))
            for hit in store.query(text):
                assert hit.record.id == "r"


def test_secrets_do_not_get_in(store: SemanticMemoryStore) -> None:
    token = "ghp_" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5"
    store.store(Record("r", "learning", f"push with {token} works", task=f"use {token}"))
    kept = store.get("r")
    assert kept is not None
    assert token not in kept.content + kept.task
    assert kept.content.startswith("push with ")


@pytest.mark.parametrize(
    "record",
    [
        Record("", "learning", "x"),
        Record("r", "learning", ""),
        Record("r", "learning", " \x00\n"),
        Record("r", "rumour", "x"),  # type: ignore[arg-type]
    ],
)
def test_a_record_of_nothing_is_refused_and_changes_nothing(store: SemanticMemoryStore, record: Record) -> None:
    with pytest.raises(BadRecordError) as refused:
        store.store_all([PORT, record])
    assert refused.value.code == "bad_record"
    assert refused.value.hint
    assert list(store.list_all()) == []


WAYS = [
    Record("type", "pattern", "Split by file type"),
    Record("feature", "anti_pattern", "AVOID: Split by feature. Failed 3/5 times (60% failure rate)"),
    Record("research", "pattern", "Research before coding"),
    Record("each", "pattern", "One file per subtask"),
    Record("oauth", "learning", "Kept tokens in an encrypted cookie", task="Add OAuth login with Google"),
    Record("cart", "learning", "Coupons apply before the tax", task="Add a discount to the cart"),
]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("divide the work by the kinds of its documents", "type"),
        ("cut it into vertical slices through all layers", "feature"),
        ("look things up before writing the code", "research"),
        ("authentication tasks", "oauth"),
        ("let people sign in with their social account", "oauth"),
        ("a price reduction for what is in the basket", "cart"),
    ],
)
def test_a_strategy_and_a_task_are_found_by_a_paraphrase(store: SemanticMemoryStore, text: str, meant: str) -> None:
    store.store_all(WAYS)
    assert found(store, text)[0] == meant
