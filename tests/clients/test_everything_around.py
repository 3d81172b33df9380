"""The real Claude Code without a terminal: subagents, commands with a slash, refusals, and a skill that came of an offer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mind_skills.staging.ledger import Ledger
from tests.clients.lesson import script_lesson, write_project
from tests.clients.offers import blocks, hook_log, pending, sessions, settled
from tests.clients.real_claude import Client

LOOK = {"tool": "Bash", "input": {"command": "ls", "description": "Look around"}}
SKILL = (
    "---\nname: exact-money\ndescription: Use when prices are floats.\nmetadata:\n  candidate: {}\n---\nUse str().\n"
)


def learned(claude: Client) -> str:
    """Session one has been; returns the id of the candidate that waits."""
    write_project(claude)
    script_lesson(claude, "one")
    assert claude.say("The prices test fails, please fix it.").code == 0
    settled(claude)
    (candidate,) = pending(claude)
    return str(candidate["id"])


def told(claude: Client, script: str) -> list[int]:
    return [len(blocks(request)) for request in claude.requests(script)]


def history(claude: Client) -> list[tuple[str, str, str]]:
    with Ledger.open(claude.state) as ledger:
        return [(record.candidate.id, record.state, record.detail) for record in ledger.history()]


def writes(claude: Client, id_: str) -> tuple[Path, dict[str, Any]]:
    path = claude.project / ".claude/skills/exact-money/SKILL.md"
    return path, {"tool": "Write", "input": {"file_path": str(path), "content": SKILL.format(id_)}}


def test_a_subagent_is_told_nothing_and_every_main_request_the_same_once(claude: Client) -> None:
    learned(claude)
    job = {"description": "Count files", "prompt": "COUNT THE FILES HERE", "subagent_type": "Explore"}
    answers = [["So it is."] for _ in range(6)]
    claude.script("two", [{"tool": "Agent", "input": job}], *answers)
    assert claude.say("What is here?").code == 0
    settled(claude)
    subagent = [one for one in claude.requests("two") if "What is here?" not in json.dumps(one["messages"])]
    main = [one for one in claude.requests("two") if one not in subagent]
    assert (len(subagent) > 0, len(main) > 1) == (True, True)
    assert [blocks(request) for request in subagent] == [[]] * len(subagent)
    assert len({tuple(blocks(request)) for request in main}) == 1
    assert len(blocks(main[0])) == 1
    assert (len(sessions(claude)), hook_log(claude)) == (2, "")


def test_a_skill_written_by_the_session_that_was_told_is_listed_in_the_next_and_its_candidate_is_history(
    claude: Client,
) -> None:
    id_ = learned(claude)
    path, write = writes(claude, id_)
    claude.script("two", [write], ["Written."])
    assert claude.say("Hello", "--permission-mode", "bypassPermissions").code == 0
    settled(claude)
    assert "Use when prices are floats." not in json.dumps(claude.requests("two")[0])
    claude.script("three", [LOOK], ["Hello."])
    assert claude.say("Hello").code == 0
    settled(claude)
    assert told(claude, "three") == [0, 0]
    assert "exact-money: Use when prices are floats." in json.dumps(claude.requests("three")[0])
    assert (history(claude), pending(claude), hook_log(claude)) == ([(id_, "accepted", str(path))], [], "")


def test_compact_and_what_follows_never_hold_a_second_copy(claude: Client) -> None:
    learned(claude)
    claude.script("two", [LOOK], ["Hello."])
    assert claude.say("Hello").code == 0
    claude.script("compaction", ["A summary."])
    assert claude.say("/compact", "--continue").code == 0
    claude.script("after", [LOOK], ["Hello again."])
    assert claude.say("And now?", "--continue").code == 0
    settled(claude)
    assert told(claude, "two") == [1, 1]
    assert [count for name in ("compaction", "after") for count in told(claude, name) if count > 1] == []
    claude.script("three", ["Hello."])
    assert claude.say("Hello").code == 0
    settled(claude)
    assert (told(claude, "three"), len(sessions(claude)), hook_log(claude)) == ([0], 3, "")


def test_clear_and_exit_without_a_word_to_the_model_use_up_no_offer(claude: Client) -> None:
    learned(claude)
    for command in ("/clear", "/exit"):
        assert claude.say(command).code == 0
        settled(claude)
    claude.script("two", [LOOK], ["Hello."])
    assert claude.say("Hello").code == 0
    settled(claude)
    claude.script("three", ["Hello."])
    assert claude.say("Hello").code == 0
    settled(claude)
    assert (told(claude, "two"), told(claude, "three")) == ([1, 1], [0])
    assert ([state for _, state, _ in history(claude)], pending(claude), hook_log(claude)) == (["ignored"], [], "")


def test_a_turn_that_ends_in_an_error_of_the_api_loses_nothing(claude: Client) -> None:
    """No Stop then, but StopFailure, to which we do not listen: the end of the session reads what the pause did not."""
    write_project(claude)
    script_lesson(claude, "one", last=[{"refused": 400}])
    assert claude.say("The prices test fails, please fix it.").code != 0
    settled(claude)
    assert (len(pending(claude)), hook_log(claude)) == (1, "")
    claude.script("two", [LOOK], [{"refused": 400}])
    assert claude.say("Hello").code != 0
    settled(claude)
    assert set(told(claude, "two")) == {1}
    claude.script("three", ["Hello."])
    assert claude.say("Hello").code == 0
    settled(claude)
    assert told(claude, "three") == [0]  # session two has answered once before it was refused
