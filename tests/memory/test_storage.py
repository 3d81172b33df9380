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
def open_default(folder: Path) -> Iterator[SemanticMemoryStore]:
    with open_memory(str(folder)) as store:
        yield store


BACKENDS: dict[str, Callable[[Path], AbstractContextManager[SemanticMemoryStore]]] = {"default": open_default}


@pytest.fixture(params=BACKENDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SemanticMemoryStore]:
    with BACKENDS[request.param](tmp_path) as made:
        yield made


def list_ids(store: SemanticMemoryStore, text: str, **more: object) -> list[str]:
    return [hit.record.id for hit in store.query(text, **more)]  # type: ignore[arg-type]


def test_an_empty_store_finds_nothing_and_is_healthy(store: SemanticMemoryStore) -> None:
    assert (list(store.query("anything")), list(store.list_all()), store.get("x")) == ([], [], None)
    store.remove("x")
    health = store.check_health()
    assert (health.healthy, health.count) == (True, 0)
    assert health.location
    assert health.encoder
    assert health.reason


def test_records_are_returned_unchanged_in_the_order_of_storing(store: SemanticMemoryStore) -> None:
    assert store.store_all(EVERY) == 4
    assert list(store.list_all()) == EVERY
    assert [store.get(record.id) for record in EVERY] == EVERY
    assert store.check_health().count == 4


def test_a_record_replaces_the_one_with_the_same_id(store: SemanticMemoryStore) -> None:
    store.store_all(EVERY)
    before = {hit.record.id: hit.score for hit in store.query("the old server still holds it", 10)}
    store.store(replace(PORT, content="Rotate the certificate before it expires."))
    assert list_ids(store, "the certificate expires")[0] == "port"
    after = {hit.record.id: hit.score for hit in store.query("the old server still holds it", 10)}
    assert after.get("port", 0.0) < before["port"] / 2
    assert [record.id for record in store.list_all()] == ["port", "heap", "zone", "anti"]


def test_a_removed_record_is_not_found(store: SemanticMemoryStore) -> None:
    store.store_all(EVERY)
    assert list_ids(store, "unbounded cache heap")[0] == "heap"
    store.remove("heap")
    assert "heap" not in list_ids(store, "unbounded cache heap", limit=10)
    assert (store.get("heap"), store.check_health().count) == (None, 3)


def test_a_record_is_found_by_the_text_of_its_task(store: SemanticMemoryStore) -> None:
    store.store_all(EVERY)
    assert list_ids(store, "why is my service killed", limit=1) == ["heap"]


def test_scores_lie_between_zero_and_one_and_the_best_comes_first(store: SemanticMemoryStore) -> None:
    store.store_all(EVERY)
    scores = [hit.score for hit in store.query("the port is held by the old server, split by file, UTC", limit=10)]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


def test_a_query_respects_its_limit_and_its_threshold(store: SemanticMemoryStore) -> None:
    store.store_all(EVERY)
    text = "the old server holds the port; compare local times; split by file type; cache limit"
    every = store.query(text, limit=10)
    assert len(every) > 2
    assert [hit.record for hit in store.query(text, limit=2)] == [hit.record for hit in every[:2]]
    assert [hit.record for hit in store.query(text, 10, every[1].score)] == [hit.record for hit in every[:2]]
    assert (
        list(store.query(text, limit=0)) == list(store.query(text, limit=-3)) == list(store.query(text, 5, 1.1)) == []
    )


def test_a_project_finds_its_own_records_and_those_without_a_project(store: SemanticMemoryStore) -> None:
    store.store_all(EVERY)
    assert list_ids(store, "compare instants in UTC")[0] == "zone"
    assert list_ids(store, "compare instants in UTC", project_id="clocks")[0] == "zone"
    assert "zone" not in list_ids(store, "compare instants in UTC", project_id="other", limit=10)
    assert list_ids(store, "old server port", project_id="other")[0] == "port"


def test_trust_orders_the_results_and_zero_trust_excludes_a_record(store: SemanticMemoryStore) -> None:
    twins = [replace(PORT, id=name, reference=name) for name in ("given-up", "candidate", "proven")]
    store.store_all(twins)
    worth = {"given-up": 0.0, "candidate": 0.5, "proven": 1.5}
    hits = store.query("the old server holds the port", trust=lambda record: worth[record.reference])
    assert [hit.record.id for hit in hits] == ["proven", "candidate"]
    assert hits[0].score == pytest.approx(3 * hits[1].score)


