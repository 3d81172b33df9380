"""The real Codex: it learns, is told once, is not told again, and what it writes is accepted."""

from __future__ import annotations

import json
import os
import re
import signal
import time
from pathlib import Path

import pytest

from mind_skills.observations.read import read_session
from mind_skills.plugin.settings import SKILLS_DIR
from mind_skills.staging.ledger import Ledger
from tests.clients.hook_client import history, listed, unhealthy, used
from tests.clients.lesson import script_lesson, write_project
from tests.clients.offers import hook_log, pending
from tests.clients.real_codex import Codex

LOOK = {"tool": "Bash", "input": {"command": "ls", "description": "Look around"}}
WAITED = 60.0
"""Seconds until something counts as never happening; nothing here is measured."""


def learned(codex: Codex) -> str:
    """Session one has been, and its candidate waits; returns its id."""
    write_project(codex)
    script_lesson(codex, "one")
    ran = codex.say("The prices test fails, please fix it.")
    assert (ran.code, "Failed" in ran.stderr) == (0, False), ran.stderr
    codex.settled()
    assert codex.told("one") == [[]] * 7
    assert [(item.get("injectedAt"), item["host"]) for item in pending(codex)] == [(None, "codex")]
    identity: str = pending(codex)[0]["id"]
    return identity


def test_it_learns_is_told_once_and_is_not_told_again(codex: Codex) -> None:
    candidate = learned(codex)

    codex.script("two", [LOOK], [LOOK], ["Nothing to do."])
    assert codex.say("What is here?").code == 0
    codex.settled()
    told = codex.told("two")
    block = told[0][0]
    assert told == [[block]] * 3
    assert candidate in block

    codex.script("two again", [LOOK], ["Still nothing."])
    assert codex.say("And now?", "resume", "--last").code == 0
    codex.settled()
    assert codex.told("two again") == [[block]] * 2

    codex.script("three", [LOOK], ["Nothing."])
    assert codex.say("Hello?").code == 0
    codex.settled()
    assert codex.told("three") == [[], []]
    assert (pending(codex), hook_log(codex)) == ([], "")


def test_a_skill_that_the_session_writes_is_accepted_and_listed_by_the_client(codex: Codex) -> None:
    candidate = learned(codex)
    folder = SKILLS_DIR["codex"]
    path = codex.project / folder / "decimal-money" / "SKILL.md"
    text = f"---\nname: decimal-money\ndescription: Use when money is summed.\nmetadata:\n  candidate: {candidate}\n---\nUse str().\n"
    codex.script("two", [{"tool": "Write", "input": {"file_path": str(path), "content": text}}], ["Written."])
    assert codex.say("Hello").code == 0
    codex.settled()
    assert path.read_text() == text
    assert f"`{folder}/<name>/SKILL.md`" in codex.told("two")[0][0]
    assert "Use when money is summed." not in listed(codex, "two")
    assert (pending(codex), history(codex)) == ([], [(candidate, "accepted", str(path))])
    codex.script("three", [{"tool": "Read", "input": {"file_path": f"{folder}/decimal-money/SKILL.md"}}], ["Hello."])
    assert codex.say("Hello").code == 0
    codex.settled()
    assert "Use when money is summed." in listed(codex, "three")
    codex.script("four", ["Hello."])
    assert codex.say("Please $decimal-money").code == 0
    codex.settled()
    assert used(codex) == [
        ("decimal-money", str(path), "read", candidate),
        ("decimal-money", str(path), "host", candidate),
    ]
    assert hook_log(codex) == ""


def test_a_model_that_calls_its_tools_by_script_is_learned_from_and_its_skill_accepted(codex: Codex) -> None:
    codex.newer()
    candidate = learned(codex)
    path = codex.project / SKILLS_DIR["codex"] / "decimal-money" / "SKILL.md"
    text = f"---\nname: decimal-money\ndescription: x\nmetadata:\n  candidate: {candidate}\n---\nUse str().\n"
    codex.script("two", [LOOK], [{"tool": "Write", "input": {"file_path": str(path), "content": text}}], ["Written."])
    assert codex.say("Hello").code == 0
    codex.settled()
    assert [len(copies) for copies in codex.told("two")] == [1, 1, 1]
    assert path.read_text() == text
    assert (pending(codex), history(codex)) == ([], [(candidate, "accepted", str(path))])
    assert hook_log(codex) == ""


