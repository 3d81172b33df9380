"""Runs the real Claude Code against the scripted model: own home, scrubbed environment, no network but loopback."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.testkit.paths import ROOT

VERSION = "2.1.329"
PLUGIN = ROOT
TOOLS = ("Bash", "Read", "Edit", "Write")
PATIENCE = 120.0
"""Seconds; only reached where something hangs."""


def clients_folder() -> Path:
    """Where ``install.sh`` puts the clients: outside the repository, shared by all checkouts."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(os.environ.get("MIND_SKILLS_CLIENTS") or f"{cache}/mind-skills-clients")


def claude_binary() -> Path:
    """The client's own executable; no Node is needed to run it."""
    return clients_folder() / "node_modules" / ".bin" / "claude"


class Ran(NamedTuple):
    """How one run of the client ended."""

    code: int
    stdout: str
    stderr: str
    pid: int

    @property
    def reply(self) -> dict[str, Any]:
        """What ``--output-format json`` printed."""
        value: dict[str, Any] = json.loads(self.stdout)
        return value


class Client:
    """One home, one project, one scripted model; as many sessions as a test likes."""

    def __init__(self, root: Path, port: int, within: tuple[str, ...]) -> None:
        self.root = root
        self.home = root / "home"
        self.project = root / "project"
        self.state = root / "state"
        self.model = root / "model"
        self.port = port
        self.within = within
        self.plugin: Path | None = PLUGIN
        self.extra: dict[str, str] = {}

    def environment(self) -> dict[str, str]:
        """Everything that the client sees; nothing is inherited."""
        return {
            "HOME": str(self.home),
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "TMPDIR": str(self.root / "tmp"),
            "CLAUDE_CODE_TMPDIR": str(self.root / "tmp"),
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{self.port}",
            "ANTHROPIC_API_KEY": "test-key",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "IS_SANDBOX": "1",
            "MIND_SKILLS_HOME": str(self.state),
            "MIND_SKILLS_NO_ENVIRONMENT": "1",  # no pip behind every first start; test_the_environment.py lets it run
            **self.extra,
        }

    def command(self, *arguments: str) -> list[str]:
        """The client's command line, inside the namespace and with the scrubbed environment."""
        setting = [f"{name}={value}" for name, value in self.environment().items()]
        return [*self.within, "env", "-i", *setting, str(claude_binary()), *arguments]

    def script(self, name: str, *turns: list[str | dict[str, Any]], status: int = 200) -> None:
        """What the model says from now on, one list of blocks a turn; or the HTTP status with which it refuses."""
        (self.model / "script.json").write_text(json.dumps({"name": name, "turns": turns, "status": status}))

    def options(self) -> list[str]:
        loaded = [] if self.plugin is None else ["--plugin-dir", str(self.plugin)]
        return [*loaded, "--allowedTools", *TOOLS, "--output-format", "json"]

    def say(self, prompt: str, *more: str) -> Ran:
        """One ``-p`` run in the project."""
        with self.started(prompt, *more) as running:
            out, err = running.communicate(timeout=PATIENCE)
        # What the client says about hooks that it had to cancel, or that failed.
        assert "hook" not in err.lower(), err
        return Ran(running.returncode, out, err, running.pid)

    @contextlib.contextmanager
    def started(self, prompt: str, *more: str) -> Iterator[subprocess.Popen[str]]:
        """The same, still running; killed with everything in its process group if the test leaves early."""
        line = self.command("-p", prompt, *self.options(), *more)
        pipe = subprocess.PIPE
        with subprocess.Popen(
            line,
            cwd=self.project,
            stdin=subprocess.DEVNULL,
            stdout=pipe,
            stderr=pipe,
            text=True,
            start_new_session=True,
        ) as running:
            try:
                yield running
            finally:
                if running.poll() is None:
                    os.killpg(running.pid, signal.SIGKILL)

    def run(self, *arguments: str, folder: Path | None = None) -> Ran:
        """Any other command of the client, ``plugin validate`` for example; in the project, or in ``folder``."""
        done = subprocess.run(
            self.command(*arguments),
            cwd=folder or self.project,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr, 0)

    def from_marketplace(self) -> Path:
        """Install the plugin as people get it, from a marketplace folder of its own; returns that folder."""
        copy = self.copied()
        for line in (("marketplace", "add", str(copy)), ("install", "mind-skills@mind-skills")):
            ran = self.run("plugin", *line)
            assert ran.code == 0, ran.stdout + ran.stderr
        self.plugin = None
        return copy

    def copied(self) -> Path:
        """A checkout of its own, as far as it is shipped."""
        copy = self.root / "checkout"
        unshipped = shutil.ignore_patterns(".venv*", ".git", ".*_cache", ".hypothesis", "__pycache__")
        shutil.copytree(PLUGIN, copy, symlinks=True, ignore=unshipped)
        return copy

    def has_packages(self) -> None:
        """As if the plugin's private environment were ready: the Python of these tests in its place."""
        python = self.home / ".claude/plugins/data/mind-skills-inline/venv/bin/python"
        python.parent.mkdir(parents=True)
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        python.chmod(0o755)

    def mind_skills(self, *arguments: str) -> Any:
        """What a command prints with ``--json``, as the user runs it in this home; it has to succeed."""
        program = "import sys; from mind_skills.plugin.cli import run; sys.exit(run(sys.argv[1:]))"
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments, "--json"],
            capture_output=True,
            text=True,
            env={"HOME": str(self.home), "MIND_SKILLS_HOME": str(self.state), "PATH": "/usr/bin:/bin"},
            cwd=self.project,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)

    def requests(self, script: str, *, main: bool = True) -> list[dict[str, Any]]:
        """Bodies of what the model was asked under that script, in order; ``main`` leaves out titles and the like."""
        kept: list[dict[str, Any]] = []
        path = self.model / "requests.jsonl"
        for line in path.read_text().split("\n")[:-1] if path.exists() else []:  # the last may be half written
            record = json.loads(line)
            if record["script"] == script and record["main"] is main:
                kept.append(record["body"])
        return kept

    def transcripts(self) -> list[Path]:
        """The client's own session logs, oldest first."""
        return sorted((self.home / ".claude/projects").glob("*/*.jsonl"), key=lambda path: path.stat().st_mtime_ns)


@contextlib.contextmanager
def client(root: Path) -> Iterator[Client]:
    """A client over fresh folders; the model runs for as long as the context."""
    for name in ("home", "project", "model", "tmp"):
        (root / name).mkdir(parents=True)
    (root / "model" / "script.json").write_text('{"name": "none", "turns": []}')
    stub = [sys.executable, "-I", str(Path(__file__).with_name("model_stub.py")), str(root / "model")]
    alone = os.geteuid() == 0 and sys.platform == "linux"
    if alone:  # a namespace that holds the model and the client, and nothing else
        stub = ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", *stub]
    with subprocess.Popen(stub, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            port = int(server.stdout.readline())
            within = ("nsenter", f"--net=/proc/{server.pid}/ns/net") if alone else ()
            yield Client(root, port, within)
        finally:
            server.terminate()
