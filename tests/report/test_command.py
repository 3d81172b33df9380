"""`mind-skills report`: where the page is written, what is printed, and what is refused."""

from __future__ import annotations

import json
import stat
import webbrowser
from collections.abc import Callable
from pathlib import Path

import pytest

from mind_skills.output import state as clock
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import resolve_project
from tests.report.month import BEGIN, DAY, NOW, Month, candidate
from tests.testkit.command import CommandResult


@pytest.fixture
def filled(apart: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The state folder after a month of use."""
    made = Month(apart)
    made.fill()
    monkeypatch.setattr(clock, "read_clock", lambda: NOW)
    return made.home


def test_the_page_is_written_into_the_state_folder_readable_by_its_owner_only(
    filled: Path, mind_skills: Callable[..., CommandResult]
) -> None:
    done = mind_skills("report")
    page = filled / "reports/report.html"
    assert (done.code, done.err) == (0, "")
    size = page.stat().st_size // 1000
    assert done.out.endswith(f"\nPage: {page} ({size} kB)\nAdd --open to open it in your browser.\n")
    assert [stat.S_IMODE(path.stat().st_mode) for path in (page, page.parent)] == [0o600, 0o700]
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_purge_deletes_the_page(filled: Path, mind_skills: Callable[..., CommandResult]) -> None:
    assert mind_skills("report").code == 0
    assert mind_skills("uninstall", "--all", "--purge", "--verify").code == 0
    assert not filled.exists()


def test_out_selects_another_path_and_replaces_an_older_report_there(
    filled: Path, project: Path, mind_skills: Callable[..., CommandResult]
) -> None:
    page = project / "learned.html"
    for _ in range(2):
        assert mind_skills("report", "--out", page).code == 0
    assert not (filled / "reports").exists()
    assert b"What your coding agents learned" in page.read_bytes()


def test_json_prints_the_document_and_writes_nothing(filled: Path, mind_skills: Callable[..., CommandResult]) -> None:
    done = mind_skills("report", "--since", "2026-11-10", "--redact", "--json")
    assert (done.code, done.json["since"], done.json["redacted"]) == (0, BEGIN + 9 * DAY, True)
    assert not (filled / "reports").exists()


@pytest.mark.parametrize(("said", "days"), [("7d", 7), ("7", 7), ("4w", 28), ("2026-11-20", 10)])
def test_since_accepts_a_date_or_a_number_of_days_or_weeks(
    filled: Path, mind_skills: Callable[..., CommandResult], said: str, days: int
) -> None:
    assert mind_skills("report", "--since", said, "--json").json["since"] == NOW - days * DAY


@pytest.mark.parametrize("said", ["0001-01-01", "1999-12-30", "36500d"])
def test_since_a_time_before_any_session_is_all_time(
    filled: Path, mind_skills: Callable[..., CommandResult], said: str
) -> None:
    assert mind_skills("report", "--since", said).out == mind_skills("report").out


@pytest.mark.parametrize("said", ["yesterday", "0", "0d", "2026-13-01", "-1d", "1e9d", "99999d"])
def test_since_refuses_any_other_value(filled: Path, mind_skills: Callable[..., CommandResult], said: str) -> None:
    done = mind_skills("report", f"--since={said}", "--json")
    assert (done.code, json.loads(done.out)["error"]["code"]) == (2, "usage")


def test_the_terminal_shows_what_was_learned_in_the_period(
    filled: Path, mind_skills: Callable[..., CommandResult]
) -> None:
    said = mind_skills("report", "--since", "20d").out
    page = filled / "reports/report.html"
    size = page.stat().st_size // 1000
    assert said == (
        "all projects, since 2026-11-10\n"
        "3 learnings noticed. In the same period, of these and older ones: 4 offered, 1 became"
        " a skill, 0 dismissed. Skills from learnings were used 8 times. 1 is now waiting.\n"
        "2026-11-15  waiting         sc_a78d9c3f  shop  make docs: failed once, passes later\n"
        "2026-11-13  offered         sc_4b1a1d9e  shop  pytest tests/test_dates.py: failed once, passes later\n"
        "2026-11-11  ignored         sc_c0a2b0ff  site  terraform plan: locked once, passes later\n"
        f"Page: {page} ({size} kB)\nAdd --open to open it in your browser.\n"
    )


def test_the_terminal_shows_at_most_ten_learnings(
    filled: Path, apart: Path, mind_skills: Callable[..., CommandResult]
) -> None:
    shop = resolve_project(project_folder=str(apart / "shop"))
    with Ledger.open(filled) as ledger:
        for number in range(20, 25):
            ledger.stage(shop, f"s{number}", "codex", [candidate(number, NOW, f"s{number}")], NOW)
    lines = mind_skills("report").out.splitlines()
    listed = [text for text in lines if "  sc_" in text]
    assert (len(listed), listed[0][:10], lines[12]) == (10, "2026-11-30", "3 more are on the page.")


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


def test_out_with_a_hyphen_writes_the_page_to_stdout(filled: Path, mind_skills: Callable[..., CommandResult]) -> None:
    done = mind_skills("report", "--out", "-")
    assert (done.code, done.err, done.out[:15]) == (0, "", "<!doctype html>")
    assert not (filled / "reports").exists()
    assert mind_skills("report", "--out", "-", "--open").code == 2
