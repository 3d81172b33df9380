"""A skill that the second session writes and six later ones load reaches the documented maturities, in the real clients."""

from __future__ import annotations

from tests.clients.client import Block, Client
from tests.clients.lesson import PROMPT, RUN, build_skill_call, edit, read, run_lesson, write_project
from tests.clients.real_claude import Claude
from tests.clients.real_opencode import OpenCode

NAME = "exact-money"
GROWTH = [
    ("candidate", 0.5),
    ("candidate", 0.5),
    ("established", 1.0),
    ("established", 1.0),
    ("proven", 1.5),
    ("proven", 1.5),
]
"""State and multiplier after each session that loaded it: 3 votes, then 5 helpful ones with less than 15 % harmful."""


def write_skill_from_offer(client: Client) -> str:
    """Run a session that learns and one that receives the offer and writes the skill; return the candidate's id."""
    run_lesson(client)
    (candidate,) = client.mind_skills("pending", "--project", ".")["candidates"]
    _, write = build_skill_call(client, candidate["id"], NAME)
    client.session("two", [write], ["I wrote a skill."], more=client.permission_arguments)
    assert client.count_offers("two")[0] == 1
    return str(candidate["id"])


def run_session_with_skill(client: Client, name: str, load: Block) -> None:
    """Run a session in which the error returns, and which overcomes it with the skill at once."""
    write_project(client)
    client.session(
        name,
        ["I run the test.", RUN],
        ["There is a skill for this.", load],
        [read(client)],
        [edit(client, "Decimal(price)", "Decimal(str(price))")],
        [RUN],
        ["Fixed: the test passes."],
        prompt=PROMPT,
        more=client.permission_arguments,
    )


def check_growth(client: Client, load: Block) -> None:
    id_ = write_skill_from_offer(client)
    seen: list[tuple[str, float]] = []
    for number in range(len(GROWTH)):
        run_session_with_skill(client, f"use {number}", load)
        (grown,) = client.mind_skills("skills", "list", "--project", ".")["skills"]
        seen.append((grown["state"], grown["multiplier"]))
    assert seen == GROWTH
    votes = [(vote["outcome"], vote["counts"]) for vote in grown["votes"]]
    assert (grown["candidate"], votes, grown["harmful"], grown["failing"]) == (id_, [("helpful", True)] * 6, 0, "")
    assert client.hook_log() == ""


def test_six_claude_code_sessions_prove_a_skill_and_count_as_getting_past_its_error(
    claude: Claude,
) -> None:
    check_growth(claude, {"tool": "Skill", "input": {"skill": NAME}})
    (proof,) = claude.mind_skills("proof", NAME, "--project", ".")["skills"]
    sides = [(proof["comparison"][side]["n"], proof["comparison"][side]["solved"]) for side in ("withSkill", "without")]
    assert (sides, proof["comparison"]["verdict"]) == ([(6, 6), (0, 0)], "not_enough_data")
    (archived,) = claude.mind_skills("skills", "archive", NAME, "--project", ".")["skills"]
    claude.session("away", prompt="Hello?", more=claude.permission_arguments)
    assert NAME not in str(claude.requests("away"))
    claude.mind_skills("skills", "restore", archived["target"], "--project", ".")
    claude.session("back", prompt="Hello?", more=claude.permission_arguments)
    assert NAME in str(claude.requests("back"))


def test_six_sessions_of_opencode_prove_a_skill(opencode: OpenCode) -> None:
    opencode.provide_ripgrep()
    check_growth(opencode, {"tool": "skill", "input": {"name": NAME}})
