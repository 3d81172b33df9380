"""A project, a state folder, and sessions that are driven by sentences such as ``A starts, startup``.

The logs have the form of Claude Code's transcripts. No detector decides what is learned from them: an assistant line
``LESSON name`` is a candidate called ``name``. One second of this world passes between two sentences, two minutes if
the second begins with ``later``, a day if it begins with ``next day``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from zlib import crc32

from mind_skills.digest.model import EpisodeDigest, Facts, Row
from mind_skills.hooks import end as ending
from mind_skills.hooks import idle as idling
from mind_skills.hooks import recover as recovering
from mind_skills.hooks import start as starting
from mind_skills.hooks.session_state import CHECKED, ENDING, RUNNING, UNANSWERED, HookCall, announce_end
from mind_skills.observations.model import Session
from mind_skills.staging.analyse import Analysis, analyse
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate, make_candidate
from mind_skills.staging.pipeline import LogAnalyser
from mind_skills.store.project import resolve_project

SECOND = 1000
BEGIN = 1_700_000_000_000
PENDING = ".claude/mind-skills-pending.json"


def rereading(read: Callable[[Path], Analysis]) -> LogAnalyser:
    """An analyzer of growing logs that reads the whole log each time."""
    return lambda path, state: read(path)


def skill_text(name: str) -> str:
    """The text of a skill that covers this candidate and no other."""
    return f"{name} works by " + " ".join(f"{name}{word}" for word in ("alpha", "bravo", "gamma", "delta", "omega"))


def learned_episode(name: str) -> EpisodeDigest:
    """The episode that a line ``LESSON name`` stands for. Those of two names share no lines."""
    first = 10 * (crc32(name.encode()) % 100_000)
    return EpisodeDigest(
        first_line=first,
        last_line=first + 1,
        kind="error_fix",
        patterns=("red_to_green",),
        probability=0.9,
        facts=Facts(program=name, failures=1),
        rows=(
            Row(first, first, "symptom", f"{first} run {name}: failed"),
            Row(first + 1, first + 1, "cause", f"{first + 1} agent: {skill_text(name)}"),
        ),
        error=f"the lesson of {name}",
    )


def learning(name: str) -> Candidate:
    """The candidate of that episode."""
    return make_candidate(learned_episode(name), Session(), at=BEGIN, session_facts="", digest_length=400)


def lessons(path: Path) -> Analysis:
    """Reads a transcript with the real reader; the episodes of its digest are those that its LESSON lines name."""
    result = analyse(path)
    text = path.read_text()
    names = [word.split()[0].rstrip('".}]') for word in text.split("LESSON ")[1:]]
    result.digest.episodes = [learned_episode(name) for name in dict.fromkeys(names) if f"FORGET {name}" not in text]
    return result


class World:
    """Drive it with ``tell``; inspect it with ``pending``, ``history``, ``unfinished`` and ``received``."""

    def __init__(self, root: Path) -> None:
        self.home = str(root / "state")
        self.project = root / "project"
        self.logs = root / "logs"
        (self.project / ".git" / "info").mkdir(parents=True)
        self.logs.mkdir()
        self.now = BEGIN
        self.received: dict[str, list[str]] = {}
        self.last_output = ""
        self.pids: dict[str, int] = {}
        self.reads: list[str] = []
        self.names_by_id: dict[str, str] = {}
        self.processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for name in list(self.pids):
            self.dies(name)

    # -- sentences ---------------------------------------------------------------------------------------------------

    def tell(self, story: str) -> list[str]:
        """Acts out the sentences, one per line; returns the names that each start offered, ``-`` for none."""
        offered: list[str] = []
        for sentence in filter(None, (line.strip() for line in story.splitlines())):
            self.now += SECOND
            words = sentence
            for prefix, pause in (("later ", 120 * SECOND), ("next day ", 86_400 * SECOND)):
                if words.startswith(prefix):
                    words, self.now = words.removeprefix(prefix), self.now + pause
            session, verb, *rest = words.replace(",", "").split()
            offer = getattr(self, verb)(session, *rest)
            if verb == "starts":
                offered.append(offer)
        return offered

    def runs(self, session: str) -> None:
        """The host of this session is a process of this machine, and reports its number."""
        process = subprocess.Popen([sys.executable, "-I", "-S", "-c", "input()"], stdin=subprocess.PIPE)
        self.processes.append(process)
        self.pids[session] = process.pid

    def dies(self, session: str) -> None:
        """SIGKILL: no hook runs."""
        for process in self.processes:
            if process.pid == self.pids.get(session):
                process.kill()
                process.communicate()

    def starts(self, session: str, source: str = "startup") -> str:
        call = self.make_call(session, source)
        self.last_output = starting.handle_session_start(self.home, call) or ""
        if self.last_output:
            self.received.setdefault(session, []).append(self.last_output)
        recovering.register_start(self.home, call)
        recovering.recover_sessions(self.home, call.at, except_session=session, analyse_log=self.read)
        return self.names(self.last_output)

    def idles(self, session: str) -> None:
        idling.run_checkpoint(self.home, self.make_call(session), analyse_increment=rereading(self.read))

    def ends(self, session: str, reason: str = "other") -> None:
        call = self.make_call(session, reason)
        announce_end(self.home, call)
        ending.handle_session_end(self.home, call, analyse_log=self.read)

    def asks(self, session: str) -> None:
        """The user says something; the agent has not answered yet."""
        self.line(session, "user", "please do it")

    def answers(self, session: str) -> None:
        self.line(session, "user", "please do it")
        self.line(session, "assistant", "Done.")

    def learns(self, session: str, *names: str) -> None:
        self.line(session, "user", "please do it")
        for name in names:
            self.names_by_id[learning(name).id] = name
            self.line(session, "assistant", f"LESSON {name}")

    def forgets(self, session: str, name: str) -> None:
        """What looked like a learning turns out to be none."""
        self.line(session, "assistant", f"FORGET {name}")

    def writes(self, session: str, name: str) -> None:
        """Writes a skill whose metadata names the candidate."""
        path = self.project / ".claude/skills" / name / "SKILL.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"---\nname: {name}\ndescription: x\nmetadata:\n  candidate: {learning(name).id}\n---\n")
        use = {"type": "tool_use", "id": f"t{self.now}", "name": "Write"}
        use["input"] = {"file_path": str(path), "content": path.read_text()}  # type: ignore[assignment]
        self.block(session, "assistant", use)
        self.block(session, "user", {"type": "tool_result", "tool_use_id": f"t{self.now}", "content": "written"})

    def dismisses(self, session: str, name: str) -> None:
        with Ledger.open(self.home) as ledger:
            ledger.dismiss(learning(name).id, "not for us", self.now)

    # -- parts -------------------------------------------------------------------------------------------------------

    def make_call(self, session: str, source: str = "startup") -> HookCall:
        pid = self.pids.get(session, 0)
        return HookCall("claude-code", session, str(self.project), str(self.log(session)), self.now, source, pid=pid)

    def log(self, session: str) -> Path:
        return self.logs / f"{session}.jsonl"

    def line(self, session: str, kind: str, text: str) -> None:
        self.block(session, kind, {"type": "text", "text": text})

    def divides(self, session: str, plan: str) -> None:
        """The agent states a plan, lists the parts of the task, and changes a file for each."""
        self.line(session, "assistant", plan)
        todos = {"todos": [{"content": "The cart", "status": "pending"}, {"content": "The order", "status": "pending"}]}
        self.block(session, "assistant", {"type": "tool_use", "id": "t1", "name": "TodoWrite", "input": todos})
        self.block(session, "user", {"type": "tool_result", "tool_use_id": "t1", "content": "Todos have been modified"})
        for part in ("cart", "order"):
            edit = {"file_path": f"{self.project}/{part}.py", "old_string": "a", "new_string": "b"}
            self.block(session, "assistant", {"type": "tool_use", "id": part, "name": "Edit", "input": edit})
            self.block(session, "user", {"type": "tool_result", "tool_use_id": part, "content": "The file was updated"})

    def block(self, session: str, kind: str, block: Mapping[str, Any]) -> None:
        number = self.log(session).read_text().count("\n") if self.log(session).exists() else 0
        entry: dict[str, Any] = {
            "type": kind,
            "uuid": f"{session}-{number}",
            "sessionId": session,
            "cwd": str(self.project),
        }
        entry["message"] = {"role": kind, "content": [block]}
        with self.log(session).open("a") as out:
            out.write(json.dumps(entry) + "\n")
        os.utime(self.log(session), (self.now / 1000, self.now / 1000))

    def read(self, path: Path) -> Analysis:
        """Reads a log for the lifecycle, and records that it did."""
        self.reads.append(path.stem)
        return lessons(path)

    # -- results -----------------------------------------------------------------------------------------------------

    def names(self, text: str) -> str:
        """The names of the candidates that a text offers, ``-`` if it offers none."""
        return " ".join(sorted(name for id_, name in self.names_by_id.items() if id_ in text)) or "-"

    def pending(self) -> dict[str, bool]:
        """The candidates of the project's pending file by name, and whether each was offered."""
        path = self.project / PENDING
        listed = json.loads(path.read_text())["candidates"] if path.exists() else []
        return {self.names_by_id[item["id"]]: "injectedAt" in item for item in listed}

    def history(self) -> dict[str, str]:
        """The candidates that are no longer pending by name, and the state in which each left."""
        with Ledger.open(self.home) as ledger:
            return {
                self.names_by_id[record.candidate.id]: record.state
                for record in ledger.list_history(resolve_project(str(self.project)))
            }

    def unfinished(self) -> list[str]:
        """The sessions that have not been finished."""
        with Ledger.open(self.home) as ledger:
            return [seen.session_id for seen in ledger.list_unfinished()]

    def markers(self) -> list[str]:
        """The kinds of session markers that are left, one for each file."""
        folders = (UNANSWERED, ENDING, RUNNING, CHECKED)
        return sorted(
            path.parts[len(Path(self.home).parts)]
            for f in folders
            for path in Path(self.home, f).rglob("*")
            if path.is_file()
        )
