"""What commands import: only what their own answer needs.

`mind-skills status` runs without an argument parser, pydantic, Rich and detection, and prints the same as with them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.cli import group
from mind_skills.cli.status_report import StatusReport, run_fast_status
from mind_skills.cli.why import DETECTORS
from mind_skills.detectors.registry import KIND_BY_PATTERN
from mind_skills.output.document import make_type_adapter
from research.benchmarks import usual

Run = Callable[..., Any]
REPORT = "; sys.stderr.write('\\n' + ' '.join(sys.modules))"
NEVER = {
    *(
        "argparse",
        "pathlib",
        "urllib.parse",
        "shutil",
        "tempfile",
        "hashlib",
        "secrets",
        "email",
        "asyncio",
        "subprocess",
    ),
    *(
        "mind_skills.cli.group",
        "mind_skills.settings.edit",
        "mind_skills.staging.analyse",
    ),
    *("mind_skills.observations.read", "mind_skills.observations.builders", "mind_skills.learning.outcome"),
}
"""Expensive modules, of Python and of ours, that a careless import could add to `status`."""
EXPENSIVE = {
    *("multiprocessing", "subprocess"),
    *(
        f"mind_skills.{name}"
        for name in (
            *("cli.skills", "cli.status_report", "detectors.features", "hooks.idle", "staging.memory_records"),
            *("learning.skills.lint", "learning.storage", "memory.store", "observations.model", "observations.read"),
            *("setup.install", "staging.analyse", "staging.skill_cases", "tasks.complete", "tasks.lint", "tasks.plan"),
            *("tasks.tool_input", "team"),
        )
    ),
}
"""Expensive modules that some commands need. Each of them imports many others, or defines many classes."""


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    place = tmp_path_factory.mktemp("usual")
    return place, usual.prepare_machine(place)


@pytest.fixture
def in_project(machine: tuple[Path, dict[str, str]], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run the test in the project of the prepared machine."""
    place, environment = machine
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(place / "project")
    return place / "project"


def list_imports(folder: Path, environment: dict[str, str], arguments: list[str]) -> tuple[set[str], str]:
    """The modules that a fresh interpreter imports for a command line, and what the command prints."""
    code = f"import sys; from mind_skills.plugin.cli import run; run({arguments}){REPORT}"
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return set(done.stderr.rpartition("\n")[2].split()), done.stdout


def find_foreign_packages(names: set[str]) -> set[str]:
    """The packages among ``names`` that are neither Python's own nor ours."""
    tops = {name.partition(".")[0] for name in names}
    known = {*sys.stdlib_module_names, "mind_skills", "__main__", "_distutils_hack", "sitecustomize"}
    return {
        top
        for top in tops
        if top not in known and not top.startswith(("__editable__", "_sysconfigdata", "_virtualenv"))
    }


@pytest.mark.process
@pytest.mark.parametrize(
    "arguments",
    [["status"], ["status", "--verbose"], ["status", "--json"], ["--json", "status", "--project", "."]],
    ids=" ".join,
)
def test_status_imports_no_foreign_package_and_no_expensive_module(
    machine: tuple[Path, dict[str, str]], arguments: list[str]
) -> None:
    place, environment = machine
    # The first command in this home asks git, and stores the answer for the next.
    list_imports(place / "project", environment, ["pending"])
    names, printed = list_imports(place / "project", environment, arguments)
    assert (find_foreign_packages(names), names & NEVER) == (set(), set())
    assert ("exact-decimals" if len(arguments) > 1 else "2 learnings were noticed") in printed


@pytest.mark.process
@pytest.mark.parametrize(
    ("arguments", "needed"),
    [
        ("pending", "setup.install"),  # whether there are hooks
        ("learn", ""),
        ("config list", ""),
        ("skills", "cli.skills"),
        ("skills archive", "cli.skills"),
        ("patterns", "learning.storage"),
        ("undo --dry-run", "learning.storage"),
        ("review", "learning.storage setup.install"),
        ("task outcome list", "learning.storage"),
        ("task errors show shop-12", "learning.storage"),
        ("memory search prices", "learning.storage memory.store"),
        ("proof", "staging.skill_cases"),
        ("why exact-decimals", "learning.storage"),
        (f"why {usual.ACCEPTED}", "learning.storage detectors.features observations.model"),
    ],
)
def test_a_command_imports_only_the_expensive_modules_that_its_answer_needs(
    machine: tuple[Path, dict[str, str]], arguments: str, needed: str
) -> None:
    place, environment = machine
    list_imports(place / "project", environment, ["pending"])
    names, printed = list_imports(place / "project", environment, arguments.split())
    assert find_foreign_packages(names) == {"click"}
    assert names & EXPENSIVE == {f"mind_skills.{name}" for name in needed.split()}
    assert printed


