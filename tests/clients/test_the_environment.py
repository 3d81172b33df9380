"""The plugin from its marketplace with the real Claude Code: it works at once, before its environment is installed."""

from __future__ import annotations

import contextlib
import fcntl
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mind_skills.plugin import environment
from tests.clients.folders import get_clients_folder, require_program, skip_or_fail
from tests.clients.lesson import PROMPT, bash, run_lesson, script_lesson, write_project
from tests.clients.real_claude import Claude
from tests.clients.terminal import open_terminal

SYSTEM = [f"{folder}/python3.{minor}" for minor in (13, 12, 11, 14) for folder in ("/usr/bin", "/usr/local/bin")]
"""As in plugin/hook.sh; the home of a test has no others."""


@pytest.fixture(scope="session")
def wheels() -> Path:
    """A folder of wheels for the Python that the hooks will find, fetched once and stored next to the clients."""
    require_program(Claude.program())
    python = next((path for path in SYSTEM if shutil.which(path)), "")
    if not python:
        skip_or_fail("this machine has no Python 3.11 or newer of its own")
    version = Path(python).name.removeprefix("python")
    folder = get_clients_folder() / f"wheels-{version}-{environment.read_requirements_digest()}"
    with folder.with_suffix(".lock").open("w") as lock:  # another worker may be fetching them
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            fetch(version, folder)
    return folder


def fetch(version: str, folder: Path) -> None:
    fetched = folder.with_suffix(".new")
    shutil.rmtree(fetched, ignore_errors=True)
    options = ["--only-binary=:all:", f"--python-version={version}", "--require-hashes", "-r", environment.REQUIREMENTS]
    line = [sys.executable, "-m", "pip", "download", "-q", *options, "-d", str(fetched)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode:
        skip_or_fail(f"the package index cannot be reached: {done.stderr.strip().splitlines()[-1][:200]}")
    fetched.rename(folder)


@contextlib.contextmanager
def block_builds(data: Path) -> Iterator[None]:
    """Hold the lock of the builder, so that nothing is built."""
    data.mkdir(parents=True, exist_ok=True)
    with (data / environment.LOCK_FILE).open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def read_printed(claude: Claude, script: str) -> str:
    """Return what the commands of a session printed, as the model received it."""
    return "\n".join(claude.results(script))


def test_the_plugin_works_before_its_environment_is_ready_and_has_all_commands_afterwards(
    claude: Claude, wheels: Path
) -> None:
    root = claude.install_from_marketplace()
    data = claude.home / ".claude/plugins/data/mind-skills-mind-skills"
    pip = {"PIP_CONFIG_FILE": "/dev/null", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels)}
    claude.extra = {"MIND_SKILLS_NO_ENVIRONMENT": "", **pip}
    write_project(claude)
    with block_builds(data):
        script_lesson(claude, last=[bash("command -v mind-skills; mind-skills status")])
        assert claude.say(PROMPT).code == 0
        claude.wait_until_settled()
    assert str(root / "bin/mind-skills") in read_printed(claude, "one")
    assert "no Python 3.11 or newer with its packages was found" in read_printed(claude, "one")
    assert (len(claude.pending()), environment.is_ready(str(data))) == (1, False)

    claude.session("two")  # the client exits long before the environment is ready
    assert claude.count_offers("two") == [1]
    assert (claude.hook_log(), environment.is_ready(str(data))) == ("", True)
    assert sorted(path.name for path in data.iterdir()) == ["environment.lock", "venv"]

    claude.session("three", [bash("mind-skills status --json")], ["Hello."])
    assert '"pending":0' in read_printed(claude, "three").replace("\\", "")
    assert claude.hook_log() == ""

    report = claude.mind_skills("doctor")
    checks = [(one["name"], one["state"], one["text"]) for one in report["checks"] if one["host"] == "claude-code"]
    assert checks == [
        ("hooks", "ok", "the plugin mind-skills@mind-skills is enabled"),
        ("environment", "ok", f"{data}/venv/bin/python has all required packages"),
    ]
    assert (report["healthy"], [(one["host"], one["verdict"]) for one in report["loops"]]) == (
        True,
        [("claude-code", "working")],
    )
    assert claude.run("plugin", "uninstall", "mind-skills@mind-skills").code == 0
    assert not data.exists()


def test_the_plugin_works_without_its_packages_and_says_why_they_are_missing(claude: Claude) -> None:
    claude.install_from_marketplace()
    nothing = {"PIP_CONFIG_FILE": "/dev/null", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(claude.root / "tmp")}
    claude.extra = {"MIND_SKILLS_NO_ENVIRONMENT": "", **nothing}
    run_lesson(claude)
    assert len(claude.pending()) == 1
    data = claude.home / ".claude/plugins/data/mind-skills-mind-skills"
    assert sorted(path.name for path in data.iterdir()) == ["environment", "environment.lock"]
    assert "No matching distribution found" in claude.hook_log()
    claude.session("two", [bash("mind-skills status")], ["Hello."])
    assert claude.count_offers("two") == [1, 1]
    output = read_printed(claude, "two")
    assert "its packages could not be installed: ERROR: No matching distribution found" in output
    assert "uv tool install" in output
    assert claude.hook_log().count("could not be built") == 1


def test_the_terminal_announces_the_installation_of_packages(claude: Claude) -> None:
    claude.extra = {"MIND_SKILLS_NO_ENVIRONMENT": ""}
    with block_builds(claude.home / ".claude/plugins/data/mind-skills-inline"):
        with open_terminal(claude) as shown:
            shown.until(
                lambda: "thepackagesthatitscommandlineneedsarebeinginstalled" in shown.screen, "the announcement"
            )
            claude.script("one", ["Hello there."])
            shown.enter("hello")
            shown.until(lambda: "Hellothere." in shown.screen, "an answer")
            shown.leave()
        claude.wait_until_settled()  # before the lock is released: a process of the session would start to build
    assert "being installed" not in json.dumps(claude.requests("one"))
    assert claude.hook_log() == ""
