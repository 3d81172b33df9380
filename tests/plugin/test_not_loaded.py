"""If the program's own modules cannot be read, a command ends in an error and a hook in silence."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mind_skills.errors import NOT_LOADED, NOT_LOADED_HINT, MindSkillsError, as_error
from mind_skills.plugin import cli
from tests.testkit.paths import ROOT

NO_MORE_FILES = "import resource, sys; most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]\n"
NO_MORE_FILES += "refuse = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (3, most))\n"


def run_program(program: str, *arguments: str, **environment: str) -> tuple[int, str, str]:
    """Exit code, stdout, stderr of a program; after its call of ``refuse`` no file can be opened."""
    # Measuring coverage would open files.
    env = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")} | environment
    done = subprocess.run(
        [sys.executable, "-c", NO_MORE_FILES + program, *arguments],
        capture_output=True,
        input="{}",
        text=True,
        check=False,
        env=env,
    )
    return done.returncode, done.stdout, done.stderr


COMMAND = "from mind_skills.plugin.cli import run; refuse(); sys.exit(run(sys.argv[1:]))"
LATER = "from mind_skills.cli.main import execute; from mind_skills.plugin.cli import run; refuse(); sys.exit(run(sys.argv[1:]))"


@pytest.mark.parametrize("program", [COMMAND, LATER])
def test_a_command_that_cannot_open_its_modules_says_so(program: str) -> None:
    code, out, err = run_program(program, "status")
    first, hint = err.splitlines()
    assert (code, out, hint) == (1, "", NOT_LOADED_HINT)
    assert first.startswith("mind-skills: mind-skills cannot be loaded: ")
    assert "Too many open files" in first


@pytest.mark.parametrize("program", [COMMAND, LATER])
def test_a_command_with_json_that_cannot_open_its_modules_says_so_in_json(program: str) -> None:
    code, out, err = run_program(program, "status", "--json")
    error = json.loads(out)["error"]
    assert (code, err, error["code"], error["hint"]) == (1, "", "not_loaded", NOT_LOADED_HINT)
    assert error["message"].startswith("mind-skills cannot be loaded: ")


def test_a_load_failure_is_valid_json_whatever_the_system_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli._report_load_failure(ImportError('no "a\\b" \n in caf\u00e9'), as_json=True) == 1
    assert (
        json.loads(capsys.readouterr().out)["error"]["message"] == 'mind-skills cannot be loaded: no "a\\b" ? in caf?'
    )


HOOK = """
read = open(sys.argv[1]).read()
sys.argv = sys.argv[1:]; refuse()
exec(compile(read, sys.argv[0], "exec"), {"__name__": "__main__", "__file__": sys.argv[0]})
"""


def test_a_hook_that_cannot_open_its_modules_ends_in_silence() -> None:
    assert run_program(HOOK, str(ROOT / "plugin/entry.py"), "claude-code", "start") == (0, "", "")


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the program's modules, whose bytecode may be damaged."""
    folder = tmp_path / "mind_skills"
    for module in [*ROOT.glob("[a-z]*/**/*.py"), *ROOT.glob("[a-z]*/**/*.json"), *ROOT.glob("[a-z]*/**/*.toml")]:
        place = module.relative_to(ROOT)
        if place.parts[0] not in {"tests", "research", "docs"}:
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(module, folder / place)
    return folder


def run_copied(*line: str | Path, **environment: str) -> tuple[int, str, str]:
    """Exit code, stdout, stderr of a program of the copy, which may write bytecode."""
    inherited = {name: os.environ[name] for name in ("PATH", "HOME", "MIND_SKILLS_HOME") if name in os.environ}
    done = subprocess.run(
        [sys.executable, *line], capture_output=True, input="{}", text=True, check=False, env=inherited | environment
    )
    return done.returncode, done.stdout, done.stderr


COMMAND_OF_A_FOLDER = """
import sys
package = type(sys)("mind_skills")
package.__path__ = [sys.argv.pop(1)]
sys.modules["mind_skills"] = package
from mind_skills.plugin.cli import run
sys.exit(run(sys.argv[1:]))
"""


def cut_short(copied: Path) -> list[Path]:
    """Every file of bytecode, as a full disk leaves it: its header is whole and the rest is not."""
    files = sorted(copied.rglob("__pycache__/*.pyc"))
    for file in files:
        file.write_bytes(file.read_bytes()[:40])
    return files


