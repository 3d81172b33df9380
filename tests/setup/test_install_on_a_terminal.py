"""`mind-skills install` on a terminal: the hosts found, the changes, and what the last 30 days taught."""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from mind_skills.setup import history
from mind_skills.setup.doctor import probe
from mind_skills.staging.tables import candidates
from mind_skills.store.home import get_settings_path, get_state_folder
from mind_skills.watch.instance import Instance
from tests.testkit.paths import DEMO

Run = Callable[..., Any]
PLANNED = """\
Found on this machine: Claude Code.
These files will change; `mind-skills uninstall --all` restores them exactly:
  ~/.claude/settings.json (new)
  ~/.claude/commands/mind-skills-{distil,learn,replay,review,status}.md (new)
Continue? [Y]es, [n]o, show the [d]iffs: """
DONE = """\
Claude Code
  ~/.claude/settings.json: created
  ~/.claude/commands/mind-skills-{distil,learn,replay,review,status}.md: created
Checked: Claude Code responds.
"""
NEXT = """\
Next: keep working. What a session learns is offered to the next session in the
same project; `mind-skills status` summarises it.
"""
NOW = """\
To have skills written of it now, tell an agent: run `mind-skills distil`.
"""
ASKED = """\
There is 1 session log from the last 30 days. Projects in which something was
learned get the file .claude/mind-skills-pending.json, and a line in
.git/info/exclude so that git ignores it.
Learn from them? [Y]es, [n]o: """


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def log(home: Path, tmp_path: Path) -> Path:
    """The log of an earlier session, in a project of this machine."""
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    path = home / ".claude/projects/shop/5d0c3f6e-2b1a-4c7e-9f10-0a6de0c0ffee.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(Path(DEMO).read_text(encoding="utf-8").replace("/home/dev/shop", str(shop)), encoding="utf-8")
    return path


