from __future__ import annotations

import os
import pty
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest

from mind_skills.cli import group
from mind_skills.cli import main as outcome
from mind_skills.errors import HomeError, MindSkillsError, as_error
from mind_skills.plugin import VERSION
from tests.testkit.paths import ROOT

SYSTEM = "Check the path, its permissions and the free space."
IMPORTED = {f"mind_skills.cli.{name}" for name in group.COMMANDS}
HEAVY = {"pydantic", "rich", "sqlite3", "orjson", "watchdog", "tomli_w", "yaml", "tomllib", "multiprocessing"}


def imported(code: str) -> set[str]:
    """The modules that a fresh interpreter has imported after ``code``."""
    program = f"import sys\n{code}\nsys.stderr.write('\\n'.join(sys.modules))"
    # Measuring coverage would import more than half of what this is about.
    env = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=env)
    return set(done.stderr.splitlines())


def test_the_version_is_the_one_of_the_package(mind_skills: Callable[..., Any]) -> None:
    package = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert (VERSION, mind_skills("--version")) == (package, (0, f"mind-skills {package}\n", ""))


def test_asking_for_the_version_imports_not_even_the_argument_parser() -> None:
    modules = imported("from mind_skills.plugin.cli import run; run(['--version'])")
    assert modules & (HEAVY | {"click"}) == set()


def test_the_group_imports_no_command_and_none_of_the_heavy_packages() -> None:
    modules = imported("from mind_skills.plugin.cli import run; run(['--help'])")
    assert {name for name in modules if name in HEAVY or name in IMPORTED} == set()


def test_every_command_of_the_table_is_a_module_and_every_module_is_in_the_table() -> None:
    modules = {path.stem for path in (ROOT / "cli").glob("*.py") if "\ndef command(" in path.read_text()}
    assert set(group.COMMANDS) == modules - {"options"}  # which makes commands


def every_command() -> list[list[str]]:
    found: list[list[str]] = []
    waiting: list[tuple[list[str], click.Command]] = [([], group.cli)]
    while waiting:
        words, command = waiting.pop(0)
        if isinstance(command, click.Group):
            context = click.Context(command)
            below = {name: command.get_command(context, name) for name in command.list_commands(context)}
            waiting += [([*words, name], each) for name, each in below.items() if each is not None]
        else:
            found.append(words)
    return found


@pytest.mark.parametrize("words", every_command(), ids=" ".join)
def test_every_command_has_help_with_examples(mind_skills: Callable[..., Any], words: list[str]) -> None:
    done = mind_skills(*words, "--help")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"Usage: mind-skills {' '.join(words)} ")
    assert f"\n  Examples:\n    mind-skills {' '.join(words)}" in done.out


@pytest.mark.parametrize(
    "words",
    [
        words
        for words in every_command()
        if words not in (["hook"], ["help"], ["completion"], ["review"], ["team", "server-sql"])
    ],
    ids=" ".join,
)
def test_every_command_that_scripts_use_takes_json(mind_skills: Callable[..., Any], words: list[str]) -> None:
    assert "\n  --json " in mind_skills(*words, "--help").out


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["nope"], "No such command 'nope'.", "See `mind-skills --help`."),
        (["repaly"], "No such command 'repaly'. Did you mean replay?", "See `mind-skills --help`."),
        (["config", "lst"], "No such command 'lst'. Did you mean list?", "See `mind-skills config --help`."),
        (["show"], "Missing argument 'NAME'.", "See `mind-skills show --help`."),
        (["config", "get"], "Missing argument 'KEY'.", "See `mind-skills config get --help`."),
        (["replay", "x", "--jobs", "0"], "Invalid value for '--jobs': 0 is not in the range 1<=x<=64.", "See `mind-skills replay --help`."),
    ],
)  # fmt: skip
def test_wrong_usage_is_exit_code_two_and_json_when_asked_for(
    mind_skills: Callable[..., Any], arguments: list[str], message: str, hint: str
) -> None:
    assert mind_skills(*arguments) == (2, "", f"mind-skills: {message}\n{hint}\n")
    done = mind_skills(*arguments, "--json")
    assert (done.code, done.json, done.err) == (2, {"error": {"code": "usage", "message": message, "hint": hint}}, "")


