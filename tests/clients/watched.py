"""A watch as a process of its own in the home of a real client, and the scripted sessions that it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from mind_skills.staging.ledger import Ledger
from tests.clients import lesson
from tests.clients.client import Block, Client
from tests.watch.machine import Machine


class Watched(Machine):
    """The home, the project and the state folder of a client."""

    def __init__(self, client: Client) -> None:
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
            known = [*ledger.list_finished_since(0), *ledger.list_unfinished()]
        known.sort(key=lambda seen: seen.seen_at)
        return [(seen.session_id, seen.finished_at is not None) for seen in known]

    def learns(self) -> str:
        """A session of the client that learns, seen to its end by the watch; its id."""
        lesson.learns(self.client)
        self.eventually(lambda: self.staged() > 0)  # a session that was slow may have been taken for over before
        (session,) = self.over(1)
        return session

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
            return sum(receipt.event in ("staged", "again") for receipt in ledger.list_receipts())


@contextmanager
def watched(client: Client) -> Iterator[Watched]:
    """Nothing runs yet; whatever does is ended."""
    with Watched(client) as machine:
        yield machine


def writes_a_skill(client: Client, candidate: str) -> Path:
    """A session whose agent writes a skill that names the candidate."""
    path, write = lesson.skill(client, candidate)
    client.session("skill", [write], ["I wrote a skill."], prompt="Please write a skill.", more=client.unasked)
    return path


def while_it_works(client: Client, wait: Callable[[str], Block], then: Callable[[], None]) -> None:
    """A session that goes on until ``then`` has returned; ``wait`` makes a tool call of a shell's command."""
    go = client.root / "go"
    client.script("waits", [wait(f"until [ -e {go} ]; do sleep 0.1; done")], ["Done."])
    with client.started("Please wait.") as running:
        then()
        go.touch()
        running.communicate()
