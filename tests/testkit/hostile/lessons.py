"""Sessions of any host that contain a lesson with a payload, and what the next session is offered.

Everything in between is real: the log, its reader, the detectors, staging at the end of the session, the claim at the next start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from mind_skills.digest import condense
from mind_skills.hooks import end as ending
from mind_skills.hooks import idle as idling
from mind_skills.hooks import start as starting
from mind_skills.hooks.session_state import HookCall
from mind_skills.output.digests import show_digests, show_lines
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate
from mind_skills.store.project import resolve_project
from tests.testkit.stories import as_antigravity, as_claude_code, as_codex, as_gemini, as_opencode
from tests.testkit.stories.story_file import Step, Story

HOSTS: dict[str, Callable[[Story], tuple[str, list[tuple[int, int]]]]] = {
    "claude-code": as_claude_code.render_log,
    "codex": as_codex.render_log,
    "opencode": as_opencode.render_log,
    "gemini": as_gemini.render_log,
    "antigravity": as_antigravity.render_log,
}
BEGIN = 1_781_750_000_000
INSIGHT = "Root cause: the slice in the importer stops one row early, because the header row is counted twice."
AFTERWARDS = (
    Step("user", "", "Thank you. Tell me how the exporter works.", ""),
    *(
        step
        for name in ("writer", "columns", "quoting", "encoding", "dates", "totals")
        for step in (
            Step("agent", "", f"The exporter has a module for its {name}, which I read next.", ""),
            Step("read", "", f"src/exporter/{name}.py", f"def {name}(rows): ..."),
        )
    ),
    Step("agent", "", "The exporter writes one file a table, in these six steps.", ""),
)
"""Further steps of the session: a lesson is seldom most of a session, and the detector's features depend on that."""


@dataclass(frozen=True)
class Lesson:
    """A session in which a command fails, the agent reads, states the cause and changes a file, and the command passes."""

    asked: str = "The importer does not work: it drops the last row of every file that it reads."
    command: str = "pytest tests/test_importer.py"
    printed: str = "AssertionError: expected 10 rows, got 9"
    looked: tuple[Step, ...] = ()
    """Steps between the failure and the cause."""
    cause: str = INSIGHT
    tries: int = 1
    before: tuple[Step, ...] = ()
    """Steps before the first failure."""
    file: str = "src/importer.py"
    removed: str = "rows = lines[1:-1]"
    added: str = "rows = lines[1:]"
    passed: str = "3 passed in 0.12s"

    def story(self) -> Story:
        steps = (
            Step("user", "", self.asked, ""),
            *self.before,
            *[Step("run", "1", self.command, self.printed)] * self.tries,
            *self.looked,
            Step("agent", "", self.cause, ""),
            Step("edit", "", self.file, "\n".join([*_lines("-", self.removed), *_lines("+", self.added)])),
            Step("run", "", self.command, self.passed),
            Step("agent", "", "The importer reads all rows now: fixed.", ""),
            Step("run", "", "git commit -am 'fix the importer'", "1 file changed"),
            *AFTERWARDS,
        )
        return Story("lesson", steps)


def _lines(sign: str, text: str) -> list[str]:
    return [sign + row for row in text.split("\n")]


ENTROPY = Lesson(
    asked="The proxy test does not work: its handshake hangs.",
    command="bazel test //net:proxy_test",
    printed="proxy_test.cc:88: Failure: handshake took longer than 500ms",
    cause="Root cause: the sandbox has no entropy source mounted, so the TLS library blocks on /dev/random at its first key.",
    file="net/BUILD",
    removed='timeout = "short",',
    added='env = {"OPENSSL_CONF": "$(location :urandom.cnf)"},',
    passed="//net:proxy_test PASSED in 0.4s",
)
PARSER = Lesson(
    asked="The build does not work since the upgrade: it finds no parser.",
    command="npm run build",
    printed="Error: Cannot find parser 'flow' in registry v3",
    cause="Root cause: the registry of version 3 loads parsers by their full name, because short names clash with plugins.",
    file="build.config.js",
    removed="parser: 'flow',",
    added="parser: '@build/parser-flow',",
    passed="build finished in 2.1s",
)


@contextmanager
def stage_every_episode() -> Iterator[None]:
    """Stage every proposed episode: these tests check what is offered and shown, not whether it is worth it."""
    with mock.patch.object(condense, "MIN_PROBABILITY", 0.0):
        yield


class Machine:
    """A state folder and a project in which sessions run. Its clock advances by two minutes at each moment."""

    def __init__(self, root: Path) -> None:
        self.home = str(root / "state")
        self.project = root / "project"
        self.logs = root / "logs"
        self.now = BEGIN
        (self.project / ".git" / "info").mkdir(parents=True)
        self.logs.mkdir()

    def make_call(self, host: str, session: str, source: str, log: Path | None = None) -> HookCall:
        self.now += 120_000
        return HookCall(host, session, str(self.project), str(log or self.logs / session), self.now, source)

    def run_session(self, lesson: Lesson, host: str, session: str = "one") -> None:
        """Run a session that contains this lesson, to its end."""
        text, _ = HOSTS[host](lesson.story())
        log = self.logs / f"{session}.{'json' if host == 'opencode' else 'jsonl'}"
        log.write_text(text, "utf-8")
        with stage_every_episode():
            idling.run_checkpoint(self.home, self.make_call(host, session, "", log))
            ending.handle_session_end(self.home, self.make_call(host, session, "other", log))

    def list_staged(self) -> list[Candidate]:
        with Ledger.open(self.home) as ledger:
            return ledger.list_pending(resolve_project(str(self.project)))

    def show(self) -> str:
        """Return what `mind-skills show` prints of everything staged, and of the whole log: the part that is data."""
        project = resolve_project(str(self.project))
        with Ledger.open(self.home) as ledger:
            ids = [each.id for each in ledger.list_pending(project)]
            reports = [show_digests(ledger, project, ids, whole=True), show_lines(ledger, project, ids[0], "1-9999")]
        return "\n".join(each.text for report in reports for each in report.sessions)

    def start_session(self, host: str, session: str = "two") -> str:
        """Start a session; return the block that it receives, or an empty string."""
        return starting.handle_session_start(self.home, self.make_call(host, session, "startup")) or ""


def offer_lesson(lesson: Lesson, host: str, root: Path) -> str:
    """Return the block that the session after a lesson receives. Fails unless every staged candidate is in it."""
    machine = Machine(root)
    machine.run_session(lesson, host)
    staged = machine.list_staged()
    assert staged, "nothing was staged, so this case would test nothing"
    block = machine.start_session(host)
    assert [candidate.id for candidate in staged if candidate.id not in block] == []
    return block
