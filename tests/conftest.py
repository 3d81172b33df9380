"""What holds for every test: no dependence on speed, and never the real home."""

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
from tests.testkit.command import CommandResult
from tests.testkit.examples import DEEP, NIGHT, SAMPLE, WHOLE

HOSTS = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME")
"""Where HOME alone would not keep a test away."""

MEMORY = Path("/dev/shm")
"""A file system in memory, on every Linux."""
MEMORY_BYTES = 1_000_000_000
"""Free space that it must have."""


def _prefer_memory() -> None:
    """Put temporary files into memory: on a disk, the tests would mostly wait for writes to be synchronised.

    Not if the environment names a folder, nor in a container whose /dev/shm is too small.
    """
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK) or shutil.disk_usage(MEMORY).free < MEMORY_BYTES:
        return
    os.environ["TMPDIR"] = str(MEMORY)
    tempfile.tempdir = None  # found anew


_prefer_memory()

if "PYTEST_XDIST_WORKER" in os.environ:  # what the tests start is not measured: it would take as long again
    os.environ.pop("COVERAGE_PROCESS_CONFIG", None)

# Ignored where the tests run behind a script's &, which every process that they start would inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("patient", deadline=None)  # a machine under load is no fault of the code
# The default run draws a sample; CI the whole, and the same examples each time: its run says something about the change.
settings.register_profile("sample", settings.get_profile("patient"), max_examples=SAMPLE)
settings.register_profile("same", settings.get_profile("patient"), derandomize=True)
# For a long night: MIND_SKILLS_DEEP=1 draws 10,000 examples for every reader and every detector (docs/security.md).
settings.register_profile("deep", settings.get_profile("patient"), max_examples=NIGHT)
settings.load_profile("deep" if DEEP else "same" if WHOLE else "sample")


gc.disable()  # until the tests are collected: they are many objects, none of them garbage


def pytest_collection_finish() -> None:
    """Keep the collected tests out of every later collection of garbage: a quarter of the time went there."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--sample", type=float, default=1.0, help="run this share of the tests, the same ones each time")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    limit = config.getoption("--sample") * 2**32
    left_out = [item for item in items if crc32(item.nodeid.encode()) >= limit]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if crc32(item.nodeid.encode()) < limit]


@pytest.fixture(autouse=True, scope="session")
def _state_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A test that names no state folder and no settings gets some that are thrown away."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MIND_SKILLS_HOME", str(tmp_path_factory.mktemp("state")))
        patch.setenv("MIND_SKILLS_CONFIG", str(tmp_path_factory.mktemp("settings") / "mind-skills.toml"))
        # Processes that tests start compile a module once, whatever the environment says; nothing is left in the tree.
        patch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path_factory.mktemp("bytecode")))
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        for name in HOSTS:
            patch.delenv(name, raising=False)
        yield


@pytest.fixture
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that holds a home, a state folder and a project of the test's own; the real ones cannot be reached."""
    for name in ("home", "project"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MIND_SKILLS_HOME", str(tmp_path / "state"))
    for name in ("MIND_SKILLS_CONFIG", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID", raising=False)  # tests are a person, unless they say otherwise
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path


@pytest.fixture
def home(apart: Path) -> Path:
    """A home with nothing in it."""
    return apart / "home"


@pytest.fixture
def state(apart: Path) -> Path:
    """Where the state is; nobody has made it yet."""
    return apart / "state"


@pytest.fixture
def project(apart: Path) -> Path:
    """An empty folder, in which the test stands."""
    return apart / "project"


@pytest.fixture
def repository(project: Path) -> Path:
    """The same as a repository without a commit."""
    (project / ".git" / "info").mkdir(parents=True)
    return project


@pytest.fixture
def session(state: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Begin a session of the project, of which a hook tells; what is typed from now on is typed by its agent."""

    def begins(name: str) -> None:
        with Ledger.open(state) as ledger:
            ledger.register_session(name, "claude-code", resolve_project(folder=str(project)), "", 1)
        monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", name)

    return begins


@pytest.fixture
def mind_skills(capsys: pytest.CaptureFixture[str]) -> Callable[..., CommandResult]:
    """Run a command line in this process, as the console script does."""

    def call(*arguments: str | Path) -> CommandResult:
        personal.clear_cache()
        code = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return CommandResult(code, captured.out, captured.err)

    return call


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line for all that was skipped, with how often for which reason."""
    reasons = Counter(_reason(report) for report in terminalreporter.stats.get("skipped", ()))
    if reasons:
        told = ", ".join(f"{count} ({reason})" for reason, count in reasons.most_common())
        terminalreporter.write_line(f"skipped: {told}")


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Why it was skipped, without the file and line that pytest keeps with it."""
    said = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return said.removeprefix("Skipped: ")
