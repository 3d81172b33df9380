"""Fixtures and settings for all tests, which must not depend on speed or touch the user's real home."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import settings

from mind_skills.plugin.cli import run
from mind_skills.redaction import personal
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import resolve_project
from mind_skills.tasks.caller import AGENT_VARIABLES
from tests.testkit.command import CommandResult, confirm
from tests.testkit.examples import DEEP, NIGHT, SAMPLE, WHOLE

HOST_VARIABLES = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME")
"""Variables that name the folders of hosts, so that changing HOME alone would not isolate a test."""

MEMORY = Path("/dev/shm")
"""On Linux, a file system in memory."""
MEMORY_BYTES = 1_000_000_000
"""The free space that it must have to be used."""


def _prefer_memory() -> None:
    """Put temporary files into memory: on a disk, the tests would spend most of their time waiting for fsync.

    This is not done if TMPDIR is set, or if /dev/shm is too small, as in some containers.
    """
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK) or shutil.disk_usage(MEMORY).free < MEMORY_BYTES:
        return
    os.environ["TMPDIR"] = str(MEMORY)
    tempfile.tempdir = None  # so that it is determined again


_prefer_memory()

if "PYTEST_XDIST_WORKER" in os.environ:  # do not measure the coverage of child processes: it would double the time
    os.environ.pop("COVERAGE_PROCESS_CONFIG", None)

# A shell script that runs the tests with & ignores SIGINT, and every process that they start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("patient", deadline=None)  # a slow machine must not fail a test
# The default run tests a random sample. CI tests all examples, and the same ones each time, so that a failure is due to the change.
settings.register_profile("sample", settings.get_profile("patient"), max_examples=SAMPLE)
settings.register_profile("same", settings.get_profile("patient"), derandomize=True)
# For a run overnight: MIND_SKILLS_DEEP=1 tests 10,000 examples for every reader and every detector (docs/security.md).
settings.register_profile("deep", settings.get_profile("patient"), max_examples=NIGHT)
settings.load_profile("deep" if DEEP else "same" if WHOLE else "sample")


gc.disable()  # until the tests are collected, which creates many objects and no garbage


def pytest_collection_finish() -> None:
    """Exclude the collected tests from later garbage collections, which would take a quarter of the time."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--sample", type=float, default=1.0, help="run this share of the tests, the same ones each time")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    limit = config.getoption("--sample") * 2**32
    deselected = [item for item in items if crc32(item.nodeid.encode()) >= limit]
    if deselected:
        config.hook.pytest_deselected(items=deselected)
        items[:] = [item for item in items if crc32(item.nodeid.encode()) < limit]


@pytest.fixture(autouse=True, scope="session")
def _temporary_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Temporary state and settings, for tests that set no others."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MIND_SKILLS_HOME", str(tmp_path_factory.mktemp("state")))
        patch.setenv("MIND_SKILLS_CONFIG", str(tmp_path_factory.mktemp("settings") / "mind-skills.toml"))
        # Processes that tests start share compiled modules, and write none into the checkout.
        patch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path_factory.mktemp("bytecode")))
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        for name in HOST_VARIABLES:
            patch.delenv(name, raising=False)
        yield


@pytest.fixture
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a home, a state folder and a project for this test alone; the test runs in the project."""
    for name in ("home", "project"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MIND_SKILLS_HOME", str(tmp_path / "state"))
    for name in ("MIND_SKILLS_CONFIG", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name in AGENT_VARIABLES:  # commands are typed by a person unless a test sets one
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path


@pytest.fixture
def home(apart: Path) -> Path:
    """An empty home."""
    return apart / "home"


@pytest.fixture
def state(apart: Path) -> Path:
    """The path of the state folder, which does not exist yet."""
    return apart / "state"


@pytest.fixture
def project(apart: Path) -> Path:
    """An empty folder, which is the current folder."""
    return apart / "project"


@pytest.fixture
def repository(project: Path) -> Path:
    """The project as a git repository without a commit."""
    (project / ".git" / "info").mkdir(parents=True)
    return project


@pytest.fixture
def session(state: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A function that registers a session in the project; commands run afterwards are run by its agent."""

    def begin_session(name: str) -> None:
        with Ledger.open(state) as ledger:
            ledger.register_session(name, "claude-code", resolve_project(folder=str(project)), "", 1)
        monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", name)

    return begin_session


@pytest.fixture
def mind_skills(capsys: pytest.CaptureFixture[str]) -> Callable[..., CommandResult]:
    """A function that runs a command line in this process, as the console script does, and confirms it if nobody can."""

    def call(*arguments: str | Path) -> CommandResult:
        personal.is_personal_redaction_enabled.cache_clear()
        code = run(confirm([str(argument) for argument in arguments]))
        captured = capsys.readouterr()
        return CommandResult(code, captured.out, captured.err)

    return call


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print a line with the reasons for skipped tests, and how many were skipped for each."""
    reasons = Counter(_get_reason(report) for report in terminalreporter.stats.get("skipped", ()))
    if reasons:
        counts = ", ".join(f"{count} ({reason})" for reason, count in reasons.most_common())
        terminalreporter.write_line(f"skipped: {counts}")


def _get_reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Return why a test was skipped, without the file and line that pytest adds."""
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return reason.removeprefix("Skipped: ")