@pytest.mark.parametrize("arguments", [["status"], ["status", "--verbose"], ["status", "--json"]], ids=" ".join)
def test_status_imports_even_less_if_there_is_no_database(tmp_path: Path, arguments: list[str]) -> None:
    environment = {"HOME": str(tmp_path), "MIND_SKILLS_HOME": str(tmp_path / "state"), "PATH": os.environ["PATH"]}
    names, printed = list_imports(tmp_path, environment, arguments)
    more = {
        "tomllib",
        "mind_skills.learning.criteria",
        "mind_skills.redaction.secrets",
        "mind_skills.learning.rules",
    }
    assert (find_foreign_packages(names), names & (NEVER | more)) == (set(), set())
    assert (str(tmp_path / "state") if len(arguments) > 1 else "Nothing has been noticed") in printed


def test_the_json_document_equals_the_one_that_pydantic_writes(mind_skills: Run, in_project: Path) -> None:
    printed = mind_skills("status", "--json").out
    form = make_type_adapter(StatusReport)
    assert form.dump_json(form.validate_json(printed), by_alias=True).decode() + "\n" == printed
    said = json.loads(printed)
    assert [len(said[name]) for name in ("criteria", "skills", "loops", "hookErrors", "configFiles")] == [1, 1, 4, 5, 2]
    assert (said["proof"]["withSkill"]["n"], said["watching"]["pid"]) == (4, os.getpid())
    assert {loop["host"]: loop["installed"] for loop in said["loops"]} == dict.fromkeys(usual.HOSTS, True)


@pytest.mark.parametrize(
    "arguments",
    [
        ["status"],
        ["status", "--json"],
        ["--json", "status"],
        ["status", "--project", "."],
        ["status", "-v"],
        ["status", "--verbose", "--project", "."],
        ["status", "--project=", "--json"],
        ["status", "--project=nowhere"],
        ["status", "--project", "nowhere", "--json"],
        ["status", "--project", "other", "--project", "."],
    ],
    ids=" ".join,
)
def test_status_without_the_argument_parser_prints_the_same_as_with_it(
    mind_skills: Run,
    in_project: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
) -> None:
    (in_project / "other").mkdir(exist_ok=True)
    assert run_fast_status(["show"]) is None
    ours = mind_skills(*arguments)
    monkeypatch.setattr("mind_skills.cli.status_report.run_fast_status", lambda _: None)
    assert mind_skills(*arguments) == ours
    assert ours.code == (1 if "nowhere" in " ".join(arguments) else 0)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["status", "--help"], None),
        (["status", "-h"], None),
        (["status", "--nope"], "No such option '--nope'."),
        (["status", "more"], "Got unexpected extra argument (more)"),
        (["status", "--json=1"], "Option '--json' does not take a value."),
        (["status", "--project"], "Option '--project' requires an argument."),
        (["status", "--project", "file"], "Invalid value for '--project': Directory 'file' is a file."),
        (["status", "--", "--json"], "Got unexpected extra argument (--json)"),
        (["status", "status"], "Got unexpected extra argument (status)"),
    ],
)
def test_other_arguments_are_left_to_the_argument_parser(
    mind_skills: Run, in_project: Path, arguments: list[str], said: str | None
) -> None:
    (in_project / "file").touch()
    assert run_fast_status(arguments) is None
    done = mind_skills(*arguments)
    assert (done.code, done.err.partition("\n")[0]) == ((0, "") if said is None else (2, f"mind-skills: {said}"))


def test_the_argument_parser_has_no_options_but_the_plain_ones_and_count() -> None:
    command = group.cli.get_command(None, "status")  # type: ignore[arg-type]
    assert command is not None
    assert [option for parameter in command.params for option in parameter.opts] == [
        *("--project", "-v", "--verbose", "--count", "--json")
    ]


WIDE = "claude-code: The hooks are installed but have not reported yet; earlier sessions were read from the logs."


@pytest.mark.parametrize("columns", ["40", "60", "80", "200", "no number", "-1", "9" * 30])
def test_status_fits_a_terminal_of_any_width_without_breaking_words(
    mind_skills: Run, in_project: Path, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    for name in ("cli.status_report", "output.text"):
        monkeypatch.setattr(f"mind_skills.{name}.is_interactive", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    with monkeypatch.context() as patch:  # pytest itself reads COLUMNS where it prints
        patch.setenv("COLUMNS", columns)
        done = mind_skills("status", "--verbose")
        advice = mind_skills("status").out.partition("\n\n")[2]
    width = int(columns) if columns in ("40", "60") else 100
    assert max(map(len, advice.splitlines())) <= width
    assert " ".join(advice.split()).startswith("Run `mind-skills status --verbose` for the numbers, or ")
    lines = done.out.splitlines()
    begin, end = (
        next(n for n, text in enumerate(lines) if text.startswith(mark)) for mark in ("All projects", "Process")
    )
    told = lines[begin + 1 : end]
    assert (done.code, [text for text in told if len(text) > width]) == (0, [])
    flat = " ".join(" ".join(told).split())
    assert flat.startswith(f"{WIDE} sessions 12 (2026-03-0")
    assert (
        flat.count("The hooks are installed but have not reported yet. ") + flat.endswith("have not reported yet.") == 3
    )
    step = next(text for text in lines if text.startswith("sightings"))
    assert step.split()[:4] == ["sightings", "2", "times", "that"]


def test_every_kind_of_a_pattern_is_in_the_detectors_that_show_knows() -> None:
    assert set(KIND_BY_PATTERN.values()) <= set(DETECTORS)
