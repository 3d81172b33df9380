from __future__ import annotations

import os
import pty
import shutil
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
from mind_skills.cli import main as cli_main
from mind_skills.errors import HomeError, MindSkillsError, as_error
from mind_skills.output import text
from mind_skills.plugin import VERSION
from mind_skills.staging.ledger import Ledger
from mind_skills.store.database import DATABASE_NAME
from mind_skills.store.project import resolve_project
from tests.staging.workbench import candidate as make_candidate
from tests.testkit.paths import ROOT

SYSTEM = "Check the path, its permissions and the free space."
WITHOUT_JSON = [["review"], ["hook"], ["completion"], ["help"], ["team", "server-sql"]]
"""The commands without ``--json``, which docs/commands.md names."""
IMPORTED = {f"mind_skills.cli.{name}" for name in group.COMMANDS}
HEAVY = {"pydantic", "rich", "sqlite3", "orjson", "watchdog", "tomlkit", "yaml", "tomllib", "multiprocessing"}


def list_imported_modules(code: str) -> set[str]:
    """The modules that a fresh interpreter has imported after ``code``."""
    program = f"import sys\n{code}\nsys.stderr.write('\\n'.join(sys.modules))"
    # Measuring coverage would itself import many of the modules that must be absent.
    env = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=env)
    return set(done.stderr.splitlines())


def test_the_version_option_prints_the_version_of_the_package(mind_skills: Callable[..., Any]) -> None:
    package = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert (VERSION, mind_skills("--version")) == (package, (0, f"mind-skills {package}\n", ""))


def test_the_version_option_does_not_import_the_argument_parser() -> None:
    modules = list_imported_modules("from mind_skills.plugin.cli import run; run(['--version'])")
    assert modules & (HEAVY | {"click"}) == set()


def test_top_level_help_imports_no_command_and_no_heavy_package() -> None:
    modules = list_imported_modules("from mind_skills.plugin.cli import run; run(['--help'])")
    assert {name for name in modules if name in HEAVY or name in IMPORTED} == set()


def test_every_command_of_the_table_is_a_module_and_every_module_is_in_the_table() -> None:
    modules = {path.stem for path in (ROOT / "cli").glob("*.py") if "\ndef command(" in path.read_text()}
    assert set(group.COMMANDS) == modules - {"options"}  # it makes commands, but is none


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
    [words for words in every_command() if words not in WITHOUT_JSON],
    ids=" ".join,
)
def test_every_command_that_scripts_use_takes_json(mind_skills: Callable[..., Any], words: list[str]) -> None:
    assert "\n  --json " in mind_skills(*words, "--help").out


@pytest.mark.parametrize("words", WITHOUT_JSON, ids=" ".join)
def test_json_is_an_error_before_and_after_a_command_without_it(
    mind_skills: Callable[..., Any], words: list[str]
) -> None:
    name = f"mind-skills {' '.join(words)}"
    hint = f"See `{name} --help`."
    before, after = mind_skills("--json", *words), mind_skills(*words, "--json")
    document = {"error": {"code": "usage", "message": f"`{name}` does not take --json.", "hint": hint}}
    assert (before.code, before.json, before.err) == (2, document, "")
    assert (after.code, after.json["error"]["hint"], after.err) == (2, hint, "")
    assert f"`{' '.join(words)}`" in (ROOT / "docs/commands.md").read_text(encoding="utf-8").partition("## Output")[2]
    assert mind_skills("--json", *words, "--help").code == 0


def test_a_group_without_a_command_shows_its_help_on_stderr(mind_skills: Callable[..., Any]) -> None:
    done = mind_skills("config")
    assert (done.code, done.out, done.err.splitlines()[0]) == (
        2,
        "",
        "Usage: mind-skills config [OPTIONS] COMMAND [ARGS]...",
    )


def replace_pending_command(monkeypatch: pytest.MonkeyPatch, action: Callable[[], int | None]) -> None:
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


