"""A watch as a process of its own in the home of a real client, and the scripted sessions that it is shown."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from mind_skills.staging.ledger import Ledger
from tests.clients import real_claude, real_codex, real_gemini, real_opencode
from tests.clients.lesson import script_lesson, write_project
from tests.plugin.watch.machine import Machine

Runner: TypeAlias = "real_claude.Client | real_opencode.Client"
PROMPT = "The prices test fails, please fix it."


class Watched(Machine):
    """The home, the project and the state folder of a client."""

    def __init__(self, client: Runner) -> None:
        super().__init__(client.root / "watched")
        self.client = client
        self.home, self.project, self.state = client.home, client.project, client.state
        where = {name: value for name, value in client.environment().items() if name.endswith("_HOME")}
        self.environment |= {**where, "HOME": str(client.home), "MIND_SKILLS_HOME": str(client.state)}

    def sessions(self) -> list[tuple[str, bool]]:
        """The sessions that are known, in the order in which they were met, and whether each is over."""
        if not (self.state / "mind-skills.db").exists():
            return []
        with Ledger.open(self.state) as ledger:
            known = [*ledger.finished_since(0), *ledger.unfinished()]
        known.sort(key=lambda seen: seen.seen_at)
        return [(seen.session_id, seen.finished_at is not None) for seen in known]

    def over(self, count: int) -> list[str]:
        """Wait until so many sessions have been met, and all are over; their ids."""
        self.eventually(lambda: [done for _, done in self.sessions()] == [True] * count)
        return [session for session, _ in self.sessions()]

    def learned(self) -> list[tuple[str, ...]]:
        """The sessions of each learning that waits."""
        return [each.sessions for each in self.pending()]

    def staged(self) -> int:
        """How often a learning was put on the list, or seen again."""
        with Ledger.open(self.state) as ledger:
            return sum(receipt.what in ("staged", "again") for receipt in ledger.receipts())


@contextmanager
def watched(client: Runner) -> Iterator[Watched]:
    """Nothing runs yet; whatever does is ended."""
    with Watched(client) as machine:
        yield machine


def without_hooks(client: Runner) -> None:
    """As if nothing of ours had ever been installed for this client."""
    if isinstance(client, real_opencode.Client):
        (client.config / "plugin" / "mind-skills.js").unlink()
    elif isinstance(client, real_codex.Codex):
        (client.codex_home / "hooks.json").unlink()
    elif isinstance(client, real_gemini.Gemini):
        said: dict[str, Any] = json.loads(client.settings.read_text())
        del said["hooks"]
        client.settings.write_text(json.dumps(said))
    else:
        client.plugin = None


def learns(client: Runner, name: str = "one") -> None:
    """A session that learns."""
    write_project(client)
    script_lesson(client, name)
    assert client.say(PROMPT, *may_write(client)).code == 0


def may_write(client: Runner) -> tuple[str, ...]:
    """Claude Code asks before it writes below .claude; the others' settings allow it."""
    asks = not isinstance(client, real_codex.Codex | real_gemini.Gemini | real_opencode.Client)
    return ("--permission-mode", "bypassPermissions") if asks else ()


def writes_a_skill(client: Runner, candidate: str) -> Path:
    """A session whose agent writes a skill that names the candidate."""
    path = client.project / ".claude" / "skills" / "exact-money" / "SKILL.md"
    said = f"name: exact-money\ndescription: Use when a price is off.\nmetadata:\n  candidate: {candidate}"
    call = {"tool": "Write", "input": {"file_path": str(path), "content": f"---\n{said}\n---\nUse str().\n"}}
    client.script("skill", [call], ["I wrote a skill."])
    assert client.say("Please write a skill of what you learned.", *may_write(client)).code == 0
    return path


def while_it_works(client: Runner, wait: Callable[[str], dict[str, Any]], then: Callable[[], None]) -> None:
    """A session that goes on until ``then`` has returned; ``wait`` makes a tool call of a shell's command."""
    go = client.root / "go"
    client.script("waits", [wait(f"until [ -e {go} ]; do sleep 0.1; done")], ["Done."])
    with client.started("Please wait.") as running:
        then()
        go.touch()
        running.communicate()
