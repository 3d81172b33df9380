"""The line that an agent gets when a command fails with an error that an earlier session solved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mind_skills.hooks.failure import claim, find_hits
from mind_skills.learning.skills.discovery import parse_skill
from mind_skills.staging.ledger import Ledger
from mind_skills.store.error_index import get_index_path
from mind_skills.store.project import digest_text, resolve_project
from tests.hooks.solving import COMMAND, DAY, ERROR, OUTPUT, analyse_story, fail, store_session, tell_solution
from tests.plugin.adapters.hook_host import Host
from tests.testkit.stories.detector_story import Story

LINE = (
    "mind-skills: the same error was solved on 2026-06-18 (pytest test_invoice.py, passes after a change in pyproject.toml): "
    "`mind-skills show {id}` (about 560 tokens)."
)


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    """The state folder, and a project."""
    (tmp_path / "project" / ".git").mkdir(parents=True)
    return tmp_path / "state", tmp_path / "project"


def find_id(home: Path, project: Path) -> str:
    with Ledger.open(home) as ledger:
        return next(iter(ledger.list_states(resolve_project(str(project)))))


def test_a_session_is_told_once_that_an_error_was_solved(places: tuple[Path, Path]) -> None:
    store_session(*places, tell_solution())
    line = LINE.format(id=find_id(*places))
    assert [fail(*places), fail(*places), fail(*places, session="third")] == [line, "", line]


def test_a_session_is_not_told_of_what_it_has_solved_itself(places: tuple[Path, Path]) -> None:
    store_session(*places, tell_solution(), "same")
    assert fail(*places, session="same") == ""


@pytest.mark.parametrize(
    ("command", "output", "is_same"),
    [
        ("cd shop && python -m pytest -x", OUTPUT, True),
        (COMMAND, f"\x1b[31mE   {ERROR}\x1b[0m", True),
        (COMMAND, OUTPUT.replace("ledgerkit", "otherkit"), False),
        ("make docs", OUTPUT, False),
        (COMMAND, "Exit code 1\nE   ModuleNotFoundError", False),
        (COMMAND, "x\n" * 400 + ERROR + "\n" + "y\n" * 400, False),
        (COMMAND, "x\n" * 400 + ERROR + "\n" + "y\n" * 40, True),
        (COMMAND, "", False),
        ("", OUTPUT, False),
    ],
)
def test_program_and_names_must_be_the_same(
    places: tuple[Path, Path], command: str, output: str, is_same: bool
) -> None:
    store_session(*places, tell_solution())
    assert bool(fail(*places, command, output)) is is_same


@pytest.mark.parametrize(
    ("error", "known", "met", "is_same"),
    [
        ("error TS{}: Cannot read the shared settings of ledgerkit", "5083", "5083", True),
        ("error TS{}: Cannot read the shared settings of ledgerkit", "5083", "6053", False),
        ("Error: the registry of packages answered with status {}", "401", "503", False),
        ("Error: the lock of ledgerkit needs python {}", "3.11", "3.13", False),
        ("Error: ledgerkit {} needs another lock", "2.0.1", "2.1.0", False),
        ("Error: connect to the ledgerkit server on port 5432 after {} seconds", "30", "70", True),
        ("Error: the ledgerkit server is gone: /home/{}/ledger.sock", "dev/shop", "ci/build7/shop", True),
    ],
)
def test_codes_and_versions_must_be_the_same(
    places: tuple[Path, Path], error: str, known: str, met: str, is_same: bool
) -> None:
    store_session(*places, tell_solution("yarn build", error.format(known)))
    assert fail(*places, "yarn build", f"Exit code 2\n{error.format(known)}", "other")
    assert bool(fail(*places, "yarn build", f"Exit code 2\n{error.format(met)}")) is is_same


def test_what_teaches_nothing_is_never_reported(places: tuple[Path, Path]) -> None:
    """Slips, wrong usage, failed tests, assertions, and what many causes share."""
    for error in (
        "tail: 2: No such file or directory",
        "AssertionError: expected the invoice to have three lines",
        "FAILED tests/test_invoice.py::test_the_total_of_an_invoice",
        "error: unknown option '--ledger-kit'",
        "SyntaxError: unexpected token in ledger kit",
        "error: failed to push some refs to 'github.com:owner/shop.git'",
        "Error: Process completed with exit code 1",
        "src/invoice.py:3: NameError: name 'ledgerkit' is not defined",
        "DEPRECATION WARNING: the ledger of invoices will be removed",
        "error: the kit of ledgers timed out",
        "LedgerError: cannot read the group in pyproject.toml",
    ):
        assert analyse_story(tell_solution(error=error), "s", places[1]).digest.episodes[0].solved == (), error


def test_only_what_was_solved_by_something_is_reported(places: tuple[Path, Path]) -> None:
    again = tell_solution().runs(COMMAND, f"E   {ERROR}", 1)
    flaky = replace_edit(("git status", "clean"))
    shown = replace_edit()
    shown.observations[-2].command += " 2>&1 | tail -5"
    noise = tell_solution()
    noise.observations[-2].text = f"{ERROR}\n3 passed in 0.1s"
    for story in (again, flaky, shown, noise):
        episodes = analyse_story(story, "s", places[1]).digest.episodes
        assert [each.solved for each in episodes] == [()] * len(episodes)


def replace_edit(*runs: tuple[str, str]) -> Story:
    """The session that solves the error, with other commands in place of the change."""
    story, others = tell_solution(), Story()
    for run in runs:
        others.runs(*run)
    at = next(number for number, each in enumerate(story.observations) if each.action == "edit")
    story.observations[at : at + 1] = others.observations
    return story


@pytest.mark.parametrize(
    ("runs", "remedy"),
    [
        ([("uv sync --group test", "Installed 3 packages")], "passes after uv sync test"),
        ([("make setup", "done"), ("git diff", "x"), ("ruff check", "All checks passed!")], "passes after make setup"),
        ([("cp ledger.example ledger.lock", "")], "passes after cp"),
    ],
)
def test_the_remedy_is_what_was_done_before_the_pass(
    places: tuple[Path, Path], runs: list[tuple[str, str]], remedy: str
) -> None:
    story = replace_edit(*runs)
    (solved,) = {each for episode in analyse_story(story, "s", places[1]).digest.episodes for each in episode.solved}
    assert solved.facts == f"pytest test_invoice.py, {remedy}"


@pytest.mark.parametrize(
    ("before", "after", "is_outside", "remedy"),
    [
        ("make ledger", "make ledger", True, "passes outside the sandbox"),
        ("git add a.py && make ledger", "make ledger", False, ""),
        ("make ledger", "mise trust && make ledger", False, "passes after mise trust"),
        ("make ledger", "cd /home/dev/shop && make ledger", False, "passes in shop"),
        ("cd web && make ledger", "make ledger", False, "passes in another folder"),
        ("make ledger", "docker compose run web make ledger", False, "passes in web"),
        ("make ledger", "make ledger --force", False, ""),
        ("make ledger", "make ledger || true", False, ""),
        ("make ledger", "make ledger --keep-going", False, ""),
        ("make ledger", "make ledger 2>&1 | tail -3", False, ""),
        ("make ledger", "make invoices", False, ""),
        ("make lint && make ledger", "make ledger", False, ""),
        ("ruff check && make ledger", "cd web && ruff check && make ledger", False, "passes in web"),
    ],
)
def test_the_same_command_may_pass_in_another_place(
    places: tuple[Path, Path], before: str, after: str, is_outside: bool, remedy: str
) -> None:
    story = replace_edit()
    for failed in story.observations[1], story.observations[3]:
        failed.command = before
    parts = [*Story().runs(before, f"E   {ERROR}", 1).runs(after, is_outside_sandbox=is_outside).observations]
    for index, part in ((1, 0), (3, 0), (4, 1)):
        found = story.observations[index]
        found.command, found.signature, found.target = parts[part].command, parts[part].signature, parts[part].target
        found.is_outside_sandbox = parts[part].is_outside_sandbox
    solved = [each for episode in analyse_story(story, "s", places[1]).digest.episodes for each in episode.solved]
    assert {each.facts.partition(", ")[2] for each in solved} == ({remedy} if remedy else set())


def test_what_passes_elsewhere_is_the_same_error_whatever_it_works_on(places: tuple[Path, Path]) -> None:
    error = "fatal: pathspec '{}' did not match any ledger"
    story = tell_solution("git add src/shop.py", error.format("src/shop.py"))
    story.observations[-2].command = "cd /home/dev/shop && git add src/shop.py"
    at = next(number for number, each in enumerate(story.observations) if each.action == "edit")
    del story.observations[at]
    store_session(*places, story)
    met = [("git add .ratchet.json", ".ratchet.json"), ("git add -A", ".ratchet.json"), ("git add docs", "docs")]
    lines = [
        fail(*places, command, f"Exit code 128\n{error.format(name)}", f"s{n}") for n, (command, name) in enumerate(met)
    ]
    assert ["passes in shop" in line for line in lines] == [True, False, False]


def test_wrong_usage_never_counts(places: tuple[Path, Path]) -> None:
    error = "error: unrecognized subcommand 'bun' of the ledger\n\nUsage: rtk [OPTIONS] <COMMAND>"
    story = tell_solution("rtk bun run test", error)
    story.observations = story.observations[:4]
    story.runs("bun run test", "3 passed in 0.1s").runs("git commit -am x", "[main 1a2b3c4]")
    assert [each.solved for each in analyse_story(story, "s", places[1]).digest.episodes] == [()]


def test_an_error_that_only_says_failed_counts_if_the_sandbox_was_the_cause(places: tuple[Path, Path]) -> None:
    error = "X Failed to log in to the ledger of the shop"
    for is_outside in (True, False):
        story = tell_solution("ledger status", error)
        story.observations[-2].is_outside_sandbox = is_outside
        found = [each.facts for each in analyse_story(story, "s", places[1]).digest.episodes[0].solved]
        assert found == (["ledger status, passes outside the sandbox"] if is_outside else [])


def test_a_dismissed_candidate_is_not_reported_until_that_is_undone(places: tuple[Path, Path]) -> None:
    home, project = places
    store_session(home, project, tell_solution())
    lines: list[bool] = []
    with Ledger.open(home) as ledger:
        for session, change in (("a", None), ("b", "dismiss"), ("c", "undo")):
            if change == "dismiss":
                ledger.dismiss(find_id(home, project), "no", DAY)
            elif change == "undo":
                ledger.undo(DAY + 1)
            lines.append(bool(fail(home, project, session=session)))
    assert lines == [True, False, True]


def test_a_skill_is_named_if_there_is_one(places: tuple[Path, Path]) -> None:
    home, project = places
    store_session(home, project, tell_solution())
    skill = project / ".claude/skills/dependency-groups/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: dependency-groups\n---\n")
    with Ledger.open(home) as ledger:
        ledger.accept(find_id(home, project), str(skill), DAY)
    assert fail(home, project) == "mind-skills: the skill dependency-groups covers this error; load it."


SKILL_TEXT = """---
name: ledger-locks
description: Use it when the shop cannot start, or for "LedgerError: the lock of the shop is stale".
---
Run `make ledger && make shop` first. If `error: the ledger of invoices is sealed` appears, unseal it.

