"""Strategies are taken from plans and the agent's own words, not from those of others, and count if the task was divided."""

import pytest

from mind_skills.learning.strategies import StrategyCollector, find_named_strategies
from mind_skills.observations import builders

TEXT = "We split by feature and respect dependency order"


def tool(action, outcome="ok", agent="main"):
    return builders.build_tool_call("TodoWrite", action, line=1, command=TEXT, outcome=outcome, agent=agent)


@pytest.mark.parametrize(
    ("observation", "found"),
    [
        (builders.build_message("assistant", TEXT, line=1), True),
        (tool("task"), True),
        (tool("task", "unknown"), True),
        (tool("task", "rejected"), False),
        (tool("run"), False),
        (builders.build_message("user", TEXT, line=1), False),
        (builders.build_message("thinking", TEXT, line=1), False),
        (builders.build_message("assistant", TEXT, line=1, agent="subagent"), False),
        (tool("task", agent="subagent"), False),
        (builders.build_message("assistant", "Nothing of the kind", line=1), False),
    ],
)
def test_strategies_are_found_only_in_plans_and_messages_of_the_main_agent(observation, found):
    assert find_named_strategies(observation) == (["Split by feature", "Respect dependency chain"] if found else [])


def says(text=TEXT):
    return builders.build_message("assistant", text, line=1)


def calls(command, outcome="ok", agent="main"):
    return builders.build_tool_call("Task", "task", line=1, command=command, outcome=outcome, agent=agent)


def lists(command, outcome="ok"):
    return builders.build_tool_call("TodoWrite", "task", line=1, command=command, outcome=outcome)


def changes(outcome="ok"):
    return builders.build_tool_call("Edit", "edit", line=1, files=("/cart.py",), outcome=outcome)


PARTS = "the cart\nthe checkout"


@pytest.mark.parametrize(
    ("observations", "is_followed"),
    [
        ([says()], False),
        ([says(), says("1. the cart\n2. the checkout")], False),
        ([says(), calls("the cart")], False),
        ([says(), calls("the cart"), calls("the cart")], False),
        ([says(), calls("the cart"), calls("the checkout")], True),
        ([says(), calls("the cart"), calls("the checkout", "rejected")], False),
        ([says(), calls("the cart"), calls("the checkout", agent="subagent")], False),
        ([says(), calls(PARTS)], False),
        ([says(), lists(PARTS)], False),
        ([says(), lists(PARTS), changes()], False),
        ([says(), lists(PARTS), changes(), changes("failed")], False),
        ([says(), changes(), changes(), lists(PARTS)], False),
        ([says(), lists(PARTS), changes(), changes()], True),
        ([says(), lists(PARTS, "rejected"), changes(), changes()], False),
        ([lists(PARTS), says(), changes(), changes()], False),
        ([says(), lists("Run the failing test\nFix the bug\nRun all tests"), changes(), changes()], False),
        ([says(), lists("1. Read the code\n2. The cart\n3. Verify it"), changes(), changes()], False),
        ([lists(TEXT), changes(), changes()], False),
        ([lists(f"{TEXT}:\n- the cart\n- the checkout"), changes(), changes()], True),
        ([lists(f"{TEXT}, as follows.\n\n1. the cart"), changes(), changes()], False),
    ],
)
def test_a_strategy_is_followed_only_if_the_task_is_then_divided(observations, is_followed):
    collector = StrategyCollector()
    for observation in observations:
        collector.feed(observation)
    assert collector.list_followed() == (["Split by feature", "Respect dependency chain"] if is_followed else [])


ANNOUNCED = [
    "I will split by feature.",
    "We should split by feature here.",
    "My plan is to split by feature: the rounding first, the formatting later.",
    "Good. Let's split by feature, then run the tests.",
    "## Strategy: split by feature",
    "1. Split by feature",
    "Split by feature.\nWould that be enough?",
]
NOT_ANNOUNCED = [
    "Should I split by feature?",
    "Shall we split by feature here?",
    "Splitting by feature would be overkill here, so I do it in one go.",
    "I considered whether to split by feature. There is no need.",
    "I will not split by feature.",
    'You wrote "split by feature" last time; I do it in one go.',
    "Yesterday we split by feature, and it failed.",
    "The README says: split by feature.",
    "I see `git log --grep 'no' split by feature` in the history.",
    "If it gets larger, I would split by feature.",
    "It makes little sense to split by feature.",
    "The ids must be in sequential order.",
    "Tests with code 1 fail.",
    "The dependency chain of npm has a conflict.",
]


@pytest.mark.parametrize(
    ("text", "is_announced"), [(each, True) for each in ANNOUNCED] + [(each, False) for each in NOT_ANNOUNCED]
)
def test_only_what_the_agent_is_about_to_do_is_a_strategy_of_its_own(text, is_announced):
    assert find_named_strategies(says(text)) == (["Split by feature"] if is_announced else [])
