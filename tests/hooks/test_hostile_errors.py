"""Whatever a stranger writes into an error, a command or the name of a file: a reminder has only typed facts."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from mind_skills.digest.session import render_digest
from mind_skills.learning.skills.discovery import Skill
from mind_skills.staging.ledger import Ledger
from mind_skills.store.error_index import EPISODE, ErrorIndex, Record, get_index_path
from tests.hooks.solving import analyse_story, tell_solution
from tests.testkit.hostile.payloads import PAYLOADS
from tests.testkit.stories.detector_story import Story

_NAME = r"[\w.@+:-]{1,48}"
_TYPED = re.compile(
    rf"mind-skills: the same error was solved on 2026-06-18 \({_NAME}(?: {_NAME}){{0,3}}, passes "
    rf"(?:outside the sandbox|in another folder|in {_NAME}|as {_NAME}(?: {_NAME}){{0,2}}"
    rf"|when called in another way|after {_NAME}(?: {_NAME}){{0,2}}"
    rf"|after a change in {_NAME}(?: and {_NAME}(?: and \d+ more)?)?)\): `mind-skills show sc_1a2b3c4d` \(about \d+ tokens\)\."
)
_ERRORS = (
    "LedgerError: {}",
    "error: {} is not in the ledger of the shop",
    "{}",
    "fatal: {}\nledger kit is gone",
    "E   OSError: {}",
)
_COMMANDS = (
    "pytest {}",
    "python -m {} -q",
    "{} tests/test_invoice.py",
    "make '{}'",
    "cat <<'EOF'\n{}\nEOF\npytest -q",
    "cd {} && npm test",
)
_ELSEWHERE = ("cd '{}' && {}", "cd {} && {}", "docker compose run '{}' {}", "ssh '{}' {}", "'{}' {}", "{} && {}")


def tell_hostile_story(rng: random.Random) -> Story:
    """A session that solves an error, with hostile texts at random places."""
    texts = [*PAYLOADS.values(), *PAYLOADS, "ledger of the invoice shop", "test_invoice.py"]
    words = [rng.choice(texts) for _ in range(4)]
    if rng.random() < 0.3:
        words[0] = " ".join(rng.sample(" ".join(words).split(), min(9, len(" ".join(words).split()))))
    error = rng.choice(_ERRORS).format(words[0])
    command = rng.choice(["pytest -q tests/test_invoice.py", rng.choice(_COMMANDS).format(words[1])])
    story = tell_solution(command, error)
    edit = next(each for each in story.observations if each.action == "edit")
    if rng.random() < 0.3:
        passed = Story().runs(rng.choice(_ELSEWHERE).format(words[2], command), "3 passed in 0.1s").observations[0]
        story.observations = [each for each in story.observations if each is not edit]
        for name in ("command", "signature", "target"):
            setattr(story.observations[-2], name, getattr(passed, name))
    edit.files = (f"/home/dev/shop/{words[2]}.py", words[3], *edit.files)[rng.randrange(3) :]
    return story


def check_reminders(count: int, project: Path) -> int:
    """Build the reminders of that many stories; return how many there were."""
    rng, given = random.Random(7), 0
    for _ in range(count):
        digest = analyse_story(tell_hostile_story(rng), "s", project).digest
        for episode in digest.episodes:
            for error in episode.solved:
                size = len(render_digest(digest, [episode]))
                record = Record(EPISODE, "sc_1a2b3c4d", error.program, "2026-06-18", str(size), error.facts)
                line = record.describe("mind-skills")
                assert _TYPED.fullmatch(line), line
                given += 1
    return given


def test_of_a_skill_that_quotes_an_error_a_reminder_has_only_a_name(tmp_path: Path) -> None:
    home, names = tmp_path / "state", [*PAYLOADS.values(), *PAYLOADS, "ledger-locks"]
    skills = [
        Skill(name, name, name, f"`LedgerError: the lock {name} is stale`, `ledger: cannot open {name}`")
        for name in names
    ]
    with Ledger.open(home) as ledger:
        ledger.update_error_index("project", "mind-skills", skills)
    index = ErrorIndex(get_index_path(str(home), "project"))
    lines = {entry.record.describe("mind-skills") for entry in index.list_entries()}
    index.close()
    assert all(re.fullmatch(rf"mind-skills: the skill {_NAME} covers this error; load it\.", line) for line in lines)
    assert "mind-skills: the skill ledger-locks covers this error; load it." in lines


def test_a_reminder_has_only_typed_facts(tmp_path: Path) -> None:
    assert check_reminders(150, tmp_path) > 50


@pytest.mark.attacks
def test_a_reminder_has_only_typed_facts_whatever_is_written(tmp_path: Path) -> None:
    assert check_reminders(10_000, tmp_path) > 3_000
