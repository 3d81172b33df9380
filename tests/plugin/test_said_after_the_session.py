"""An agent that speaks of a task once more, after its session was judged by its log, has no second vote."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.learning.sqlite_credit import lasting_credit
from mind_skills.learning.tables import PACKAGE, STEPS
from mind_skills.plugin import state
from mind_skills.plugin.tools.caller import RUNNING
from mind_skills.store.database import Database
from mind_skills.store.project import find

NOW = 1_800_000_000_000
LINE = ("complete", "shop-1", "--summary", "Split by feature", "--json")


def test_what_the_log_has_voted_on_its_agent_does_not_vote_on(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, apart: Path, project: Path
) -> None:
    monkeypatch.setattr(state, "now", lambda: NOW)
    with Database.open(apart / "state", PACKAGE, STEPS) as database:
        credit = lasting_credit(database)
        credit.vote(find(folder=str(project)).id, "session-1", ["Split by feature"], "harmful", at=NOW, now=NOW)
    monkeypatch.setenv(RUNNING, "session-1")
    said = mind_skills(*LINE).json
    assert (said["voted"], [(each["helpful"], each["harmful"]) for each in said["patterns"]]) == (False, [(0, 1)])
    monkeypatch.setenv(RUNNING, "session-2")
    other = mind_skills("complete", "shop-2", *LINE[2:]).json
    assert (other["voted"], [(each["helpful"], each["harmful"]) for each in other["patterns"]]) == (True, [(1, 1)])
    monkeypatch.delenv(RUNNING)
    person = mind_skills(*LINE).json
    assert (person["voted"], [(each["helpful"], each["harmful"]) for each in person["patterns"]]) == (True, [(2, 1)])
