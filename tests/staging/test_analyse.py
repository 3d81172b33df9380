import json

import pytest

from mind_skills.observations import incremental
from mind_skills.staging import analyse as module
from mind_skills.staging.analyse import analyse, analyse_growing_log


def find_evidence_lines(candidates):
    """First and last evidence line of the best candidate."""
    return [(each.evidence[0].line, each.evidence[-1].line) for each in candidates[:1]]


def write_log(path, turns):
    rows = []
    for number, (role, content) in enumerate(turns):
        stamp = f"2026-01-01T00:{number // 60 % 60:02d}:{number % 60:02d}Z"
        message = {"role": role, "content": content}
        rows.append(
            {
                "type": role,
                "uuid": str(number),
                "sessionId": "s",
                "cwd": "/home/dev/shop",
                "timestamp": stamp,
                "message": message,
            }
        )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def call(number, name, given, output, failed=False):
    return [
        ("assistant", [{"type": "tool_use", "id": f"t{number}", "name": name, "input": given}]),
        ("user", [{"type": "tool_result", "tool_use_id": f"t{number}", "content": output, "is_error": failed}]),
    ]


EPISODE = [
    *call(1, "Bash", {"command": "go test ./..."}, "Exit code 1\n--- FAIL: TestShow\n  got nil", failed=True),
    ("assistant", [{"type": "text", "text": "Root cause: the constructor skips the lookup for new sessions."}]),
    *call(2, "Edit", {"file_path": "/home/dev/shop/show.go", "old_string": "a", "new_string": "b"}, "updated"),
    *call(3, "Bash", {"command": "go test ./..."}, "ok  \tshop\t0.01s"),
]


def test_analysing_a_log_returns_its_header_outcome_and_candidates(tmp_path):
    found = analyse(write_log(tmp_path / "s.jsonl", EPISODE))
    assert (found.session.session_id, found.session.project, found.session.lines) == ("s", "/home/dev/shop", 7)
    assert (found.observation_count, found.tool_call_count, found.has_replied, found.outcome.success) == (
        4,
        3,
        True,
        True,
    )
    assert find_evidence_lines(found.candidates) == [(1, 7)]


def make_reads(many):
    return [
        turn
        for number in range(10, 10 + many)
        for turn in call(number, "Read", {"file_path": f"/home/dev/shop/{number}.go"}, "text")
    ]


def find_changed_offsets(path, monkeypatch, limits):
    """The numbers of calls before the episode for which these window limits change the lines of its candidate."""
    found = []
    for before in range(30, 90):
        write_log(path, [*make_reads(before), *EPISODE, *make_reads(50)])
        whole = analyse(path)
        with monkeypatch.context() as patch:
            for name, value in limits.items():
                patch.setattr(module, name, value)
            cut = analyse(path)
        assert (len(find_evidence_lines(whole.candidates)), cut.observation_count) == (1, whole.observation_count)
        if find_evidence_lines(cut.candidates) != find_evidence_lines(whole.candidates):
            found.append(before)
    return found


BY_OBSERVATIONS = {"WINDOW_OBSERVATIONS": 40, "MAX_WINDOW_CHARACTERS": 300_000}
BY_CHARACTERS = {"MAX_WINDOW_CHARACTERS": 400}


@pytest.mark.process
@pytest.mark.parametrize("limits", [BY_OBSERVATIONS, BY_CHARACTERS], ids=["by observations", "by characters"])
def test_an_episode_has_the_same_lines_wherever_a_window_ends(tmp_path, monkeypatch, limits):
    assert find_changed_offsets(tmp_path / "s.jsonl", monkeypatch, limits) == []


@pytest.mark.process
@pytest.mark.parametrize("limits", [BY_OBSERVATIONS, BY_CHARACTERS], ids=["by observations", "by characters"])
def test_an_episode_at_the_end_of_a_window_changes_if_windows_do_not_overlap(tmp_path, monkeypatch, limits):
    assert len(find_changed_offsets(tmp_path / "s.jsonl", monkeypatch, limits | {"OVERLAP_OBSERVATIONS": 0})) > 1


def test_a_skill_that_the_session_wrote_is_listed_with_its_path_line_and_text(tmp_path):
    given = {"file_path": "/home/dev/shop/.claude/skills/show/SKILL.md", "content": "---\nname: show\n---\nLook first."}
    found = analyse(write_log(tmp_path / "s.jsonl", call(1, "Write", given, "written")))
    assert [(skill.path, skill.line, "name: show" in skill.text) for skill in found.skills_written] == [
        (given["file_path"], 1, True)
    ]


def test_a_session_without_a_message_of_the_agent_has_not_replied(tmp_path):
    assert analyse(write_log(tmp_path / "s.jsonl", [("user", "hello there, are you here")])).has_replied is False


def make_exchange(number):
    return [("user", f"now look at number {number}"), ("assistant", [{"type": "text", "text": "There it is."}])]


PAGE = [
    ("assistant", [{"type": "tool_use", "id": "page", "name": "WebFetch", "input": {"url": "https://x.test"}}]),
    ("user", [{"type": "tool_result", "tool_use_id": "page", "content": "text"}]),
]


@pytest.mark.parametrize(
    "limits", [{}, {"WINDOW_OBSERVATIONS": 12, "MAX_WINDOW_CHARACTERS": 300_000}], ids=["one", "several"]
)
def test_an_episode_rests_on_what_was_read_in_an_earlier_window_or_read_of_the_log(tmp_path, monkeypatch, limits):
    for name, value in limits.items():
        monkeypatch.setattr(module, name, value)
    rows = [*make_exchange(1), *PAGE, *(row for number in range(2, 9) for row in make_exchange(number)), *EPISODE]
    path = write_log(tmp_path / "s.jsonl", [*rows, *make_exchange(9)])
    assert {each.taint for each in analyse(path).candidates} == {("web",)}
    monkeypatch.setattr(incremental, "MAX_OBSERVATIONS", 9)
    resumed = analyse_growing_log(path, analyse_growing_log(path).resume_state)
    assert resumed.first_line > len(make_exchange(1) + PAGE)
    assert {each.taint for each in resumed.candidates} == {("web",)}


def test_a_resumed_analysis_begins_at_the_first_stored_request_of_the_user(tmp_path, monkeypatch):
    path = write_log(
        tmp_path / "s.jsonl", [*make_exchange(1), *EPISODE, *make_exchange(2), *EPISODE, *make_exchange(3)]
    )
    whole = analyse(path)
    assert find_evidence_lines(whole.candidates) == [(3, 18)]
    lines = {}
    for most in (8, 9, 30):
        monkeypatch.setattr(incremental, "MAX_OBSERVATIONS", most)
        found = analyse_growing_log(path, analyse_growing_log(path).resume_state)
        lines[most] = (found.first_line, find_evidence_lines(found.candidates))
    assert lines == {8: (10, [(12, 18)]), 9: (10, [(12, 18)]), 30: (1, [(3, 18)])}
