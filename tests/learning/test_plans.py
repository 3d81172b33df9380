"""Strategies are taken from plans and the agent's own words, not from those of others."""

import pytest

from mind_skills.learning.strategies import find_followed_strategies
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
    assert find_followed_strategies(observation) == (["Split by feature", "Respect dependency chain"] if found else [])
