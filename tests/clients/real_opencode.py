"""Runs the real OpenCode against the scripted model: own home, scrubbed environment, no network but loopback."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from mind_skills.plugin.opencode import plugin_file
from tests.clients.real_claude import clients_folder
from tests.testkit.paths import ROOT

VERSION = "1.18.33"
ENTRY = ROOT / "plugin" / "entry.py"
PATIENCE = 120.0
"""Seconds; only reached where something hangs."""
QUIET = (
    "OPENCODE_DISABLE_MODELS_FETCH OPENCODE_DISABLE_AUTOUPDATE OPENCODE_DISABLE_DEFAULT_PLUGINS"
    " OPENCODE_DISABLE_LSP_DOWNLOAD OPENCODE_DISABLE_SHARE"
).split()
TOOLS = {"Bash": "bash", "Read": "read", "Edit": "edit", "Write": "write"}
KEYS = {"file_path": "filePath", "old_string": "oldString", "new_string": "newString"}
Turn = list[str | dict[str, Any]]


def opencode_binary() -> Path:
    """The client's own executable; the package's postinstall step, which would link it, is not needed."""
    machine = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    return clients_folder() / "node_modules" / f"opencode-{sys.platform}-{machine}" / "bin" / "opencode"


class Ran(NamedTuple):
    """How one run of the client ended."""

    code: int
    stdout: str
    stderr: str
    pid: int


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
        self.extra: dict[str, str] = {}
        self.folder = self.project
        """Where the client is started."""

    def environment(self) -> dict[str, str]:
        """Everything that the client sees; nothing is inherited."""
        return {
            "HOME": str(self.home),
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "TMPDIR": str(self.root / "tmp"),
            "XDG_DATA_HOME": str(self.home / "data"),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "XDG_STATE_HOME": str(self.home / "state"),
            "XDG_CACHE_HOME": str(self.home / "cache"),
            "MIND_SKILLS_HOME": str(self.state),
            **dict.fromkeys(QUIET, "1"),
            **self.extra,
        }

    @property
    def database(self) -> Path:
        return self.home / "data" / "opencode" / "opencode.db"

    @property
    def config(self) -> Path:
        return self.home / "config" / "opencode"

    def configure(self) -> None:
        """Settings of the client: the scripted model and no other, everything allowed."""
        model = {"name": "scripted", "limit": {"context": 200_000, "output": 8_000}, "tool_call": True}
        options = {"baseURL": f"http://127.0.0.1:{self.port}/v1", "apiKey": "test-key"}
        stub = {"npm": "@ai-sdk/openai-compatible", "name": "Stub", "options": options, "models": {"scripted": model}}
        settings = {
            "autoupdate": False,
            "share": "disabled",
            "enabled_providers": ["stub"],
            "model": "stub/scripted",
            "provider": {"stub": stub},
            "permission": {"edit": "allow", "bash": "allow", "external_directory": "allow"},
        }
        self.preseed(self.config)
        (self.config / "opencode.json").write_text(json.dumps(settings))

    def preseed(self, folder: Path) -> None:
        """What keeps the client from running ``npm install`` in a config folder that has a plugin: 70 s offline."""
        (folder / "node_modules").mkdir(parents=True, exist_ok=True)
        needs = {"dependencies": {"@opencode-ai/plugin": VERSION}}
        (folder / "package.json").write_text(json.dumps(needs))
        (folder / "package-lock.json").write_text(json.dumps({"lockfileVersion": 3, "packages": {"": needs}}))

    def install(self, python: str = sys.executable, entry: Path = ENTRY) -> Path:
        """Put the plugin file where the client finds it."""
        path = self.config / "plugin" / "mind-skills.js"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(plugin_file(python, str(entry)))
        return path

    def command(self, *arguments: str) -> list[str]:
        """The client's command line, inside the namespace and with the scrubbed environment."""
        setting = [f"{name}={value}" for name, value in self.environment().items()]
        return [*self.within, "env", "-i", *setting, str(opencode_binary()), *arguments]

    def script(
        self, name: str, *turns: Turn, status: int = 200, subagent: list[Turn] | None = None, full_at: int = 0
    ) -> None:
        """What the model says from now on, one list of blocks a turn; or the HTTP status with which it refuses.

        Tools are named as Claude Code names them, and translated. With the turn ``full_at``, the first being 1, the
        model says that its context is full, upon which the client compacts the session.
        """
        said: dict[str, Any] = {"name": name, "turns": [translated(turn) for turn in turns]}
        said |= {"status": status, "full_at": full_at}
        said["subagent"] = [translated(turn) for turn in subagent or []]
        (self.model / "script.json").write_text(json.dumps(said))

    def say(self, prompt: str, *more: str) -> Ran:
        """One ``run`` in the project."""
        with self.started(prompt, *more) as running:
            out, err = running.communicate(timeout=PATIENCE)
        return Ran(running.returncode, out, err, running.pid)

    @contextlib.contextmanager
    def started(self, prompt: str, *more: str) -> Iterator[subprocess.Popen[str]]:
        """The same, still running; killed with everything in its process group if the test leaves early."""
        pipe = subprocess.PIPE
        with subprocess.Popen(
            self.command("run", *more, prompt),
            cwd=self.folder,
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

    @contextlib.contextmanager
    def served(self) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
        """A ``serve`` in the project, and what ``say`` needs to be a client of it; killed at the end."""
        with subprocess.Popen(
            self.command("serve", "--port", "0"),
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        ) as running:
            try:
                assert running.stdout is not None
                address = next(line.split()[-1] for line in running.stdout if "listening on" in line)
                yield running, ["--attach", address, "--dir", str(self.folder)]
            finally:
                if running.poll() is None:
                    os.killpg(running.pid, signal.SIGKILL)

    def requests(self, script: str, *, kind: str = "main") -> list[dict[str, Any]]:
        """Bodies of what the model was asked under that script, in order; ``kind`` is main, subagent or other."""
        kept: list[dict[str, Any]] = []
        path = self.model / "requests.jsonl"
        for line in path.read_text().split("\n")[:-1] if path.exists() else []:  # the last may be half written
            record = json.loads(line)
            if record["script"] == script and record["kind"] == kind:
                kept.append(record["body"])
        return kept


def translated(turn: Turn) -> Turn:
    """A turn with this client's names of tools and of their arguments."""
    return [
        block
        if isinstance(block, str)
        else {
            "tool": TOOLS.get(block["tool"], block["tool"]),
            "input": {KEYS.get(key, key): value for key, value in block["input"].items()},
        }
        for block in turn
    ]


@contextlib.contextmanager
def client(root: Path) -> Iterator[Client]:
    """A client over fresh folders; the model runs for as long as the context."""
    for name in ("home", "project", "model", "tmp"):
        (root / name).mkdir(parents=True)
    (root / "model" / "script.json").write_text('{"name": "none", "turns": []}')
    subprocess.run(["git", "init", "-q", str(root / "project")], check=True)
    stub = [sys.executable, "-I", str(Path(__file__).with_name("chat_stub.py")), str(root / "model")]
    alone = os.geteuid() == 0 and sys.platform == "linux"
    if alone:  # a namespace that holds the model and the client, and nothing else
        stub = ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", *stub]
    with subprocess.Popen(stub, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            port = int(server.stdout.readline())
            within = ("nsenter", f"--net=/proc/{server.pid}/ns/net") if alone else ()
            running = Client(root, port, within)
            running.configure()
            yield running
        finally:
            server.terminate()