```
LedgerError: cannot read the seal of invoice 4711
npm ERR! code ELIFECYCLE
```
A line such as "error: unknown option '--ledger-kit'" is wrong usage, and `ValueError: invalid` says nothing.
"""


@pytest.mark.parametrize(
    ("output", "is_covered"),
    [
        ("error: the ledger of invoices is sealed", True),
        ("E   LedgerError: cannot read the seal of invoice 12", True),
        ("LedgerError: the lock of the shop is stale", True),
        ("make ledger && make shop", False),
        ("npm ERR! code ELIFECYCLE", False),
        ("error: unknown option '--ledger-kit'", False),
        ("ValueError: invalid", False),
        ("error: the ledger of orders is sealed", False),
    ],
)
def test_a_skill_covers_the_errors_that_it_quotes(places: tuple[Path, Path], output: str, is_covered: bool) -> None:
    home, project = places
    place = resolve_project(str(project))
    skill = parse_skill(str(project / ".claude/skills/ledger-locks/SKILL.md"), SKILL_TEXT.encode())
    with Ledger.open(home) as ledger:
        ledger.update_error_index(place.id, "mind-skills", [skill])
        ledger.update_error_index(place.id)  # as after a decision, when the skills are not read again
    line = "mind-skills: the skill ledger-locks covers this error; load it."
    assert fail(home, project, "make shop", f"Exit code 2\n{output}\n") == (line if is_covered else "")


def test_a_skill_that_is_muted_or_gone_covers_nothing(places: tuple[Path, Path]) -> None:
    home, project = places
    place = resolve_project(str(project))
    skill = parse_skill(str(project / ".claude/skills/ledger-locks/SKILL.md"), SKILL_TEXT.encode())
    output = "error: the ledger of invoices is sealed"
    found: list[bool] = []
    with Ledger.open(home) as ledger:
        ledger.update_error_index(place.id, "mind-skills", [skill])
        for session, change in (
            ("a", lambda: ledger.mute(place.id, "ledger-locks", DAY)),
            ("b", lambda: ledger.unmute(place.id, "ledger-locks", [skill])),
            ("c", lambda: ledger.update_error_index(place.id, skills=[])),
            ("d", lambda: None),
        ):
            found.append(bool(fail(home, project, "make shop", output, session)))
            change()
    assert found == [True, False, True, False]
    assert not Path(get_index_path(str(home), place.id)).exists()


def test_a_share_of_errors_is_left_silent(places: tuple[Path, Path]) -> None:
    home, project = places
    store_session(home, project, tell_solution())
    shown = 0
    for number in range(200):
        session = digest_text(f"session {number}")
        hits = find_hits(str(home), resolve_project(str(project)).id, session, COMMAND, OUTPUT)
        shown += bool(claim(str(home), session, hits, DAY, 0.5))
        assert claim(str(home), session, hits, DAY, 0.5) == ""
    assert 70 < shown < 130


# -- as a host calls it ------------------------------------------------------------------------------------------------


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


def call(host: Host, session: str = "later", **more: object) -> str:
    """The reply to a failed call."""
    fields = {"tool_name": "Bash", "tool_input": {"command": COMMAND}, "error": OUTPUT, **more}
    code, out, problem = host.hook(host.payload("PostToolUseFailure", session, **fields))
    assert (code, problem, host.log()) == (0, b"", "")
    return out.decode()


def test_the_reply_is_context_for_the_failed_call(host: Host) -> None:
    assert call(host) == ""  # there is no state folder
    store_session(host.state, host.project, tell_solution())
    line = LINE.format(id=find_id(host.state, host.project))
    expected = {"hookSpecificOutput": {"hookEventName": "PostToolUseFailure", "additionalContext": line}}
    assert json.loads(call(host)) == expected
    assert [call(host), call(host, "b", is_interrupt=True), call(host, "b", agent_id="sub")] == ["", "", ""]
    assert [call(host, "b", tool_input={"file_path": "a"}), call(host, "b", error=None)] == ["", ""]
    assert json.loads(call(host, "b")) == expected


@pytest.mark.parametrize(
    ("settings", "is_shown"),
    [
        ("", True),
        ("reminders = true", True),
        ("reminders = false", False),
        ("enabled = false", False),
        ("retention_days = 90", True),
        ("retention_days = 90\nreminders = false", False),
        ("reminders_silent_share = 1.0", False),
    ],
)
def test_the_settings_decide_also_where_the_fast_path_cannot_read_them(
    host: Host, settings: str, is_shown: bool
) -> None:
    store_session(host.state, host.project, tell_solution())
    path = host.project.parent / ".config/mind-skills/mind-skills.toml"
    path.parent.mkdir(parents=True)
    path.write_text(settings)
    assert bool(call(host)) is is_shown


def test_a_project_may_only_switch_reminders_off(host: Host) -> None:
    store_session(host.state, host.project, tell_solution())
    (host.project / ".claude/mind-skills.toml").write_text("reminders = false")
    assert call(host) == ""
    user = host.project.parent / ".config/mind-skills/mind-skills.toml"
    user.parent.mkdir(parents=True)
    user.write_text("reminders = false")
    (host.project / ".claude/mind-skills.toml").write_text("reminders = true")
    assert call(host) == ""
