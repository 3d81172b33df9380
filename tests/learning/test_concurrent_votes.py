"""Concurrent votes, and killed processes: a vote is stored completely or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mind_skills.learning.credit import Credit, build_strategy_id
from mind_skills.learning.storage import SCHEMA
from mind_skills.store.database import Database

ID = build_strategy_id("shop", "Split by feature")


@contextmanager
def open_credit(home: Path) -> Iterator[Credit]:
    with Database.open(home, SCHEMA) as database:
        yield Credit(database)


KILLED = """if True:
    import os, signal, sys
    from mind_skills.learning import credit as credits
    from mind_skills.learning import storage
    from mind_skills.learning.storage import SCHEMA
    from mind_skills.store.database import Database
    with Database.open(sys.argv[1], SCHEMA) as database:
        credit = credits.Credit(database)
        for name in "ab":
            credit.vote("shop", name, ["Split by feature"], "harmful", at=1, now=1)
        setattr(%s, sys.argv[2], lambda *rest, **more: os.kill(os.getpid(), signal.SIGKILL))
        credit.vote("shop", "c", ["Split by feature"], "harmful", at=1, now=1)
"""


@pytest.mark.parametrize(
    ("storage", "method"),
    [("credits.Journal", "add"), ("storage.MaturityStorage", "store"), ("storage.PatternStorage", "store")],
)
def test_a_process_killed_during_a_vote_leaves_nothing_of_the_vote(tmp_path: Path, storage: str, method: str) -> None:
    line = [sys.executable, "-c", KILLED % storage, str(tmp_path), method]
    done = subprocess.run(line, check=False, env={**os.environ, "HOME": str(tmp_path)}, timeout=60)
    assert done.returncode == -signal.SIGKILL
    with open_credit(tmp_path) as credit:
        (standing,) = credit.list_standings("shop")
        assert (standing.pattern.failure_count, credit.list_warnings("shop")) == (2, [])
        assert [each.source for each in credit.list_decisions(ID)] == ["a", "b"]
        assert [vote.source for vote in credit._maturities.list_votes(ID)] == ["a", "b"]


VOTING = """if True:
    import sys
    from mind_skills.learning.credit import Credit
    from mind_skills.learning.storage import SCHEMA
    from mind_skills.store.database import Database
    with Database.open(sys.argv[1], SCHEMA, 60.0) as database:
        for number in range(4):
            Credit(database).vote("shop", f"{sys.argv[2]}-{number}", ["Split by feature"], "harmful", at=1, now=1)
"""


@pytest.mark.process
def test_concurrent_votes_are_all_counted_and_create_one_warning(tmp_path: Path) -> None:
    voters = [subprocess.Popen([sys.executable, "-c", VOTING, str(tmp_path), str(n)]) for n in range(8)]
    assert [voter.wait(120) for voter in voters] == [0] * 8
    with open_credit(tmp_path) as credit:
        (warning,), (standing, _) = credit.list_warnings("shop"), credit.list_standings("shop")
        assert warning.content == "AVOID: Split by feature. Failed 3/3 times (100% failure rate)"
        assert (standing.pattern.failure_count, standing.maturity.harmful_count) == (32, 32)
        assert len({each.source for each in credit.list_decisions(ID)}) == 32
        for _ in range(32):
            credit.undo("shop")
        assert (credit.list_standings("shop"), credit.undo("shop")) == ([], None)
