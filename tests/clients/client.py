"""A real coding agent, driven by a scripted model: own home, scrubbed environment, no network but loopback.

Here is what the four hosts have in common. Each derives its client from `Client`, in a module of its own, and says only
what differs: its program, its settings and command lines, the names of its tools, and the stub that speaks its protocol.
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
from tests.clients.observing import PATIENCE, eventually, offers, processes
from tests.testkit.paths import ROOT

Block: TypeAlias = str | Mapping[str, Any]
Turn: TypeAlias = Sequence[Block]
"""What the model says at once: texts, and tool calls in Claude Code's terms; see model_stub.py."""


class Ran(NamedTuple):
    """How one run of a client ended."""

    code: int
    stdout: str
    stderr: str
    pid: int


class Client(abc.ABC):
    """One home, one project, one scripted model; as many sessions as a test likes."""

    host: ClassVar[str]
    """As `mind-skills install` calls it."""
    stub: ClassVar[str]
    """The module of this folder that answers as the model."""
    logs: ClassVar[str]
    """The client's own session logs, as a pattern below the home."""
    tools: ClassVar[Mapping[str, str]] = {}
    """The client's names of Claude Code's tools, and of their arguments."""
    keys: ClassVar[Mapping[str, str]] = {}
    resumed: ClassVar[tuple[str, ...]] = ("--continue",)
    """With ``say``: the last session goes on."""
    unasked: ClassVar[tuple[str, ...]] = ()
    """With ``say``: the client writes wherever it is told to; empty where its settings say so."""
    greeting: ClassVar[str]
    """What a terminal shows when the client is ready, white space removed."""
    draining: ClassVar[float] = 0.0
    """Seconds after the greeting for which the client throws away what is typed, and may leave over it."""
    leaves: ClassVar[str] = "/exit"

    def __init__(self, root: Path, port: int, within: tuple[str, ...]) -> None:
        self.root = root
        self.home = root / "home"
        self.project = self.folder = root / "project"
        self.state = root / "state"
        self.model = root / "model"
        self.port = port
        self.within = within
        self.extra: dict[str, str] = {}

    # -- what a host says of its client ------------------------------------------------------------------------------

    @staticmethod
    @abc.abstractmethod
    def program() -> Path:
        """The client's own executable, or the script that it is."""

    @abc.abstractmethod
    def settings(self) -> dict[str, str]:
        """The environment variables that only this client knows."""

    @abc.abstractmethod
    def configure(self) -> None:
        """Write the client's settings for this home: the scripted model and no other, nothing asked, our hooks."""

    @abc.abstractmethod
    def without_hooks(self) -> None:
        """As if nothing of ours had ever been installed for this client."""

    @abc.abstractmethod
    def prompted(self, prompt: str, *more: str) -> list[str]:
        """The arguments of one run of the client without a terminal."""

    def on_terminal(self) -> list[str]:
        """The arguments without a prompt."""
        return []

    def forking(self, session: str) -> tuple[str, ...]:
        """With ``say``: a fork of that session, which is the last one."""
        raise NotImplementedError(f"{self.host} has no forks")

    def translated(self, block: Block) -> Block:
        """A tool call in Claude Code's terms as a call of this client's own tools; anything else as it is."""
        if isinstance(block, str) or "tool" not in block:
            return block
        given = {self.keys.get(key, key): value for key, value in block["input"].items()}
        return {"tool": self.tools.get(block["tool"], block["tool"]), "input": given}

    # -- sessions ----------------------------------------------------------------------------------------------------

    def environment(self) -> dict[str, str]:
        """Everything that the client sees; nothing is inherited."""
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
        """The client's command line, inside the namespace and with the scrubbed environment."""
        setting = [f"{name}={value}" for name, value in self.environment().items()]
        return [*self.within, "env", "-i", *setting, str(self.program()), *arguments]

    def script(
        self, name: str, *turns: Turn, status: int = 200, subagent: Sequence[Turn] = (), full_at: int = 0
    ) -> None:
        """What the model says from now on, one turn after the other; or the HTTP status with which it refuses.

        With the turn ``full_at``, the first being 1, the model says that its context is full.
        """
        said: dict[str, Any] = {"name": name, "status": status, "full_at": full_at}
        said["turns"] = [[self.translated(block) for block in turn] for turn in turns]
        said["subagent"] = [[self.translated(block) for block in turn] for turn in subagent]
        (self.model / "script.json").write_text(json.dumps(said))

    def say(self, prompt: str, *more: str) -> Ran:
        """One run in the folder."""
        with self.started(prompt, *more) as process:
            out, err = process.communicate(timeout=PATIENCE)
        return Ran(process.returncode, out, err, process.pid)

    def session(
        self,
        name: str,
        *turns: Turn,
        prompt: str = "Hello",
        more: Sequence[str] = (),
        subagent: Sequence[Turn] = (),
        full_at: int = 0,
    ) -> Ran:
        """One run of that script, or of a "Hello." alone, which has to succeed; and everything of ours behind it."""
        self.script(name, *(turns or [["Hello."]]), subagent=subagent, full_at=full_at)
        ran = self.say(prompt, *more)
        assert ran.code == 0, ran.stdout + ran.stderr
        self.settled()
        return ran

    def started(self, prompt: str, *more: str) -> contextlib.AbstractContextManager[subprocess.Popen[str]]:
        """One run, still running; killed with everything in its process group if the test leaves early."""
        return self.begun(*self.prompted(prompt, *more))

    @contextlib.contextmanager
    def begun(self, *arguments: str, stderr: int = subprocess.PIPE) -> Iterator[subprocess.Popen[str]]:
        """The same with any arguments."""
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

    def run(self, *arguments: str) -> Ran:
        """Any other command of the client, in the folder."""
        with self.begun(*arguments) as process:
            out, err = process.communicate(timeout=PATIENCE)
        return Ran(process.returncode, out, err, process.pid)

    def settled(self) -> None:
        """Wait until no process of ours is left, which must come true."""
        eventually(lambda: not our_processes(self), "our processes end")

    # -- what came of it ---------------------------------------------------------------------------------------------

    def mind_skills(self, *arguments: str, code: int = 0) -> Any:
        """What a command prints with ``--json``, as the user runs it in this home and project."""
        line = [str(Path(sys.executable).with_name("mind-skills")), *arguments, "--json"]
        done = subprocess.run(
            line, env=self.environment(), cwd=self.project, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, done.stdout + done.stderr
        return json.loads(done.stdout)

    def requests(self, script: str, kind: str = "main") -> list[dict[str, Any]]:
        """Bodies of what the model was asked under that script, in order; the kind is main, subagent or other."""
        kept: list[dict[str, Any]] = []
        path = self.model / "requests.jsonl"
        for line in path.read_text().split("\n")[:-1] if path.exists() else []:  # the last may be half written
            record = json.loads(line)
            if (record["script"], record["kind"]) == (script, kind):
                kept.append(record["body"])
        return kept

    def told(self, script: str, kind: str = "main") -> list[list[str]]:
        """Every copy of the offer in each request of that script."""
        return [offers(request) for request in self.requests(script, kind)]

    def copies(self, script: str, kind: str = "main") -> list[int]:
        """How many copies of the offer each request of that script held."""
        return [len(copies) for copies in self.told(script, kind)]

    def transcripts(self) -> list[Path]:
        """The client's own session logs, oldest first."""
        return sorted(self.home.glob(self.logs), key=lambda path: path.stat().st_mtime_ns)

    def hook_log(self) -> str:
        path = self.state / "log" / "hooks.log"
        return path.read_text() if path.exists() else ""

    def spool(self) -> list[str]:
        """The names of what lies in the spool."""
        return sorted(path.name for path in (self.state / "spool").glob("*/*"))

    def pending(self) -> list[dict[str, Any]]:
        path = self.project / ".claude" / "mind-skills-pending.json"
        value: list[dict[str, Any]] = json.loads(path.read_text())["candidates"] if path.exists() else []
        return value

    def sessions(self) -> list[tuple[str, bool]]:
        """The sessions that were seen, and whether each was finished."""
        if not (self.state / "mind-skills.db").exists():
            return []
        with contextlib.closing(sqlite3.connect(self.state / "mind-skills.db")) as sql:
            rows = sql.execute("SELECT session, finished_at IS NOT NULL FROM sessions ORDER BY seen_at").fetchall()
        return [(session, bool(finished)) for session, finished in rows]

    def finished(self) -> list[bool]:
        """Of each session that was seen, whether it is."""
        return [finished for _, finished in self.sessions()]

    def history(self) -> list[tuple[str, str, str]]:
        """Id, state and detail of every candidate that no longer waits."""
        with Ledger.open(self.state) as ledger:
            return [(record.candidate.id, record.state, record.detail) for record in ledger.list_history()]

    def used(self) -> list[tuple[str, str, str, str]]:
        """Name, path, way and candidate of every skill that a session used, a session after the other."""
        with Ledger.open(self.state) as ledger:
            return [(skill.name, skill.path, skill.how, skill.candidate) for skill in ledger.list_uses()]


Found = TypeVar("Found", bound=Client)


@contextlib.contextmanager
def running(kind: type[Found], root: Path) -> Iterator[Found]:
    """A client over fresh folders below ``root``; its model runs for as long as the context."""
    for name in ("home", "project", "model", "tmp"):
        (root / name).mkdir(parents=True)
    (root / "model" / "script.json").write_text('{"name": "none", "turns": []}')
    # Else a .claude above would make the project.
    subprocess.run(["git", "init", "-q", str(root / "project")], check=True)
    stub = [sys.executable, "-m", f"tests.clients.{kind.stub}", str(root / "model")]
    alone = os.geteuid() == 0 and sys.platform == "linux"
    if alone:  # a namespace that holds the model and the client, and nothing else
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


def our_processes(client: Client) -> list[int]:
    """Ids of the processes that run our hook for this client."""
    return processes(f"MIND_SKILLS_HOME={client.state}", b"plugin/entry.py")
