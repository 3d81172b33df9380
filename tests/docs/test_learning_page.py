"""The worked example of docs/learning.md does what the page says that it does."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "learning.md"


def test_the_worked_example_prints_what_the_page_says() -> None:
    example = PAGE.read_text(encoding="utf-8").partition("## A worked example")[2]
    code, printed = re.findall(r"```(?:python|text)\n(.*?)```", example, re.DOTALL)[:2]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, str(PAGE), "exec"), {})
    assert out.getvalue() == printed
