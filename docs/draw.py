"""Draw the pictures of the documentation from real runs in a temporary home.

    python -m docs.draw               redraw the SVG pictures of terminals whose text has changed
    python -m docs.draw --check       list these pictures instead; exit code 1 if there are any
    python -m docs.draw --report FILE write the page that `make report-picture` photographs

Pictures are compared by their text alone: two versions of Rich may place the same text at different coordinates.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from mind_skills.report.gathering import gather_report
from mind_skills.report.page import render_page
from mind_skills.staging.ledger import Ledger
from tests.report.month import NOW, Month
from tests.testkit.paths import DEMO, ROOT
from tests.testkit.stories import as_claude_code
from tests.testkit.stories.story_file import read_stories
from tests.testkit.terminal import Terminal

FOLDER = ROOT / "docs" / "pictures"
COLUMNS = 92
HOME, PROJECT = "/home/dev", "code/shop"
"""The home that the pictures show instead of the temporary one, and the project, relative to it."""
HOME_LENGTH = 80
"""Length of the temporary home's path. It is fixed because commands wrap lines before the path is replaced."""
SCENES = (
    ("replay", "replay", ""),
    ("", "replay --stage", ""),
    ("", "install claude-code --yes --no-history", ""),
    ("review", "review", "kq"),
    ("status", "status", ""),
)
"""The commands that run in the temporary home, in order: name of the picture (empty: none), command, and a key for each prompt."""
THEME = TerminalTheme(
    (22, 27, 34),
    (230, 237, 243),
    [
        (72, 79, 88),
        (255, 123, 114),
        (63, 185, 80),
        (210, 153, 34),
        (88, 166, 255),
        (188, 140, 255),
        (57, 197, 207),
        (177, 186, 196),
    ],
)
SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" class="rich-terminal" viewBox="0 0 {width} {height}" role="img">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: {char_height}px; \
line-height: {line_height}px; white-space: pre; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal"><rect width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""
"""Rich's own template without its fonts, which would be loaded from a server."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Draw the pictures of the documentation.")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--report", type=Path)
    options = parser.parse_args()
    if options.report:
        write_report(options.report)
        return 0
    outdated = dict(find_outdated())
    for path, svg in outdated.items():
        if not options.check:
            path.write_text(svg, encoding="utf-8")
        print(f"{path.relative_to(ROOT)} {'is outdated: run `make pictures`' if options.check else 'written'}")
    return 1 if options.check and outdated else 0


def find_outdated() -> Iterator[tuple[Path, str]]:
    """Yield the path and the new SVG of each picture whose text differs from what its command prints now."""
    with enter_temporary_home():
        for name, command, keys in SCENES:
            path, svg = FOLDER / f"{name}.svg", draw_terminal(command, capture_screen(command, keys))
            if not name:
                continue
            if not path.exists() or list_texts(path.read_text(encoding="utf-8")) != list_texts(svg):
                yield path, svg


@contextlib.contextmanager
def enter_temporary_home() -> Iterator[None]:
    """Run the block in the project of a temporary home, which has the logs of some sessions.

    The sessions are that of `mind-skills demo` and those in ``FOLDER``/sessions.
    """
    with TemporaryDirectory(prefix="mind-skills-pictures-") as folder:
        parent = os.path.realpath(folder)
        home = Path(parent, "h" * max(1, HOME_LENGTH - len(parent) - 1))
        project, logs = home / PROJECT, home / ".claude/projects/shop"
        (project / ".git/info").mkdir(parents=True)
        logs.mkdir(parents=True)
        texts = {"demo": DEMO.read_text(encoding="utf-8").replace("/home/dev/shop", str(project))}
        for story in read_stories(FOLDER / "sessions"):
            text, _ = as_claude_code.render_log(story)
            text = text.replace(as_claude_code.PROJECT, str(project))
            name, _, _ = story.name.rpartition("-")
            texts[name] = text.replace(as_claude_code.SESSION, name)
        for name, text in texts.items():
            (logs / f"{name}.jsonl").write_text(text, encoding="utf-8")
        environment = {"HOME": str(home), "PATH": os.environ["PATH"], "TZ": "UTC", "LANG": "C.UTF-8"}
        with patch.dict(os.environ, environment, clear=True), contextlib.chdir(project):
            yield


def capture_screen(command: str, keys: str) -> str:
    """Return what a command of mind-skills prints on a terminal, with colours and with ``HOME`` for the temporary home."""
    colours = {"TERM": "xterm-256color", "NO_COLOR": ""}
    with Terminal(*command.split(), columns=COLUMNS, lines=60, env=colours, errors=False) as terminal:
        for key in keys:
            terminal.type(key)
        code = terminal.finish()
    assert code == 0, terminal.screen
    return terminal.screen.replace(os.environ["HOME"], HOME)


def draw_terminal(command: str, screen: str) -> str:
    """Return an SVG of a terminal in which ``command`` of mind-skills was typed and printed ``screen``."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text.assemble(("~/code/shop $ ", "green"), (f"mind-skills {command}", "bold")))
    console.print(Text.from_ansi(screen.rstrip()), soft_wrap=True)
    svg = console.export_svg(title="", theme=THEME, code_format=SVG, unique_id="t")
    return re.sub(r"(?<=[^<>]) +$", "", svg, flags=re.MULTILINE)


def list_texts(svg: str) -> list[str]:
    """Return the texts of a picture from top to bottom, without times and ids, which differ between runs."""
    texts = (unescape(text).replace("\xa0", " ").strip() for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg))
    return [re.sub(r"\bsc_[0-9a-f]{8}\b|\b\d{4}-\d\d-\d\d \d\d:\d\d\b", "*", text) for text in texts if text]


def write_report(path: Path) -> None:
    """Write the page of the report on the month that the report's tests use."""
    with TemporaryDirectory() as folder:
        month = Month(Path(folder))
        month.fill()
        with Ledger.open(month.home) as ledger:
            path.write_text(render_page(gather_report(ledger, NOW)), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
