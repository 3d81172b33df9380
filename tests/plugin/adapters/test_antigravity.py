"""Antigravity: documented payloads become hook calls, and a conversation is told once, whichever events its version reports."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hooks.session_state import HookCall
from mind_skills.hosts.antigravity import SPEC
from mind_skills.plugin.adapters import HookAdapter, NoProjectError, PayloadError
from mind_skills.staging.ledger import Ledger
from tests.plugin.adapters.hook_host import Host
from tests.testkit.paths import FIXTURES, ROOT

SESSION, OTHER = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"
LOGS = ".system_generated/logs"
SILENT = (0, b"", b"")
MOMENTS = {"SessionStart": "start", "PreInvocation": "late", "Stop": "idle"}
VERSIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "1.0 and 1.1": (
        {"invocationNum": 0, "initialNumSteps": 1},
        {"executionNum": 1, "terminationReason": "NO_TOOL_CALL"},
    ),
    "1.1.7": (
        {},
        {"invocationNum": 0, "initialNumSteps": 1},
        {"error": "", "fullyIdle": True, "terminationReason": "ERROR"},
    ),
    "1.4": (
        {"modelName": "auto"},
        {"invocationNum": 3, "lastUserInput": "x"},
        {"finalModelOutput": "x", "fullyIdle": False},
    ),
}
"""What the payloads of each version add to the common fields, by event."""


class Conversation:
    """A conversation of the CLI in the project of a host, whose transcripts grow."""

    def __init__(
        self, host: Host, session: str = SESSION, workspace: str | None = None, app: str = "antigravity-cli"
    ) -> None:
        self.host, self.session = host, session
        self.app = Path(host.environment["HOME"]) / ".gemini" / app
        self.folder = self.app / "brain" / session
        self.workspaces = [str(host.project)] if workspace is None else [workspace] * bool(workspace)

    def write(self, lines: int = 36) -> Path:
        """Write that many lines of the recorded session into both transcripts; return the complete one."""
        source = FIXTURES / "antigravity/brain" / f"{2:032x}" / LOGS
        (self.folder / LOGS).mkdir(parents=True, exist_ok=True)
        for name in ("transcript.jsonl", "transcript_full.jsonl"):
            text = (source / name).read_text().replace("/home/dev/project", str(self.host.project))
            (self.folder / LOGS / name).write_text("".join(text.splitlines(keepends=True)[:lines]))
        return self.folder / LOGS / "transcript_full.jsonl"

    def payload(self, **more: Any) -> dict[str, Any]:
        common = {"conversationId": self.session, "workspacePaths": self.workspaces, "modelName": "auto"}
        log = {
            "transcriptPath": str(self.folder / LOGS / "transcript.jsonl"),
            "artifactDirectoryPath": str(self.folder),
        }
        return {**common, **log, **more}

    def hook(self, event: str, **more: Any) -> str:
        """Run the hook of an event; return the text for the model."""
        entry = [sys.executable, "-I", "-S", str(ROOT / "plugin/entry.py")]
        self.host.command = [*entry, "antigravity", MOMENTS[event]]
        code, out, err = self.host.hook(self.payload(**more))
        assert (code, err) == (0, b"")
        if not out:
            return ""
        (step,) = json.loads(out).pop("injectSteps")
        return str(step["systemMessage"]["systemMessage"] if event == "SessionStart" else step["userMessage"])


def parse(payload: Any, event: str = "Stop") -> tuple[str, HookCall]:
    return HookAdapter(SPEC).parse_payload(payload, {}, 7, MOMENTS.get(event, event))


@pytest.mark.parametrize("event", MOMENTS)
def test_a_payload_becomes_a_hook_call(host: Host, event: str) -> None:
    talk = Conversation(host)
    log = talk.write()
    call = HookCall("antigravity", SESSION, str(host.project), str(log), 7)
    assert parse(talk.payload(), event) == (MOMENTS[event], call)


PATHS = {
    "/p/brain/s/.system_generated/logs/transcript.jsonl": "/p/brain/s/.system_generated/logs/transcript_full.jsonl",
    "C:\\p\\brain\\s\\.system_generated\\logs\\transcript.jsonl": "C:\\p\\brain\\s\\.system_generated\\logs\\transcript_full.jsonl",
    "file:///C:/a%20b/transcript_full.jsonl": "C:/a b/transcript_full.jsonl",
    "/c:/p/other.jsonl": "c:/p/other.jsonl",
    "": "",
}


@pytest.mark.parametrize("path", PATHS)
def test_the_log_is_the_complete_transcript_on_every_system(path: str) -> None:
    fields = SPEC.hook_form.read_payload({"transcriptPath": path, "workspacePaths": ["file:///C:/work"]}, "idle")
    assert (fields["transcript_path"], fields["cwd"]) == (PATHS[path], "C:/work")


def test_the_log_is_the_cut_transcript_if_that_is_the_only_one(host: Host) -> None:
    talk = Conversation(host)
    talk.write().unlink()
    assert parse(talk.payload())[1].log == str(talk.folder / LOGS / "transcript.jsonl")


LISTS = {
    "the list of prompts": (
        "history.jsonl",
        """{"display":"a","workspace":"/else","conversationId":"x"}
