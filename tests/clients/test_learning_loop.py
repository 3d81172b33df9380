"""What keeps failing is told to the next sessions as a warning, in the real clients, and is gone once it is reset."""

from __future__ import annotations

import itertools

from tests.clients.client import Client, Turn
from tests.clients.lesson import PROMPT, RUN, edit, read, write_project
from tests.clients.real_claude import Claude
from tests.clients.real_opencode import OpenCode

STRATEGY = "split-by-feature"
WARNING = "AVOID: Split by feature. Failed 3/3 times (100% failure rate)"
PLAN = "My plan is to split by feature: the rounding first, the formatting later."


def fails(client: Client, name: str) -> None:
    """A session that follows the strategy, changes something four times, and never gets the test to pass."""
    write_project(client)
    modes = ["ROUND_HALF_UP", "'ROUND_HALF_EVEN'", "'ROUND_DOWN'", "'ROUND_FLOOR'"]
    turns: list[Turn] = [[PLAN, read(client)]]
    for before, after in itertools.pairwise(modes):
        turns += [[edit(client, f"rounding={before})", f"rounding={after})")], [RUN]]
    client.session(name, *turns, ["I could not make it pass."], prompt=PROMPT)


def failing_sessions(client: Client) -> None:
    for name in ("one", "two", "three"):
        fails(client, name)


def told(client: Client, name: str) -> list[int]:
    """How often each main request of a session holds the warning."""
    client.session(name, prompt="Hello?")
    return [str(request).count(WARNING) for request in client.requests(name)]


def test_after_three_failing_sessions_claude_code_is_warned_until_the_reset(claude: Claude) -> None:
    failing_sessions(claude)
    assert told(claude, "four") == [1]
    claude.mind_skills("patterns", "reset", STRATEGY, "--project", ".")
    assert told(claude, "five") == [0]


def test_after_three_failing_sessions_opencode_is_warned_until_the_reset(opencode: OpenCode) -> None:
    failing_sessions(opencode)
    assert told(opencode, "four") == [1]
    opencode.mind_skills("patterns", "reset", STRATEGY, "--project", ".")
    assert told(opencode, "five") == [0]
