"""The whole loop with a small trap, on sandboxed machines: what agents see, what is recorded, and what is measured."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import click
import pytest

from mind_skills.observations.read import read_session
from research.evaluation.helps import sandbox
from research.evaluation.helps.__main__ import main
from research.evaluation.helps.runs import Run
from research.evaluation.helps.sandbox import PROJECT, can_make_namespaces
from research.evaluation.helps.tools import MAX_ERROR
from tests.testkit.paths import ROOT

pytestmark = pytest.mark.process

PRICES = """\
import hashlib, pathlib
data = pathlib.Path("data/table.txt").read_bytes()
if hashlib.sha256(data).hexdigest() != pathlib.Path("data/seal").read_text():
    raise RuntimeError("price table out of step: refusing to load a stale seal")
print(data.decode())
"""
RESEAL = """\
import hashlib, pathlib
pathlib.Path("data/seal").write_text(hashlib.sha256(pathlib.Path("data/table.txt").read_bytes()).hexdigest())
print("resealed")
"""
CHECK = """\
import subprocess, sys
sys.exit("plum" not in subprocess.run(["python3", "prices.py"], capture_output=True, text=True).stdout)
"""
SKILL = """\
---
name: reseal-prices
description: "Use when prices.py ends with a stale seal: run tools/reseal.py"
---
After a change of data/table.txt run `python3 tools/reseal.py` ({candidate}).
"""


class Bench:
    """A folder of traps and of runs, and the command of the evaluation."""

    def __init__(self, folder: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.traps, self.runs, self.recordings = folder / "traps", folder / "runs", folder / "recordings"
        self.capture = capture
        for name in ("seal", "control-plain"):
            repository = self.traps / name / "repository"
            for path, text in (("prices.py", PRICES), ("tools/reseal.py", RESEAL), ("data/table.txt", "pear\n")):
                (repository / path).parent.mkdir(parents=True, exist_ok=True)
                (repository / path).write_text(text)
            (repository / "data/seal").write_text(hashlib.sha256(b"pear\n").hexdigest())
            (self.traps / name / "second.md").write_text("Add a plum, again.\n")
            (self.traps / name / "check_second.py").write_text(CHECK)
        (self.traps / "seal/first.md").write_text("Add a plum.\n")
        (self.traps / "seal/check_first.py").write_text(CHECK)

    def call(self, *arguments: str) -> str:
        assert main(list(arguments)) == 0, self.capture.readouterr().err
        return self.capture.readouterr().out

    def start(self, arm: str, trap: str = "seal") -> str:
        """Start a run and return the prompt."""
        more = ("--trap", trap, "--arm", arm, "--traps", str(self.traps))
        return self.call("start", *more, "--out", str(self.locate(arm, trap)))

    def locate(self, arm: str, trap: str = "seal") -> Path:
        return self.runs / (f"{trap}-{arm}" if arm in ("first", "writer") else f"{trap}-{arm}-1")

    def act(self, arm: str, *arguments: str) -> str:
        return self.call("act", "--run", str(self.locate(arm)), *arguments)

    def finish(self, arm: str, trap: str = "seal") -> dict[str, Any]:
        """Finish a run and return its result."""
        more = ("--traps", str(self.traps), "--recordings", str(self.recordings))
        self.call("finish", "--run", str(self.locate(arm, trap)), *more)
        result: dict[str, Any] = json.loads((self.locate(arm, trap) / "result.json").read_text())
        return {name: value for name, value in result.items() if name not in ("minutes", "tokens")}


@pytest.fixture
def bench(apart: Path, capsys: pytest.CaptureFixture[str]) -> Bench:
    if not can_make_namespaces():
        pytest.skip("this machine lets nobody make namespaces")
    return Bench(apart, capsys)


MEASURED = {"loaded": [], "reminders": 0, "offer_tokens": 0, "digest_tokens": 0}


def test_the_loop(bench: Bench) -> None:
    assert bench.start("first").endswith("The user's request:\n\nAdd a plum.\n")
    bench.act("first", "run", "echo plum >>data/table.txt; git add -A; git commit -qm plum")
    failure = bench.act("first", "run", "python3 prices.py")
    assert failure.startswith("Exit code 1\n")
    assert "refusing to load a stale seal" in failure
    bench.act("first", "say", "The seal of the table must be renewed after a change.")
    assert bench.act("first", "run", "python3 tools/reseal.py") == "resealed\n"
    assert bench.act("first", "run", "python3 prices.py") == "pear\nplum\n"
    bench.act("first", "say", "Done: the table is sealed, and tools/reseal.py renews the seal.")
    known = {"trap": "seal", "arm": "first", "try": 1, "solved": True, "calls": 4, "failed": 1}
    assert bench.finish("first") == known | MEASURED

    prompt = bench.call("learn", "--first", str(bench.locate("first")), "--out", str(bench.locate("writer")))
    assert prompt.count("<openception-skill-extraction>") == 1
    candidate = prompt.partition("\n  sc_")[2].partition(" ")[0]
    shown = bench.act("writer", "run", f"mind-skills show sc_{candidate}")
    assert "refusing to load a stale seal" in shown
    assert "python3 tools/reseal.py: ok" in shown
    path = ".claude/skills/reseal-prices/SKILL.md"
    bench.act("writer", "write", path, "--content", SKILL.format(candidate=f"sc_{candidate}"))
    written = bench.finish("writer")
    assert {name: written["counts"][name] for name in ("offered", "accepted")} == {"offered": 1, "accepted": 1}
    assert (list(written["skills"]), written["calls"], written["digest_tokens"]) == (
        ["reseal-prices"],
        2,
        len(shown) // 4,
    )

    listing = "- reseal-prices: Use when prices.py ends with a stale seal: run tools/reseal.py"
    assert [listing in bench.start(*arm) for arm in (("with",), ("without",), ("with", "control-plain"))] == [
        True,
        False,
        True,
    ]
    assert bench.act("with", "load-skill", "reseal-prices").startswith(
        "Launching skill: reseal-prices\n\nBase directory"
    )
    bench.act("with", "run", "echo plum >>data/table.txt; python3 tools/reseal.py")
    known = {"trap": "seal", "arm": "with", "try": 1, "solved": True, "calls": 2, "failed": 0}
    assert bench.finish("with") == known | MEASURED | {"loaded": ["reseal-prices"]}
    known = {"trap": "seal", "arm": "without", "try": 1, "solved": False, "calls": 0, "failed": 0}
    assert bench.finish("without") == known | MEASURED

    bench.start("reminder")
    bench.act("reminder", "run", "echo plum >>data/table.txt")
    reminded = bench.act("reminder", "run", "python3 prices.py").partition("<system-reminder>\n")[2]
    assert reminded.startswith("PostToolUseFailure:Bash hook additional context: ")
    assert candidate in reminded
    assert candidate not in bench.act("reminder", "run", "python3 prices.py")
    known = {"trap": "seal", "arm": "reminder", "try": 1, "solved": False, "calls": 3, "failed": 2}
    assert bench.finish("reminder") == known | MEASURED | {"reminders": 1}
    assert str(bench.runs) not in "".join(path.read_text() for path in bench.recordings.glob("*.json"))


def test_without_an_offer_there_is_no_writer_and_no_skill(bench: Bench) -> None:
    bench.start("first")
    bench.act("first", "run", "ls")
    prompt = bench.call("learn", "--first", str(bench.locate("first")), "--out", str(bench.locate("writer")))
    assert prompt == "The product offers nothing: no agent is needed. Run `finish` at once.\n"
    written = bench.finish("writer")
    known = {"trap": "seal", "arm": "writer", "try": 1, "skills": {}, "calls": 0, "failed": 0}
    assert {name: value for name, value in written.items() if name != "counts"} == known | MEASURED
    assert set(written["counts"].values()) == {0}
    assert "<system-reminder>" not in bench.start("with")


def test_an_agent_sees_its_project_and_no_more(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_TOKEN", "value")
    bench.start("without")
    for command, expected in {
        "pwd; ls": "/home/dev/project\ndata\nprices.py\ntools\n",
        f"ls {bench.traps} {ROOT} 2>&1 | grep -c 'No such file'": "2\n",
        "env | grep -c SOME_TOKEN": "0\n",
        "git log --format=%an%s; git status --short": "devStart of the work\n",
        "touch /usr/x 2>&1; ls /usr/local": "touch: cannot touch '/usr/x': Read-only file system\n",
        "cut -d: -f1 /proc/net/dev | tail -n +3 | tr -d ' '": "lo\n",
        "command -v mind-skills || echo none": "none\n",
        "echo a >/tmp/kept": "(Bash completed with no output)\n",
        "cat /tmp/kept": "a\n",
    }.items():
        assert (command, bench.act("without", "run", command)) == (command, expected)


CALLS: list[tuple[tuple[str, ...], str, tuple[str, str, int | None]]] = [
    (("run", "exit 3"), "Exit code 3\n", ("Bash", "failed", 3)),
    (("run", "grep zzz prices.py"), "(Bash completed with no output)\n", ("Bash", "ok", 0)),
    (("run", "sleep 9", "--timeout", "1"), "Exit code 143\nCommand timed out after 1s\n", ("Bash", "failed", 143)),
    (("read", "data/table.txt"), "1\tpear\n", ("Read", "ok", None)),
    (("read", "tools/reseal.py", "--lines", "3-9"), '3\tprint("resealed")\n', ("Read", "ok", None)),
    (
        ("read", "none"),
        f"<tool_use_error>File does not exist. Note: your current working directory is {PROJECT}.</tool_use_error>\n",
        ("Read", "failed", None),
    ),
    (
        ("edit", "data/table.txt", "--old", "pear", "--new", "fig"),
        "The file /home/dev/project/data/table.txt has been updated successfully.\n",
        ("Edit", "ok", None),
    ),
    (
        ("edit", "data/table.txt", "--old", "pear", "--new", "fig"),
        "<tool_use_error>String to replace not found in file.\nString: pear</tool_use_error>\n",
        ("Edit", "failed", None),
    ),
    (
        ("write", "a/new.txt", "--content", "x"),
        "File created successfully at: /home/dev/project/a/new.txt\n",
        ("Write", "ok", None),
    ),
    (("run", "kill -9 $$"), "Exit code 137\n", ("Bash", "failed", 137)),
    (("load-skill", "none"), "<tool_use_error>Unknown skill: none</tool_use_error>\n", ("Skill", "failed", None)),
]


def test_calls_are_recorded_as_the_host_records_them(bench: Bench) -> None:
    bench.start("without")
    assert [bench.act("without", *arguments) for arguments, _, _ in CALLS] == [text for _, text, _ in CALLS]
    session = read_session(Run.open(bench.locate("without")).transcript.path)
    read = [(each.tool, each.outcome, each.exit_code) for each in session.observations if each.kind == "tool"]
    assert (session.host, session.project, session.warnings) == ("claude-code", "/home/dev/project", [])
    assert read == [expected for _, _, expected in CALLS]


def test_a_long_output_is_kept_in_a_file(bench: Bench) -> None:
    bench.start("without")
    text = bench.act("without", "run", "seq 1 9000")
    path = text.partition("saved to: ")[2].partition("\n")[0]
    assert (text.startswith("<persisted-output>\nOutput too large (42.9KB)."), len(text) < 3000) == (True, True)
    assert bench.act("without", "run", f"tail -1 {path}") == "9000\n"


def test_an_endless_output_ends_the_command(bench: Bench) -> None:
    bench.start("without")
    text = bench.act("without", "run", "yes")
    assert (text[:16], len(text) < MAX_ERROR + 100) == ("Exit code 137\ny\n", True)


def test_a_machine_that_cannot_be_made_is_no_failed_command(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "NAMESPACES", ("--no-such-option",))
    with pytest.raises(click.ClickException, match="namespaces"):
        sandbox.Sandbox(bench.runs).run(["true"])


@pytest.mark.parametrize(
    ("trap", "arm", "message"),
    [
        ("none", "without", "There is no second.md of none."),
        ("control-plain", "first", "There is no first.md of control-plain."),
        ("seal", "with", "is no run."),
        ("seal", "reminder", "is no run."),
        ("control-plain", "with", "seal-writer is no run."),
    ],
)
def test_a_run_is_not_begun_before_what_it_needs(bench: Bench, trap: str, arm: str, message: str) -> None:
    more = ("--traps", str(bench.traps), "--out", str(bench.runs / "a"))
    assert main(["start", "--trap", trap, "--arm", arm, *more]) == 2
    assert message in bench.capture.readouterr().err
    assert not bench.runs.exists()
