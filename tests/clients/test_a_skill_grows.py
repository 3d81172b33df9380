"""A skill that the second session writes, and six later ones load, becomes what the documents' thresholds say, in the real clients."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, TypeAlias

from tests.clients import real_claude, real_codex, real_opencode
from tests.clients.lesson import script_lesson, write_project
from tests.clients.offers import blocks, hook_log, settled

NAME = "exact-money"
Runner: TypeAlias = "real_claude.Client | real_opencode.Client"
GROWTH = [
    ("candidate", 0.5),
    ("candidate", 0.5),
    ("established", 1.0),
    ("established", 1.0),
    ("proven", 1.5),
    ("proven", 1.5),
]
"""State and multiplier after each session that loaded it: 3 votes, then 5 helpful ones with less than 15 % harmful."""


def mind_skills(client: Runner, *arguments: str) -> Any:
    """What a command answers in the project."""
    line = [str(Path(sys.executable).with_name("mind-skills")), *arguments, "--project", ".", "--json"]
    environment = {"HOME": str(client.home), "MIND_SKILLS_HOME": str(client.state), "PATH": os.environ["PATH"]}
    done = subprocess.run(line, env=environment, cwd=client.project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def says(client: Runner, prompt: str) -> None:
    # Claude Code asks before it writes below .claude; the other's settings allow it.
    more = ("--permission-mode", "bypassPermissions") if isinstance(client, real_claude.Client) else ()
    assert client.say(prompt, *more).code == 0
    settled(client)


def writes_the_skill(client: Runner) -> str:
    """The first session learns; the second is told, and writes the skill. Returns the candidate's id."""
    write_project(client)
    script_lesson(client, "one")
    says(client, "The prices test fails, please fix it.")
    (candidate,) = mind_skills(client, "pending")["candidates"]
    said = f"name: {NAME}\ndescription: Use when a price is off by a cent.\nmetadata:\n  candidate: {candidate['id']}"
    text = f"---\n{said}\n---\nUse str().\n"
    path = str(client.project / ".claude/skills" / NAME / "SKILL.md")
    client.script("two", [{"tool": "Write", "input": {"file_path": path, "content": text}}], ["I wrote a skill."])
    says(client, "Hello.")
    assert len(blocks(client.requests("two")[0])) == 1
    return str(candidate["id"])


def loads_it(client: Runner, name: str, load: dict[str, Any]) -> None:
    """A session in which the error comes back, and that gets past it with the skill at once."""
    write_project(client)
    run = {"tool": "Bash", "input": {"command": "python3 -m unittest test_prices", "description": "Run the tests"}}
    path = str(client.project / "prices.py")
    edit = {"file_path": path, "old_string": "Decimal(price)", "new_string": "Decimal(str(price))"}
    client.script(
        name,
        ["I run the test.", run],
        ["There is a skill for this.", load],
        [{"tool": "Read", "input": {"file_path": path}}],
        [{"tool": "Edit", "input": edit}],
        [run],
        ["Fixed: the test passes."],
    )
    says(client, "The prices test fails, please fix it.")


def grows(client: Runner, load: dict[str, Any]) -> None:
    id_ = writes_the_skill(client)
    seen: list[tuple[str, float]] = []
    for number in range(len(GROWTH)):
        loads_it(client, f"use {number}", load)
        (skill,) = mind_skills(client, "skills", "why", NAME)["skills"]
        seen.append((skill["state"], skill["multiplier"]))
    assert seen == GROWTH
    votes = [(vote["outcome"], vote["counts"]) for vote in skill["votes"]]
    assert (skill["candidate"], votes, skill["harmful"], skill["failing"]) == (id_, [("helpful", True)] * 6, 0, "")
    assert hook_log(client) == ""


def test_six_sessions_of_claude_code_prove_a_skill_and_are_counted_as_having_got_past_its_error(
    claude: real_claude.Client,
) -> None:
    grows(claude, {"tool": "Skill", "input": {"skill": NAME}})
    (proof,) = mind_skills(claude, "proof", NAME)["skills"]
    sides = [(proof["comparison"][side]["n"], proof["comparison"][side]["solved"]) for side in ("withSkill", "without")]
    assert (sides, proof["comparison"]["verdict"]) == ([(6, 6), (0, 0)], "not_enough_data")
    (archived,) = mind_skills(claude, "archive", NAME)["skills"]
    claude.script("away", ["Hello."])
    says(claude, "Hello?")
    assert NAME not in str(claude.requests("away"))
    mind_skills(claude, "archive", archived["target"], "--restore")
    claude.script("back", ["Hello."])
    says(claude, "Hello?")
    assert NAME in str(claude.requests("back"))


def test_six_sessions_of_opencode_prove_a_skill(opencode: real_opencode.Client) -> None:
    # Its tool for skills needs ripgrep, which Codex brings along.
    opencode.extra["PATH"] = f"{real_codex.codex_binary().parents[1] / 'codex-path'}:/usr/local/bin:/usr/bin:/bin"
    grows(opencode, {"tool": "skill", "input": {"name": NAME}})
