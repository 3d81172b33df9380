"""The real Claude Code without a terminal: subagents, commands with a slash, refusals, and a skill that came of an offer."""

from __future__ import annotations

import json

from tests.clients.lesson import LOOK, PROMPT, build_skill_call, script_lesson, stage_lesson, write_project
from tests.clients.observing import find_offers
from tests.clients.real_claude import Claude


def test_a_subagent_receives_no_offer_and_every_main_request_the_same_single_copy(claude: Claude) -> None:
    stage_lesson(claude)
    job = {"description": "Count files", "prompt": "COUNT THE FILES HERE", "subagent_type": "Explore"}
    answers = [["So it is."] for _ in range(6)]
    claude.session("two", [{"tool": "Agent", "input": job}], *answers, prompt="What is here?")
    subagent = [one for one in claude.requests("two") if "What is here?" not in json.dumps(one["messages"])]
    main = [one for one in claude.requests("two") if one not in subagent]
    assert (len(subagent) > 0, len(main) > 1) == (True, True)
    assert [find_offers(request) for request in subagent] == [[]] * len(subagent)
    assert len({tuple(find_offers(request)) for request in main}) == 1
    assert len(find_offers(main[0])) == 1
    assert (len(claude.sessions()), claude.hook_log()) == (2, "")


def test_a_skill_written_from_an_offer_is_listed_in_the_next_session_and_its_candidate_accepted(
    claude: Claude,
) -> None:
    id_ = stage_lesson(claude)
    path, write = build_skill_call(claude, id_)
    claude.session("two", [write], ["Written."], more=claude.permission_arguments)
    assert "Use when prices are floats." not in json.dumps(claude.requests("two")[0])
    claude.session("three", [LOOK], ["Hello."])
    assert claude.count_offers("three") == [0, 0]
    assert "exact-money: Use when prices are floats." in json.dumps(claude.requests("three")[0])
    assert (claude.history(), claude.pending(), claude.hook_log()) == ([(id_, "accepted", str(path))], [], "")


def test_no_request_during_or_after_compaction_has_a_second_copy_of_the_offer(claude: Claude) -> None:
    stage_lesson(claude)
    claude.script("two", [LOOK], ["Hello."])
    assert claude.say("Hello").code == 0
    claude.script("compaction", ["A summary."])
    assert claude.say("/compact", "--continue").code == 0
    claude.session("after", [LOOK], ["Hello again."], prompt="And now?", more=claude.resume_arguments)
    assert claude.count_offers("two") == [1, 1]
    assert [count for name in ("compaction", "after") for count in claude.count_offers(name) if count > 1] == []
    claude.session("three")
    assert (claude.count_offers("three"), len(claude.sessions()), claude.hook_log()) == ([0], 3, "")


def test_clear_and_exit_without_a_model_request_use_up_no_offer(claude: Claude) -> None:
    stage_lesson(claude)
    for command in ("/clear", "/exit"):
        assert claude.say(command).code == 0
        claude.wait_until_settled()
    claude.session("two", [LOOK], ["Hello."])
    claude.session("three")
    assert (claude.count_offers("two"), claude.count_offers("three")) == ([1, 1], [0])
    assert ([state for _, state, _ in claude.history()], claude.pending(), claude.hook_log()) == (["ignored"], [], "")


def test_a_turn_that_ends_in_an_api_error_loses_no_learning(claude: Claude) -> None:
    """The client sends StopFailure, which we do not hook, instead of Stop: the end of the session reads that turn."""
    write_project(claude)
    script_lesson(claude, last=[{"refused": 400}])
    assert claude.say(PROMPT).code != 0
    claude.wait_until_settled()
    assert (len(claude.pending()), claude.hook_log()) == (1, "")
    claude.script("two", [LOOK], [{"refused": 400}])
    assert claude.say("Hello").code != 0
    claude.wait_until_settled()
    assert set(claude.count_offers("two")) == {1}
    claude.session("three")
    assert claude.count_offers("three") == [0]  # session two has answered once before it was refused