def test_a_record_is_found_despite_many_similar_ones_with_zero_trust(store: SemanticMemoryStore) -> None:
    store.store_all(replace(PORT, id=f"old-{n}", reference="given-up") for n in range(150))
    store.store(replace(PORT, id="new"))
    assert list_ids(store, PORT.content, trust=lambda record: float(not record.reference)) == ["new"]


def test_an_anti_pattern_is_returned_as_negative_with_its_failure_rate(store: SemanticMemoryStore) -> None:
    store.store_all(EVERY)
    hit = store.query("split the work by file type", limit=1)[0]
    assert (hit.record, hit.record.is_negative, hit.record.failure_rate) == (AVOID, True, 5 / 7)


def test_an_imported_record_is_found_only_if_untrusted_ones_are_requested(store: SemanticMemoryStore) -> None:
    store.store(replace(PORT, taint="web,import"))
    assert list_ids(store, "old server port") == []
    assert list_ids(store, "old server port", untrusted=True) == ["port"]
    store.store(replace(PORT, taint="web"))
    assert list_ids(store, "old server port") == ["port"]


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
def test_a_hostile_text_can_be_queried_and_stored(store: SemanticMemoryStore, text: str) -> None:
    store.store_all(EVERY)
    hits = store.query(text, limit=10)
    assert {hit.record.id for hit in hits} <= {record.id for record in EVERY}
    assert all(0 < hit.score <= 1 for hit in hits)
    store.store(Record("hostile", "episode", f"What it said: {text}", task=text))
    stored = store.get("hostile")
    assert stored is not None
    assert len(stored.content) <= MAX_CONTENT_LENGTH
    assert len(stored.task) <= MAX_TASK_LENGTH
    assert not set(stored.content + stored.task) & {chr(0), chr(27), chr(0xD800), chr(0xDFFF)}
    assert list_ids(store, "old server port")[0] in ("port", "hostile")
    assert len(store.list_all()) == 5


@settings(max_examples=25)
@given(st.text(st.characters(codec=None), max_size=300))
def test_any_text_can_be_stored_and_queried_in_every_backend(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    for backend in BACKENDS.values():
        with backend(tmp_path_factory.mktemp("memory")) as store:
            store.store(Record("r", "episode", f"x {text}", task=text))
            for hit in store.query(text):
                assert hit.record.id == "r"


def test_secrets_are_removed_before_a_record_is_stored(store: SemanticMemoryStore) -> None:
    token = "ghp_" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5"
    store.store(Record("r", "learning", f"push with {token} works", task=f"use {token}"))
    stored = store.get("r")
    assert stored is not None
    assert token not in stored.content + stored.task
    assert stored.content.startswith("push with ")


@pytest.mark.parametrize(
    "record",
    [
        Record("", "learning", "x"),
        Record("r", "learning", ""),
        Record("r", "learning", " \x00\n"),
        Record("r", "rumour", "x"),  # type: ignore[arg-type]
    ],
)
def test_an_invalid_record_is_refused_with_its_whole_batch(store: SemanticMemoryStore, record: Record) -> None:
    with pytest.raises(BadRecordError) as refused:
        store.store_all([PORT, record])
    assert refused.value.code == "bad_record"
    assert refused.value.hint
    assert list(store.list_all()) == []


STRATEGIES_AND_TASKS = [
    Record("type", "pattern", "Split by file type"),
    Record("feature", "anti_pattern", "AVOID: Split by feature. Failed 3/5 times (60% failure rate)"),
    Record("research", "pattern", "Research before coding"),
    Record("each", "pattern", "One file per subtask"),
    Record("oauth", "learning", "Kept tokens in an encrypted cookie", task="Add OAuth login with Google"),
    Record("cart", "learning", "Coupons apply before the tax", task="Add a discount to the cart"),
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("divide the work by the kinds of its documents", "type"),
        ("cut it into vertical slices through all layers", "feature"),
        ("look things up before writing the code", "research"),
        ("authentication tasks", "oauth"),
        ("let people sign in with their social account", "oauth"),
        ("a price reduction for what is in the basket", "cart"),
    ],
)
def test_a_strategy_and_a_task_are_found_by_a_paraphrase(store: SemanticMemoryStore, text: str, expected: str) -> None:
    store.store_all(STRATEGIES_AND_TASKS)
    assert list_ids(store, text)[0] == expected