def test_a_group_without_a_command_shows_its_help_on_stderr(mind_skills: Callable[..., Any]) -> None:
    done = mind_skills("config")
    assert (done.code, done.out, done.err.splitlines()[0]) == (
        2,
        "",
        "Usage: mind-skills config [OPTIONS] COMMAND [ARGS]...",
    )


def with_command(monkeypatch: pytest.MonkeyPatch, action: Callable[[], int | None]) -> None:
    """Put a command in the place of `pending`."""

    @click.command()
    @click.option("--json", is_flag=True)
    def command(json: bool) -> int | None:
        return action()

    monkeypatch.setattr(group, "import_module", lambda name: SimpleNamespace(command=command))


def raising(failure: BaseException) -> Callable[[], int]:
    def action() -> int:
        raise failure

    return action


def test_an_error_of_the_users_is_exit_code_one(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_command(monkeypatch, raising(MindSkillsError("gone", "it is gone", "Look elsewhere.")))
    assert mind_skills("pending") == (1, "", "mind-skills: it is gone\nLook elsewhere.\n")
    done = mind_skills("pending", "--json")
    assert (done.code, done.json) == (
        1,
        {"error": {"code": "gone", "message": "it is gone", "hint": "Look elsewhere."}},
    )


def test_a_bug_is_exit_code_three_with_a_report_that_names_nobody(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_command(monkeypatch, raising(ZeroDivisionError("/home/ann/secret sk-123")))
    done = mind_skills("pending")
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("mind-skills: ZeroDivisionError in mind-skills\nThis is a bug. Please paste these lines")
    assert f"mind-skills {VERSION}, Python " in done.err
    assert "command: pending" in done.err
    assert all(word not in done.err for word in ("ann", "secret", "Traceback", str(ROOT)))
    as_json = mind_skills("pending", "--json")
    assert (as_json.code, as_json.json["error"]["code"], as_json.err) == (3, "bug", "")


@pytest.mark.parametrize("failure", [KeyboardInterrupt(), click.Abort()])
def test_an_interruption_is_exit_code_130(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, failure: BaseException
) -> None:
    with_command(monkeypatch, raising(failure))
    assert mind_skills("pending") == (130, "", "\nInterrupted.\n")
    assert mind_skills("pending", "--json").json == {
        "error": {"code": "interrupted", "message": "Interrupted.", "hint": ""}
    }


def test_a_command_may_name_its_exit_code(mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    with_command(monkeypatch, lambda: 1)
    assert mind_skills("pending") == (1, "", "")


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (HomeError("no home", "Make one."), ("state_folder", "no home", "Make one.")),
        (PermissionError(13, "Permission denied", "/x"), ("system", "Permission denied: /x", SYSTEM)),
        (OSError(28, "No space left on device"), ("system", "No space left on device", SYSTEM)),
        (OSError("odd"), None),
        (ValueError("x"), None),
    ],
)  # fmt: skip
def test_errors_of_the_packages_below_and_of_the_machine_are_the_users_all_else_is_a_bug(
    failure: Exception, expected: tuple[str, str, str] | None
) -> None:
    error = as_error(failure)
    assert (error and (error.code, error.message, error.hint)) == expected


def test_a_reader_that_goes_away_is_not_an_error() -> None:
    program = (
        "import sys; sys.argv = ['mind-skills', 'config', 'list']; from mind_skills.plugin.cli import main; main()"
    )
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.close()
    with child.stderr:
        assert (child.stderr.read(), child.wait()) == (b"", 0)


def test_a_terminal_that_cannot_show_a_character_gets_a_replacement() -> None:
    program = (
        "from mind_skills.cli import main\nmain._replace_unencodable_characters()\n"
        "from mind_skills.output.text import print_line\nprint_line('caf\\u00e9 \\u4e2d')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, env={"PYTHONIOENCODING": "ascii"}, check=True
    )
    assert done.stdout.splitlines() == [b"caf? ?"]


PROGRAM = "from mind_skills.plugin.cli import main; main()"


@pytest.mark.parametrize("words", ["status --json", "status", "--version", "nope", "nope --json", "status --json 2>&-"])
def test_a_closed_stdout_is_as_good_as_nobody_reading(apart: Path, words: str) -> None:
    line = f'exec "$0" -c "{PROGRAM}" {words} >&-'
    done = subprocess.run(["sh", "-c", line, sys.executable], stderr=subprocess.PIPE, text=True, check=False)
    said = "mind-skills: No such command 'nope'.\nSee `mind-skills --help`.\n" if words == "nope" else ""
    assert (done.returncode, done.stderr) == (2 if "nope" in words else 0, said)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("words", ["status", "status --json", "--help"])
def test_a_full_device_is_an_error_on_stderr(apart: Path, words: str) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        command = [sys.executable, "-c", PROGRAM, *words.split()]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, f"mind-skills: No space left on device\n{SYSTEM}\n")


