"""What keeps failing is told to the next sessions as a warning, in the real clients, and is gone once it is reset."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path
from typing import TypeAlias

from tests.clients import real_claude, real_opencode
from tests.clients.lesson import write_project
from tests.clients.offers import settled

STRATEGY = "split-by-feature"
WARNING = "AVOID: Split by feature. Failed 3/3 times (100% failure rate)"
PLAN = "My plan is to split by feature: the rounding first, the formatting later."
Runner: TypeAlias = "real_claude.Client | real_opencode.Client"


def script_failure(client: Runner, name: str) -> None:
    """A session that follows the strategy, changes something four times, and never gets the test to pass."""
    run = {"tool": "Bash", "input": {"command": "python3 -m unittest test_prices", "description": "Run the tests"}}
    path = str(client.project / "prices.py")
    modes = ["ROUND_HALF_UP", "'ROUND_HALF_EVEN'", "'ROUND_DOWN'", "'ROUND_FLOOR'"]
    turns: list[list[object]] = [[PLAN, {"tool": "Read", "input": {"file_path": path}}]]
    for before, after in itertools.pairwise(modes):
        edit = {"file_path": path, "old_string": f"rounding={before})", "new_string": f"rounding={after})"}
        turns += [[{"tool": "Edit", "input": edit}], [run]]
    turns.append(["I could not make it pass."])
    client.script(name, *turns)


def failing_sessions(client: Runner) -> None:
    for name in ("one", "two", "three"):
        write_project(client)
        script_failure(client, name)
        assert client.say("The prices test fails, please fix it.").code == 0
        settled(client)


def reset(client: Runner) -> None:
    """A person takes the warning back."""
    line = [str(Path(sys.executable).with_name("mind-skills")), "patterns", "reset", STRATEGY, "--project", "."]
    environment = {"HOME": str(client.home), "MIND_SKILLS_HOME": str(client.state), "PATH": os.environ["PATH"]}
    done = subprocess.run(line, env=environment, cwd=client.project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def told(client: Runner, name: str) -> list[int]:
    """How often each main request of a session holds the warning."""
    client.script(name, ["Hello."])
    assert client.say("Hello?").code == 0
    settled(client)
    return [str(request).count(WARNING) for request in client.requests(name)]


def test_three_failing_sessions_of_claude_code_warn_the_fourth_until_it_is_reset(claude: real_claude.Client) -> None:
    failing_sessions(claude)
    assert told(claude, "four") == [1]
    reset(claude)
    assert told(claude, "five") == [0]


def test_three_failing_sessions_of_opencode_warn_the_fourth_until_it_is_reset(opencode: real_opencode.Client) -> None:
    failing_sessions(opencode)
    assert told(opencode, "four") == [1]
    reset(opencode)
    assert told(opencode, "five") == [0]