def test_an_error_that_the_user_can_mend_exits_with_code_one(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_pending_command(monkeypatch, raising(MindSkillsError("gone", "it is gone", "Look elsewhere.")))
    assert mind_skills("pending") == (1, "", "mind-skills: it is gone\nLook elsewhere.\n")
    done = mind_skills("pending", "--json")
    assert (done.code, done.json) == (
        1,
        {"error": {"code": "gone", "message": "it is gone", "hint": "Look elsewhere."}},
    )


def test_a_bug_exits_with_code_three_and_a_report_without_private_paths_or_messages(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_pending_command(monkeypatch, raising(ZeroDivisionError("/home/ann/secret sk-123")))
    done = mind_skills("pending")
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("mind-skills: ZeroDivisionError in mind-skills\nThis is a bug. Please paste these lines")
    assert f"mind-skills {VERSION}, Python " in done.err
    assert "command: pending" in done.err
    assert all(word not in done.err for word in ("ann", "secret", "Traceback", str(ROOT)))
    as_json = mind_skills("pending", "--json")
    assert (as_json.code, as_json.json["error"]["code"], as_json.err) == (3, "bug", "")


@pytest.mark.parametrize("failure", [KeyboardInterrupt(), click.Abort()])
def test_an_interruption_exits_with_code_130(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, failure: BaseException
) -> None:
    replace_pending_command(monkeypatch, raising(failure))
    assert mind_skills("pending") == (130, "", "\nInterrupted.\n")
    assert mind_skills("pending", "--json").json == {
        "error": {"code": "interrupted", "message": "Interrupted.", "hint": ""}
    }


def test_the_return_value_of_a_command_is_its_exit_code(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_pending_command(monkeypatch, lambda: 1)
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
def test_only_our_own_and_system_errors_are_reported_as_user_errors(
    failure: Exception, expected: tuple[str, str, str] | None
) -> None:
    error = as_error(failure)
    assert (error and (error.code, error.message, error.hint)) == expected


@pytest.mark.parametrize("words", [["config", "list"], ["--version"], ["status", "--count"]])
def test_a_closed_pipe_on_stdout_is_not_an_error(apart: Path, words: list[str]) -> None:
    program = "import sys; sys.argv[0] = 'mind-skills'; from mind_skills.plugin.cli import main; main()"
    child = subprocess.Popen([sys.executable, "-c", program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.close()
    with child.stderr:
        assert (child.stderr.read(), child.wait()) == (b"", 0)


def test_text_for_a_terminal_of_one_column_is_wrapped_at_the_minimum_width(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "1")
    monkeypatch.setattr(text, "is_interactive", lambda: True)
    text.print_wrapped("one learning is waiting here", "   | ", break_words=True)
    assert capsys.readouterr().out == "   | one learning is\n   | waiting here\n"


def test_a_note_is_wrapped_between_words_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    note = "Earlier sessions were not read: /a/long/path/to-a/file-that-stays/whole\n  Run `mind-skills install` again later."
    text.print_note(note)
    assert capsys.readouterr().err == f"{note}\n"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    text.print_note(note)
    assert capsys.readouterr().err == (
        "Earlier sessions were not\nread:\n/a/long/path/to-a/file-that-stays/whole\n"
        "  Run `mind-skills install`\n  again later.\n"
    )


def test_a_terminal_that_cannot_show_a_character_gets_a_replacement() -> None:
    program = (
        "from mind_skills.cli import main\nmain._accept_all_characters()\n"
        "from mind_skills.output.text import print_line\nprint_line('caf\\u00e9 \\u4e2d')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, env={"PYTHONIOENCODING": "ascii"}, check=True
    )
    assert done.stdout.splitlines() == [b"caf? ?"]


def test_a_file_name_on_stdin_that_is_no_text_is_preserved() -> None:
    program = (
        "import os, sys\nfrom mind_skills.cli import main\nmain._accept_all_characters()\n"
        "print(os.fsencode(sys.stdin.read()))"
    )
    environment = {"PYTHONIOENCODING": "utf-8", "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program], input=b"/logs/\xff.jsonl", capture_output=True, env=environment, check=True
    )
    assert done.stdout.splitlines() == [b"b'/logs/\\xff.jsonl'"]


@pytest.mark.parametrize("use", ["sys.stdin.readline()", "sys.stdin.close()"])
def test_a_program_that_has_used_its_stdin_can_run_a_command(apart: Path, use: str) -> None:
    program = f"import sys\nfrom mind_skills.cli import main\n{use}\nsys.exit(main.execute(['--version']))"
    done = subprocess.run([sys.executable, "-c", program], input=b"one\ntwo\n", capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


PROGRAM = "from mind_skills.plugin.cli import main; main()"


@pytest.mark.parametrize("words", ["status --json", "status", "--version", "nope", "nope --json", "status --json 2>&-"])
def test_a_command_with_a_closed_stdout_does_not_crash(apart: Path, words: str) -> None:
    line = f'exec "$0" -c "{PROGRAM}" {words} >&-'
    done = subprocess.run(["sh", "-c", line, sys.executable], stderr=subprocess.PIPE, text=True, check=False)
    said = "mind-skills: No such command 'nope'.\nSee `mind-skills --help`.\n" if words == "nope" else ""
    assert (done.returncode, done.stderr) == (2 if "nope" in words else 0, said)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("words", ["status", "status --json", "--help"])
def test_a_full_output_device_is_an_error_on_stderr(apart: Path, words: str) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        command = [sys.executable, "-c", PROGRAM, *words.split()]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        silent = subprocess.run(command, stdout=full, stderr=full, check=False)
    assert (done.returncode, done.stderr) == (1, f"mind-skills: No space left on device\n{SYSTEM}\n")
    assert silent.returncode == 1


def test_top_level_help_shows_the_first_steps_one_per_line(mind_skills: Callable[..., Any]) -> None:
    lines = mind_skills("--help").out.splitlines()
    begin = lines.index("  First steps:")
    assert [line.split("   ")[0].strip() for line in (step.strip() for step in lines[begin + 1 : begin + 4])] == [
        "mind-skills demo",
        "mind-skills replay",
        "mind-skills review",
    ]
    assert (lines[begin + 4], "\\b" in "".join(lines)) == ("", False)


@pytest.mark.parametrize("words", [["pending"], ["config", "list"], ["show", "sc_1"], ["nope"]], ids=" ".join)
def test_the_json_option_may_precede_the_command(mind_skills: Callable[..., Any], words: list[str]) -> None:
    before, after = mind_skills("--json", *words), mind_skills(*words, "--json")
    assert (before, before.json) == (after, after.json)


def test_json_after_a_double_dash_is_an_argument_and_not_the_option() -> None:
    assert (cli_main._is_json_requested(["show", "--", "--json"]), cli_main._is_json_requested(["show", "--json"])) == (
        False,
        True,
    )


def test_a_hook_with_an_invalid_payload_prints_nothing_and_exits_with_code_zero(apart: Path) -> None:
    program = (
        "import sys; sys.argv = ['mind-skills', 'hook', 'claude-code']; from mind_skills.plugin.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", program], input=b"{", capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("command", ["pending", "pending --project .", "pause --project .", "status --project x"])
def test_a_deleted_working_directory_is_reported_as_a_missing_project(
    mind_skills: Callable[..., Any], project: Path, command: str
) -> None:
    project.rmdir()
    error = mind_skills(*command.split(), "--json").json["error"]
    assert (error["code"], error["message"]) == ("project_missing", "the current folder no longer exists")


def test_rows_are_drawn_as_a_table_on_a_terminal(apart: Path) -> None:
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


def test_a_pause_outside_a_repository_affects_the_folder(mind_skills: Any, project: Path) -> None:
    (project / "src").mkdir()
    assert mind_skills("pause", "--project", project / "src").out == f"Paused in {project / 'src'}.\n"


def test_a_pause_ends_without_a_database_that_can_be_opened(mind_skills: Any, project: Path, state: Path) -> None:
    mind_skills("pause", "--project", project)
    (state / DATABASE_NAME).mkdir()
    assert mind_skills("resume", "--project", project).out == f"Resumed in {project}.\n"


@pytest.mark.parametrize("is_gone", [False, True])
def test_a_folder_that_is_another_project_now_or_gone_can_be_resumed_and_its_learnings_dismissed(
    mind_skills: Any, project: Path, state: Path, monkeypatch: pytest.MonkeyPatch, is_gone: bool
) -> None:
    learned, folder = make_candidate("boom", at=2), project / "src"
    folder.mkdir()
    with Ledger.open(state) as ledger:
        where = resolve_project(project_folder=str(folder))
        ledger.register_session("one", "claude-code", where, "", 1)
        ledger.stage(where, "one", "claude-code", [learned], 3)
    assert mind_skills("pause", "--project", folder).code == 0
    shutil.rmtree(folder)
    if not is_gone:
        (folder / ".git").mkdir(parents=True)
        assert resolve_project(project_folder=str(folder)).id != where.id
        assert mind_skills("show", learned.id, "--project", folder).code == 0
        assert mind_skills("dismiss", learned.id, "--reason", "r", "--project", folder).code == 0
    assert (
        mind_skills("resume").out
        == f"Only 1 project is paused: run `mind-skills resume --project {folder}` to end that.\n"
    )
    assert mind_skills("resume", "--project", folder).out == f"Resumed in {folder}.\n"
    assert mind_skills("resume").out == "mind-skills was not paused.\n"
