"""The width of a terminal, and tables in it."""

from __future__ import annotations

import os
import sys
import termios

import pytest

from mind_skills.output import text
from mind_skills.output.text import MIN_TERMINAL_WIDTH, get_terminal_width, print_table


@pytest.mark.parametrize(("columns", "width"), [(132, 132), (4, MIN_TERMINAL_WIDTH), (0, 80)])
def test_a_terminal_without_a_size_counts_as_80_columns(
    monkeypatch: pytest.MonkeyPatch, columns: int, width: int
) -> None:
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (0, columns))
    with os.fdopen(theirs, "w") as stdout:
        monkeypatch.delenv("COLUMNS", raising=False)
        monkeypatch.setattr(sys, "stdout", stdout)
        assert get_terminal_width() == width
    os.close(ours)


COLUMNS, ROWS = ("skill", "helpful/harmful", "why"), [("exact", "10/2", "it was\nused in two sessions")]


@pytest.mark.parametrize(
    ("width", "is_below", "expected"),
    [
        (0, False, ["skill\thelpful/harmful\twhy", "exact\t10/2\tit was used in two sessions"]),
        (60, False, [" skill   helpful/harmful   why", " exact              10/2   it was used in two sessions"]),
        (
            45,
            False,
            [
                " skill   helpful/harmful   why",
                " exact              10/2   it was used in",
                "                           two sessions",
            ],
        ),
        (35, False, ["skill: exact", "helpful/harmful: 10/2", "why: it was used in two sessions"]),
        (35, True, ["skill  helpful/harmful", "exact             10/2", "    it was used in two sessions"]),
        (21, True, ["skill: exact", "helpful/harmful: 10/2", "why: it was used in", "    two sessions"]),
    ],
)
def test_a_table_fits_the_terminal_without_breaking_words(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    width: int,
    is_below: bool,
    expected: list[str],
) -> None:
    monkeypatch.setattr(text, "is_interactive", lambda: width > 0)
    monkeypatch.setenv("COLUMNS", str(width))
    print_table("", COLUMNS, ROWS, right_aligned=("helpful/harmful",), wrap_last_column=is_below)
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines() if line.strip(" ─")]
    assert lines == expected


def test_only_a_long_word_is_broken_to_make_a_table_fit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(text, "is_interactive", lambda: True)
    monkeypatch.setenv("COLUMNS", "40")
    print_table("", ("id", "path"), [("sc_1a2b3c4d", "/" + "x" * 29)])
    lines = [line.strip() for line in capsys.readouterr().out.splitlines() if line.strip(" ─")]
    assert lines == ["id            path", f"sc_1a2b3c4d   /{'x' * 23}", "x" * 6]


@pytest.mark.parametrize(
    ("at", "time", "day"),
    [(None, "never", ""), (0, "at an unknown time", ""), (10**30, "at an unknown time", "")],
)
def test_a_time_that_no_platform_can_express_is_unknown(at: int | None, time: str, day: str) -> None:
    assert (text.format_time(at), text.format_day(at or 0)) == (time, day)