def test_the_first_screen_shows_the_first_steps_one_a_line(mind_skills: Callable[..., Any]) -> None:
    lines = mind_skills("--help").out.splitlines()
    begin = lines.index("  First steps:")
    assert [line.split("   ")[0].strip() for line in (step.strip() for step in lines[begin + 1 : begin + 4])] == [
        "mind-skills demo",
        "mind-skills replay",
        "mind-skills review",
    ]
    assert (lines[begin + 4], "\\b" in "".join(lines)) == ("", False)


@pytest.mark.parametrize("words", [["pending"], ["config", "list"], ["show", "sc_1"], ["nope"]], ids=" ".join)
def test_json_may_stand_before_the_command_too(mind_skills: Callable[..., Any], words: list[str]) -> None:
    before, after = mind_skills("--json", *words), mind_skills(*words, "--json")
    assert (before, before.json) == (after, after.json)


def test_json_after_two_dashes_is_a_value_and_not_the_option() -> None:
    assert (outcome._is_json_requested(["show", "--", "--json"]), outcome._is_json_requested(["show", "--json"])) == (
        False,
        True,
    )


def test_a_hook_called_by_hand_prints_nothing_and_never_fails(apart: Path) -> None:
    program = (
        "import sys; sys.argv = ['mind-skills', 'hook', 'claude-code']; from mind_skills.plugin.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", program], input=b"{", capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_hook_without_its_host_is_wrong_usage(mind_skills: Callable[..., Any]) -> None:
    assert mind_skills("hook").code == 2


def test_the_folder_one_is_in_may_be_gone(mind_skills: Callable[..., Any], project: Path) -> None:
    project.rmdir()
    done = mind_skills("pending", "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "project_missing")


def test_on_a_terminal_rows_are_a_table(apart: Path) -> None:
    program = (
        "import sys; sys.argv = ['mind-skills', 'config', 'list']; from mind_skills.plugin.cli import main; main()"
    )
    leader, follower = pty.openpty()
    with os.fdopen(leader, "rb", buffering=0) as screen:
        env = {"TERM": "xterm", "HOME": str(apart), "COLUMNS": "90", "NO_COLOR": "1"}
        subprocess.run([sys.executable, "-c", program], stdout=follower, check=True, env=env)
        os.write(follower, b"END")
        os.close(follower)
        shown = b""
        while b"END" not in shown:
            shown += screen.read(65536)
    assert "─────" in shown.decode()
    assert b"\t" not in shown
