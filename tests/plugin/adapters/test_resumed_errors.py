"""A resumed session is shown the open errors of its task: recorded payloads, the real hook process, the command line."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hooks import hotpath
from mind_skills.plugin.cli import run
from tests.plugin.adapters.hook_host import Host
from tests.testkit.paths import ROOT

Record = Callable[..., None]


@pytest.fixture
def errors(host: Host, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Record:
    """The command line of `mind-skills task errors`, as an agent or a person runs it in the project."""
    monkeypatch.setenv("MIND_SKILLS_HOME", str(host.state))
    monkeypatch.setenv("HOME", host.environment["HOME"])
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID", raising=False)
    monkeypatch.chdir(host.project)

    def call(*arguments: str, session: str = "") -> None:
        with monkeypatch.context() as patch:
            if session:
                patch.setenv("CLAUDE_CODE_SESSION_ID", session)
            assert run(["task", "errors", *arguments]) == 0
        capsys.readouterr()

    return call


def recorded(host: Host, client: str, name: str, **more: Any) -> dict[str, Any]:
    """A payload as the host sent it, about this project."""
    text = (ROOT / "fixtures" / client / "payloads" / f"{name}.json").read_text()
    return {**json.loads(text.replace("/home/user/project", str(host.project))), **more}


def run_hook(host: Host, payload: dict[str, Any]) -> str:
    code, out, err = host.hook(payload)
    assert (code, err) == (0, b"")
    host.settle()
    if not out:
        return ""
    found = json.loads(out)
    return str(found["inject"] if "inject" in found else found["hookSpecificOutput"]["additionalContext"])


def messages(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.startswith("- **")]


@pytest.mark.process
def test_claude_code_shows_open_errors_once_at_resume_and_at_no_other_start(
    host: Host, errors: Record, tmp_path: Path
) -> None:
    log = {"transcript_path": str(tmp_path / "s.jsonl")}
    first = recorded(host, "claude_code", "00-SessionStart-startup", **log)
    assert run_hook(host, first) == ""
    errors("record", "shop-12", "the build took too long", "--type", "timeout", session=first["session_id"])
    for name in ("12-SessionStart-startup", "16-SessionStart-clear", "22-SessionStart-compact", "08-SessionStart-fork"):
        assert (name, run_hook(host, recorded(host, "claude_code", name, **log))) == (name, "")
    resumed = recorded(host, "claude_code", "04-SessionStart-resume", **log)
    assert resumed["session_id"] == first["session_id"]
    text = run_hook(host, resumed)
    assert ("## Previous Errors" in text, messages(text)) == (True, ["- **the build took too long**"])
    assert run_hook(host, resumed) == ""  # its context contains them already


def test_claude_code_shows_no_error_that_was_resolved(host: Host, errors: Record, tmp_path: Path) -> None:
    errors("record", "shop-12", "the build took too long")
    errors("resolve", "shop-12")
    assert run_hook(host, recorded(host, "claude_code", "04-SessionStart-resume")) == ""


@pytest.mark.parametrize("client", ["codex", "gemini"])
def test_codex_and_gemini_show_open_errors_at_resume(host: Host, errors: Record, client: str) -> None:
    host.command[-1] = client
    host.environment["GEMINI_PROJECT_DIR"] = str(host.project)
    errors("record", "shop-12", "the build took too long")
    folder = ROOT / "fixtures" / client / "payloads"
    (name,) = [path.stem for path in sorted(folder.iterdir()) if path.stem.endswith("SessionStart-resume")][:1]
    resumed = recorded(host, client, name)
    text = run_hook(host, resumed)
    if client == "gemini":  # Gemini CLI takes the text with the first prompt
        assert text == ""
        prompt = next(path.stem for path in sorted(folder.iterdir()) if "BeforeAgent" in path.stem)
        text = run_hook(host, recorded(host, client, prompt, session_id=resumed["session_id"]))
    assert messages(text) == ["- **the build took too long**"]


@pytest.mark.process
def test_opencode_shows_open_errors_when_another_process_resumes_the_session(host: Host, errors: Record) -> None:
    host.command[-1] = "opencode"
    first = recorded(host, "opencode", "01-start", pid=os.getpid())
    assert run_hook(host, first) == ""
    errors("record", "shop-12", "the build took too long")
    assert run_hook(host, {**first, "sessionID": "ses_0002"}) == ""
    assert run_hook(host, first) == ""
    again = {**first, "pid": os.getppid()}
    assert messages(run_hook(host, again)) == ["- **the build took too long**"]
    host.hook(recorded(host, "opencode", "02-end", pid=os.getppid()))
    host.settle()
    assert messages(run_hook(host, again)) == ["- **the build took too long**"]
    assert host.log() == ""


@pytest.mark.parametrize(("source", "checks"), [("startup", 0), ("clear", 0), ("resume", 1)])
def test_only_a_resume_checks_for_open_errors(
    host: Host, monkeypatch: pytest.MonkeyPatch, source: str, checks: int
) -> None:
    seen: list[str] = []

    def there(path: str) -> bool:
        seen.append(path)
        return False

    monkeypatch.setattr(hotpath, "exists", there)
    environment = {key.encode(): value.encode() for key, value in host.environment.items()}
    assert (
        hotpath.decide_early("claude-code", host.payload("SessionStart", source=source), environment, 1)
        == hotpath.WORK_LEFT
    )
    assert len([path for path in seen if "open_errors" in path]) == checks
