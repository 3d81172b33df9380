"""What `team status` says of a project that its user wants to share."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mind_skills.store.database import Database
from mind_skills.store.home import get_state_folder
from mind_skills.team import outbox
from mind_skills.team.contributions import TeamKey, digest_project
from tests.testkit.paths import DEMO

KEY = TeamKey("acme", b"k" * 32)
HINT = (
    "To share a project, set `share_with_team` to true for it, and give it the git remote `origin`, whose address is how clones"
    " are recognised as one project.\n"
)


def test_a_project_without_a_remote_is_not_shared_and_the_status_says_what_is_missing(
    mind_skills: Callable[..., Any], project: Path
) -> None:
    subprocess.run(["git", "init", "-q", project], check=True)
    mind_skills("replay", DEMO, "--stage", "--project", project)
    mind_skills("config", "set", "share_with_team", "true", "--project", project)
    with Database.open(get_state_folder(), outbox.SCHEMA) as database, database.writing() as sql:
        outbox.add_member(sql, "postgresql://alice@db.example.test/team", KEY)
        member = outbox.find_member(sql)
    status = mind_skills("team", "status")
    assert (status.out.splitlines()[1].partition(",")[0], status.err) == ("0 projects shared", HINT)
    subprocess.run(["git", "-C", project, "remote", "add", "origin", "git@host.example.test:shop.git"], check=True)
    status = mind_skills("team", "status")
    assert (status.out.splitlines()[1].partition(",")[0], status.err) == ("1 project shared", "")
    report = mind_skills("team", "status", "--json").json
    digest = digest_project(KEY, "git@host.example.test:shop.git").hex()
    assert report["shared"] == [{"folder": str(project), "hash": digest}]
    assert (member is not None and member.device) == report["device"]
    assert digest in status.out
    assert report["device"] in status.out
