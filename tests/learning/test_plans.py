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
        ([says(), calls("the cart\nthe checkout")], True),
        ([calls("the cart\nthe checkout"), says()], False),
        ([calls(TEXT)], False),
        ([calls(f"{TEXT}:\n- the cart\n- the checkout")], True),
        ([calls(f"{TEXT}, as follows.\n\n1. the cart")], False),
    ],
)
def test_a_strategy_is_followed_only_if_the_task_is_then_divided(observations, is_followed):
    collector = StrategyCollector()
    for observation in observations:
        collector.feed(observation)
    assert collector.list_followed() == (["Split by feature", "Respect dependency chain"] if is_followed else [])
