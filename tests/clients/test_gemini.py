"""The real Gemini CLI: it learns, is told once, is not told again, and what it writes is accepted."""

from __future__ import annotations

import json
import os
import re
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from mind_skills.observations.read import read_session
from mind_skills.plugin.settings import SKILLS_DIR
from tests.clients.hook_client import history, listed, unhealthy, used
from tests.clients.lesson import script_lesson, write_project
from tests.clients.offers import hook_log, pending
from tests.clients.real_gemini import Gemini

LOOK = {"tool": "Bash", "input": {"command": "ls", "description": "Look around"}}
WAITED = 60.0
"""Seconds until something counts as never happening; nothing here is measured."""


def learned(gemini: Gemini) -> str:
    """Session one has been, and its candidate waits; returns its id."""
    write_project(gemini)
    script_lesson(gemini, "one")
    ran = gemini.say("The prices test fails, please fix it.")
    assert (ran.code, "Failed" in ran.stderr) == (0, False), ran.stderr
    gemini.settled()
    assert gemini.told("one") == [[]] * 7
    assert [(item.get("injectedAt"), item["host"]) for item in pending(gemini)] == [(None, "gemini")]
    identity: str = pending(gemini)[0]["id"]
    return identity


def test_it_learns_is_told_once_and_is_not_told_again(gemini: Gemini) -> None:
    candidate = learned(gemini)

    gemini.script("two", [LOOK], [LOOK], ["Nothing to do."])
    assert gemini.say("What is here?").code == 0
    gemini.settled()
    told = gemini.told("two")
    block = told[0][0]
    assert told == [[block]] * 3
    assert candidate in block

    gemini.script("two again", [LOOK], ["Still nothing."])
    assert gemini.say("And now?", "--resume", "latest").code == 0
    gemini.settled()
    assert gemini.told("two again") == [[block]] * 2

    gemini.script("three", [LOOK], ["Nothing."])
    assert gemini.say("Hello?").code == 0
    gemini.settled()
    assert gemini.told("three") == [[], []]
    assert (pending(gemini), hook_log(gemini)) == ([], "")


def test_a_skill_that_the_session_writes_is_accepted_and_listed_by_the_client(gemini: Gemini) -> None:
    candidate = learned(gemini)
    folder = SKILLS_DIR["gemini"]
    path = gemini.project / folder / "decimal-money" / "SKILL.md"
    text = f"---\nname: decimal-money\ndescription: Use when money is summed.\nmetadata:\n  candidate: {candidate}\n---\nUse str().\n"
    gemini.script("two", [{"tool": "Write", "input": {"file_path": str(path), "content": text}}], ["Written."])
    assert gemini.say("Hello").code == 0
    gemini.settled()
    assert path.read_text() == text
    assert f"`{folder}/<name>/SKILL.md`" in gemini.told("two")[0][0]
    assert "Use when money is summed." not in listed(gemini, "two")
    assert (pending(gemini), history(gemini)) == ([], [(candidate, "accepted", str(path))])
    gemini.script("three", [{"tool": "activate_skill", "input": {"name": "decimal-money"}}], ["Hello."])
    assert gemini.say("Hello").code == 0
    gemini.settled()
    assert "Use when money is summed." in listed(gemini, "three")
    assert used(gemini) == [("decimal-money", str(path), "tool", candidate)]
    assert hook_log(gemini) == ""


@pytest.mark.parametrize("word", [signal.SIGKILL, signal.SIGTERM])
def test_a_session_that_is_killed_is_finished_by_the_next_start(gemini: Gemini, word: signal.Signals) -> None:
    write_project(gemini)
    script_lesson(
        gemini,
        "one",
        last=[{"tool": "Bash", "input": {"command": "touch begun; exec sleep 30", "description": "Wait"}}],
    )
    with gemini.started("The prices test fails, please fix it.") as running:
        end = time.monotonic() + WAITED
        while not (gemini.project / "begun").exists():
            assert time.monotonic() < end
            time.sleep(0.05)
        os.killpg(running.pid, word)
        running.communicate()
    gemini.settled()
    if word == signal.SIGKILL:
        assert pending(gemini) == []
    copies: list[int] = []
    for name in ("two", "three", "four"):  # the end of one that was terminated may have been told
        gemini.script(name, ["Hello."])
        assert gemini.say("Hello").code == 0
        gemini.settled()
        copies += [len(told) for told in gemini.told(name)]
    assert (sum(copies), copies[2]) == (1, 0)
    assert hook_log(gemini) == ""