@pytest.mark.parametrize("word", [signal.SIGKILL, signal.SIGTERM])
def test_a_session_that_is_killed_is_finished_by_the_next_start(codex: Codex, word: signal.Signals) -> None:
    write_project(codex)
    script_lesson(
        codex, "one", last=[{"tool": "Bash", "input": {"command": "touch begun; exec sleep 30", "description": "Wait"}}]
    )
    with codex.started("The prices test fails, please fix it.") as running:
        end = time.monotonic() + WAITED
        while not (codex.project / "begun").exists():
            assert time.monotonic() < end
            time.sleep(0.05)
        os.killpg(running.pid, word)
        running.communicate()
    codex.settled()
    if word == signal.SIGKILL:
        assert pending(codex) == []
    copies: list[int] = []
    for name in ("two", "three", "four"):  # the end of one that was terminated may have been told
        codex.script(name, ["Hello."])
        assert codex.say("Hello").code == 0
        codex.settled()
        copies += [len(told) for told in codex.told(name)]
    assert (sum(copies), copies[2]) == (1, 0)
    assert hook_log(codex) == ""


def test_installed_by_its_command_it_works_and_uninstalled_the_file_is_what_it_was(codex: Codex) -> None:
    path = codex.codex_home / "hooks.json"
    whole = json.loads(path.read_text())
    path.write_text(json.dumps({**whole, "hooks": {}}, indent=2))
    before = path.read_bytes()
    codex.ours("install", codex.host)
    candidate = learned(codex)
    codex.script("two", ["Hello."])
    assert codex.say("Hello").code == 0
    codex.settled()
    assert [candidate in copies[0] for copies in codex.told("two")] == [True]
    codex.ours("uninstall", codex.host, "--verify")
    assert (path.read_bytes(), hook_log(codex)) == (before, "")


def test_a_session_that_begins_in_a_subfolder_belongs_to_the_same_project(codex: Codex) -> None:
    learned(codex)
    codex.folder = codex.project / "deep" / "below"
    codex.folder.mkdir(parents=True)
    codex.script("two", ["Hello."])
    assert codex.say("Hello").code == 0
    codex.settled()
    assert [len(copies) for copies in codex.told("two")] == [1]
    assert (pending(codex), hook_log(codex)) == ([], "")
    assert list(codex.folder.iterdir()) == []


def test_an_offer_that_the_model_never_answered_is_made_again(codex: Codex) -> None:
    learned(codex)
    codex.script("refused", status=400)
    codex.say("Hello")
    codex.settled()
    assert {len(copies) for copies in codex.told("refused")} == {1}
    codex.script("two", ["Hello."])
    assert codex.say("Hello").code == 0
    codex.settled()
    assert [len(copies) for copies in codex.told("two")] == [1]
    assert hook_log(codex) == ""


def test_nothing_that_the_client_was_told_is_learned_from(codex: Codex) -> None:
    learned(codex)
    codex.script("two", ["Hello."])
    assert codex.say("What is here?").code == 0
    codex.settled()
    read = read_session(codex.transcripts()[-1])
    assert [(item.kind, item.text) for item in read.observations] == [
        ("user", "What is here?"),
        ("assistant", "Hello."),
    ]


