"""Capture appends events to a spool: each whole or not at all, readable by its user alone, and not where it is disabled."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.hooks import captured_spools, spool
from mind_skills.hooks.hotpath import UnsureError
from mind_skills.observations.read import read_session
from mind_skills.plugin import pausing
from mind_skills.store.project import digest_text, resolve_project
from tests.testkit.paths import ROOT

AT = 1_700_000_000_000


class World:
    """A home with a project in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.project = root / "project"
        self.state = root / "state"
        (self.project / ".git").mkdir(parents=True)
        self.environment = {b"HOME": os.fsencode(root), b"MIND_SKILLS_HOME": os.fsencode(self.state)}
        self.spool = self.state / spool.FOLDER / f"claude-code-{digest_text('s')}.jsonl"

    def event(self, **more: Any) -> dict[str, Any]:
        base = {"session_id": "s", "cwd": str(self.project), "hook_event_name": "UserPromptSubmit"}
        return {**base, "prompt": "please", **more}

    def put(self, payload: dict[str, Any] | bytes, host: str = "claude-code") -> bool:
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        return spool.append(host, data, self.environment, AT)

    def lines(self) -> list[dict[str, Any]]:
        text = self.spool.read_bytes() if self.spool.exists() else b""
        return [json.loads(line) for line in text.split(b"\n") if line]


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    made = World(tmp_path)
    for name in ("XDG_CONFIG_HOME", "MIND_SKILLS_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("MIND_SKILLS_HOME", str(made.state))
    return made


def test_an_event_becomes_a_line_that_only_its_user_can_read(world: World) -> None:
    world.environment[b"CLAUDE_PID"] = b"42"
    assert world.put(world.event())
    assert world.lines() == [
        {
            "capture": 1,
            "host": "claude-code",
            "at": AT,
            "pid": 42,
            "project": str(world.project),
            "event": world.event(),
        }
    ]
    modes = [path.stat().st_mode & 0o777 for path in (world.state, world.spool.parent, world.spool)]
    assert modes == [0o700, 0o700, 0o600]
    assert Path(spool.FOLDER) == Path(captured_spools.FOLDER)


@given(st.dictionaries(st.text(max_size=5), st.recursive(st.text(max_size=20), st.lists, max_leaves=3), max_size=3))
def test_line_breaks_between_tokens_are_white_space_and_those_in_strings_are_kept(event: dict[str, Any]) -> None:
    text = json.dumps(event, indent=1).replace("\n", "\r\n")
    assert json.loads(spool.encode_event(text.encode(), event)) == event
    assert b"\n" not in spool.encode_event(text.encode(), event)


@pytest.mark.parametrize("odd", [b"\x03", b"\x1b[0m", b"a\nb", b"\xed\xa0\xbd", b"\xe9", b"\xff\xfe", b"\xe2\x82"])
def test_bytes_that_json_forbids_in_strings_do_not_lose_the_event(world: World, odd: bytes) -> None:
    payload = json.dumps(world.event(prompt="a?b")).encode().replace(b"?", odd)
    assert world.put(payload)
    session = read_session(world.spool, "capture")
    assert [each.message for each in session.warnings] == []
    assert [each.kind for each in session.observations] == ["user"]


@pytest.mark.parametrize("number", [b"", b"x", b"-1", b"9" * 10, b" 4"])
def test_an_invalid_process_number_does_not_lose_the_event(world: World, number: bytes) -> None:
    world.environment[b"CLAUDE_PID"] = number
    assert world.put(world.event())
    assert [(line["pid"], line["event"]) for line in world.lines()] == [(0, world.event())]


def test_an_event_that_is_too_large_is_stored_with_its_names_alone(world: World) -> None:
    large = world.event(hook_event_name="PostToolUse", tool_name="Bash", tool_response="x" * spool.MAX_EVENT_BYTES)
    assert world.put(large)
    names = {"hook_event_name": "PostToolUse", "session_id": "s", "cwd": str(world.project), "tool_name": "Bash"}
    assert world.lines()[0]["event"] == {**names, "cut": len(json.dumps(large))}


def test_a_full_spool_accepts_no_more_events(world: World) -> None:
    world.put(world.event())
    os.truncate(world.spool, spool.MAX_SPOOL_BYTES + 1)
    assert not world.put(world.event())
    assert world.spool.stat().st_size == spool.MAX_SPOOL_BYTES + 1


@pytest.mark.parametrize("what", ["link", "open to others", "pipe"])
def test_a_spool_that_is_not_a_private_regular_file_is_not_written_to(world: World, what: str) -> None:
    world.put(world.event())
    if what == "open to others":
        world.spool.chmod(0o644)
    else:
        world.spool.unlink()
        (world.root / "elsewhere").write_text("mine")
        if what == "link":
            world.spool.symlink_to(world.root / "elsewhere")
        else:
            os.mkfifo(world.spool)
    with pytest.raises((UnsureError, OSError)):
        world.put(world.event())
    assert what == "open to others" or (world.root / "elsewhere").read_text() == "mine"


@pytest.mark.parametrize(
    "payload",
    [b"", b"[]", b"{", b'{"session_id": ""}', b'{"session_id": 1}', b"{}{}", b"\xff", b'{"session_id": "s", "a": NaN}'],
)
def test_an_invalid_payload_raises_and_creates_no_spool(world: World, payload: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        world.put(payload)
    assert not world.spool.parent.exists()


SETTINGS = {
    "not mentioned": ("idle_seconds = 20\n", True),
    "on": ("enabled = true # yes\n", True),
    "off": ("enabled=false\n", False),
    "off, in another spelling": ('"enabled" = false\n', False),
    "set twice, which is invalid TOML": ("enabled = true\nenabled = true\n", False),
    "in a comment only": ("# enabled = false\n", True),
    "in a file that is too large": ("# " + "x" * 20_000, False),
}


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("whose", ["the project", "the user", "a worktree's repository"])
def test_capture_records_nothing_where_it_is_disabled(world: World, setting: str, whose: str) -> None:
    text, on = SETTINGS[setting]
    folder = world.root / ".config" / "mind-skills" if whose == "the user" else world.project / ".claude"
    folder.mkdir(parents=True)
    (folder / "mind-skills.toml").write_text(text)
    if whose == "a worktree's repository":
        git = world.project / ".git" / "worktrees" / "tree"
        git.mkdir(parents=True)
        tree = world.root / "tree"
        tree.mkdir()
        (tree / ".git").write_text(f"gitdir: {git}\n")
        (git / "gitdir").write_text(f"{tree}/.git\n")
        (git / "commondir").write_text("../..\n")
        world.project = tree
    assert world.put(world.event()) is on
    assert world.spool.exists() is on


@pytest.mark.parametrize(("user", "project"), [("false", "true"), ("true", "false")])
def test_a_project_can_disable_but_not_enable_what_the_user_disabled(world: World, user: str, project: str) -> None:
    for folder, word in ((world.root / ".config/mind-skills", user), (world.project / ".claude", project)):
        folder.mkdir(parents=True)
        (folder / "mind-skills.toml").write_text(f"enabled = {word}\n")
    assert not world.put(world.event())


@pytest.mark.parametrize("project", ["", "this", "another"])
def test_capture_records_nothing_during_a_pause_of_its_project_or_of_all_projects(world: World, project: str) -> None:
    folder = world.project if project == "this" else world.root
    pausing.pause(str(world.state), resolve_project(str(folder)).id if project else "")
    assert world.put(world.event()) is (project == "another")
    pausing.pause(str(world.state), resolve_project(str(folder)).id if project else "", AT)
    assert world.put(world.event())  # the pause has ended


def test_the_project_of_codex_and_gemini_is_found_above_the_folder_in_the_payload(world: World) -> None:
    below = world.project / "src"
    below.mkdir()
    for host in ("codex", "gemini"):
        assert world.put(world.event(cwd=str(below)), host)
        line = (world.state / spool.FOLDER / f"{host}-{digest_text('s')}.jsonl").read_text().strip()
        assert json.loads(line)["project"] == str(world.project)


@pytest.mark.parametrize("host", ["claude-code", "codex"])
@pytest.mark.parametrize("what", ["a link to a git folder", "a pipe", "a file that no git wrote"])
def test_a_project_with_an_unusual_git_entry_loses_no_event(world: World, what: str, host: str) -> None:
    git = world.project / ".git"
    git.rename(world.root / "elsewhere.git")
    if what == "a link to a git folder":
        git.symlink_to(world.root / "elsewhere.git")
    elif what == "a pipe":
        os.mkfifo(git)
    else:
        git.write_bytes(b"\xff\xfe gitdir")
    below = world.project / "src"
    below.mkdir()
    # Claude Code names the project; for Codex it is found above the folder in the payload.
    assert world.put(world.event(cwd=str(below if host == "codex" else world.project)), host)
    line = (world.state / spool.FOLDER / f"{host}-{digest_text('s')}.jsonl").read_text().strip()
    assert json.loads(line)["project"] == str(world.project)


APPEND = """if True:
    import sys
    package = type(sys)("mind_skills")
    package.__path__ = [sys.argv[1]]
    sys.modules["mind_skills"] = package
    import posix
    from mind_skills.hooks.spool import append
    cwd, name = sys.argv[2:4]
    for number in range(50):
        text = name * (150_000 if number % 5 == 0 else 3_000)
        event = '{"session_id": "s",\\n"cwd": "%s", "n": %d, "text": "%s"}' % (cwd, number, text)
        append("claude-code", event.encode(), posix.environ, 1)
"""


@pytest.mark.process
def test_lines_that_many_processes_append_at_once_stay_whole(world: World) -> None:
    environment = {key.decode(): value.decode() for key, value in world.environment.items()}
    line = [sys.executable, "-I", "-S", "-c", APPEND, str(ROOT), str(world.project)]
    running = [subprocess.Popen([*line, chr(ord("a") + number)], env=environment) for number in range(24)]
    assert [process.wait() for process in running] == [0] * 24
    expected = {(chr(ord("a") + name), number) for name in range(24) for number in range(50)}
    found = [line["event"] for line in world.lines()]
    assert {(event["text"][0], event["n"]) for event in found} == expected
    sizes = [150_000 if event["n"] % 5 == 0 else 3_000 for event in found]
    assert [event["text"] == event["text"][0] * size for event, size in zip(found, sizes, strict=True)] == [True] * 1200


def test_an_event_cut_short_by_a_full_disk_is_skipped_and_no_other_event_is_lost(world: World) -> None:
    world.put(world.event(prompt="first"))
    room = world.spool.stat().st_size + 500
    # -B: Python 3.11, and later ones before 3.12.8 and 3.13.1, would store the bytecode that the limit cuts short.
    line = [sys.executable, "-I", "-S", "-B", f"{ROOT}/hooks/capture.py", "claude-code"]
    done = subprocess.run(
        line,
        input=json.dumps(world.event(prompt="second " * 1000)).encode(),
        env={key.decode(): value.decode() for key, value in world.environment.items()},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert world.spool.stat().st_size == room
    world.put(world.event(prompt="third"))
    session = read_session(world.spool)
    assert [observation.text for observation in session.observations] == ["first", "third"]
    assert len(session.warnings) == 1


@pytest.mark.parametrize("host", ["claude-code", "nobody", ""])
@pytest.mark.parametrize("payload", [b"", b"{", b"\0" * 99, b'{"session_id": "s", "cwd": "/nowhere"}', b"[" * 100_000])
def test_the_capture_script_exits_with_0_and_prints_nothing_whatever_it_receives(
    world: World, host: str, payload: bytes
) -> None:
    line = [sys.executable, "-I", "-S", f"{ROOT}/hooks/capture.py", *([host] if host else [])]
    environment = {"HOME": str(world.root)} if host else {}
    done = subprocess.run(line, input=payload, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_lost_event_is_reported_in_the_log_of_the_hooks(world: World) -> None:
    world.state.mkdir(mode=0o700)
    line = [sys.executable, "-I", "-S", f"{ROOT}/hooks/capture.py", "claude-code"]
    environment = {key.decode(): value.decode() for key, value in world.environment.items()}
    subprocess.run(line, input=b"{}", env=environment, check=True)
    log = (world.state / "log" / "hooks.log").read_text()
    assert log.endswith("Z capture claude-code: ValueError: the payload is not an object with a session_id\n")


def test_a_lost_event_is_reported_even_if_capture_cannot_find_the_state_folder_itself(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on every system other than Linux."""

    def unsure(environment: object) -> str:
        raise UnsureError

    world.state.mkdir(mode=0o700)
    monkeypatch.setattr(spool, "find_state_folder", unsure)
    spool._log_error(AT, ValueError("no payload"))
    log = (world.state / "log" / "hooks.log").read_text()
    assert (log.startswith("2023-11-14T22:13:20Z capture "), log.endswith(": ValueError: no payload\n")) == (
        True,
        True,
    )
    assert world.put(world.event())
