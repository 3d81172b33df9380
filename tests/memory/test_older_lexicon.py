"""A new lexicon requires a new index. Building it for 100,000 records takes a minute, and no query waits for that."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mind_skills.hooks import retention
from mind_skills.memory import encoders, features, index
from mind_skills.memory.model import Record
from mind_skills.memory.store import OLD_LEXICON_ADVICE, SemanticMemoryStore, open_memory, refresh_index
from mind_skills.plugin.cli import run
from mind_skills.tasks import memories

FEW = 30
EVERY = [Record(f"r{number}", "learning", f"The server number {number} holds the port") for number in range(40)]
NEW = Record("new", "learning", "The cache of thumbnails grows without a bound")
NOW = 1_790_000_000_000


@pytest.fixture(autouse=True)
def small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat forty records as many."""
    for module in (index, memories, retention):
        monkeypatch.setattr(module, "MAX_QUERY_RECORDS", FEW)


@pytest.fixture
def filled(tmp_path: Path) -> str:
    """A state folder with records and an up-to-date index."""
    place = str(tmp_path / "state")
    with open_memory(place) as store:
        store.store_all(EVERY)
        assert find_first(store, "server number 7") == "r7"
    return place


@pytest.fixture
def older(filled: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The same, with a lexicon that has changed since."""
    for module in (index, encoders):
        monkeypatch.setattr(module, "compute_fingerprint", lambda: f"{features.LAYOUT_VERSION}-another")
    return filled


def find_first(store: object, question: str) -> str:
    assert isinstance(store, SemanticMemoryStore)
    return store.query(question)[0].record.id


def find_index_file(filled: str) -> Path:
    [path] = (Path(filled) / index.FOLDER_NAME).glob("*.db")
    return path


class ProgressRecorder:
    """Records the reported progress."""

    def __init__(self) -> None:
        self.reports: list[tuple[int, int]] = []

    @contextmanager
    def __call__(self, records: int) -> Generator[index.RecordCallback]:
        steps: list[None] = []
        yield lambda: steps.append(None)
        self.reports.append((records, len(steps)))


def test_an_index_of_an_older_lexicon_answers_if_rebuilding_it_would_take_long(older: str) -> None:
    before, recorder = find_index_file(older), ProgressRecorder()
    with open_memory(older, progress=recorder) as store:
        assert find_first(store, "server number 7") == "r7"
        store.store(NEW)
        assert find_first(store, "thumbnails in the cache") == "new"
        health = store.check_health()
        assert (health.healthy, health.count, health.reason.endswith(OLD_LEXICON_ADVICE)) == (True, 41, True)
        assert store.advice == OLD_LEXICON_ADVICE
    assert (find_index_file(older), recorder.reports) == (before, [(1, 1)])


def test_a_rebuild_updates_the_index_to_the_new_lexicon(older: str) -> None:
    with open_memory(older) as store:
        assert find_first(store, "server number 7") == "r7"
        assert store.rebuild() == len(EVERY)
        assert find_first(store, "server number 7") == "r7"
        assert (store.advice, OLD_LEXICON_ADVICE in store.check_health().reason) == ("", False)


def test_a_query_rebuilds_an_outdated_index_of_few_records(older: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "MAX_QUERY_RECORDS", len(EVERY))
    before, recorder = find_index_file(older), ProgressRecorder()
    with open_memory(older, progress=recorder) as store:
        assert (find_first(store, "server number 7"), store.advice) == ("r7", "")
    assert (find_index_file(older) == before, recorder.reports) == (False, [(40, 40)])


def test_an_index_of_another_layout_is_rebuilt_before_it_answers(filled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "compute_fingerprint", lambda: f"{features.LAYOUT_VERSION + 1}-another")
    monkeypatch.setattr(index, "LAYOUT_VERSION", features.LAYOUT_VERSION + 1)
    before, recorder = find_index_file(filled), ProgressRecorder()
    with open_memory(filled, progress=recorder) as store:
        assert (find_first(store, "server number 7"), store.advice) == ("r7", "")
    assert (find_index_file(filled) == before, recorder.reports) == (False, [(40, 40)])


def test_a_damaged_index_of_an_older_lexicon_is_rebuilt(older: str) -> None:
    before = find_index_file(older)
    before.write_bytes(b"this is no database\n" * 1_000)
    with open_memory(older) as store:
        assert (find_first(store, "server number 7"), store.advice) == ("r7", "")
    assert find_index_file(older) != before


def test_a_background_refresh_rebuilds_an_outdated_index_once(older: str) -> None:
    before = find_index_file(older)
    assert [refresh_index(older), refresh_index(older)] == [True, False]
    assert find_index_file(older) != before
    with open_memory(older) as store:
        assert (find_first(store, "server number 7"), store.advice) == ("r7", "")


def _never_queried(filled: str, monkeypatch: pytest.MonkeyPatch) -> str:
    other = f"{filled}-unasked"
    with open_memory(other) as store:
        store.store_all(EVERY)
    return other


def _few_records(filled: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(index, "MAX_QUERY_RECORDS", len(EVERY))
    return filled


def _too_many_records(filled: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(index, "MAX_BACKGROUND_RECORDS", len(EVERY) - 1)
    return filled


@pytest.mark.parametrize("case", [_never_queried, _few_records, _too_many_records], ids=lambda each: each.__name__)
def test_a_background_refresh_skips_an_index_that_is_missing_small_or_too_large(
    older: str, monkeypatch: pytest.MonkeyPatch, case: Callable[[str, pytest.MonkeyPatch], str]
) -> None:
    filled = case(older, monkeypatch)
    before = list((Path(filled) / index.FOLDER_NAME).glob("*.db"))
    assert refresh_index(filled) is False
    assert list((Path(filled) / index.FOLDER_NAME).glob("*.db")) == before


def test_the_daily_pruning_rebuilds_an_outdated_index_from_the_second_day_on(older: str) -> None:
    before = find_index_file(older)
    retention.prune_daily(older, NOW, 365)
    assert find_index_file(older) == before
    retention.prune_daily(older, NOW + retention.DAY, 365)
    assert find_index_file(older) != before


def test_the_daily_pruning_does_not_load_the_index_of_few_records(older: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(filled: str) -> bool:
        raise AssertionError(filled)

    monkeypatch.setattr("mind_skills.memory.store.refresh_index", never)
    monkeypatch.setattr(retention, "MAX_QUERY_RECORDS", len(EVERY))
    for day in range(2):
        retention.prune_daily(older, NOW + day * retention.DAY, 365)


def test_many_changes_by_another_open_store_are_found(filled: str) -> None:
    many = [Record(f"m{number}", "learning", f"The machine lost its clock{number:04}") for number in range(1_203)]
    with open_memory(filled) as writer, open_memory(filled) as reader:
        assert find_first(reader, "server number 7") == "r7"
        writer.store_all(many[:700])
        for each in (*many[700:703], EVERY[3]):
            writer.store(each)
        writer.store_all(reversed(many[703:]))
        writer.remove("m500")
        assert [find_first(reader, f"clock{n:04}") for n in (0, 499, 701, 703, 1_202)] == [
            "m0", "m499", "m701", "m703", "m1202",
        ]  # fmt: skip
        assert "m500" not in [hit.record.id for hit in reader.query("clock0500", 1_000)]
        assert reader.check_health().count == 40 + 1_203 - 1


@pytest.fixture
def place(tmp_path: Path, filled: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("home", "project"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MIND_SKILLS_HOME", filled)
    for name in ("MIND_SKILLS_CONFIG", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path


@pytest.mark.usefixtures("place")
def test_a_search_reports_indexing_and_advice_on_stderr(
    filled: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def search() -> tuple[str, str]:
        assert run(["memory", "search", "server number 7", "--json"]) == 0
        printed = capsys.readouterr()
        return json.loads(printed.out)["results"][0]["id"], printed.err

    assert search() == ("r7", "")
    find_index_file(filled).unlink()
    reports = "40 records must be added to the index first; the next query will not have to wait.\n"
    assert search() == ("r7", reports)
    assert search() == ("r7", "")
    monkeypatch.setattr(index, "compute_fingerprint", lambda: f"{features.LAYOUT_VERSION}-another")
    assert search() == ("r7", f"{OLD_LEXICON_ADVICE}\n")
