"""A new lexicon requires a new index. Building it for 100,000 records takes a minute, and no query waits for that."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mind_skills.hooks import retention
from mind_skills.memory import features, index_manager
from mind_skills.memory.model import Record
from mind_skills.memory.store import OLD_LEXICON_ADVICE, SemanticMemoryStore, open_memory, refresh_index
from mind_skills.plugin.cli import run
from mind_skills.tasks import memories

FEW = 30
EVERY = [Record(f"r{number}", "learning", f"The server number {number} holds the port") for number in range(40)]
NEW = Record("new", "learning", "The cache of thumbnails grows without a bound")
NOW = 1_790_000_000_000


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat forty records as many."""
    for module in (index_manager, memories, retention):
        monkeypatch.setattr(module, "MAX_QUERY_RECORDS", FEW)


@pytest.fixture
def filled(tmp_path: Path) -> str:
    """A state folder with records and an up-to-date index."""
    place = str(tmp_path / "state")
    with open_memory(place) as store:
        store.store_all(EVERY)
        assert found(store, "server number 7") == "r7"
    return place


@pytest.fixture
def older(filled: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The same, with a lexicon that has changed since."""
    monkeypatch.setattr(features, "_fingerprint", [f"{features.LAYOUT_VERSION}-another"])
    return filled


def found(store: object, question: str) -> str:
    assert isinstance(store, SemanticMemoryStore)
    return store.query(question)[0].record.id


def file(filled: str) -> Path:
    [path] = (Path(filled) / index_manager.FOLDER_NAME).glob("*.db")
    return path


class Watching:
    """Records the reported progress."""

    def __init__(self) -> None:
        self.told: list[tuple[int, int]] = []

    @contextmanager
    def __call__(self, records: int) -> Generator[index_manager.RecordCallback]:
        steps: list[None] = []
        yield lambda: steps.append(None)
        self.told.append((records, len(steps)))


def test_the_index_of_an_older_lexicon_answers_where_another_would_take_long(older: str) -> None:
    before, watching = file(older), Watching()
    with open_memory(older, progress=watching) as store:
        assert found(store, "server number 7") == "r7"
        store.store(NEW)
        assert found(store, "thumbnails in the cache") == "new"
        health = store.check_health()
        assert (health.healthy, health.count, health.reason.endswith(OLD_LEXICON_ADVICE)) == (True, 41, True)
        assert store.advice == OLD_LEXICON_ADVICE
    assert (file(older), watching.told) == (before, [(1, 1)])


def test_a_rebuild_makes_it_know_the_lexicon(older: str) -> None:
    with open_memory(older) as store:
        assert found(store, "server number 7") == "r7"
        assert store.rebuild() == len(EVERY)
        assert found(store, "server number 7") == "r7"
        assert (store.advice, OLD_LEXICON_ADVICE in store.check_health().reason) == ("", False)


def test_few_records_are_put_into_a_new_one_while_the_question_waits(
    older: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_manager, "MAX_QUERY_RECORDS", len(EVERY))
    before, watching = file(older), Watching()
    with open_memory(older, progress=watching) as store:
        assert (found(store, "server number 7"), store.advice) == ("r7", "")
    assert (file(older) == before, watching.told) == (False, [(40, 40)])


def test_an_index_of_another_form_cannot_answer(filled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(features, "_fingerprint", [f"{features.LAYOUT_VERSION + 1}-another"])
    monkeypatch.setattr(index_manager, "LAYOUT_VERSION", features.LAYOUT_VERSION + 1)
    before, watching = file(filled), Watching()
    with open_memory(filled, progress=watching) as store:
        assert (found(store, "server number 7"), store.advice) == ("r7", "")
    assert (file(filled) == before, watching.told) == (False, [(40, 40)])


def test_one_that_proves_damaged_is_built_anew_all_the_same(older: str) -> None:
    before = file(older)
    before.write_bytes(b"this is no database\n" * 1_000)
    with open_memory(older) as store:
        assert (found(store, "server number 7"), store.advice) == ("r7", "")
    assert file(older) != before


def test_what_nobody_waits_for_builds_it_anew_once(older: str) -> None:
    before = file(older)
    assert [refresh_index(older), refresh_index(older)] == [True, False]
    assert file(older) != before
    with open_memory(older) as store:
        assert (found(store, "server number 7"), store.advice) == ("r7", "")


def _nobody_asked(filled: str, monkeypatch: pytest.MonkeyPatch) -> str:
    other = f"{filled}-unasked"
    with open_memory(other) as store:
        store.store_all(EVERY)
    return other


def _few(filled: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(index_manager, "MAX_QUERY_RECORDS", len(EVERY))
    return filled


def _too_many(filled: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(index_manager, "MAX_BACKGROUND_RECORDS", len(EVERY) - 1)
    return filled


@pytest.mark.parametrize("case", [_nobody_asked, _few, _too_many], ids=lambda each: each.__name__)
def test_it_is_not_built_for_nothing_nor_where_it_could_not_be_done_in_time(
    older: str, monkeypatch: pytest.MonkeyPatch, case: Callable[[str, pytest.MonkeyPatch], str]
) -> None:
    filled = case(older, monkeypatch)
    before = list((Path(filled) / index_manager.FOLDER_NAME).glob("*.db"))
    assert refresh_index(filled) is False
    assert list((Path(filled) / index_manager.FOLDER_NAME).glob("*.db")) == before


def test_it_is_built_behind_the_end_of_a_session_once_a_day(older: str) -> None:
    before = file(older)
    retention.prune_daily(older, NOW, 365)
    assert file(older) == before
    retention.prune_daily(older, NOW + retention.DAY, 365)
    assert file(older) != before


def test_behind_the_end_of_a_session_nothing_of_the_index_is_loaded_for_few_records(
    older: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(filled: str) -> bool:
        raise AssertionError(filled)

    monkeypatch.setattr("mind_skills.memory.store.refresh_index", never)
    monkeypatch.setattr(retention, "MAX_QUERY_RECORDS", len(EVERY))
    for day in range(2):
        retention.prune_daily(older, NOW + day * retention.DAY, 365)


def test_what_changed_in_many_steps_is_followed_a_batch_at_a_time(filled: str) -> None:
    many = [Record(f"m{number}", "learning", f"The machine lost its clock{number:04}") for number in range(1_203)]
    with open_memory(filled) as writer, open_memory(filled) as reader:
        assert found(reader, "server number 7") == "r7"
        writer.store_all(many[:700])
        for each in (*many[700:703], EVERY[3]):
            writer.store(each)
        writer.store_all(reversed(many[703:]))
        writer.remove("m500")
        assert [found(reader, f"clock{n:04}") for n in (0, 499, 701, 703, 1_202)] == [
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
def test_a_person_who_asks_is_told_on_stderr_what_is_built_and_what_would_be_better(
    filled: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked() -> tuple[str, str]:
        assert run(["memory", "search", "server number 7", "--json"]) == 0
        printed = capsys.readouterr()
        return json.loads(printed.out)["results"][0]["id"], printed.err

    assert asked() == ("r7", "")
    file(filled).unlink()
    told = "40 records must be added to the index first; the next query will not have to wait.\n"
    assert asked() == ("r7", told)
    assert asked() == ("r7", "")
    monkeypatch.setattr(features, "_fingerprint", [f"{features.LAYOUT_VERSION}-another"])
    assert asked() == ("r7", f"{OLD_LEXICON_ADVICE}\n")
