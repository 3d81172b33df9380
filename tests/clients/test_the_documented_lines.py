"""The commands for the plugin in docs/hosts/claude-code.md, typed as documented in a new home."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tests.clients.folders import copy_checkout
from tests.clients.lesson import run_lesson
from tests.clients.real_claude import Claude
from tests.testkit.paths import ROOT

PAGE = ROOT / "docs/hosts/claude-code.md"
IN = ["claude plugin marketplace add ./", "claude plugin install mind-skills@mind-skills"]
OUT = ["claude plugin uninstall mind-skills@mind-skills", "claude plugin marketplace remove mind-skills"]


def list_page_lines() -> list[str]:
    """List the lines of the page's shell blocks that start the client."""
    found = re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    return [line for block in found for line in block.splitlines() if line.startswith("claude ")]


def list_tree(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*"))


def test_the_page_contains_the_lines_that_are_tested_here() -> None:
    assert list_page_lines() == IN + OUT


def test_two_lines_install_the_plugin_and_two_remove_it(claude: Claude) -> None:
    claude.folder = copy_checkout(claude.root / "checkout")
    claude.plugin = None
    for line in IN:
        ran = claude.run(*shlex.split(line)[1:])
        assert ran.code == 0, ran.stdout + ran.stderr
    claude.folder, checkout = claude.project, claude.folder
    run_lesson(claude)
    assert len(claude.pending()) == 1
    claude.session("two")
    assert (claude.count_offers("two"), claude.hook_log()) == ([1], "")
    claude.folder = checkout
    for line in OUT:
        assert claude.run(*shlex.split(line)[1:]).code == 0
    # The client's own copy of what it installed, which it marks as orphaned and removes later.
    cache = claude.home / ".claude/plugins/cache/mind-skills"
    left = [path for path in list_tree(claude.home / ".claude/plugins") if not path.is_relative_to(cache)]
    assert [path for path in left if "mind-skills" in path.name] == []
    files = [*left, claude.home / ".claude/settings.json"]
    named = [path for path in files if path.suffix == ".json" and path.exists() and "mind-skills@" in path.read_text()]
    assert (named, [path.name for path in cache.glob("*/*/.orphaned_at")]) == ([], [".orphaned_at"])
