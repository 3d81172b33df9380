"""The parts that need no process: when looks are due, what is known, which file belongs to which log, who watches."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.errors import MindSkillsError
from mind_skills.hooks.captured import FOLDER as CAPTURE
from mind_skills.staging.pending_file import NAME
from mind_skills.staging.projection import FOLDER
from mind_skills.watch.instance import Holder, Instance, holder
from mind_skills.watch.known import Known, fold, key
from mind_skills.watch.noticing import OVER, Noticing, Settings
from mind_skills.watch.paces import Paces
from mind_skills.watch.places import SPOOLS, Log, Root, log_of, roots
from mind_skills.watch.skills import PENDING


def test_a_look_is_due_after_the_quiet_step_and_never_later_than_the_longest_wait() -> None:
    paces: Paces[str] = Paces(10, 60)
    for now in range(0, 58, 2):
        paces.noticed("steady", now)
    paces.noticed("once", 50)
    assert (paces.next(), paces.take(59.9, 9)) == (60, [])
    assert paces.take(60, 9) == [("steady", 0), ("once", 0)]
    assert (len(paces), paces.next()) == (0, None)


def test_what_is_to_be_looked_at_later_is_not_looked_at_sooner() -> None:
    paces: Paces[str] = Paces(1, 5)
    paces.later("a", 0, 30, tries=2)
    paces.noticed("a", 1)
    paces.within("b", 0, 50)
    paces.within("b", 0, 40)
    paces.within("b", 0, 60)
    assert (paces.take(29, 9), paces.take(30, 9), paces.take(39, 9), paces.take(40, 9)) == (
        [],
        [("a", 2)],
        [],
        [("b", 0)],
    )


@given(st.lists(st.floats(0, 100), min_size=1), st.floats(0.1, 10), st.floats(0.1, 50))
def test_nothing_that_was_noticed_waits_longer_than_the_longest_wait(
    times: list[float], quiet: float, longest: float
) -> None:
    paces: Paces[str] = Paces(quiet, longest)
    for now in sorted(times):
        paces.noticed("a", now)
    due = paces.next()
    assert due is not None
    assert min(times) + quiet <= due + 1e-9 <= min(times) + max(quiet, longest) + 2e-9


def test_what_is_known_comes_back_and_damage_is_as_if_nothing_were_known(tmp_path: Path) -> None:
    known = Known(str(tmp_path))
    known.put("/a", fold(1, 2, 3))
    known.put("/b", 7)
    known.save()
    again = Known(str(tmp_path))
    assert (again.load(), again.state("/a"), again.state("/b"), again.state("/c")) == (True, fold(1, 2, 3), 7, None)
    again.keep_only([key("/b")])
    assert (again.state("/a"), again.state("/b"), len(again)) == (None, 7, 1)
    for damage in (b"", b"x" * 64, (tmp_path / "watch" / "known").read_bytes()[:-1]):
        (tmp_path / "watch" / "known").write_bytes(damage)
        damaged = Known(str(tmp_path))
        assert (damaged.load(), len(damaged)) == (False, 0)


@pytest.mark.parametrize(
    ("host", "below", "log"),
    [
        ("claude-code", "p/one.jsonl", "p/one.jsonl"),
        ("claude-code", "p/one/subagents/agent-1.jsonl", "p/one.jsonl"),
        ("claude-code", "p/one/tool-results/1.jsonl", None),
        ("claude-code", "p/one.txt", None),
        ("claude-code", "one.jsonl", None),
        ("codex", "2026/06/18/rollout-1-a.jsonl", "2026/06/18/rollout-1-a.jsonl"),
        ("codex", "history.jsonl", None),
        ("gemini", "p/chats/session-1.jsonl", "p/chats/session-1.jsonl"),
        ("gemini", "p/chats/session-1.json", "p/chats/session-1.json"),
        ("gemini", "p/logs.json", None),
        ("", "any/where/run.traj", "any/where/run.traj"),
        ("", "notes.txt", None),
    ],
)
def test_a_file_belongs_to_the_log_of_its_session(host: str, below: str, log: str | None) -> None:
    root = Root(host, "/link/logs", "/real/logs")
    assert log_of(root, f"/real/logs/{below}") == (None if log is None else Log("log", f"/link/logs/{log}"))


def test_a_database_is_one_with_what_is_written_ahead_of_it() -> None:
    root = Root("opencode", "/data", "/data", "opencode.db")
    found = [
        log_of(root, f"/data/{name}") for name in ("opencode.db", "opencode.db-wal", "opencode.db-shm", "log/x.db")
    ]
    assert found == [Log("database", "/data/opencode.db")] * 2 + [None, None]


def test_the_environment_says_where_hosts_keep_their_sessions(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in {
        "HOME": str(tmp_path),
        "CLAUDE_CONFIG_DIR": "/c",
        "CODEX_HOME": "/x",
        "GEMINI_CLI_HOME": "/g",
        "XDG_DATA_HOME": "/d",
        "OPENCODE_DB": "other.db",
    }.items():
        monkeypatch.setenv(name, value)
    found = [(root.host, root.path, root.name) for root in roots("/s", [str(tmp_path), "/n/one.jsonl"])]
    assert found == [
        ("claude-code", "/c/projects", ""),
        ("opencode", "/d/opencode", "other.db"),
        ("codex", "/x/sessions", ""),
        ("gemini", "/g/.gemini/tmp", ""),
        ("spool", "/s/spool", ""),
        ("", str(tmp_path), ""),
        ("", "/n", "one.jsonl"),
    ]


def test_names_that_are_repeated_here_are_those_of_their_owners() -> None:
    assert (str(Path(CAPTURE).parent), str(Path(FOLDER) / NAME)) == (SPOOLS, PENDING)


def test_one_instance_at_a_time_and_everybody_can_see_who(tmp_path: Path) -> None:
    home = str(tmp_path)
    assert holder(home) is None
    with Instance(home, 5_000) as instance:
        instance.say(3, polling=True)
        assert holder(home) == Holder(os.getpid(), 5_000, 3, True)
        with pytest.raises(MindSkillsError) as raised, Instance(home, 6_000):
            pass
        assert raised.value.code == "already_watching"
        assert instance.ours()
        (tmp_path / "watch" / "running").unlink()
        assert not instance.ours()
    assert holder(home) is None


@pytest.mark.parametrize("text", ["", "{", "[]", "1", '{"process": 3}', '{"process": "1 x y"}', "\xff"])
def test_whatever_stands_in_the_place_of_who_watches_is_nobody(tmp_path: Path, text: str) -> None:
    (tmp_path / "watch").mkdir()
    (tmp_path / "watch" / "running").write_text(text, "latin-1")
    assert holder(str(tmp_path)) is None


def test_a_look_that_fails_is_tried_three_times_and_then_given_up_until_the_log_changes(tmp_path: Path) -> None:
    events: list[object] = []
    noticing = Noticing(Known(str(tmp_path)), Settings(1, 1, 1), events.append)
    log = tmp_path / "one.jsonl"
    log.write_text("{}\n")
    noticing.roots = (Root("", str(tmp_path), str(tmp_path)),)
    noticing.event(str(log), 0.0)
    now, tries = 0.0, 0
    while (due := noticing.paces.next()) is not None:
        now = due
        (job,), (detail,) = noticing.take(now)
        assert detail == {"do": "log", "path": str(log), "root": ""}
        noticing.answered(job, {"failed": True, "said": ["no"]}, now)
        tries += 1
    assert (tries, now, noticing.totals["failed"]) == (3, 91.0, 1)
    assert events == [{"event": "problem", "message": "no"}] * 3
    assert noticing.swept(noticing.roots, now, now) == 1
    assert noticing.paces.next() is None
    log.write_text("{}\n{}\n")
    noticing.swept(noticing.roots, now, now)
    assert noticing.paces.next() == now + 1


def test_the_look_for_sessions_that_are_over_comes_when_the_next_can_be(tmp_path: Path) -> None:
    noticing = Noticing(Known(str(tmp_path)), Settings(1, 1, 100), lambda event: None)
    noticing.answered((OVER, 0, None), {"next": 30.0, "roots": ["/p"], "ended": 0, "said": []}, 0.0)
    assert (noticing.paces.next(), noticing.projects) == (30.0, ["/p"])
    noticing.answered((Log("log", "/x"), 0, 5), {"recover": None, "roots": ["/q", "/p"]}, 0.0)
    assert (noticing.paces.next(), noticing.projects, noticing.known.state("/x")) == (30.0, ["/p", "/q"], 5)
    noticing.answered((Log("log", "/x"), 0, 6), {"recover": True}, 10.0)
    assert noticing.paces.next() == 10.0


def test_events_are_documents_of_their_schema() -> None:
    from mind_skills.output.schema import adapter
    from mind_skills.watch.reports import WatchEventReport

    said = {"version": 1, "at": 1, "event": "linked", "candidate": "sc_00000000", "path": "/x"}
    assert adapter(WatchEventReport).validate_python(said) == WatchEventReport.of(said)
