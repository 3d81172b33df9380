"""The worked example of docs/learning.md does what the page says that it does, and its picture shows the rules."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys

from tests.testkit.paths import ROOT

PAGE = ROOT / "docs" / "learning.md"


def test_the_worked_example_prints_what_the_page_says() -> None:
    example = PAGE.read_text(encoding="utf-8").partition("## A worked example")[2]
    code, printed = re.findall(r"```(?:python|text)\n(.*?)```", example, re.DOTALL)[:2]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, str(PAGE), "exec"), {})
    assert out.getvalue() == printed


def test_the_picture_shows_the_current_rules() -> None:
    draw = "import plots, sys; sys.stdout.write(plots.draw_picture())"
    done = subprocess.run([sys.executable, "-c", draw], cwd=PAGE.parent, capture_output=True, text=True, check=True)
    assert PAGE.with_suffix(".svg").read_text(encoding="utf-8") == done.stdout


def test_the_picture_shows_the_maturity_of_a_skill_that_helps_once_a_week() -> None:
    draw = "import plots; print(plots.list_states())"
    done = subprocess.run([sys.executable, "-c", draw], cwd=PAGE.parent, capture_output=True, text=True, check=True)
    # the third vote comes on day 14, five are left on day 35, and fewer again on day 87
    assert done.stdout == "[(0, 'candidate'), (14, 'established'), (35, 'proven'), (87, 'established')]\n"
