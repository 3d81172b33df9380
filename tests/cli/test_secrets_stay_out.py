"""A secret in any field of any host's log is in nothing that we write or print."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from itertools import product
from pathlib import Path
from random import Random

import pytest

from mind_skills.plugin import hooklog
from mind_skills.plugin.cli import run
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import resolve_project
from tests.redaction.planted import ISSUED, PLACED
from tests.testkit.episodes import build_candidate
from tests.testkit.hostile.lessons import HOSTS, Lesson, Machine
from tests.testkit.stories.story_file import Step

FIELDS = (
    "asked",
    "command",
    "printed",
    "web",
    "mcp",
    "read",
    "search",
    "task",
    "cause",
    "file",
    "removed",
    "added",
    "passed",
)
SECRETS = {field: ISSUED["github-token"][0](Random(field)) for field in FIELDS}


def _lesson() -> Lesson:
    """A lesson with a different secret in each field."""
    plain = Lesson()
    web = Step("web", "", f"https://docs.example.test/?q={SECRETS['web']}", f"page {SECRETS['web']}")
    mcp = Step("mcp", "tracker/get", f"issue {SECRETS['mcp']}", f"answer {SECRETS['mcp']}")
    read = Step("read", "", "README.md", f"token: {SECRETS['read']}")
    search = Step("search", "", SECRETS["search"], f"a.py:1: {SECRETS['search']}")
    task = Step("task", "", f"look with {SECRETS['task']}", f"found {SECRETS['task']}")
    return Lesson(
        asked=f"{plain.asked} It runs with {SECRETS['asked']} here.",
        command=f"pytest tests/test_importer.py --token {SECRETS['command']}",
        printed=f"AssertionError: expected 10 rows, got 9 with {SECRETS['printed']}",
        looked=(web, mcp, read, search, task),
        cause=f"Root cause: {SECRETS['cause']} is why the slice in the importer stops one row early, as the header counts.",
        file=f"src/importer-{SECRETS['file']}.py",
        removed=f"rows = lines[1:-1]  # {SECRETS['removed']}",
        added=f"rows = lines[1:]  # {SECRETS['added']}",
        passed=f"3 passed in 0.12s with {SECRETS['passed']}",
    )


def _printed(machine: Machine, *arguments: str) -> str:
    """What a command prints, on either stream."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        run([*arguments, "--project", str(machine.project)] if arguments[0] != "replay" else [*arguments])
    return out.getvalue() + err.getvalue()


def _everything(machine: Machine, log: str) -> dict[str, str]:
    """Everything that was written or can be printed, by file or command."""
    folders = (Path(machine.home), machine.project)
    found = {str(path): path.read_bytes().decode("latin-1") for f in folders for path in f.rglob("*") if path.is_file()}
    assert any(name.endswith("mind-skills-pending.json") for name in found)
    for one in machine.list_staged():
        for word, form in product(("show", "why"), ((), ("--json",), ("--lines", "1-999"))):
            if word == "show" or not form[1:]:
                found[f"{word} {form}"] = _printed(machine, word, one.id, *form)
                assert form[1:] or one.id in found[f"{word} {form}"]
    for command in ("pending", "status"):
        found[command] = _printed(machine, command)
        found[f"{command} --json"] = _printed(machine, command, "--json")
    found["replay"] = _printed(machine, "replay", log)
    found["replay --json"] = _printed(machine, "replay", log, "--json")
    assert json.loads(found["replay --json"])["totals"]["candidates"] >= 1
    return found


@pytest.mark.parametrize("host", HOSTS)
def test_a_secret_in_any_field_is_in_nothing_that_we_write_or_print(
    host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(tmp_path)
    monkeypatch.setenv("MIND_SKILLS_HOME", machine.home)
    monkeypatch.setenv("HOME", str(tmp_path))
    machine.run_session(_lesson(), host)
    (log,) = machine.logs.iterdir()
    assert [field for field, secret in SECRETS.items() if secret not in log.read_text()] == []
    everything = _everything(machine, str(log)) | {"the block": machine.start_session(host)}
    assert everything["the block"]
    shown = [(where, field) for where, text in everything.items() for field, s in SECRETS.items() if s[4:] in text]
    assert shown == []


def test_a_secret_in_a_note_is_not_written_to_the_hooks_log(tmp_path: Path) -> None:
    text, secret = PLACED["url-password"]["postgres"](Random(1))
    hooklog.append_note(str(tmp_path), 1_700_000_000_000, "idle", f"OSError: {text}")
    assert secret not in Path(hooklog.find_log_path(str(tmp_path))).read_text()


def test_a_candidate_staged_without_a_reader_is_redacted(tmp_path: Path) -> None:
    """An episode with a secret in each of its texts, which no reader would produce."""
    machine, secret = Machine(tmp_path), SECRETS["printed"]
    candidate = build_candidate(f"a {secret}", program=f"run-{secret}", files=(f"d/{secret}.py",), patterns=(secret,))
    with Ledger.open(machine.home) as ledger:
        ledger.stage(resolve_project(str(machine.project)), "one", "codex", [candidate], 1)
    files = [p for f in (Path(machine.home), machine.project) for p in f.rglob("*") if p.is_file()]
    assert [path for path in files if secret.encode() in path.read_bytes()] == []
