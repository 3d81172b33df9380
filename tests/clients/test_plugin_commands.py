"""The plugin's own commands in the real Claude Code: listed for the user, absent from the model's context, and working."""

from __future__ import annotations

import json

import pytest

from tests.clients.lesson import bash, build_skill_call, stage_lesson
from tests.clients.real_claude import Claude
from tests.testkit.paths import ROOT

COMMANDS = sorted(f"mind-skills:{path.stem}" for path in (ROOT / "commands").glob("*.md"))


def test_the_slash_commands_are_listed_for_the_user_and_absent_from_the_models_context(claude: Claude) -> None:
    claude.script("one", ["Hello."])
    ran = claude.say("Hello", "--verbose")
    (listed,) = [event for event in json.loads(ran.stdout) if event.get("subtype") == "init"]
    assert sorted(name for name in listed["slash_commands"] if name.startswith("mind-skills")) == COMMANDS
    assert "mind-skills:" not in json.dumps(claude.requests("one"))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_slash_command_reaches_the_model_and_may_run_mind_skills_without_asking(claude: Claude, name: str) -> None:
    claude.provide_packages()
    claude.script("one", [bash("mind-skills status --json")], ["Done."])
    ran = claude.run("-p", f"/{name} the float", *claude.plugin_arguments(), "--permission-mode", "default")
    assert ran.code == 0
    text = (ROOT / "commands" / f"{name.partition(':')[2]}.md").read_text().partition("\n---\n")[2].strip()
    sent = json.dumps(claude.requests("one")[0]["messages"])
    assert json.dumps(text.replace("$ARGUMENTS", "the float"))[1:-1] in sent
    (printed,) = claude.results("one")
    assert json.loads(printed)["enabled"] is True
    claude.wait_until_settled()
    assert (claude.pending(), claude.hook_log()) == ([], "")


def test_the_learn_command_finds_the_learning_and_its_skill_accepts_the_candidate(claude: Claude) -> None:
    claude.provide_packages()
    candidate = stage_lesson(claude)
    path, write = build_skill_call(claude, candidate)
    accept = bash(f"mind-skills accept {candidate} --skill {path.relative_to(claude.project)}")
    claude.session(
        "learn",
        [bash("mind-skills learn --json")],
        [write],
        [accept],
        ["Kept as exact-money."],
        prompt="/mind-skills:learn",
        more=(*claude.resume_arguments, *claude.permission_arguments),
    )
    found = json.loads(claude.results("learn")[-3])
    assert [each["id"] for each in found["candidates"]] == [candidate]
    assert f"Accepted {candidate}" in claude.results("learn")[-1]
    assert claude.history() == [(candidate, "accepted", str(path))]
    assert (claude.pending(), claude.hook_log()) == ([], "")
