"""bin/mind-skills: the command as the agent finds it, wherever its interpreter is."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mind_skills.plugin import VERSION, environment
from mind_skills.plugin.environment import BuildStatus
from tests.testkit.paths import DEMO, ROOT


def program(path: Path, *lines: str) -> Path:
    """An executable shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(("#!/bin/sh", *lines, "")), encoding="utf-8")
    path.chmod(0o755)
    return path


def interpreter(path: Path, *flags: str) -> Path:
    return program(path, f'exec "{sys.executable}" {" ".join(flags)} "$@"')


@pytest.fixture
def root(apart: Path) -> Path:
    """A plugin folder of its own, with a space in its name: the real code, and no environment yet."""
    folder = apart / "plug in"
    (folder / "bin").mkdir(parents=True)
    shutil.copy(ROOT / "bin/mind-skills", folder / "bin/mind-skills")
    for package in (path.parent for path in ROOT.glob("*/__init__.py")):
        (folder / package.name).symlink_to(package)
    return folder


def run(root: Path, *words: str | Path, path: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    tools = root.parent / "tools"
    tools.mkdir(exist_ok=True)
    for name in ("sh", "cat", "readlink", "uname"):
        if not (tools / name).exists():
            (tools / name).symlink_to(str(shutil.which(name)))
    places = {"HOME": str(root.parent / "home"), "MIND_SKILLS_HOME": str(root.parent / "state")}
    search = ":".join(part for part in (str(root / "bin"), path, str(tools)) if part)
    return subprocess.run(
        ["mind-skills", *map(str, words)],
        executable=root / "bin/mind-skills",
        env=places | {"PATH": search} | env,
        cwd=root.parent / "project",
        capture_output=True,
        text=True,
        check=False,
    )


def outcome(done: subprocess.CompletedProcess[str]) -> tuple[int, str, str]:
    return done.returncode, done.stdout, done.stderr


RAN = (0, f"mind-skills {VERSION}\n", "")


def test_the_environment_of_the_checkout_is_used(root: Path) -> None:
    interpreter(root / ".venv/bin/python")
    assert outcome(run(root, "--version")) == RAN


def test_the_environment_in_the_plugin_data_is_used_whether_its_folder_is_named_or_not(root: Path, apart: Path) -> None:
    interpreter(apart / "home/.claude/plugins/data/mind-skills-inline/venv/bin/python")
    assert outcome(run(root, "--version")) == RAN
    interpreter(apart / "data/venv/bin/python")
    assert outcome(run(root, "--version", HOME="/nowhere", CLAUDE_PLUGIN_DATA=str(apart / "data"))) == RAN


def test_an_environment_without_the_packages_is_skipped(root: Path, apart: Path) -> None:
    interpreter(root / ".venv/bin/python", "-S")
    interpreter(apart / "others/python3")
    assert outcome(run(root, "--version", path=str(apart / "others"))) == RAN


def test_an_installed_command_is_called_with_all_its_arguments(root: Path, apart: Path) -> None:
    program(apart / "others/mind-skills", 'printf "%s|" "$@"', "exit 7")
    done = run(root, "dismiss", "sc_1", "--reason", "a b", path=str(apart / "others"))
    assert outcome(done) == (7, "dismiss|sc_1|--reason|a b|", "")


def test_two_copies_of_the_script_do_not_call_each_other_forever(root: Path, apart: Path) -> None:
    other = apart / "other/bin/mind-skills"
    other.parent.mkdir(parents=True)
    shutil.copy(ROOT / "bin/mind-skills", other)
    done = run(root, "--version", path=str(other.parent))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("no Python 3.11 or newer") == 1


def test_the_command_without_an_interpreter_says_how_to_install_one(root: Path) -> None:
    done = run(root, "pending", "--json")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[:3] == [
        "mind-skills: no Python 3.11 or newer with its packages was found.",
        f"Install it: uv tool install '{root}'",
        f"or: python3 -m venv '{root}/.venv' && '{root}/.venv/bin/pip' install -e '{root}'",
    ]


def test_the_command_shows_the_state_of_the_environment_until_it_is_ready(root: Path, apart: Path) -> None:
    data = apart / "home/.claude/plugins/data/mind-skills-market"
    data.mkdir(parents=True)
    environment.write_build_status(
        str(data), BuildStatus("building", "x", 1, "its packages are being installed right now")
    )
    lines = run(root, "status").stderr.splitlines()
    assert lines[1] == "The environment of the plugin (building): its packages are being installed right now"
    environment.write_build_status(str(data), BuildStatus("failed", "x", 1, "no network"))
    lines = run(root, "status").stderr.splitlines()
    assert lines[1:3] == [
        "The environment of the plugin (failed): no network",
        f"The build is retried after a day, or at the next start if you remove {data}/environment",
    ]


@pytest.mark.process
def test_replay_reads_logs_in_several_processes_when_the_script_starts_it(root: Path, apart: Path) -> None:
    interpreter(root / ".venv/bin/python")
    for name in ("a", "b", "c"):
        shutil.copy(DEMO, apart / f"project/{name}.jsonl")
    done = run(root, "replay", apart / "project", "--json", "--jobs", "2")
    assert (json.loads(done.stdout)["totals"]["sessions"], done.stderr) == (3, "")
