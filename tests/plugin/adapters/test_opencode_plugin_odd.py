"""The file that OpenCode loads, run by Node: with odd arguments, and with files that other processes left behind."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mind_skills.plugin.opencode import SPOOL_FOLDER
from mind_skills.plugin.opencode.spool import parse_writer
from mind_skills.store import processes
from tests.plugin.adapters.hook_host import WAITED
from tests.plugin.adapters.node_host import FAILING, HARNESS, ODD, node
from tests.testkit.paths import ROOT

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
GONE = 2**22 + 1
"""A number that Linux gives to no process."""
WORDS = """
import { execFileSync } from "node:child_process";
const path = "import sys; sys.path.insert(0, sys.argv[1]);";
const code = path + "from mind_skills.store import processes; print(processes.describe_process(int(sys.argv[2])))";
process.stdout.write(execFileSync(process.env.PYTHON, ["-c", code, process.env.MODULES, String(process.pid)]));
"""


def spool_name(words: list[str]) -> str:
    return ".".join([*words[:3], words[3].removeprefix("pid:[").removesuffix("]")]) + ".jsonl"


@pytest.mark.process
@needs_node
@pytest.mark.parametrize("state", ["/dev/null/nowhere", "state"])
def test_no_hook_of_the_plugin_file_throws_whatever_it_is_given(tmp_path: Path, state: str) -> None:
    home = str(tmp_path / state)
    # It runs until the first checkpoint has been reported, 1.5 s after a turn.
    assert node(tmp_path, ODD, FAILING, MIND_SKILLS_HOME=home, LINGER="1600") == "done\n"
    for path in Path(home).glob(f"{SPOOL_FOLDER}/*"):
        assert path.stat().st_size <= 1 << 20


@pytest.mark.process
@needs_node
def test_a_session_lookup_that_never_answers_is_not_waited_for(tmp_path: Path) -> None:
    code = """
    import plugin from "./plugin.mjs";
    const hooks = await plugin.server({client: {session: {get: () => new Promise(() => {})}}, directory: process.cwd()});
    await hooks["chat.message"]({sessionID: "s"}, {});
    console.log("done");
    """
    assert node(tmp_path, code, MIND_SKILLS_HOME=str(tmp_path / "state")) == "done\n"


RECORDER = """#!/bin/sh
cat >>{0}/payloads
"""


@needs_node
@pytest.mark.parametrize(
    ("name_file", "recovered"),
    [
        (lambda words: f"{GONE}.jsonl", True),
        (lambda words: f"{GONE}-3.json", True),
        (lambda words: f"{os.getpid()}.jsonl", False),
        (spool_name, False),
        (lambda words: spool_name([words[0], "1", *words[2:]]), True),
        (lambda words: spool_name([str(GONE), *words[1:]]), True),
        (lambda words: spool_name([str(GONE), words[1], "other-boot", words[3]]), False),
        (lambda words: "notes.txt", False),
    ],
    ids=["old", "payload", "old, running", "running", "number given again", "gone", "other machine", "foreign"],
)
def test_only_files_of_dead_processes_are_recovered_when_opencode_starts(
    tmp_path: Path, name_file: Callable[[list[str]], str], recovered: bool
) -> None:
    if not Path("/proc/self/ns/pid").exists():
        pytest.skip("this system says little about processes")
    python = tmp_path / "python"
    python.write_text(RECORDER.format(tmp_path))
    python.chmod(0o755)
    folder = tmp_path / "state" / SPOOL_FOLDER
    folder.mkdir(parents=True)
    (folder / name_file(processes.describe_process(os.getpid()).split(" "))).write_text("")
    code = """
    import plugin from "./plugin.mjs";
    await plugin.server({client: {}, directory: process.cwd()});
    """
    node(tmp_path, code, str(python), MIND_SKILLS_HOME=str(tmp_path / "state"))
    payloads = tmp_path / "payloads"
    end = time.monotonic() + WAITED
    while recovered and not (payloads.exists() and payloads.read_text().endswith("}")):
        assert time.monotonic() < end, "never recovered"
        time.sleep(0.01)
    assert (
        [json.loads(text)["event"] for text in payloads.read_text().splitlines()] == ["recover"]
        if recovered
        else not payloads.exists()
    )


@needs_node
def test_the_spool_file_is_named_after_its_process_as_python_describes_it(tmp_path: Path) -> None:
    written_by = node(
        tmp_path,
        HARNESS + WORDS,
        FAILING,
        MIND_SKILLS_HOME=str(tmp_path / "state"),
        PYTHON=sys.executable,
        MODULES=str(ROOT / ".dev"),
    ).strip()
    (found,) = (tmp_path / "state" / SPOOL_FOLDER).iterdir()
    assert parse_writer(found.name) == written_by