def skill(folder: Path, name: str) -> None:
    (folder / name).mkdir(parents=True)
    (folder / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: Use when {name} is wanted.\n---\nBody.\n")


def test_the_folders_that_the_client_reads_skills_from(codex: Codex) -> None:
    for name, folder in {"a": codex.project, "b": codex.home}.items():
        for where in ("agents", "codex", "claude", "gemini"):
            skill(folder / f".{where}" / "skills", f"{name}-{where}")
    assert skills_listed(codex, "root") == {"a-agents", "a-codex", "b-agents", "b-codex"}
    codex.folder = codex.project / "below"
    codex.folder.mkdir()
    assert skills_listed(codex, "below") == {"a-agents", "b-agents", "b-codex"}


def skills_listed(codex: Codex, name: str) -> set[str]:
    codex.script(name, ["Hello."])
    assert codex.say("Hello").code == 0
    codex.settled()
    return set(re.findall(r"Use when (\S+) is wanted", listed(codex, name)))


def test_a_fork_holds_the_one_copy_of_its_parent(codex: Codex) -> None:
    learned(codex)
    codex.script("two", [LOOK], ["Hello."])
    assert codex.say("Hello").code == 0
    codex.settled()
    session = read_session(codex.transcripts()[-1]).session_id
    codex.script("fork", [LOOK], ["Hello."])
    assert codex.say("Hello again", "fork", session).code == 0
    codex.settled()
    assert [len(copies) for copies in codex.told("fork")] == [1, 1]
    assert (pending(codex), hook_log(codex)) == ([], "")


def test_a_subagent_is_told_nothing(codex: Codex) -> None:
    learned(codex)
    spawn = {"tool": "multi_agent_v1/spawn_agent", "input": {"message": "Count the files."}}
    codex.script("two", [spawn], [{"tool": "Bash", "input": {"command": "sleep 1"}}], ["Three."], ["Done."])
    assert codex.say("Hello").code == 0
    codex.settled()
    bodies = [json.dumps(body["input"][-1]) for body in codex.requests("two")]
    told = dict(zip(bodies, codex.told("two"), strict=True))
    assert [copies for last, copies in told.items() if "Count the files." in last] == [[]]
    assert hook_log(codex) == ""


@pytest.mark.parametrize("history", [False, True])
def test_what_a_subagent_did_counts_to_the_session_that_began_it(codex: Codex, history: bool) -> None:
    spawn = {"tool": "multi_agent_v1/spawn_agent", "input": {"message": "Count the files.", "fork_context": history}}
    # The turns are taken by whoever asks first, so parent and subagent run the same command.
    codex.script("one", [spawn], *[[{"tool": "Bash", "input": {"command": "sleep 1"}}]] * 2, ["Done."], ["Done."])
    assert codex.say("Hello").code == 0
    codex.settled()
    (parent,) = [path for path in codex.transcripts() if '"thread_source":"user"' in path.read_text().split("\n")[0]]
    seen = [(item.kind, item.agent, item.command or item.text) for item in read_session(parent).observations]
    assert ("user", "subagent", "Count the files.") in seen
    assert [kind for kind, agent, what in seen if (agent, what) == ("subagent", "Hello")] == []
    assert sorted(agent for _, agent, what in seen if what == "sleep 1") == ["main", "subagent"]
    with Ledger.open(codex.state) as ledger:
        assert [ended.session for ended in ledger.outcomes()] == [read_session(parent).session_id]


def test_hooks_that_the_user_has_not_trusted_are_skipped(codex: Codex) -> None:
    codex.script("one", ["Hello."])
    assert codex.run("exec", "--skip-git-repo-check", "Hello").code == 0
    assert not codex.state.exists()


SWITCHES = {
    "features": "[features]\nhooks = false\n",
    "each hook": "".join(
        f'[hooks.state."FOLDER/hooks.json:{event}:0:0"]\nenabled = false\n'
        for event in ("session_start", "stop", "session_end")
    ),
}


@pytest.mark.parametrize("where", SWITCHES)
def test_hooks_that_are_switched_off_are_skipped_and_the_doctor_knows_it(codex: Codex, where: str) -> None:
    path = codex.codex_home / "config.toml"
    path.write_text(path.read_text() + SWITCHES[where].replace("FOLDER", str(codex.codex_home)))
    codex.script("one", ["Hello."])
    assert codex.say("Hello").code == 0
    assert not codex.state.exists()
    assert any("switches" in text for text in unhealthy(codex))
