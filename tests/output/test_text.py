"""The width of a terminal."""

from __future__ import annotations

import os
import sys
import termios

import pytest

from mind_skills.output.text import MIN_TERMINAL_WIDTH, get_terminal_width


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
