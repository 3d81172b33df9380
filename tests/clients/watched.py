"""A watch as a separate process in the home of a real client, and scripted sessions for it."""

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
        """List the registered sessions in order, and whether each is finished."""
        if not (self.state / "mind-skills.db").exists():
            return []
        with Ledger.open(self.state) as ledger:
            known = [*ledger.list_finished_since(0), *ledger.list_unfinished()]
        known.sort(key=lambda seen: seen.seen_at)
        return [(seen.session_id, seen.finished_at is not None) for seen in known]

    def run_lesson(self) -> str:
        """Run the lesson, wait until the watch has finished it, and return the session's id."""
        lesson.run_lesson(self.client)
        self.eventually(lambda: self.count_staged() > 0)  # a slow session may have been counted as finished before
        (session,) = self.wait_for_finished(1)
        return session

    def wait_for_finished(self, count: int) -> list[str]:
        """Wait until so many sessions are registered and all are finished; return their ids."""
        self.eventually(lambda: [done for _, done in self.sessions()] == [True] * count)
        return [session for session, _ in self.sessions()]

    def list_candidate_sessions(self) -> list[tuple[str, ...]]:
        """List the sessions of each pending candidate."""
        return [each.sessions for each in self.pending()]

    def count_staged(self) -> int:
        """Count how often a candidate was staged, or seen again."""
        with Ledger.open(self.state) as ledger:
            return sum(receipt.event in ("staged", "again") for receipt in ledger.list_receipts())


@contextmanager
def open_watched(client: Client) -> Iterator[Watched]:
    """Open the machine, on which nothing runs yet; at the end, what runs is ended."""
    with Watched(client) as machine:
        yield machine


def run_skill_session(client: Client, candidate: str) -> Path:
    """Run a session whose agent writes a skill that names the candidate."""
    path, write = lesson.build_skill_call(client, candidate)
    client.session(
        "skill", [write], ["I wrote a skill."], prompt="Please write a skill.", more=client.permission_arguments
    )
    return path


def run_during_session(client: Client, wait: Callable[[str], Block], then: Callable[[], None]) -> None:
    """Run a session that continues until ``then`` has returned; ``wait`` turns a shell command into a tool call."""
    go = client.root / "go"
    client.script("waits", [wait(f"until [ -e {go} ]; do sleep 0.1; done")], ["Done."])
    with client.start("Please wait.") as running:
        then()
        go.touch()
        running.communicate()