@pytest.fixture
def install_with_answers(mind_skills: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Install with these lines typed on a terminal."""
    monkeypatch.setattr(probe, "run_start_hooks", lambda hooks: "")

    def install(typed: str, *arguments: str) -> Any:
        monkeypatch.setattr(sys, "stdin", Terminal(typed))
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
        monkeypatch.setenv("NO_COLOR", "1")
        return mind_skills("install", *(arguments or ["--no-mcp"]))

    return install


def test_install_lists_the_changes_and_asks_before_changing_files_and_reading_logs(
    install_with_answers: Run, mind_skills: Run, log: Path, home: Path, tmp_path: Path
) -> None:
    assert install_with_answers("n\n") == (0, f"{PLANNED}Nothing was changed.\n", "")
    assert not (home / ".claude/settings.json").exists()
    shown = install_with_answers("d\n")  # then the input ends
    assert (shown.out.count("[d]iffs: "), "    +++ " in shown.out) == (2, True)
    assert install_with_answers("\nno\n") == (0, f"{PLANNED}{DONE}{ASKED}{NEXT}", "")
    mind_skills("uninstall", "--all")
    read = "Read 1 session from the last 30 days: 1 learning.\n"
    assert install_with_answers("y\ny\n") == (0, f"{PLANNED}{DONE}{ASKED}{read}{NEXT}{NOW}", "")
    assert (tmp_path / "shop/.claude/mind-skills-pending.json").exists()
    waiting = mind_skills("pending", "--project", tmp_path / "shop", "--json").json["candidates"]
    assert [one["kind"] for one in waiting] == ["error_fix"]
    (loop,) = mind_skills("status", "--json").json["loops"]
    assert (loop["verdict"], loop["observed"]["count"]) == ("silent", 1)
    assert "Hooks: installed in Claude Code (no report yet; 1 earlier session" in mind_skills("status").out


def test_install_asks_about_earlier_sessions_only_if_one_was_not_read_to_its_end(
    install_with_answers: Run, log: Path
) -> None:
    """An empty log, and one whose project is gone, can never be read."""
    text = log.read_text(encoding="utf-8")
    (log.parent / "empty.jsonl").touch()
    other = log.with_name("5d0c3f6e-2b1a-4c7e-9f10-0a6de0c0ffe0.jsonl")
    other.write_text(text.replace("/shop", "/gone").replace("c0ffee", "c0ffe0"), encoding="utf-8")
    os.utime(log, (log.stat().st_mtime - 3 * 60 * 60,) * 2)  # the session is over

    def is_asked(typed: str) -> bool:
        return "Learn from them?" in install_with_answers(typed).out

    assert [is_asked("y\nn\n"), is_asked("y\ny\n"), is_asked("y\ny\n")] == [True, True, False]
    assert "Read " not in install_with_answers("y\ny\n").out
    log.write_text(text + text.splitlines(keepends=True)[-1], encoding="utf-8")
    assert is_asked("n\nn\n")


@pytest.mark.parametrize("settings", ["", "{}\n"])
def test_a_file_that_several_parts_change_is_listed_once(
    install_with_answers: Run, mind_skills: Run, home: Path, settings: str
) -> None:
    """Gemini CLI has hooks and servers in one file, and Claude Code hooks and the status line."""
    paths = {"gemini": home / ".gemini/settings.json", "claude-code": home / ".claude/settings.json"}
    for path in paths.values():
        path.parent.mkdir()
        if settings:
            path.write_text(settings, encoding="utf-8")

    def list_lines(output: str) -> list[str]:
        return [line.split("; ")[0] for line in output.splitlines() if "settings.json" in line and line[2:3] in "~/"]

    planned = list_lines(install_with_answers("n\n", *paths, "--mcp", "--statusline").out)
    change = "our lines are added" if settings else "new"
    assert planned == [f"  ~/{path.relative_to(home)} ({change})" for path in paths.values()]
    done = mind_skills("install", *paths, "--mcp", "--statusline", "--yes")
    result = "changed" if settings else "created"
    assert list_lines(done.out) == [f"  ~/{path.relative_to(home)}: {result}" for path in paths.values()]
    assert done.out.count("; backup: ") == (2 if settings else 0)
    again = mind_skills("install", *paths, "--mcp", "--statusline", "--yes")
    assert list_lines(again.out) == [f"  ~/{path.relative_to(home)}: up to date" for path in paths.values()]
    left = mind_skills("uninstall", *paths)
    result = "restored" if settings else "removed"
    assert list_lines(left.out) == [f"  ~/{path.relative_to(home)}: {result}" for path in paths.values()]
    assert [path.read_text() if path.exists() else "" for path in paths.values()] == [settings] * 2


def test_install_does_not_claim_that_disabled_hooks_respond(mind_skills: Run, log: Path) -> None:
    assert mind_skills("config", "set", "enabled", "false").code == 0
    done = mind_skills("install", "claude-code", "--no-mcp", "--no-history", "--yes")
    note = "Not tested, because mind-skills is disabled. `mind-skills config set enabled true` enables it."
    assert (done.code, note in " ".join(done.err.split()), "respond" in done.out) == (0, True, False)
    assert mind_skills("install", "claude-code", "--json").json["answers"] == []
    assert mind_skills("config", "set", "enabled", "true").code == 0
    path = Path(get_settings_path())
    path.write_text("enabled = maybe\n", encoding="utf-8")
    done = mind_skills("install", "claude-code", "--no-mcp", "--no-history")
    assert done.err == (
        f"Not tested, because mind-skills is disabled here until {path} is corrected: it is not valid TOML: Invalid value "
        "(at line 1, column 11).\n"
    )


def test_install_with_yes_asks_nothing_and_reads_logs(
    mind_skills: Run, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probe, "run_start_hooks", lambda hooks: "")
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    report = mind_skills("install", "claude-code", "--yes", "--no-history", "--json").json
    answer = {"host": "claude-code", "problem": "", "needsTrust": False}
    assert (report["answers"], report["history"]) == ([answer], None)
    again = log.with_name("5d0c3f6e-2b1a-4c7e-9f10-0a6de0c0ffe0.jsonl")
    again.write_text(log.read_text(encoding="utf-8").replace("c0ffee", "c0ffe0"), encoding="utf-8")
    history = mind_skills("install", "claude-code", "--yes", "--json").json["history"]
    assert history == {"logs": 2, "candidates": 1, "problems": []}  # what both show is one learning
    os.utime(log, (1, 1))
    os.utime(again, (1, 1))
    assert mind_skills("install", "claude-code", "--yes", "--json").json["history"]["logs"] == 0


def test_the_import_counts_learnings_for_which_the_list_has_no_room(
    mind_skills: Run, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probe, "run_start_hooks", lambda hooks: "")
    monkeypatch.setattr(candidates, "MAX_PENDING", 0)
    assert mind_skills("install", "claude-code", "--yes", "--json").json["history"]["candidates"] == 1


def test_the_import_shows_the_progress_of_reading_and_of_finishing_sessions(
    mind_skills: Run, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log.with_name("other.jsonl").write_text(log.read_text(encoding="utf-8").replace("5d0c3f6e", "5d0c3f6f"))
    for path in log.parent.iterdir():
        os.utime(path, (time.time() - 7200,) * 2)
    shown: list[tuple[str, int]] = []
    steps: list[str] = []

    @contextmanager
    def record_progress(label: str, total: int) -> Iterator[Callable[[], None]]:
        shown.append((label, total))
        yield lambda: steps.append(label)

    monkeypatch.setattr(history, "show_progress", record_progress)
    assert mind_skills("install", "claude-code", "--yes", "--no-mcp").code == 0
    assert (shown, steps) == ([("Reading", 2), ("Finishing", 2)], ["Reading"] * 2 + ["Finishing"] * 2)


def test_install_does_not_read_logs_while_another_process_does(
    mind_skills: Run, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probe, "run_start_hooks", lambda hooks: "")
    with Instance(get_state_folder(), 5_000):
        done = mind_skills("install", "claude-code", "--yes", "--no-mcp")
    assert (done.code, done.out) == (0, DONE + NEXT.replace("the\nsame", "the same"))
    assert done.err == (
        "Earlier sessions were not read, because `mind-skills watch` or another installation is reading logs. Run"
        " `mind-skills install` again later to learn from them.\n"
    )
    assert mind_skills("install", "claude-code", "--yes", "--json").json["history"]["candidates"] == 1


def test_a_hook_that_does_not_output_the_advice_is_an_error_that_names_the_host(
    mind_skills: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = {"host": "codex", "problem": "", "needsTrust": True}
    assert mind_skills("install", "codex", "--json").json["answers"] == [answer]
    said = "Codex skips the hooks until you trust them; `mind-skills doctor` says how."
    assert said in mind_skills("install", "codex").out
    monkeypatch.setattr(probe, "SAMPLE_ADVICE", "something else")
    monkeypatch.setattr("mind_skills.staging.start_files.write_advice", lambda *_: None)
    done = mind_skills("install", "codex")
    said = "Codex is installed, but its hooks do not output the waiting advice. Run `mind-skills doctor` for a fix.\n"
    assert (done.code, done.err) == (1, said)
