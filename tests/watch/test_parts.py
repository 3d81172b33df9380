"""The parts that need no process: the queue, the stored states, which file belongs to which log, who watches."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.errors import MindSkillsError
from mind_skills.hooks.captured_spools import FOLDER as CAPTURE
from mind_skills.staging.pending_file import FILE_NAME, FOLDER_NAME
from mind_skills.watch.instance import Instance, WatchingReport, read_holder
from mind_skills.watch.schedule import ENDED_SESSIONS, DelayQueue, InspectedStates, Job, Schedule, Settings
from mind_skills.watch.watched_files import (
    PENDING_PATH,
    SPOOL_FOLDER,
    Item,
    Root,
    combine_state,
    find_item,
    list_roots,
)
from mind_skills.watch.watcher import Watcher

A, B = Item("log", "/a"), Item("log", "/b")

ANTIGRAVITY_APPS = ("antigravity-cli", "antigravity", "antigravity-ide")


def test_repeated_changes_postpone_an_inspection_until_the_longest_wait_at_most() -> None:
    queue: DelayQueue = DelayQueue(10, 60)
    for now in range(0, 58, 2):
        queue.add_change(A, now)
    queue.add_change(B, 50)
    assert (queue.find_next_due_time(), queue.take_due(59.9, 9)) == (60, [])
    assert queue.take_due(60, 9) == [(A, 0), (B, 0)]
    assert (len(queue), queue.find_next_due_time()) == (0, None)


def test_a_long_queue_is_taken_in_order_and_not_searched_for_each_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    computed: list[Any] = []
    compute = DelayQueue._compute_due_time

    def count_and_compute(queue: DelayQueue, wait: Any) -> float:
        computed.append(wait)
        return compute(queue, wait)

    monkeypatch.setattr(DelayQueue, "_compute_due_time", count_and_compute)
    queue, items = DelayQueue(1, 1), [Item("log", f"/{number}") for number in range(4_000)]
    for number, item in enumerate(items):
        queue.add_change(item, number)
    taken: list[Item] = []
    while queue.find_next_due_time() is not None:
        queue.postpone(items[-1], 0, 5_000)
        taken += [item for item, _ in queue.take_due(4_500 if len(taken) < 3_999 else 5_000, 32)]
    assert taken == items
    assert len(computed) < 20 * len(items)


def test_the_search_for_ended_sessions_does_not_wait_for_a_long_queue() -> None:
    queue = DelayQueue(0, 0)
    for number in range(100):
        queue.add_change(Item("log", f"/{number}"), number)
    queue.take_due(100, 32)
    queue.hasten(ENDED_SESSIONS, 100, 5)
    queue.hasten(A, 100, 5)
    taken = [[item for item, _ in queue.take_due(now, 32)] for now in (101, 105, 106)]
    assert [ENDED_SESSIONS in batch for batch in taken] == [False, True, False]
    assert (taken[1][0], [item.path for item in taken[2]], len(queue)) == (
        ENDED_SESSIONS,
        [*(f"/{number}" for number in range(95, 100)), "/a"],
        0,
    )


def test_no_old_session_of_a_database_that_an_older_version_has_inspected_is_read(tmp_path: Path) -> None:
    """The older version stored the state of the database, but not until when it was inspected."""
    schedule = Schedule(str(tmp_path), Settings(0, 0, 1), lambda event: None)
    path, later = tmp_path / "opencode.db", tmp_path / "later.db"
    for each in (path, later):
        each.write_text("{}\n")
    schedule.roots = (Root("", str(tmp_path), str(tmp_path)),)
    schedule.states.put(f"root:{tmp_path}", 1)
    schedule.states.put(str(path), 7)
    schedule.sweep_logs(schedule.roots, 0.0, 100_000.0)
    jobs = {job.item.path: job.since for job in schedule.take_jobs(0.0)}
    assert jobs == {str(path): 13_600_000, str(later): 0}


def test_a_postponed_item_is_not_due_sooner_and_a_hastened_one_keeps_its_earliest_time() -> None:
    queue: DelayQueue = DelayQueue(1, 5)
    queue.postpone(A, 0, 30, attempts=2)
    queue.add_change(A, 1)
    queue.hasten(B, 0, 50)
    queue.hasten(B, 0, 40)
    queue.hasten(B, 0, 60)
    assert (queue.take_due(29, 9), queue.take_due(30, 9), queue.take_due(39, 9), queue.take_due(40, 9)) == (
        [],
        [(A, 2)],
        [],
        [(B, 0)],
    )


@given(st.lists(st.floats(0, 100), min_size=1), st.floats(0.1, 10), st.floats(0.1, 50))
def test_no_change_waits_longer_than_the_longest_wait(times: list[float], quiet: float, longest: float) -> None:
    queue: DelayQueue = DelayQueue(quiet, longest)
    for now in sorted(times):
        queue.add_change(A, now)
    due = queue.find_next_due_time()
    assert due is not None
    assert min(times) + quiet <= due + 1e-9 <= min(times) + max(quiet, longest) + 2e-9


def test_saved_states_are_loaded_again_and_a_damaged_file_counts_as_empty(tmp_path: Path) -> None:
    known = InspectedStates(str(tmp_path))
    known.put("/a", combine_state(1, 2, 3))
    known.put("/b", 7)
    known.save()
    again = InspectedStates(str(tmp_path))
    assert (again.load(), again.get("/a"), again.get("/b"), again.get("/c")) == (True, combine_state(1, 2, 3), 7, None)
    for damage in (b"", b"x" * 64, (tmp_path / "watch" / "known").read_bytes()[:-1]):
        (tmp_path / "watch" / "known").write_bytes(damage)
        damaged = InspectedStates(str(tmp_path))
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
        (
            "antigravity",
            "s/.system_generated/logs/transcript_full.jsonl",
            "s/.system_generated/logs/transcript_full.jsonl",
        ),
        ("antigravity", "s/.system_generated/logs/transcript.jsonl", "s/.system_generated/logs/transcript_full.jsonl"),
        ("antigravity", "s/.system_generated/logs/chunks/transcript/00000000.jsonl", None),
        ("antigravity", "s/task.md", None),
        ("", "any/where/run.traj", "any/where/run.traj"),
        ("", "notes.txt", None),
    ],
)
def test_a_file_belongs_to_the_log_of_its_session(host: str, below: str, log: str | None) -> None:
    root = Root(host, "/link/logs", "/real/logs")
    assert find_item(root, f"/real/logs/{below}") == (None if log is None else Item("log", f"/link/logs/{log}"))


def test_a_change_of_the_write_ahead_log_is_a_change_of_its_database() -> None:
    root = Root("opencode", "/data", "/data", "opencode.db")
    found = [
        find_item(root, f"/data/{name}") for name in ("opencode.db", "opencode.db-wal", "opencode.db-shm", "log/x.db")
    ]
    assert found == [Item("database", "/data/opencode.db")] * 2 + [None, None]


def test_the_folders_of_the_hosts_are_read_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, value in {
        "HOME": str(tmp_path),
        "CLAUDE_CONFIG_DIR": "/c",
        "CODEX_HOME": "/x",
        "GEMINI_CLI_HOME": "/g",
        "XDG_DATA_HOME": "/d",
        "OPENCODE_DB": "other.db",
    }.items():
        monkeypatch.setenv(name, value)
    found = [(root.host, root.path, root.name) for root in list_roots("/s", [str(tmp_path), "/n/one.jsonl"])]
    assert found == [
        ("claude-code", "/c/projects", ""),
        ("opencode", "/d/opencode", "other.db"),
        ("codex", "/x/sessions", ""),
        ("codex", "/x/archived_sessions", ""),
        ("gemini", "/g/.gemini/tmp", ""),
        *(("antigravity", f"{tmp_path}/.gemini/{app}/brain", "") for app in ANTIGRAVITY_APPS),
        ("spool", "/s/spool", ""),
        ("", str(tmp_path), ""),
        ("", "/n", "one.jsonl"),
    ]


def test_a_file_that_is_named_by_a_link_is_watched_in_its_own_folder(tmp_path: Path) -> None:
    log, link = tmp_path / "logs" / "one.jsonl", tmp_path / "link.jsonl"
    log.parent.mkdir()
    log.write_text("{}\n")
    link.symlink_to(log)
    (root,) = [root for root in list_roots(str(tmp_path), [str(link)]) if not root.host]
    assert find_item(root, str(log)) == Item("log", str(log))


def test_repeated_folder_names_equal_their_definitions() -> None:
    assert (str(Path(CAPTURE).parent), str(Path(FOLDER_NAME) / FILE_NAME)) == (SPOOL_FOLDER, PENDING_PATH)


def test_a_second_instance_is_refused_and_the_holder_is_published(tmp_path: Path) -> None:
    home = str(tmp_path)
    assert read_holder(home) is None
    with Instance(home, 5_000) as instance:
        instance.publish(3, polling=True)
        assert read_holder(home) == WatchingReport(pid=os.getpid(), since=5_000, files=3, polling=True)
        with pytest.raises(MindSkillsError) as raised, Instance(home, 6_000):
            pass
        assert raised.value.code == "already_watching"
        (tmp_path / "watch" / "running").unlink()
        assert read_holder(home) is None
        instance.renew()
        with pytest.raises(MindSkillsError), Instance(home, 6_000):
            pass


def test_a_watch_whose_lock_another_one_took_over_says_so(tmp_path: Path) -> None:
    home = str(tmp_path)

    def lose_lock() -> None:
        with Instance(home, 5_000) as first:
            (tmp_path / "watch" / "running").unlink()
            with Instance(home, 6_000):
                first.renew()

    with pytest.raises(MindSkillsError) as raised:
        lose_lock()
    assert raised.value.code == "already_watching"
    assert read_holder(home) is None


@pytest.mark.parametrize("text", ["", "{", "[]", "1", '{"process": 3}', '{"process": "1 x y"}', "\xff"])
def test_a_damaged_holder_file_names_no_watching_process(tmp_path: Path, text: str) -> None:
    (tmp_path / "watch").mkdir()
    (tmp_path / "watch" / "running").write_text(text, "latin-1")
    assert read_holder(str(tmp_path)) is None


def test_a_failing_inspection_is_tried_three_times_and_again_after_the_log_changes(tmp_path: Path) -> None:
    events: list[object] = []
    schedule = Schedule(str(tmp_path), Settings(1, 1, 1), events.append)
    log = tmp_path / "one.jsonl"
    log.write_text("{}\n")
    schedule.roots = (Root("", str(tmp_path), str(tmp_path)),)
    schedule.add_event(str(log), 0.0)
    now, attempts = 0.0, 0
    while (due := schedule.queue.find_next_due_time()) is not None:
        now = due
        (job,) = schedule.take_jobs(now)
        assert job == Job(Item("log", str(log)), attempts, job.state)
        schedule.process_result(job, {"failed": True, "problems": ["no"]}, now)
        attempts += 1
    assert (attempts, now, schedule.totals["failed"]) == (3, 91.0, 1)
    assert events == [{"event": "problem", "message": "no"}] * 3
    assert schedule.sweep_logs(schedule.roots, now, now) == 1
    assert schedule.queue.find_next_due_time() is None
    log.write_text("{}\n{}\n")
    schedule.sweep_logs(schedule.roots, now, now)
    assert schedule.queue.find_next_due_time() == now + 1


def fill_states(home: Path, *names: str) -> None:
    """Save states for these names, and for three files that were deleted."""
    saved = InspectedStates(str(home))
    for name in (*names, "/gone/a", "/gone/b", "/gone/c"):
        saved.put(name, 1)
    saved.save()


def test_only_the_states_of_deleted_files_are_discarded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mind_skills.watch.schedule.MAX_UNUSED_STATES", 2)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    logs, project = tmp_path / "logs", tmp_path / "project"
    skill = project / ".claude" / "skills" / "one" / "SKILL.md"
    for path in (logs / "one.jsonl", logs / "two.db", project / PENDING_PATH, skill):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}\n")
    files = [str(path) for path in (logs / "one.jsonl", logs / "two.db", project / PENDING_PATH, skill)]
    needed = [*files, f"root:{logs}", f"since:{logs / 'two.db'}"]
    fill_states(tmp_path, *needed)
    schedule = Schedule(str(tmp_path), Settings(1, 1, 1), lambda event: None)
    assert schedule.states.load()
    schedule.sweep_logs([Root("", str(logs), str(logs))], 0.0, 0.0)
    schedule.sweep_skills(0.0, 0.0)
    schedule.discard_unused_states()
    assert len(schedule.states) == 9  # the projects are unknown, so their skills may still exist
    schedule.process_result(Job(ENDED_SESSIONS, 0, None), {"projects": [str(project)]}, 0.0)
    schedule.sweep_skills(0.0, 0.0)
    schedule.discard_unused_states()
    assert ([schedule.states.get(name) for name in needed], len(schedule.states)) == ([1] * 6, 6)
    schedule.states.save()
    again = InspectedStates(str(tmp_path))
    assert (again.load(), len(again)) == (True, 6)
    again.discard_unused()
    assert len(again) == 0


def test_a_new_folder_discards_no_states_of_other_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mind_skills.watch.schedule.MAX_UNUSED_STATES", 2)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    logs, later = tmp_path / "logs", tmp_path / "later"
    logs.mkdir()
    for number in range(9):
        (logs / f"{number}.jsonl").write_text("{}\n")
    paths = (str(logs), str(later))
    watcher = Watcher(str(tmp_path), Settings(1, 1, 1), paths, lambda event: None, poll=False, verbose=False)
    with Instance(str(tmp_path), 0) as instance:
        try:
            watcher.begin(instance)
            states = watcher.schedule.states
            for number in range(9):
                states.put(str(logs / f"{number}.jsonl"), number)
            later.mkdir()
            (later / "one.jsonl").write_text("{}\n")
            watcher._tick(instance)
            assert states.get(f"root:{later}") == 1
            assert [states.get(str(logs / f"{number}.jsonl")) for number in range(9)] == [*range(9)]
        finally:
            watcher.finish()


def test_the_search_for_ended_sessions_is_due_when_the_next_session_can_have_ended(tmp_path: Path) -> None:
    schedule = Schedule(str(tmp_path), Settings(1, 1, 100), lambda event: None)
    schedule.process_result(
        Job(ENDED_SESSIONS, 0, None), {"next": 30.0, "projects": ["/p"], "ended": 0, "problems": []}, 0.0
    )
    assert (schedule.queue.find_next_due_time(), schedule.projects) == (30.0, ["/p"])
    schedule.process_result(Job(Item("log", "/x"), 0, 5), {"recover": False, "projects": ["/q", "/p"]}, 0.0)
    assert (schedule.queue.find_next_due_time(), schedule.projects, schedule.states.get("/x")) == (
        30.0,
        ["/p", "/q"],
        5,
    )
    schedule.process_result(Job(Item("log", "/x"), 0, 6), {"recover": True}, 10.0)
    assert schedule.queue.find_next_due_time() == 10.0