@pytest.mark.process
def test_a_hook_whose_bytecode_a_full_disk_cut_short_ends_in_silence_and_the_next_one_works(copied: Path) -> None:
    line = ("-I", "-S", copied / "plugin/entry.py", "claude-code", "start")
    assert run_copied(*line, MIND_SKILLS_PROBE="1")[0] == 0
    damaged = cut_short(copied)
    assert damaged
    assert run_copied(*line) == (0, "", "")
    assert not [file for file in damaged if file.exists()]
    assert run_copied(*line, MIND_SKILLS_PROBE="1")[0] == 0
    assert set(damaged) == {file for file in damaged if file.stat().st_size > 40}


@pytest.mark.process
def test_damaged_bytecode_of_a_module_that_a_hook_imports_late_is_removed(copied: Path) -> None:
    line = ("-I", "-S", copied / "plugin/entry.py", "claude-code", "start")
    assert run_copied(*line)[0] == 0
    [late] = copied.glob("plugin/__pycache__/adapters.*.pyc")
    late.write_bytes(late.read_bytes()[:40])
    assert run_copied(*line) == (0, "", "")
    assert not late.exists()


@pytest.mark.process
def test_a_command_whose_bytecode_a_full_disk_cut_short_fails_once_and_then_works(copied: Path) -> None:
    line = ("-c", COMMAND_OF_A_FOLDER, copied)
    assert run_copied(*line, "help")[0] == 0
    [late] = copied.glob("cli/__pycache__/help.*.pyc")
    late.write_bytes(late.read_bytes()[:40])
    expected = f"mind-skills: mind-skills cannot be loaded: marshal data too short\n{NOT_LOADED_HINT}\n"
    assert run_copied(*line, "help") == (1, "", expected)
    assert run_copied(*line, "help")[0] == 0


@pytest.mark.process
def test_a_hook_ends_in_silence_even_if_the_module_that_removes_bytecode_cannot_be_loaded(copied: Path) -> None:
    line = ("-I", "-S", copied / "plugin/entry.py", "claude-code", "start")
    assert run_copied(*line)[0] == 0
    assert cut_short(copied)
    (copied / "store/bytecode.py").unlink()
    assert run_copied(*line) == (0, "", "")


@pytest.mark.process
def test_a_command_reports_a_load_failure_even_if_the_module_that_removes_bytecode_is_gone(copied: Path) -> None:
    line = ("-c", COMMAND_OF_A_FOLDER, copied, "help")
    assert run_copied(*line)[0] == 0
    [late] = copied.glob("cli/__pycache__/help.*.pyc")
    late.write_bytes(late.read_bytes()[:40])
    (copied / "store/bytecode.py").unlink()
    expected = f"mind-skills: mind-skills cannot be loaded: marshal data too short\n{NOT_LOADED_HINT}\n"
    assert run_copied(*line) == (1, "", expected)


def test_a_hook_that_the_doctor_probes_says_why_it_cannot_open_its_modules() -> None:
    code, out, err = run_program(HOOK, str(ROOT / "plugin/entry.py"), "claude-code", "start", MIND_SKILLS_PROBE="1")
    assert (code, out, "Too many open files" in err) == (1, "", True)


def test_the_hook_command_ends_in_silence_if_it_cannot_open_its_modules() -> None:
    assert run_program(COMMAND, "hook", "claude-code", "start") == (0, "", "")


@pytest.mark.parametrize("failure", [ModuleNotFoundError("No module named 'x'"), MemoryError()])
def test_a_missing_module_or_a_lack_of_memory_is_a_load_failure_and_not_a_bug(failure: Exception) -> None:
    error = as_error(failure)
    assert isinstance(error, MindSkillsError)
    message = str(failure) or "MemoryError"
    assert (error.code, error.message, error.hint, error.exit_code) == (
        NOT_LOADED,
        f"mind-skills cannot be loaded: {message}",
        NOT_LOADED_HINT,
        1,
    )


def test_a_command_whose_module_is_missing_ends_in_a_load_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    group = importlib.import_module("mind_skills.cli.group")

    def missing(name: str) -> object:
        raise ModuleNotFoundError(f"No module named {name!r}")

    monkeypatch.setattr(group, "import_module", missing)
    assert cli.run(["pending", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "not_loaded"
