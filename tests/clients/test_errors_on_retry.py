"""What is open of a task is told to the session that is resumed, and to no other, in the real clients."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TypeAlias

from mind_skills.hooks.reminding import PREFACE
from tests.clients import real_claude, real_opencode
from tests.clients.lesson import write_project
from tests.clients.offers import hook_log, settled

COMMAND = str(Path(sys.executable).with_name("mind-skills"))
MESSAGE = "the price list took too long to load"
Runner: TypeAlias = "real_claude.Client | real_opencode.Client"


def recording(client: Runner) -> None:
    """A session whose agent puts down what went wrong in its task."""
    write_project(client)
    line = f"{COMMAND} errors record shop-12 '{MESSAGE}' --type timeout"
    client.script("one", [{"tool": "Bash", "input": {"command": line, "description": "Note the error"}}], ["I stop."])
    assert client.say("Please load the price list.").code == 0
    settled(client)


def told(client: Runner, name: str, *more: str) -> list[int]:
    """How often each main request of a session is reminded, with the message; the command that kept it printed it, too."""
    client.script(name, ["Hello."])
    assert client.say("And now?", *more).code == 0
    settled(client)
    requests = [str(request) for request in client.requests(name)]
    return [request.count(PREFACE) if f"**{MESSAGE}**" in request else 0 for request in requests]


def resolve(client: Runner) -> None:
    """A person says that it is done."""
    environment = {"HOME": str(client.home), "MIND_SKILLS_HOME": str(client.state), "PATH": os.environ["PATH"]}
    line = [COMMAND, "errors", "resolve", "shop-12"]
    done = subprocess.run(line, env=environment, cwd=client.project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_claude_code_that_is_resumed_is_told_once(claude: real_claude.Client) -> None:
    recording(claude)
    assert [told(claude, name, "--continue") for name in ("two", "three")] == [[1], [1]]  # its context keeps the one
    assert told(claude, "another") == [0]
    resolve(claude)
    assert (told(claude, "four", "--continue"), hook_log(claude)) == ([0], "")


def test_opencode_that_is_resumed_is_told_until_it_is_resolved(opencode: real_opencode.Client) -> None:
    recording(opencode)
    assert [told(opencode, name, "--continue") for name in ("two", "three")] == [[1], [1]]
    assert told(opencode, "another") == [0]
    resolve(opencode)
    assert (told(opencode, "four", "--continue"), hook_log(opencode)) == ([0], "")