noise SESSION
{"display":"b","workspace":"PROJECT","conversationId":"SESSION"}
""",
    ),
    "the list of newest conversations": ("cache/last_conversations.json", '{"/else": "x", "PROJECT": "SESSION"}'),
}


@pytest.mark.parametrize("where", LISTS)
def test_a_payload_without_a_workspace_is_of_the_folder_that_the_client_lists(host: Host, where: str) -> None:
    talk = Conversation(host, workspace="")
    talk.write()
    name, text = LISTS[where]
    (talk.app / name).parent.mkdir(exist_ok=True)
    (talk.app / name).write_text(text.replace("PROJECT", str(host.project)).replace("SESSION", SESSION))
    assert parse(talk.payload())[1].project == str(host.project)


def test_without_any_folder_nothing_happens_and_nothing_is_logged(host: Host) -> None:
    talk = Conversation(host, workspace="")
    talk.write()
    (talk.app / "history.jsonl").write_text("no JSON")
    with pytest.raises(NoProjectError):
        parse(talk.payload())
    host.stage()
    assert [talk.hook(event) for event in MOMENTS] == ["", "", ""]
    host.settle()
    assert host.log() == ""


@pytest.mark.parametrize(
    ("payload", "moment", "message"),
    [
        ("x", "idle", "the payload is not an object"),
        ({}, "", "hook_event_name is not one of SessionStart, PreInvocation, Stop"),
        ({"workspacePaths": ["/"]}, "idle", "session_id is missing"),
        ({"conversationId": 1}, "idle", "session_id is not a string"),
        ({"conversationId": "s", "transcriptPath": 1}, "idle", "transcript_path is not a string"),
    ],
)
def test_an_invalid_payload_raises_an_error_that_names_the_field(payload: Any, moment: str, message: str) -> None:
    with pytest.raises(PayloadError) as raised:
        parse(payload, moment)
    assert str(raised.value) == message


@pytest.mark.parametrize("version", VERSIONS)
def test_a_conversation_is_told_once_in_every_version(host: Host, version: str) -> None:
    candidate, talk = host.stage(), Conversation(host)
    events = list(MOMENTS)[-len(VERSIONS[version]) :]
    talk.write(1)
    told = [talk.hook(event, **more) for event, more in zip(events, VERSIONS[version], strict=True)]
    assert [candidate.id in text for text in told] == [True, *[False] * (len(events) - 1)]
    again = [talk.hook(event) for event in ("PreInvocation", "Stop", "PreInvocation", "SessionStart", "PreInvocation")]
    assert again == [""] * 5
    host.settle()
    assert host.log() == ""


def test_conversations_at_the_same_time_share_no_candidate(host: Host) -> None:
    candidate = host.stage()
    talks = [Conversation(host, f"00000000-0000-4000-8000-00000000000{number}") for number in range(4)]
    hosts = []
    for talk in talks:
        talk.write(1)
        hosts.append(talk)
    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(lambda talk: talk.hook("PreInvocation"), hosts))
    assert sum(candidate.id in text for text in told) == 1
    host.settle()
    assert host.log() == ""


def test_two_copies_of_the_hook_tell_a_conversation_once(host: Host) -> None:
    candidate, talk = host.stage(), Conversation(host)
    told = [talk.hook(event) for event in ("SessionStart", "SessionStart", "PreInvocation", "PreInvocation")]
    assert [candidate.id in text for text in told] == [True, False, False, False]


def test_a_subagent_is_told_nothing_and_is_no_session(host: Host) -> None:
    host.stage()
    child = Conversation(host, f"{1:032x}")
    log = child.folder / LOGS / "transcript_full.jsonl"
    log.parent.mkdir(parents=True)
    log.write_bytes((FIXTURES / "antigravity/brain" / child.session / LOGS / "transcript_full.jsonl").read_bytes())
    assert [child.hook(event) for event in MOMENTS] == ["", "", ""]
    host.settle()
    with Ledger.open(host.state) as ledger:
        assert ledger.find_session(child.session) is None
    assert host.log() == ""


@pytest.mark.process
def test_what_one_conversation_learns_is_told_to_the_next(host: Host) -> None:
    first, second = Conversation(host), Conversation(host, OTHER)
    assert (first.hook("SessionStart"), first.hook("PreInvocation")) == ("", "")
    host.settle()  # else a start that is still being recorded holds the lock of its session, and a checkpoint does not wait
    first.write()
    assert first.hook("Stop", terminationReason="NO_TOOL_CALL", fullyIdle=True) == ""
    host.settle()
    with Ledger.open(host.state) as ledger:
        session = ledger.find_session(SESSION)
    assert session is not None
    assert (session.host, session.log) == ("antigravity", str(first.folder / LOGS / "transcript_full.jsonl"))
    told = second.hook("SessionStart")
    assert "NameError" in told
    host.settle()
    assert host.log() == ""
