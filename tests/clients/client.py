"""A real coding agent, driven by a scripted model: own home, scrubbed environment, no network but loopback.

This module contains what the four hosts have in common. The module of each host derives its client from `Client`, and
contains only what differs: its program, its settings and command lines, the names of its tools, and the stub that speaks its protocol.
"""

from __future__ import annotations

import abc
import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeAlias, TypeVar

from mind_skills.staging.ledger import Ledger
from tests.clients.observing import PATIENCE, find_offers, find_processes, wait_for
from tests.testkit.command import confirm
from tests.testkit.paths import ROOT

Block: TypeAlias = str | Mapping[str, Any]
Turn: TypeAlias = Sequence[Block]
"""The model's answer to one request: texts, and tool calls in Claude Code's terms; see model_stub.py."""


class RunResult(NamedTuple):
    """The result of one run of a client."""

    code: int
    stdout: str
    stderr: str
    pid: int


class Client(abc.ABC):
    """A client with one home, one project and one scripted model, for any number of sessions."""

    host: ClassVar[str]
    """The host's name for `mind-skills install`."""
    stub: ClassVar[str]
    """The module of this folder that answers as the model."""
    logs: ClassVar[str]
    """The client's own session logs, as a pattern below the home."""
    tools: ClassVar[Mapping[str, str]] = {}
    """The client's names of Claude Code's tools, and of their arguments."""
    keys: ClassVar[Mapping[str, str]] = {}
    resume_arguments: ClassVar[tuple[str, ...]] = ("--continue",)
    """For ``say``: resume the last session."""
    permission_arguments: ClassVar[tuple[str, ...]] = ()
    """For ``say``: the client may write any file; empty if its settings allow that."""
    greeting: ClassVar[str]
    """The text on the terminal, without white space, when the client is ready."""
    discard_seconds: ClassVar[float] = 0.0
    """Seconds after the greeting during which the client discards what is typed, and may exit."""
    exit_command: ClassVar[str] = "/exit"

    def __init__(self, root: Path, port: int, namespace: tuple[str, ...]) -> None:
        self.root = root
        self.home = root / "home"
        self.project = self.folder = root / "project"
        self.state = root / "state"
        self.model = root / "model"
        self.port = port
        self.namespace = namespace
        self.extra: dict[str, str] = {}

    # -- what differs by host ------------------------------------------------------------------------------------------

    @staticmethod
    @abc.abstractmethod
    def program() -> Path:
        """Return the path of the client's executable or script."""

    @abc.abstractmethod
    def settings(self) -> dict[str, str]:
        """Return the environment variables of this client alone."""

    @abc.abstractmethod
    def configure(self) -> None:
        """Write the client's settings for this home: only the scripted model, no questions, our hooks."""

    @abc.abstractmethod
    def remove_hooks(self) -> None:
        """Remove our hooks, as if they had never been installed."""

    @abc.abstractmethod
    def prompt_arguments(self, prompt: str, *more: str) -> list[str]:
        """Return the arguments of one run without a terminal."""

    def terminal_arguments(self) -> list[str]:
        """Return the arguments of a run on a terminal, without a prompt."""
        return []

    def fork_arguments(self, session: str) -> tuple[str, ...]:
        """Return the arguments that make ``say`` fork that session, which is the last one."""
        raise NotImplementedError(f"{self.host} has no forks")

    def translate(self, block: Block) -> Block:
        """Convert a tool call in Claude Code's terms to one of this client's tools; return anything else unchanged."""
        if isinstance(block, str) or "tool" not in block:
            return block
        given = {self.keys.get(key, key): value for key, value in block["input"].items()}
        return {"tool": self.tools.get(block["tool"], block["tool"]), "input": given}

    # -- sessions ------------------------------------------------------------------------------------------------------

    def environment(self) -> dict[str, str]:
        """Return the whole environment of the client; nothing is inherited."""
        return {
            "HOME": str(self.home),
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "TMPDIR": str(self.root / "tmp"),
            "MIND_SKILLS_HOME": str(self.state),
            **self.settings(),
            **self.extra,
        }

    def command(self, *arguments: str) -> list[str]:
        """Return the client's command line, inside the namespace and with the scrubbed environment."""
        setting = [f"{name}={value}" for name, value in self.environment().items()]
        return [*self.namespace, "env", "-i", *setting, str(self.program()), *arguments]

    def script(
        self, name: str, *turns: Turn, status: int = 200, subagent: Sequence[Turn] = (), full_at: int = 0
    ) -> None:
        """Set the answers of the model from now on, turn by turn; or the HTTP status with which it refuses.

        With the turn ``full_at``, the first being 1, the model reports a full context.
        """
        script: dict[str, Any] = {"name": name, "status": status, "full_at": full_at}
        script["turns"] = [[self.translate(block) for block in turn] for turn in turns]
        script["subagent"] = [[self.translate(block) for block in turn] for turn in subagent]
        (self.model / "script.json").write_text(json.dumps(script))

    def say(self, prompt: str, *more: str) -> RunResult:
        """Run the client once in the folder, to its end."""
        with self.start(prompt, *more) as process:
            out, err = process.communicate(timeout=PATIENCE)
        return RunResult(process.returncode, out, err, process.pid)

    def session(
        self,
        name: str,
        *turns: Turn,
        prompt: str = "Hello",
        more: Sequence[str] = (),
        subagent: Sequence[Turn] = (),
        full_at: int = 0,
    ) -> RunResult:
        """Run that script, or only "Hello."; the run must succeed, and all our processes end."""
        self.script(name, *(turns or [["Hello."]]), subagent=subagent, full_at=full_at)
        ran = self.say(prompt, *more)
        assert ran.code == 0, ran.stdout + ran.stderr
        self.wait_until_settled()
        return ran

    def start(self, prompt: str, *more: str) -> contextlib.AbstractContextManager[subprocess.Popen[str]]:
        """Start a run; it is killed with its process group if the test ends early."""
        return self.start_process(*self.prompt_arguments(prompt, *more))

    @contextlib.contextmanager
    def start_process(self, *arguments: str, stderr: int = subprocess.PIPE) -> Iterator[subprocess.Popen[str]]:
        """Start a run with any arguments."""
        with subprocess.Popen(
            self.command(*arguments),
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                yield process
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)

    def run(self, *arguments: str) -> RunResult:
        """Run any other command of the client in the folder."""
        with self.start_process(*arguments) as process:
            out, err = process.communicate(timeout=PATIENCE)
        return RunResult(process.returncode, out, err, process.pid)

    def wait_until_settled(self) -> None:
        """Wait until no process of ours is left."""
        wait_for(lambda: not find_our_processes(self), "our processes end")

    # -- results -------------------------------------------------------------------------------------------------------

    def mind_skills(self, *arguments: str, code: int = 0) -> Any:
        """Run a command with ``--json`` in this home and project; return its document."""
        line = [str(Path(sys.executable).with_name("mind-skills")), *confirm([*arguments]), "--json"]
        done = subprocess.run(
            line, env=self.environment(), cwd=self.project, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, done.stdout + done.stderr
        return json.loads(done.stdout)

    def requests(self, script: str, kind: str = "main") -> list[dict[str, Any]]:
        """Return the bodies of the requests under that script, in order; the kind is main, subagent or other."""
        bodies: list[dict[str, Any]] = []
        path = self.model / "requests.jsonl"
        for line in path.read_text().split("\n")[:-1] if path.exists() else []:  # the last may be half written
            record = json.loads(line)
            if (record["script"], record["kind"]) == (script, kind):
                bodies.append(record["body"])
        return bodies

    def list_offers(self, script: str, kind: str = "main") -> list[list[str]]:
        """List the copies of the offer in each request under that script."""
        return [find_offers(request) for request in self.requests(script, kind)]

    def count_offers(self, script: str, kind: str = "main") -> list[int]:
        """Count the copies of the offer in each request under that script."""
        return [len(copies) for copies in self.list_offers(script, kind)]

    def transcripts(self) -> list[Path]:
        """List the client's own session logs, oldest first."""
        return sorted(self.home.glob(self.logs), key=lambda path: path.stat().st_mtime_ns)

    def hook_log(self) -> str:
        path = self.state / "log" / "hooks.log"
        return path.read_text() if path.exists() else ""

    def spool(self) -> list[str]:
        """List the names of the files in the spool."""
        return sorted(path.name for path in (self.state / "spool").glob("*/*"))

    def pending(self) -> list[dict[str, Any]]:
        path = self.project / ".claude" / "mind-skills-pending.json"
        value: list[dict[str, Any]] = json.loads(path.read_text())["candidates"] if path.exists() else []
        return value

    def sessions(self) -> list[tuple[str, bool]]:
        """List the registered sessions, and whether each is finished."""
        if not (self.state / "mind-skills.db").exists():
            return []
        with contextlib.closing(sqlite3.connect(self.state / "mind-skills.db")) as sql:
            rows = sql.execute("SELECT session, finished_at IS NOT NULL FROM sessions ORDER BY seen_at").fetchall()
        return [(session, bool(finished)) for session, finished in rows]

    def list_finished(self) -> list[bool]:
        """List whether each registered session is finished."""
        return [finished for _, finished in self.sessions()]

    def history(self) -> list[tuple[str, str, str]]:
        """List id, state and detail of every candidate that is no longer pending."""
        with Ledger.open(self.state) as ledger:
            return [(record.candidate.id, record.state, record.detail) for record in ledger.list_history()]

    def list_uses(self) -> list[tuple[str, str, str, str]]:
        """List name, path, way and candidate of each use of a skill, by session."""
        with Ledger.open(self.state) as ledger:
            return [(skill.name, skill.path, skill.how, skill.candidate) for skill in ledger.list_uses()]


ClientKind = TypeVar("ClientKind", bound=Client)


@contextlib.contextmanager
def run_client(kind: type[ClientKind], root: Path) -> Iterator[ClientKind]:
    """Open a client with new folders below ``root``; its model runs until the context ends."""
    for name in ("home", "project", "model", "tmp"):
        (root / name).mkdir(parents=True)
    (root / "model" / "script.json").write_text('{"name": "none", "turns": []}')
    # Without a repository, a .claude folder above would define the project.
    subprocess.run(["git", "init", "-q", str(root / "project")], check=True)
    stub = [sys.executable, "-m", f"tests.clients.{kind.stub}", str(root / "model")]
    alone = os.geteuid() == 0 and sys.platform == "linux"
    if alone:  # a network namespace for the model and the client alone
        stub = ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", *stub]
    with subprocess.Popen(stub, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            port = int(server.stdout.readline())
            client = kind(root, port, ("nsenter", f"--net=/proc/{server.pid}/ns/net") if alone else ())
            client.configure()
            yield client
        finally:
            server.terminate()


def find_our_processes(client: Client) -> list[int]:
    """List the ids of the processes that run our hook for this client."""
    return find_processes(f"MIND_SKILLS_HOME={client.state}", b"plugin/entry.py")
