"""`mind-skills report`: where the page goes, and what is refused."""

from __future__ import annotations

import json
import stat
import webbrowser
from collections.abc import Callable
from pathlib import Path

import pytest

from mind_skills.output import state as clock
from mind_skills.staging.ledger import Ledger
from tests.report.month import BEGIN, DAY, NOW, Month
from tests.testkit.command import CommandResult


@pytest.fixture
def filled(apart: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The state folder after a month."""
    made = Month(apart)
    made.fill()
    monkeypatch.setattr(clock, "read_clock", lambda: NOW)
    return made.home


def test_the_page_is_written_into_the_state_folder_for_its_owner_alone(
    filled: Path, mind_skills: Callable[..., CommandResult]
) -> None:
    done = mind_skills("report")
    page = filled / "reports/report.html"
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{page} ({page.stat().st_size // 1000} kB)\n"
    assert [stat.S_IMODE(path.stat().st_mode) for path in (page, page.parent)] == [0o600, 0o700]
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_purge_takes_the_page_with_it(filled: Path, mind_skills: Callable[..., CommandResult]) -> None:
    assert mind_skills("report").code == 0
    assert mind_skills("uninstall", "--all", "--purge", "--verify").code == 0
    assert not filled.exists()


def test_out_names_another_place_and_an_older_page_there_is_replaced(
    filled: Path, project: Path, mind_skills: Callable[..., CommandResult]
) -> None:
    page = project / "learned.html"
    for _ in range(2):
        assert mind_skills("report", "--out", page).code == 0
    assert not (filled / "reports").exists()
    assert b"What your coding agents learned" in page.read_bytes()


def test_a_file_that_is_no_report_is_not_overwritten(
    filled: Path, project: Path, mind_skills: Callable[..., CommandResult]
) -> None:
    page = project / "index.html"
    page.write_text("<p>mine</p>")
    done = mind_skills("report", "--out", page)
    assert (done.code, page.read_text()) == (1, "<p>mine</p>")
    assert f"{page} exists and is not a report" in done.err


def test_a_folder_that_is_not_there_is_an_error(
    filled: Path, project: Path, mind_skills: Callable[..., CommandResult]
) -> None:
    assert mind_skills("report", "--out", project / "none/page.html", "--json").code == 2
    done = mind_skills("report", "--out", project / "none/page.html")
    assert (done.code, "Traceback" in done.err) == (1, False)


def test_json_prints_the_document_and_writes_nothing(filled: Path, mind_skills: Callable[..., CommandResult]) -> None:
    done = mind_skills("report", "--since", "2026-11-10", "--redact", "--json")
    assert (done.code, done.json["since"], done.json["redacted"]) == (0, BEGIN + 9 * DAY, True)
    assert not (filled / "reports").exists()


@pytest.mark.parametrize(("said", "days"), [("7d", 7), ("4w", 28), ("2026-11-20", 10)])
def test_since_is_a_day_or_how_long_ago(
    filled: Path, mind_skills: Callable[..., CommandResult], said: str, days: int
) -> None:
    assert mind_skills("report", "--since", said, "--json").json["since"] == NOW - days * DAY


@pytest.mark.parametrize("said", ["yesterday", "7", "2026-13-01", "-1d", "1e9d"])
def test_any_other_time_is_an_error(filled: Path, mind_skills: Callable[..., CommandResult], said: str) -> None:
    done = mind_skills("report", f"--since={said}", "--json")
    assert (done.code, json.loads(done.out)["error"]["code"]) == (2, "usage")


def test_one_project_is_shown_alone(filled: Path, apart: Path, mind_skills: Callable[..., CommandResult]) -> None:
    assert mind_skills("report", "--project", apart / "site", "--json").json["project"] == "site"


@pytest.mark.parametrize("starts", [True, False])
def test_the_page_is_opened_if_a_browser_can_be_started(
    filled: Path, mind_skills: Callable[..., CommandResult], monkeypatch: pytest.MonkeyPatch, *, starts: bool
) -> None:
    opened: list[str] = []

    def browser(address: str) -> bool:
        opened.append(address)
        return starts

    monkeypatch.setattr(webbrowser, "open", browser)
    done = mind_skills("report", "--open")
    assert (done.code, opened) == (0, [(filled / "reports/report.html").as_uri()])
    assert done.err == ("" if starts else "No browser could be started; open the file manually.\n")


def test_with_nothing_there_is_a_page_as_well(
    state: Path, apart: Path, mind_skills: Callable[..., CommandResult]
) -> None:
    assert mind_skills("report").code == 0
    with Ledger.open(state) as ledger:
        assert ledger.list_receipts() == []
