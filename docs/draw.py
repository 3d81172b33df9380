"""Draw the pictures of the documentation from real runs in a made-up home.

    python -m docs.draw            draw what a terminal shows, as SVG, where it has changed
    python -m docs.draw --check    report pictures that differ from what the commands print now; exit code 1 if any
    python -m docs.draw --report F write the page that `make report-picture` photographs

A picture is compared by its text alone: two versions of Rich may draw the same text with other coordinates.
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
from tests.testkit.stories.story_file import stories
from tests.testkit.terminal import Terminal

FOLDER = ROOT / "docs" / "pictures"
COLUMNS = 92
HOME, PROJECT = "/home/dev", "code/shop"
"""The home and, below it, the project that the pictures show in place of the temporary ones."""
HOME_LENGTH = 80
"""Characters of the temporary home's path, wherever temporary folders are: lines are wrapped before it is replaced."""
SCENES = (
    ("replay", "replay", ""),
    ("", "replay --stage", ""),
    ("", "install claude-code --yes --no-history", ""),
    ("review", "review", "kq"),
    ("status", "status", ""),
)
"""What happens in that home: the picture's name, if there is one, the command, and the keys that are typed, one a question."""
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
"""Rich's own template without its fonts, which come from a server."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Draw the pictures of the documentation.")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--report", type=Path)
    options = parser.parse_args()
    if options.report:
        write_report(options.report)
        return 0
    stale = dict(find_stale())
    for path, svg in stale.items():
        if not options.check:
            path.write_text(svg, encoding="utf-8")
        print(f"{path.relative_to(ROOT)} {'is out of step: run `make pictures`' if options.check else 'written'}")
    return 1 if options.check and stale else 0


def find_stale() -> Iterator[tuple[Path, str]]:
    """Every picture whose text is not what its command prints now, with the new picture."""
    with made_up_home():
        for name, command, keys in SCENES:
            path, svg = FOLDER / f"{name}.svg", draw_terminal(command, capture(command, keys))
            if not name:
                continue
            if not path.exists() or list_texts(path.read_text(encoding="utf-8")) != list_texts(svg):
                yield path, svg


@contextlib.contextmanager
def made_up_home() -> Iterator[None]:
    """A temporary home with a project, in which the process is, and the logs of its sessions.

    The sessions are that of `mind-skills demo` and those in ``FOLDER``/sessions.
    """
    with TemporaryDirectory(prefix="mind-skills-pictures-") as folder:
        top = os.path.realpath(folder)
        home = Path(top, "h" * max(1, HOME_LENGTH - len(top) - 1))
        project, logs = home / PROJECT, home / ".claude/projects/shop"
        (project / ".git/info").mkdir(parents=True)
        logs.mkdir(parents=True)
        texts = {"demo": DEMO.read_text(encoding="utf-8").replace("/home/dev/shop", str(project))}
        for story in stories(FOLDER / "sessions"):
            text, _ = as_claude_code.written(story)
            text = text.replace(as_claude_code.PROJECT, str(project))
            name, _, _ = story.name.rpartition("-")
            texts[name] = text.replace(as_claude_code.SESSION, name)
        for name, text in texts.items():
            (logs / f"{name}.jsonl").write_text(text, encoding="utf-8")
        clean = {"HOME": str(home), "PATH": os.environ["PATH"], "TZ": "UTC", "LANG": "C.UTF-8"}
        with patch.dict(os.environ, clean, clear=True), contextlib.chdir(project):
            yield


def capture(command: str, keys: str) -> str:
    """What a command of mind-skills prints on a terminal of its own, with colours; paths of the temporary home become those of ``HOME``."""
    colours = {"TERM": "xterm-256color", "NO_COLOR": ""}
    with Terminal(*command.split(), columns=COLUMNS, lines=60, env=colours, errors=False) as terminal:
        for key in keys:
            terminal.type(key)
        code = terminal.finish()
    assert code == 0, terminal.screen
    return terminal.screen.replace(os.environ["HOME"], HOME)


def draw_terminal(command: str, screen: str) -> str:
    """A terminal in which ``command`` of mind-skills was typed and printed ``screen``, as SVG."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text.assemble(("~/code/shop $ ", "green"), (f"mind-skills {command}", "bold")))
    console.print(Text.from_ansi(screen.rstrip()), soft_wrap=True)
    svg = console.export_svg(title="", theme=THEME, code_format=SVG, unique_id="t")
    return re.sub(r"(?<=[^<>]) +$", "", svg, flags=re.MULTILINE)


def list_texts(svg: str) -> list[str]:
    """The texts of a picture from the top, with times and ids replaced, which differ between two runs."""
    texts = (unescape(text).replace("\xa0", " ").strip() for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg))
    return [re.sub(r"\bsc_[0-9a-f]{8}\b|\b\d{4}-\d\d-\d\d \d\d:\d\d\b", "*", text) for text in texts if text]


def write_report(path: Path) -> None:
    """Write the report of a month of use, the one of the report's tests."""
    with TemporaryDirectory() as folder:
        month = Month(Path(folder))
        month.fill()
        with Ledger.open(month.home) as ledger:
            path.write_text(render_page(gather_report(ledger, NOW)), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
