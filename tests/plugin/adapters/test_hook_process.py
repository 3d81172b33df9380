"""The hook as its host starts it, a process: it never fails, prints nothing but its reply, and never delays the host."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mind_skills.hosts.claude_code import SPEC
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import resolve_project
from tests.plugin.adapters.hook_host import PAYLOADS, WAITED, Host
from tests.testkit.paths import ROOT
from tests.testkit.terminal import PROGRAM, Terminal

pytestmark = pytest.mark.process

SILENT = (0, b"", b"")


@pytest.mark.parametrize("name", sorted(path.name for path in PAYLOADS.glob("*.json")))
def test_a_recorded_payload_is_accepted_in_silence(host: Host, name: str) -> None:
    assert host.hook((PAYLOADS / name).read_bytes()) == SILENT
    host.settle()
    expected = "" if name.split("-")[1].removesuffix(".json") in SPEC.events else "hook_event_name is not one of"
    assert expected in host.log()
    assert bool(expected) == bool(host.log())


BAD = {
    "nothing": b"",
    "white space": b" \n",
    "half an object": b'{"session_id": "s", ',
    "text": b"hello",
    "two objects": b"{}{}",
    "a list": b"[]",
    "a number": b"1e999",
    "not UTF-8": b'{"session_id": "\xff\xfe"}',
    "NUL bytes": b"\0" * 100,
    "deeply nested": b"[" * 200_000,
    "a lone surrogate": rb'{"hook_event_name": "SessionStart", "session_id": "\ud800", "cwd": "/\ud800"}',
    "wrong types": b'{"hook_event_name": "Stop", "session_id": 1, "cwd": {}}',
    "a NUL in a path": rb'{"hook_event_name": "SessionEnd", "session_id": "s", "cwd": "/x\u0000y", "transcript_path": "\u0000"}',
    "a project that does not exist": b'{"hook_event_name": "SessionEnd", "session_id": "s", "cwd": "/nowhere/at/all"}',
    "another event": b'{"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/"}',
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_causes_at_most_one_line_in_the_log_and_no_output(host: Host, name: str) -> None:
    del host.environment["CLAUDE_PROJECT_DIR"]
    assert host.hook(BAD[name]) == SILENT
    host.settle()
    assert host.log().count("\n") <= 1
    assert "Traceback" not in host.log()


@pytest.mark.parametrize("arguments", [["foo"], ["claude-cod", "start"]])
def test_a_mistyped_host_is_reported_on_a_terminal_and_is_no_error_of_a_hook(host: Host, arguments: list[str]) -> None:
    with Terminal("hook", *arguments, env=host.environment) as terminal:
        code = terminal.finish()
    hosts = "claude-code, opencode, codex, gemini, antigravity"
    assert (code, terminal.screen) == (0, f"mind-skills: no such host: '{arguments[0]}'; the hosts are {hosts}\n")
    host.command = [sys.executable, "-c", PROGRAM, "hook", *arguments]
    assert (host.hook(b""), host.log()) == (SILENT, "")


def test_the_reply_is_one_object_and_is_given_once(host: Host) -> None:
    candidate = host.stage()
    code, out, err = host.hook(host.payload("SessionStart", source="startup"))
    assert (code, err) == (0, b"")
    reply = json.loads(out)
    text = reply["hookSpecificOutput"].pop("additionalContext")
    assert reply.pop("systemMessage").startswith("mind-skills: the agent was told of 1 episode of an earlier session, ")
    assert reply == {"hookSpecificOutput": {"hookEventName": "SessionStart"}}
    assert candidate.id in text
    assert host.hook(host.payload("SessionStart", "other", source="startup")) == SILENT
    assert host.hook(host.payload("SessionStart", source="resume")) == SILENT
    host.settle()
    assert host.log() == ""


@pytest.mark.parametrize("event", ["SessionStart", "Stop", "SessionEnd"])
def test_a_state_folder_that_is_a_file_does_not_disturb_the_host(host: Host, event: str) -> None:
    host.state.write_text("mine")
    assert host.hook(host.payload(event)) == SILENT
    host.settle()
    assert host.state.read_text() == "mine"


def test_a_missing_home_does_not_disturb_the_host(host: Host) -> None:
    host.environment = {"PATH": "/usr/bin:/bin"}
    assert host.hook(host.payload("SessionEnd")) == SILENT


def test_a_damaged_database_is_set_aside_and_work_goes_on(host: Host) -> None:
    host.stage()
    (host.state / "mind-skills.db").write_bytes(b"no database" * 1000)
    for _ in range(2):
        assert host.hook(host.payload("Stop")) == SILENT
        host.settle()
    assert sorted(path.name for path in host.state.glob("*.corrupt-*")) != []
    with Ledger.open(host.state) as ledger:
        assert [seen.session_id for seen in ledger.list_unfinished()] == ["s"]


@pytest.mark.parametrize("event", ["Stop", "SessionEnd"])
def test_the_host_does_not_wait_while_the_log_is_being_read(host: Host, event: str) -> None:
    (host.project.parent / "s.jsonl").write_text("{}\n")
    result, gate = host.waiting(host.payload(event))
    os.close(gate)
    host.settle()
    assert result == SILENT


def test_no_module_in_the_working_directory_or_in_pythonpath_is_imported(host: Host) -> None:
    trap = "import os\nopen(os.environ['TRAP'], 'w').close()\n"
    for name in ("os.py", "json.py", "sqlite3.py", "mind_skills.py", "re.py", "sitecustomize.py", "usercustomize.py"):
        (host.project / name).write_text(trap)
    (host.project / "hooks").mkdir()
    (host.project / "hooks" / "__init__.py").write_text(trap)
    host.environment |= {
        "PYTHONPATH": str(host.project),
        "PYTHONSTARTUP": "json.py",
        "TRAP": str(host.project / "sprung"),
    }
    host.stage()
    assert host.hook(host.payload("SessionStart", source="startup"))[1] != b""
    assert host.hook(host.payload("SessionEnd")) == SILENT
    host.settle()
    assert not (host.project / "sprung").exists()


def test_a_hook_works_from_a_read_only_folder_with_another_name(host: Host, tmp_path: Path) -> None:
    root = tmp_path / "cache with spaces" / "0.1.0"
    for folder in (
        "plugin",
        "hooks",
        "staging",
        "memory",
        "learning",
        "detectors",
        "digest",
        "observations",
        "redaction",
        "settings",
        "hosts",
        "store",
        "errors",
    ):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in [*root.rglob("*"), root]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    host.command = ["sh", str(root / "plugin" / "hook.sh"), "claude-code", "start"]
    host.stage()
    try:
        assert json.loads(host.hook(host.payload("SessionStart", source="startup"))[1]) != {}
        host.settle()
    finally:
        for path in [*root.rglob("*"), root]:
            path.chmod(0o755)
    assert host.log() == ""


def test_the_shell_script_skips_an_interpreter_that_is_too_old(host: Host, tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    script = (ROOT / "plugin" / "hook.sh").read_text().replace("/usr/bin /usr/local/bin /opt/homebrew/bin", "/nowhere")
    (tmp_path / "hook.sh").write_text(script.replace("here=${0%/*}", f"here={ROOT}/plugin"))
    (folder / "python3").write_text("#!/bin/sh\nexit 86\n")
    (folder / "python3.11").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    for path in folder.iterdir():
        path.chmod(0o755)
    shutil.copy("/bin/sh", folder / "sh")
    shutil.copy(shutil.which("uname") or "/bin/uname", folder / "uname")
    host.environment |= {"PATH": str(folder)}
    host.command = ["/bin/sh", str(tmp_path / "hook.sh"), "claude-code", "start"]
    host.stage()
    assert b"additionalContext" in host.hook(host.payload("SessionStart", source="startup"))[1]
    host.settle()
    (folder / "python3.11").unlink()
    code, out, err = host.hook(host.payload("SessionStart", "later", source="startup"))
    message = "mind-skills is idle: it needs Python 3.11 or newer, and none was found."
    assert (code, json.loads(out), err) == (0, {"systemMessage": message}, b"")


@pytest.mark.parametrize(("event", "moment"), [("Stop", "idle"), ("SessionEnd", "end")])
def test_a_log_that_cannot_be_read_is_reported_with_moment_and_session(host: Host, event: str, moment: str) -> None:
    host.state.mkdir(0o700)
    host.hook(host.payload("SessionStart"))
    host.settle()
    (host.project.parent / "s.jsonl").write_text("not a log\n" * 3)
    host.hook(host.payload(event))
    host.settle()
    assert f"Z claude-code {moment} s: LogError: not a session log of a known host" in host.log()


def test_the_log_of_the_hooks_has_a_bounded_size(tmp_path: Path) -> None:
    from mind_skills.plugin import hooklog

    home = str(tmp_path / "state")
    for number in range(3 * hooklog.MAX_LOG_BYTES // hooklog.MAX_LINE_LENGTH):
        hooklog.append_note(home, 0, "test", f"{number} " + "x" * 2000)
    files = sorted((tmp_path / "state" / "log").iterdir())
    assert [path.name for path in files] == ["hooks.log", "hooks.log.1"]
    assert all(path.stat().st_size <= hooklog.MAX_LOG_BYTES + 2 * hooklog.MAX_LINE_LENGTH for path in files)
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    assert files[0].read_text().splitlines()[-1].startswith(f"1970-01-01T00:00:00Z test: {number} xxx")


def test_a_worker_that_hangs_is_ended_by_an_alarm(host: Host) -> None:
    log = host.project.parent / "s.jsonl"
    log.write_text("{}")
    code = """if True:
        import sys, time
        package = type(sys)("mind_skills")
        package.__path__ = [sys.argv[1]]
        sys.modules["mind_skills"] = package
        from mind_skills.plugin import hook
        from mind_skills.hooks.session_state import HookCall
        from mind_skills.observations import read
        read.detect_format = lambda path: time.sleep(600)  # a disk that does not answer
        hook.TIMEOUT_SECONDS = 1
        hook.run_detached_work("idle", HookCall("claude-code", "s", sys.argv[2], sys.argv[3], 1))
    """
    line = [sys.executable, "-I", "-S", "-c", code, str(ROOT), str(host.project), str(log)]
    done = subprocess.run(line, capture_output=True, env=host.environment, timeout=WAITED, check=False)
    assert done.returncode == -signal.SIGALRM
    log.write_text("")
    assert host.hook(host.payload("SessionEnd")) == SILENT
    host.settle()
    with Ledger.open(host.state) as ledger:
        assert ledger.list_unfinished() == []


def test_a_platform_without_fork_starts_a_second_process(host: Host) -> None:
    code = """if True:
        import os, sys
        del os.fork
        package = type(sys)("mind_skills")
        package.__path__ = [sys.argv[1]]
        sys.modules["mind_skills"] = package
        from mind_skills.plugin.hook import main
        sys.exit(main(["claude-code", "start"]))
    """
    host.command = [sys.executable, "-I", "-S", "-c", code, str(ROOT)]
    assert host.hook(host.payload("SessionStart")) == SILENT
    host.settle()
    with Ledger.open(host.state) as ledger:
        assert [seen.session_id for seen in ledger.list_unfinished()] == ["s"]
    assert host.log() == ""


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_descriptors_do_not_disturb_the_host(host: Host, closed: str) -> None:
    host.command = ["/bin/sh", "-c", f'"$@" {closed}', "sh", *host.command]
    assert host.hook(host.payload("Stop"))[0] == 0
    host.settle()


def test_a_whole_session_opens_no_socket_and_starts_no_process_but_git_queries(host: Host) -> None:
    code = """if True:
        import sys
        package = type(sys)("mind_skills")
        package.__path__ = [sys.argv[1]]
        sys.modules["mind_skills"] = package
        used = []
        def record(event, arguments):
            if event.startswith(("socket.", "subprocess.", "os.exec")):
                words = arguments[1]
                used.append((event, words[0].rpartition("/")[2], "ls-files" in words or "check-ignore" in words))
        sys.addaudithook(record)
        from mind_skills.plugin import hook
        from mind_skills.hooks.session_state import HookCall
        for at, name in enumerate(("start", "idle", "end")):
            hook.run_detached_work(name, HookCall("claude-code", "s", sys.argv[2], sys.argv[3], at))
        print(set(used))
    """
    log = ROOT / "fixtures" / "demo" / "session.jsonl"
    line = [sys.executable, "-I", "-S", "-c", code, str(ROOT), str(host.project), str(log)]
    done = subprocess.run(line, capture_output=True, env=host.environment, timeout=WAITED, check=False, text=True)
    assert (done.stdout, done.stderr, done.returncode) == ("{('subprocess.Popen', 'git', True)}\n", "", 0)
    with Ledger.open(host.state) as ledger:
        assert len(ledger.list_pending(resolve_project(str(host.project)))) == 1
