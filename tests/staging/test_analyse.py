import json

import pytest

from mind_skills.detectors import registry, scorer
from mind_skills.observations import incremental
from mind_skills.staging import analyse as module
from mind_skills.staging.analyse import analyse, analyse_growing_log


@pytest.fixture(autouse=True)
def sure_of_little(monkeypatch):
    """Whatever is likelier than one in fifty is told: what is tested is how a log is taken apart, and not how sure anybody is."""
    open_to_all = scorer.load_shipped_model()._replace(tiers={"high": 0.9, "medium": 0.02, "waiting": 0.02})
    for place in (scorer, registry):
        monkeypatch.setattr(place, "load_shipped_model", lambda: open_to_all)


def lines_of(candidates):
    """First and last line of the best of them."""
    return [(each.evidence[0].line, each.evidence[-1].line) for each in candidates[:1]]


def log(path, turns):
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


def test_a_log_gives_its_header_its_outcome_and_its_candidates(tmp_path):
    found = analyse(log(tmp_path / "s.jsonl", EPISODE))
    assert (found.session.session_id, found.session.project, found.session.lines) == ("s", "/home/dev/shop", 7)
    assert (found.observations, found.tools, found.replied, found.outcome.success) == (4, 3, True, True)
    assert lines_of(found.candidates) == [(1, 7)]


def quiet(many):
    return [
        turn
        for number in range(10, 10 + many)
        for turn in call(number, "Read", {"file_path": f"/home/dev/shop/{number}.go"}, "text")
    ]


def differing(path, monkeypatch, limits):
    """After how many other calls the episode is told otherwise where windows are cut by these limits."""
    found = []
    for before in range(30, 90):
        log(path, [*quiet(before), *EPISODE, *quiet(50)])
        whole = analyse(path)
        with monkeypatch.context() as patch:
            for name, value in limits.items():
                patch.setattr(module, name, value)
            cut = analyse(path)
        assert (len(lines_of(whole.candidates)), cut.observations) == (1, whole.observations)
        if lines_of(cut.candidates) != lines_of(whole.candidates):
            found.append(before)
    return found


BY_NUMBER = {"WINDOW_OBSERVATIONS": 40, "MAX_WINDOW_CHARACTERS": 300_000}
BY_TEXT = {"MAX_WINDOW_CHARACTERS": 400}


@pytest.mark.process
@pytest.mark.parametrize("limits", [BY_NUMBER, BY_TEXT], ids=["by number", "by text"])
def test_an_episode_is_told_the_same_wherever_a_window_ends(tmp_path, monkeypatch, limits):
    assert differing(tmp_path / "s.jsonl", monkeypatch, limits) == []


@pytest.mark.process
@pytest.mark.parametrize("limits", [BY_NUMBER, BY_TEXT], ids=["by number", "by text"])
def test_without_what_windows_share_it_would_be_cut(tmp_path, monkeypatch, limits):
    assert len(differing(tmp_path / "s.jsonl", monkeypatch, limits | {"OVERLAP_OBSERVATIONS": 0})) > 1


def test_a_skill_that_the_session_wrote_is_named_with_its_line(tmp_path):
    given = {"file_path": "/home/dev/shop/.claude/skills/show/SKILL.md", "content": "---\nname: show\n---\nLook first."}
    found = analyse(log(tmp_path / "s.jsonl", call(1, "Write", given, "written")))
    assert [(skill.path, skill.line, "name: show" in skill.text) for skill in found.skills_written] == [
        (given["file_path"], 1, True)
    ]


def test_a_session_in_which_the_agent_said_nothing_has_not_replied(tmp_path):
    assert analyse(log(tmp_path / "s.jsonl", [("user", "hello there, are you here")])).replied is False


def talk(number):
    return [("user", f"now look at number {number}"), ("assistant", [{"type": "text", "text": "There it is."}])]


def test_a_log_that_is_read_on_is_judged_from_the_first_request_that_is_kept(tmp_path, monkeypatch):
    path = log(tmp_path / "s.jsonl", [*talk(1), *EPISODE, *talk(2), *EPISODE, *talk(3)])
    whole = analyse(path)
    assert lines_of(whole.candidates) == [(3, 9)]
    lines = {}
    for most in (8, 9, 30):
        monkeypatch.setattr(incremental, "MAX_OBSERVATIONS", most)
        found = analyse_growing_log(path, analyse_growing_log(path).resume_state)
        lines[most] = (found.first_line, lines_of(found.candidates))
    assert lines == {8: (10, [(12, 18)]), 9: (10, [(12, 18)]), 30: (1, [(3, 9)])}
