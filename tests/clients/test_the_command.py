"""The real Claude Code puts `mind-skills` on its agent's PATH, so that the agent can run the commands in an offer."""

from __future__ import annotations

from mind_skills.output.digests import BEGIN
from tests.clients.lesson import bash, stage_lesson
from tests.clients.real_claude import Claude
from tests.testkit.paths import ROOT


def test_the_agent_can_show_and_dismiss_a_candidate(claude: Claude) -> None:
    claude.provide_packages()
    candidate = stage_lesson(claude)
    claude.session(
        "two",
        [bash("command -v mind-skills")],
        [bash(f"mind-skills show {candidate}")],
        [bash(f'mind-skills dismiss {candidate} --reason "our linter says so"')],
        ["Done."],
        prompt="Is that worth a skill?",
    )
    output = "\n".join(claude.results("two"))
    assert str(ROOT / "bin/mind-skills") in output
    assert BEGIN in output
    assert f"Dismissed {candidate}: it will not be offered again in its project." in output
    assert (claude.pending(), claude.hook_log()) == ([], "")
