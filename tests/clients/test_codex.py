"""The real Codex: what it writes is accepted, its subagents, and its switches; more in test_every_client.py."""

from __future__ import annotations

import json

import pytest

from mind_skills.observations.read import read_session
from mind_skills.settings.table import TABLE
from mind_skills.staging.ledger import Ledger
from tests.clients.lesson import LOOK, bash, build_skill_call, stage_lesson
from tests.clients.real_codex import Codex


def test_a_skill_that_the_session_writes_is_accepted_and_listed_by_the_client(codex: Codex) -> None:
    candidate = stage_lesson(codex)
    folder = str(TABLE["skills_dir.codex"].default)
    path, write = build_skill_call(codex, candidate, folder=folder)
    codex.session("two", [write], ["Written."])
    assert path.read_text() == write["input"]["content"]
    assert f" {folder}/<name>/SKILL.md" in codex.list_offers("two")[0][0]
    assert "Use when prices are floats." not in codex.read_first_request("two")
    assert (codex.pending(), codex.history()) == ([], [(candidate, "accepted", str(path))])
    codex.session("three", [{"tool": "Read", "input": {"file_path": f"{folder}/exact-money/SKILL.md"}}], ["Hello."])
    assert "Use when prices are floats." in codex.read_first_request("three")
    codex.session("four", prompt="Please $exact-money")
    assert codex.list_uses() == [
        ("exact-money", str(path), "read", candidate),
        ("exact-money", str(path), "host", candidate),
    ]
    assert codex.hook_log() == ""


def test_a_session_whose_model_calls_tools_by_script_is_analysed_and_its_skill_accepted(codex: Codex) -> None:
    codex.use_newer_model()
    candidate = stage_lesson(codex)
    path, write = build_skill_call(codex, candidate, folder=str(TABLE["skills_dir.codex"].default))
    codex.session("two", [LOOK], [write], ["Written."])
    assert codex.count_offers("two") == [1, 1, 1]
    assert path.read_text() == write["input"]["content"]
    assert (codex.pending(), codex.history()) == ([], [(candidate, "accepted", str(path))])
    assert codex.hook_log() == ""


def test_a_subagent_receives_no_offer(codex: Codex) -> None:
    stage_lesson(codex)
    spawn = {"tool": "multi_agent_v1/spawn_agent", "input": {"message": "Count the files."}}
    codex.session("two", [spawn], [bash("sleep 1")], ["Three."], ["Done."])
    bodies = [json.dumps(body["input"][-1]) for body in codex.requests("two")]
    offers = dict(zip(bodies, codex.list_offers("two"), strict=True))
    assert [copies for last, copies in offers.items() if "Count the files." in last] == [[]]
    assert codex.hook_log() == ""


@pytest.mark.parametrize("history", [False, True])
def test_a_subagents_work_belongs_to_its_parent_session(codex: Codex, history: bool) -> None:
    spawn = {"tool": "multi_agent_v1/spawn_agent", "input": {"message": "Count the files.", "fork_context": history}}
    # Parent and subagent take the turns in any order, so they run the same command.
    codex.session("one", [spawn], *[[bash("sleep 1")]] * 2, ["Done."], ["Done."])
    (parent,) = [path for path in codex.transcripts() if '"thread_source":"user"' in path.read_text().split("\n")[0]]
    seen = [(item.kind, item.agent, item.command or item.text) for item in read_session(parent).observations]
    assert ("user", "subagent", "Count the files.") in seen
    assert [kind for kind, agent, what in seen if (agent, what) == ("subagent", "Hello")] == []
    assert sorted(agent for _, agent, what in seen if what == "sleep 1") == ["main", "subagent"]
    with Ledger.open(codex.state) as ledger:
        assert [ended.session for ended in ledger.list_outcomes()] == [read_session(parent).session_id]


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
def test_disabled_hooks_are_skipped_and_doctor_reports_them(codex: Codex, where: str) -> None:
    switch = SWITCHES[where].replace("FOLDER", str(codex.codex_home))
    codex.config.write_text(codex.config.read_text() + switch)
    codex.script("one", ["Hello."])
    assert codex.say("Hello").code == 0
    assert not codex.state.exists()
    assert any("disables" in text for text in codex.list_failed_checks())