def test_installed_by_its_command_it_works_and_uninstalled_the_file_is_what_it_was(gemini: Gemini) -> None:
    path = gemini.settings
    whole = json.loads(path.read_text())
    path.write_text(json.dumps({**whole, "hooks": {}}, indent=2))
    before = path.read_bytes()
    gemini.ours("install", gemini.host)
    candidate = learned(gemini)
    gemini.script("two", ["Hello."])
    assert gemini.say("Hello").code == 0
    gemini.settled()
    assert [candidate in copies[0] for copies in gemini.told("two")] == [True]
    gemini.ours("uninstall", gemini.host, "--verify")
    assert (path.read_bytes(), hook_log(gemini)) == (before, "")


def test_a_session_that_begins_in_a_subfolder_belongs_to_the_same_project(gemini: Gemini) -> None:
    learned(gemini)
    gemini.folder = gemini.project / "deep" / "below"
    gemini.folder.mkdir(parents=True)
    gemini.script("two", ["Hello."])
    assert gemini.say("Hello").code == 0
    gemini.settled()
    assert [len(copies) for copies in gemini.told("two")] == [1]
    assert (pending(gemini), hook_log(gemini)) == ([], "")
    assert list(gemini.folder.iterdir()) == []


def test_an_offer_that_the_model_never_answered_is_made_again(gemini: Gemini) -> None:
    learned(gemini)
    gemini.script("refused", status=400)
    gemini.say("Hello")
    gemini.settled()
    assert {len(copies) for copies in gemini.told("refused")} == {1}
    gemini.script("two", ["Hello."])
    assert gemini.say("Hello").code == 0
    gemini.settled()
    assert [len(copies) for copies in gemini.told("two")] == [1]
    assert hook_log(gemini) == ""


def test_nothing_that_the_client_was_told_is_learned_from(gemini: Gemini) -> None:
    learned(gemini)
    gemini.script("two", ["Hello."])
    assert gemini.say("What is here?").code == 0
    gemini.settled()
    read = read_session(gemini.transcripts()[-1])
    assert [(item.kind, item.text) for item in read.observations] == [
        ("user", "What is here?"),
        ("assistant", "Hello."),
    ]


def skill(folder: Path, name: str) -> None:
    (folder / name).mkdir(parents=True)
    (folder / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: Use when {name} is wanted.\n---\nBody.\n")


def test_the_folders_that_the_client_reads_skills_from(gemini: Gemini) -> None:
    for name, folder in {"a": gemini.project, "b": gemini.home}.items():
        for where in ("agents", "codex", "claude", "gemini"):
            skill(folder / f".{where}" / "skills", f"{name}-{where}")
    assert skills_listed(gemini, "root") == {"a-agents", "a-gemini", "b-agents", "b-gemini"}
    gemini.folder = gemini.project / "below"
    gemini.folder.mkdir()
    assert skills_listed(gemini, "below") == {"b-agents", "b-gemini"}


def skills_listed(gemini: Gemini, name: str) -> set[str]:
    gemini.script(name, ["Hello."])
    assert gemini.say("Hello").code == 0
    gemini.settled()
    return set(re.findall(r"Use when (\S+) is wanted", listed(gemini, name)))


@pytest.mark.parametrize("switch", [{"enabled": False}, {"disabled": ["mind-skills"]}])
def test_hooks_that_are_switched_off_are_skipped_and_the_doctor_knows_it(gemini: Gemini, switch: Any) -> None:
    gemini.settings.write_text(json.dumps(json.loads(gemini.settings.read_text()) | {"hooksConfig": switch}))
    gemini.script("one", ["Hello."])
    assert gemini.say("Hello").code == 0
    assert not gemini.state.exists()
    assert any("switches" in text for text in unhealthy(gemini))


def test_after_a_compression_there_is_no_second_copy_and_the_summary_is_nobodys_words(gemini: Gemini) -> None:
    learned(gemini)
    data = json.loads(gemini.settings.read_text()) | {"model": {"compressionThreshold": 0.02}}
    gemini.settings.write_text(json.dumps(data))
    copies: list[list[int]] = []
    for name in ("two", "three", "four", "five"):  # each answer is other words: the same ones count as a loop
        gemini.script(name, [" ".join(f"{name}{number}" for number in range(4000))])
        assert gemini.say(f"Please say {name}.", *(["--resume", "latest"] if name != "two" else [])).code == 0
        copies.append([len(told) for told in gemini.told(name)])
    gemini.settled()
    assert copies == [[1], [1], [1], [0]]
    said = [item for item in read_session(gemini.transcripts()[-1]).observations if item.kind == "user"]
    assert [item.text for item in said] == [f"Please say {name}." for name in ("two", "three", "four", "five")]
    assert (pending(gemini), hook_log(gemini)) == ([], "")
