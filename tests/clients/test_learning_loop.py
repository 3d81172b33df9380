"""The next sessions are warned against a strategy that keeps failing, in the real clients, until it is reset."""

from __future__ import annotations

import itertools

from tests.clients.client import Block, Client, Turn
from tests.clients.lesson import PROMPT, RUN, edit, read, write_project
from tests.clients.real_claude import Claude
from tests.clients.real_opencode import OpenCode

STRATEGY = "split-by-feature"
WARNING = "AVOID: Split by feature. Failed 3/3 times (100% failure rate)"
PLAN = "My plan is to split by feature: the rounding first, the formatting later."


def divide(client: Client) -> list[Block]:
    """Divide the task as the plan says: by a list of its parts or, as Claude Code has none here, by a subagent for each."""
    parts = ("The rounding", "The formatting")
    if isinstance(client, OpenCode):
        todos = [{"content": part, "status": "pending", "priority": "high", "id": part} for part in parts]
        return [{"tool": "todowrite", "input": {"todos": todos}}]
    jobs = [
        {"description": part, "prompt": f"Look at it: {part}", "subagent_type": "general-purpose"} for part in parts
    ]
    return [{"tool": "Agent", "input": job} for job in jobs]


def run_failing_session(client: Client, name: str) -> None:
    """Run a session that follows the strategy, changes the code three times, and never gets the test to pass."""
    write_project(client)
    modes = ["ROUND_HALF_UP", "'ROUND_HALF_EVEN'", "'ROUND_DOWN'", "'ROUND_FLOOR'"]
    turns: list[Turn] = [[PLAN, *divide(client)], [read(client)]]
    for before, after in itertools.pairwise(modes):
        turns += [[edit(client, f"rounding={before})", f"rounding={after})")], [RUN]]
    client.session(name, *turns, ["I could not make it pass."], prompt=PROMPT, subagent=[["Looked."]])


def run_failing_sessions(client: Client) -> None:
    for name in ("one", "two", "three"):
        run_failing_session(client, name)


def count_warnings(client: Client, name: str) -> list[int]:
    """Count the warnings in each main request of a new session."""
    client.session(name, prompt="Hello?")
    return [str(request).count(WARNING) for request in client.requests(name)]


def test_after_three_failing_sessions_claude_code_is_warned_until_the_reset(claude: Claude) -> None:
    run_failing_sessions(claude)
    assert count_warnings(claude, "four") == [1]
    claude.mind_skills("patterns", "reset", STRATEGY, "--project", ".")
    assert count_warnings(claude, "five") == [0]


def test_after_three_failing_sessions_opencode_is_warned_until_the_reset(opencode: OpenCode) -> None:
    run_failing_sessions(opencode)
    assert count_warnings(opencode, "four") == [1]
    opencode.mind_skills("patterns", "reset", STRATEGY, "--project", ".")
    assert count_warnings(opencode, "five") == [0]
