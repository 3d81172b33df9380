"""The storage classes, in memory and in the state database, with concurrent and killed processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.learning.anti_patterns import DecompositionPattern
from mind_skills.learning.criteria import FeedbackEvent
from mind_skills.learning.errors import ErrorEntry, ErrorStats, UnknownErrorTypeError
from mind_skills.learning.maturity import MaturityFeedback, PatternMaturity
from mind_skills.learning.storage import (
    SCHEMA,
    ErrorAccumulator,
    ErrorStorage,
    FeedbackStorage,
    MaturityStorage,
    PatternStorage,
    open_in_memory,
)
from mind_skills.store.database import Database

PATTERN = DecompositionPattern("p1", "Split by feature", tags=("api", "web"), created_at=1, updated_at=1)
ERROR = ErrorEntry("e1", "task", "timeout", "it took too long", 5, tool_name="Bash")


class Storages:
    """One storage of each kind, on one database."""

    def __init__(self, database: Database) -> None:
        self.feedback, self.errors = FeedbackStorage(database), ErrorStorage(database)
        self.patterns, self.maturities = PatternStorage(database), MaturityStorage(database)


@pytest.fixture(params=["memory", "file"])
def storages(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storages]:
    in_file = request.param == "file"
    with Database.open(tmp_path / "state", SCHEMA) if in_file else open_in_memory() as database:
        yield Storages(database)


def test_storages_without_a_database_share_nothing() -> None:
    first = PatternStorage()
    first.store(PATTERN)
    assert (first.list_all(), PatternStorage().list_all()) == ([PATTERN], [])


def event(name: str, criterion: str = "error_fix", task: str = "t") -> FeedbackEvent:
    return FeedbackEvent(name, criterion, "helpful", 7, 0.5, "because", task, "2026-01-01T00:00:00Z")


def test_feedback_is_listed_in_order_by_criterion_and_by_task(storages: Storages) -> None:
    events = [event("a"), event("b", "non_obvious"), event("c", task="u"), replace(event("d"), at=None)]
    for each in [*events, replace(event("a"), raw_value=0.9)]:
        storages.feedback.store(each)
    assert list(storages.feedback.list_all()) == events
    assert list(storages.feedback.list_by_criterion("error_fix")) == [events[0], *events[2:]]
    assert list(storages.feedback.list_by_task("u")) == [events[2]]
    assert list(storages.feedback.list_by_criterion("nothing")) == []


def test_an_error_is_stored_once_per_id_and_an_unknown_id_cannot_be_resolved(storages: Storages) -> None:
    other = replace(ERROR, id="e2", task_id="other")
    for each in (ERROR, other, replace(ERROR, message="again")):
        storages.errors.store(each)
    assert [storages.errors.resolve(name) for name in ("e1", "e1", "none")] == [True, True, False]
    assert list(storages.errors.list_all()) == [replace(ERROR, resolved=True), other]
    assert list(storages.errors.list_by_task("task")) == [replace(ERROR, resolved=True)]


def test_unresolved_errors_are_listed(storages: Storages) -> None:
    here = [replace(ERROR, id=str(n), project="shop", session=str(n)) for n in range(3)]
    for each in here:
        storages.errors.store(each)
    storages.errors.resolve("1")
    assert list(storages.errors.list_unresolved()) == [here[0], here[2]]


def test_a_project_lists_its_own_errors_and_those_without_a_project(tmp_path: Path) -> None:
    ours, theirs, nobodys = (replace(ERROR, id=name, project=name) for name in ("shop", "other", ""))
    with Database.open(tmp_path / "state", SCHEMA) as database:
        for each in (ours, theirs, nobodys):
            ErrorStorage(database).store(each)
        assert list(ErrorStorage(database, "shop").list_by_task("task")) == [ours, nobodys]
        assert list(ErrorStorage(database).list_by_task("task")) == [ours, theirs, nobodys]
        assert list(ErrorStorage(database, "shop").list_by_task("none")) == []


def test_the_accumulator_lists_counts_and_resolves_errors_in_either_storage(storages: Storages) -> None:
    accumulator = ErrorAccumulator(storages.errors)
    first = accumulator.record("task", "timeout", "slow", at=1)
    second = accumulator.record("task", "validation", "wrong", at=1, context="in a form")
    accumulator.record("other", "unknown", "else", at=1)
    accumulator.resolve(first.id)
    assert list(accumulator.list_errors("task", include_resolved=False)) == [second]
    assert accumulator.count_errors("task") == ErrorStats(2, 1, {"timeout": 1, "validation": 1})
    with pytest.raises(UnknownErrorTypeError, match="validation, timeout, conflict, tool_failure, unknown"):
        accumulator.record("task", "oops", "x", at=1)  # type: ignore[arg-type]


def test_patterns_are_replaced_in_place_and_found_by_tag_and_kind(storages: Storages) -> None:
    warning = DecompositionPattern("anti-p2", "AVOID: x", kind="anti_pattern", is_negative=True, tags=("web",))
    for each in (PATTERN, warning, replace(PATTERN, success_count=3)):
        storages.patterns.store(each)
    now = replace(PATTERN, success_count=3)
    assert list(storages.patterns.list_all()) == [now, warning]
    assert (storages.patterns.get("p1"), storages.patterns.get("p9")) == (now, None)
    assert (list(storages.patterns.list_anti_patterns()), list(storages.patterns.list_by_tag("web"))) == (
        [warning],
        [now, warning],
    )


def test_a_source_has_one_vote_on_a_pattern_and_a_later_vote_replaces_it(storages: Storages) -> None:
    first = MaturityFeedback("p1", "helpful", 1, 1.0, "session")
    later = replace(first, type="harmful", at=2)
    without_source = MaturityFeedback("p1", "helpful", 3)
    for each in (first, without_source, replace(first, pattern_id="p2"), later, without_source):
        storages.maturities.add_vote(each)
    assert list(storages.maturities.list_votes("p1")) == [later, without_source, without_source]


def test_a_vote_can_be_withdrawn_and_a_pattern_removed(storages: Storages) -> None:
    votes = [MaturityFeedback("p1", "helpful", 1, 1.0, "a"), MaturityFeedback("p1", "helpful", 2, 1.0, "b")]
    without_source = MaturityFeedback("p1", "helpful", 3)
    for each in (*votes, without_source):
        storages.maturities.add_vote(each)
    for source in ("a", "none", ""):
        storages.maturities.withdraw_vote("p1", source)
    assert list(storages.maturities.list_votes("p1")) == [votes[1], without_source]
    storages.maturities.store(PatternMaturity("p1"))
    storages.patterns.store(PATTERN)
    storages.maturities.delete("p1")
    storages.patterns.remove("p1")
    assert (list(storages.maturities.list_votes("p1")), storages.maturities.get("p1"), storages.patterns.get("p1")) == (
        [],
        None,
        None,
    )


def test_maturities_are_replaced_in_place(storages: Storages) -> None:
    states = [
        PatternMaturity("p1", "proven", 5, 0, 1, 2, None),
        PatternMaturity("p2", "deprecated", 0, 3, None, None, 4, "it breaks", True),
    ]
    for each in (PatternMaturity("p1"), *states):
        storages.maturities.store(each)
    assert list(storages.maturities.list_all()) == states
    assert [storages.maturities.get(name) for name in ("p2", "p3")] == [states[1], None]


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@given(
    st.builds(
        DecompositionPattern,
        id=TEXT,
        content=TEXT,
        kind=st.sampled_from(["pattern", "anti_pattern"]),
        is_negative=st.booleans(),
        success_count=st.integers(0, 2**40),
        failure_count=st.integers(0, 2**40),
        created_at=st.integers(-(2**62), 2**62),
        updated_at=st.integers(-(2**62), 2**62),
        reason=TEXT,
        tags=st.lists(TEXT, max_size=3).map(tuple),
        example_tasks=st.lists(TEXT, max_size=3).map(tuple),
        inverted_to=TEXT,
    )
)
def test_a_stored_pattern_is_read_back_unchanged(
    tmp_path_factory: pytest.TempPathFactory, pattern: DecompositionPattern
) -> None:
    with Database.open(tmp_path_factory.mktemp("state"), SCHEMA) as database:
        storage = PatternStorage(database)
        storage.store(pattern)
        assert storage.get(pattern.id) == pattern


WRITER = """
import sys
from mind_skills.learning.anti_patterns import DecompositionPattern, record
from mind_skills.learning.maturity import MaturityFeedback
from mind_skills.learning.storage import MaturityStorage, PatternStorage
from mind_skills.learning.storage import SCHEMA
from mind_skills.store.database import Database
home, me, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
pattern = DecompositionPattern("p", "x")
with Database.open(home, SCHEMA, timeout=120) as database:
    patterns, maturities = PatternStorage(database), MaturityStorage(database)
    for number in range(times):
        with database.writing():
            patterns.store(record(patterns.get("p") or pattern, True, now=1)[0])
        maturities.add_vote(MaturityFeedback("p", "helpful", 1, 1.0, f"{me}-{number}"))
        print(number, flush=True)
"""


@pytest.mark.process
def test_counts_are_exact_under_sixteen_writing_processes(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path / "state")]
    writers = [subprocess.Popen([*command, str(me), "20"], stdout=subprocess.DEVNULL) for me in range(16)]
    assert [writer.wait() for writer in writers] == [0] * 16
    with Database.open(tmp_path / "state", SCHEMA) as database:
        storages = Storages(database)
        found = storages.patterns.get("p")
        assert found is not None
        assert (found.success_count, len(storages.maturities.list_votes("p"))) == (320, 320)


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_votes_counted_before_a_kill_are_stored_and_none_is_half_written(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path / "state"), "me", "100000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        seen = [writer.stdout.readline() for _ in range(30)]
        os.kill(writer.pid, signal.SIGKILL)
    with Database.open(tmp_path / "state", SCHEMA) as database:
        storages = Storages(database)
        found = storages.patterns.get("p")
        votes = len(storages.maturities.list_votes("p"))
        assert found is not None
        assert votes >= len(seen)
        assert found.success_count - votes in (0, 1)
