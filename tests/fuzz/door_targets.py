"""What hosts and agents send to us: hook payloads and the arguments of tools."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from mind_skills.cli.why import explain_candidate
from mind_skills.errors import MindSkillsError, StoreError
from mind_skills.hooks.hotpath import NOTHING, UNSURE, WORK_LEFT, decide_early, decode_payload
from mind_skills.hooks.session_state import SessionMarkers
from mind_skills.hooks.spool import append
from mind_skills.hooks.start import handle_session_start
from mind_skills.hosts import HOST_NAMES as HOSTS
from mind_skills.hosts import load_spec
from mind_skills.observations.read import read_session
from mind_skills.output import document
from mind_skills.plugin.adapters import NoProjectError, get_adapter
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import resolve_project
from mind_skills.tasks.mcp.tools import TOOLS, Connection, call
from mind_skills.tasks.tool_input import validate_arguments
from tests.fuzz import seeds, world
from tests.fuzz.log_targets import sound
from tests.fuzz.target import Target, chosen, promise, room
from tests.testkit.paths import FIXTURES

NOW = 1_781_748_890_278
STARTS = 64
"""Only one payload of so many is carried on to the start of a session, which opens a database."""
CALLS = 40
"""Calls of tools after which the world is laid out anew, so that what was kept makes nothing slower; a decision spoils it
at once."""
_called = 0


def _hooks(data: bytes) -> None:
    """Any payload of any host: a hook call or a ValueError; the first look agrees to look; capture keeps what can be read."""
    folders, variables = _grounds(room())
    root = folders[chosen(data, len(folders))]
    data = data.replace(b"/home/dev/project", root.encode())
    environment = {name: os.environ[name] for name in ("HOME", "MIND_SKILLS_HOME", "MIND_SKILLS_CONFIG")}
    for name, value in variables[chosen(data[::-1], len(variables))].items():
        environment[name] = value.replace("ROOT", root)
    environment = {name: value for name, value in environment.items() if value}
    raw = {name.encode(): value.encode() for name, value in environment.items()}
    try:
        payload = decode_payload(data)
    except (ValueError, RecursionError):
        return
    named = ("start", "late", "idle")
    calls = [(each, name) for each in HOSTS for name in (named if load_spec(each).starts_late else ("",))]
    for host, name in calls:
        promise(
            decide_early(host, payload, raw, NOW, name) in (UNSURE, NOTHING, WORK_LEFT),
            "a first look says one of three things",
        )
        speaks = get_adapter(host)
        try:
            moment, hook_call = speaks.parse_payload(payload, environment, NOW, name)
        except NoProjectError:
            continue
        except ValueError as error:
            promise(str(error), "a payload that is refused has a reason")
            continue
        promise(
            moment in ("start", "late", "prompt", "idle", "end", "recover") and hook_call.session_id,
            "a call has a session",
        )
        json.loads(speaks.make_reply(repr(hook_call)))
        if moment == "start" and chosen(data, STARTS) == 0:
            try:
                handle_session_start(str(room() / "state"), hook_call)
            except (ValueError, OSError, StoreError) as error:
                promise(str(error), "a start that fails has a reason")
    _captured(data, raw)


@cache
def _grounds(place: Path) -> tuple[tuple[str, ...], tuple[dict[str, str], ...]]:
    """Folders that a payload may name, and what the environment may say beside; an empty value is a variable less."""
    home, top = Path(os.environ["HOME"]), place / "project"
    tree, plain, off, linked = (place / name for name in ("tree", "plain", "off", "linked"))
    (top / ".git/worktrees/tree").mkdir(parents=True, exist_ok=True)
    for folder in (tree, plain / "below", off / ".claude", top / "below/.claude", home / ".config/mind-skills"):
        folder.mkdir(parents=True, exist_ok=True)
    (tree / ".git").write_text(f"gitdir: {top}/.git/worktrees/tree\n")
    (top / ".git/worktrees/tree/gitdir").write_text(f"{tree}/.git\n")
    (top / ".git/worktrees/tree/commondir").write_text("../..\n")
    (off / ".claude/mind-skills.toml").write_text("enabled = false\n")
    (top / "below/.claude/mind-skills.toml").write_text("idle_seconds = 90  # often\nenabled = true\n")
    (home / ".config/mind-skills/mind-skills.toml").write_text("[caps]\nper_offer = 2\n")
    linked.symlink_to(top)
    told = SessionMarkers(os.environ["MIND_SKILLS_HOME"], "s").checked.path
    Path(told).parent.mkdir(parents=True, exist_ok=True)
    Path(told).write_text(str(NOW - 20_000))
    root = {"CLAUDE_PROJECT_DIR": "ROOT", "CLAUDE_PID": "4", "GEMINI_PROJECT_DIR": "ROOT"}
    theirs = {"MIND_SKILLS_CONFIG": "", "XDG_CONFIG_HOME": str(home / ".config"), "XDG_STATE_HOME": str(place / "xdg")}
    asides = {"CLAUDE_PLUGIN_DATA": str(place / "data"), "CLAUDE_CODE_ENTRYPOINT": "sdk-py"}
    folders = tuple(map(str, (top, top, top / "below", tree, plain / "below", off, linked, place / "gone")))
    return folders, ({}, {}, root, theirs, {**root, **theirs}, asides, {"MIND_SKILLS_HOME": "", "XDG_STATE_HOME": "x"})


def _captured(data: bytes, environment: dict[bytes, bytes]) -> None:
    """What capture keeps is a line that its reader takes."""
    spool = room() / "state/spool/capture"
    shutil.rmtree(spool, ignore_errors=True)
    try:
        kept = append("claude-code", data, environment, NOW)
    except (ValueError, OSError) as error:
        promise(str(error), "what is not captured has a reason")
        return
    if kept and spool.is_dir():
        (path,) = spool.iterdir()
        session = read_session(path, "capture")
        sound(session)
        wrong = [each for each in session.warnings if "JSON" in each.message and "infinity" not in each.message]
        promise(not wrong, f"what was captured is JSON: {wrong}")  # but for a number that no double holds


def _payloads() -> Iterator[bytes]:
    yield from seeds.fixtures("*/payloads/*.json")
    yield from (FIXTURES / "opencode/spool.jsonl").read_bytes().splitlines()[:12]
    for event in ("SessionStart", "Stop", "SessionEnd", "BeforeAgent"):
        for source in ("startup", "resume", "compact"):
            payload = {"hook_event_name": event, "session_id": "s", "cwd": "/home/dev/project", "source": source}
            yield json.dumps(payload).encode()


def _tools(data: bytes) -> None:
    """Any arguments of any tool: an answer or an error with a hint, never a bug; both are JSON that a client can read."""
    global _called  # noqa: PLW0603 -- counts calls, to begin anew
    try:
        given = json.loads(data)
    except (ValueError, RecursionError):
        return
    if not isinstance(given, dict):
        return
    tool = TOOLS[chosen(data, len(TOOLS))]
    name, arguments = str(given.get("name", tool.name)), given.get("arguments")
    if not isinstance(arguments, dict):
        arguments = given
    for each in TOOLS:
        try:
            said = validate_arguments(each.input_type, arguments)
        except MindSkillsError as error:
            promise(error.hint and len(error.message) < 600, "an argument that is refused is named in short")
            continue
        promise(validate_arguments(each.input_type, said.model_dump()) == said, "cleaned twice is the same")
    if _called % CALLS == 0:
        world.fresh()
    _called += 1
    project = str(room() / "project")
    safe: dict[str, Any] = {**arguments, **({"project_key": project} if "project_key" in arguments else {})}
    answer = call(name, safe, Connection(project, "fuzz"))
    if name in ("accept", "dismiss") and not answer.failed:
        _decided(project, answer.document)
        _called = 0
    text = json.dumps(answer.document, ensure_ascii=False, allow_nan=False)
    text.encode()
    if answer.failed:
        wrong = answer.document["error"]
        promise(wrong["code"] != "bug", f"{wrong['message']} {wrong['hint']}"[:600])
        promise(wrong["message"] and wrong["hint"], "an error says what to do")
    else:
        known = {each.name: each.output_type for each in TOOLS}[name]
        promise(
            document.to_json_types(document.make_type_adapter(known).validate_json(text)) == answer.document,
            "its own form",
        )


def _decided(project: str, said: dict[str, Any]) -> None:
    """A candidate that is decided waits no more, and says so in the database as in the answer."""
    place = resolve_project(project)
    with Ledger.open(str(room() / "state")) as ledger:
        promise(said["id"] not in {each.id for each in ledger.list_pending(place)}, "what is decided waits no more")
        record = ledger.find_candidate(said["id"], place)
        promise(record.state == said["state"], "it is what the answer says")
        why = explain_candidate(ledger, record, place, "")
        promise((why.candidate.id, why.state, why.offerable) == (said["id"], said["state"], False), "and why says so")


def _calls() -> Iterator[bytes]:
    ids = world.fresh().ids
    task = {"bead_id": "T-1", "project_key": "/home/dev/project"}
    counted = {
        "success": False,
        "error_count": 3,
        "retry_count": 1,
        "duration_ms": 5_000,
        "files_touched": ["a.py", "b.py"],
    }
    failed = {"strategy": "file-based", "failure_mode": "timeout", "failure_details": "it hung"}
    seen = {
        "message": "AssertionError: 1 != 2",
        "error_type": "validation",
        "tool_name": "pytest",
        "stack_trace": "a.py:3",
    }
    for name, arguments in (
        ("plan", {**task, "task": "Make the total exact", "context": "src/total.py"}),
        (
            "complete",
            {**task, **counted, **failed, "summary": "Texts go to Decimal, split by feature.", "agent_name": "a"},
        ),
        ("complete", {"bead_id": "T-2", "summary": "Done."}),
        ("record_outcome", {**task, **counted, **failed}),
        ("record_error", {**task, **seen, "context": "while testing"}),
        ("error_context", {**task, "include_resolved": True}),
        ("recall", {"query": "a price is off by a cent", "limit": 3, "threshold": 0.1}),
        ("plan", {"task": "Make the total exact"}),
        ("error_context", {"bead_id": "T-1"}),
        *(("accept", {"id": each, "skill": ".claude/skills/exact-decimals/SKILL.md"}) for each in ids[:2]),
        ("accept", {"id": ids[0][3:9], "skill": ".claude/skills/exact-decimals"}),
        *(("dismiss", {"id": each, "reason": "too small", "project_key": "/home/dev/project"}) for each in ids[-2:]),
    ):
        yield json.dumps({"name": name, "arguments": arguments}).encode()
    for tool in TOOLS:  # every argument that there is, as whatever its name says
        yield json.dumps({"name": tool.name, "arguments": dict.fromkeys(tool.input_type.model_fields, "1")}).encode()


TARGETS = (
    Target(
        "hook_payloads",
        _hooks,
        _payloads,
        ("plugin/adapters.py", "plugin/opencode/__init__.py", "hooks/hotpath.py", "hooks/spool.py"),
        (
            "session_id",
            "cwd",
            "transcript_path",
            "source",
            "agent_id",
            "hook_event_name",
            "SessionStart",
            "/home/dev/project",
            "pid",
        ),
    ),
    Target(
        "mcp_tools",
        _tools,
        _calls,
        ("tasks", "tasks/mcp/tools.py", "cli/why.py", "output/digests.py"),
        tuple({n for t in TOOLS for n in t.input_type.model_fields}),
    ),
)
