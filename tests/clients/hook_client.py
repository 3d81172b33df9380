"""What the runners of Codex and Gemini CLI have in common: hooks in a file of the home, the scripted model, its requests."""

from __future__ import annotations

import abc
import contextlib
import html
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from mind_skills.hosts.hook_settings import HOOK_FILES
from tests.clients import offers, real_claude

HERE = Path(__file__).resolve().parent
HOOK = HERE.parents[1] / "plugin" / "hook.sh"
Turn = list[str | dict[str, Any]]
Found = TypeVar("Found", bound="HookClient")


class HookClient(real_claude.Client, abc.ABC):
    """One home, one project, one scripted model; as many sessions as a test likes."""

    host = ""
    stub = ""

    def __init__(self, root: Path, port: int, within: tuple[str, ...]) -> None:
        super().__init__(root, port, within)
        self.folder = self.project
        """Where the client is started."""

    @abc.abstractmethod
    def prompted(self, prompt: str, *more: str) -> list[str]:
        """The arguments of one run of the client without a terminal."""

    def say(self, prompt: str, *more: str) -> real_claude.Ran:
        """One run in the project."""
        with self.started(prompt, *more) as running:
            out, err = running.communicate(timeout=real_claude.PATIENCE)
        return real_claude.Ran(running.returncode, out, err, running.pid)

    @contextlib.contextmanager
    def started(self, prompt: str, *more: str) -> Iterator[subprocess.Popen[str]]:
        """The same, still running; killed with everything in its process group if the test leaves early."""
        pipe = subprocess.PIPE
        with subprocess.Popen(
            self.command(*self.prompted(prompt, *more)),
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

    @abc.abstractmethod
    def translated(self, block: str | dict[str, Any]) -> str | dict[str, Any]:
        """A tool call in Claude Code's terms as a call of this client's own tools; anything else as it is."""

    def script(self, name: str, *turns: Turn, status: int = 200) -> None:
        """What the model says from now on; tools are named as Claude Code names them, or as this client does."""
        super().script(name, *([self.translated(block) for block in turn] for turn in turns), status=status)

    @abc.abstractmethod
    def configure(self) -> None:
        """Write the client's settings for this home: the scripted model and no other, nothing asked, our hooks."""

    def hooks(self, start: str = "") -> dict[str, Any]:
        """The hooks as mind-skills defines them, every command begun with ``start`` instead of our own script."""
        file = HOOK_FILES[self.host]
        found: dict[str, Any] = {}
        for event in file.events:
            command = f"{start or f'sh {HOOK}'} {self.host} {event.moment}"
            handler = {**file.handler, "command": command, "timeout": event.timeout}
            found[event.name] = [{"hooks": [handler]}]
        return found

    def ours(self, *arguments: str) -> None:
        """Run a command of mind-skills in this home, which must succeed."""
        line = [str(Path(sys.executable).with_name("mind-skills")), *arguments]
        done = subprocess.run(
            line, env=self.environment(), cwd=self.project, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr

    def told(self, script: str) -> list[list[str]]:
        """Every copy of the offer in each request of that script, escaped for HTML or not."""
        found: list[list[str]] = []
        for body in self.requests(script):
            texts = [html.unescape(text) for text in offers.strings(body)]
            parts = [part for text in texts for part in text.split(offers.OPENING)[1:]]
            found.append([offers.OPENING + part.split(offers.CLOSING)[0] + offers.CLOSING for part in parts])
        return found

    def settled(self) -> None:
        """Wait until no process of ours is left, which must come true."""
        offers.settled(self)


@contextlib.contextmanager
def running(kind: type[Found], root: Path) -> Iterator[Found]:
    """A client over fresh folders; the model runs for as long as the context."""
    for name in ("home", "project/.git/info", "model", "tmp"):  # .git: else a .claude above would make the project
        (root / name).mkdir(parents=True)
    (root / "model" / "script.json").write_text('{"name": "none", "turns": []}')
    stub = [sys.executable, "-m", f"tests.clients.{kind.stub}", str(root / "model")]
    alone = os.geteuid() == 0 and sys.platform == "linux"
    if alone:  # a namespace that holds the model and the client, and nothing else
        stub = ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", *stub]
    with subprocess.Popen(stub, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            port = int(server.stdout.readline())
            client = kind(root, port, ("nsenter", f"--net=/proc/{server.pid}/ns/net") if alone else ())
            client.configure()
            yield client
        finally:
            server.terminate()


def history(client: HookClient) -> list[tuple[str, str, str]]:
    """Id, state and detail of every candidate that no longer waits."""
    from mind_skills.staging.ledger import Ledger

    with Ledger.open(client.state) as ledger:
        return [(record.candidate.id, record.state, record.detail) for record in ledger.history()]


def used(client: HookClient) -> list[tuple[str, str, str, str]]:
    """Name, path, way and candidate of every skill that a session used."""
    from mind_skills.staging.ledger import Ledger

    with Ledger.open(client.state) as ledger:
        return [(skill.name, skill.path, skill.how, skill.candidate) for skill in ledger.skills_used()]


def unhealthy(client: HookClient) -> list[str]:
    """What the doctor finds broken in this home."""
    line = [str(Path(sys.executable).with_name("mind-skills")), "doctor", "--json"]
    done = subprocess.run(
        line, env=client.environment(), cwd=client.project, capture_output=True, text=True, check=False
    )
    return [one["text"] for one in json.loads(done.stdout)["checks"] if one["state"] == "failed"]


def listed(client: HookClient, script: str) -> str:
    """Everything that the model was sent first under that script, as one text."""
    return json.dumps(client.requests(script)[0])
