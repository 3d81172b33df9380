"""The host passes the answer of a hook to the model: an offer that it never passed on is made to the next session."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from mind_skills.hooks import start as starting
from mind_skills.hooks.session_state import (
    DELIVERING,
    HookCall,
    SessionMarkers,
    defer_offer,
    list_markers,
    take_deferred_offer,
)
from mind_skills.store.project import digest_text
from tests.plugin.adapters.hook_host import Host
from tests.plugin.adapters.node_host import node

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")

SESSION = """
import plugin from "./plugin.mjs";
import { existsSync, mkdirSync, rmSync } from "node:fs";
const client = {session: {get: async ({path}) => ({data: {id: path.id}})}};
const hooks = await plugin.server({client, directory: process.env.PROJECT});
const trace = `${process.env.MIND_SKILLS_HOME}/handing/${process.env.TRACE}`;
const asked = async (first, hooked = hooks) => {
  const output = {system: [first]};
  await hooked["experimental.chat.system.transform"]({sessionID: "s"}, output);
  return output.system.length - 1;
};
const begun = async (hooked = hooks) => hooked["chat.message"]({sessionID: "s"}, {});
const seen = [];
"""


def run_plugin(host: Host, tmp_path: Path, code: str) -> list[object]:
    """What the code added to ``seen`` for the session ``s``."""
    names = {"MIND_SKILLS_HOME": str(host.state), "PROJECT": str(host.project), "TRACE": digest_text("s")}
    values = json.loads(node(tmp_path, SESSION + code + "\nconsole.log(JSON.stringify(seen));", **names))
    host.settle()
    assert isinstance(values, list)
    return values


def list_delivery_markers(host: Host) -> list[str]:
    return list_markers(str(host.state), DELIVERING)


@needs_node
def test_an_offer_has_a_delivery_marker_until_it_is_in_a_main_request(host: Host, tmp_path: Path) -> None:
    host.stage()
    code = """
    await begun();
    seen.push(existsSync(trace), await asked("You are a title generator. "), existsSync(trace));
    seen.push(await asked("You are"), existsSync(trace), await asked("You are"));
    """
    assert run_plugin(host, tmp_path, code) == [True, 0, True, 1, False, 1]


@needs_node
def test_an_offer_whose_delivery_marker_cannot_be_removed_is_not_shown(host: Host, tmp_path: Path) -> None:
    host.stage()
    code = """
    await begun();
    rmSync(trace);
    mkdirSync(trace);
    seen.push(await asked("You are"), await asked("You are"));
    """
    assert run_plugin(host, tmp_path, code) == [0, 0]


@needs_node
def test_an_offer_whose_delivery_marker_another_process_removed_is_not_shown(host: Host, tmp_path: Path) -> None:
    host.stage()
    assert run_plugin(host, tmp_path, 'await begun(); rmSync(trace); seen.push(await asked("You are"));') == [0]


@needs_node
def test_one_of_two_copies_of_the_plugin_file_shows_the_offer_and_no_marker_is_left(host: Host, tmp_path: Path) -> None:
    host.stage()
    code = """
    const other = await plugin.server({client, directory: process.env.PROJECT});
    await begun();
    seen.push(await asked("You are"), existsSync(trace));
    await begun(other); // the session has the offer already
    seen.push(existsSync(trace));
    const output = {system: ["You are"]};
    for (const each of [hooks, other]) await each["experimental.chat.system.transform"]({sessionID: "s"}, output);
    seen.push(output.system.length - 1, existsSync(trace));
    """
    assert run_plugin(host, tmp_path, code) == [1, False, False, 1, False]


@needs_node
def test_two_copies_that_both_hold_the_offer_show_it_once_in_every_request(host: Host, tmp_path: Path) -> None:
    host.stage()
    code = """
    const other = await plugin.server({client, directory: process.env.PROJECT});
    await begun();
    await begun(other);
    for (const copies of [[other, hooks], [hooks, other]]) {
      const output = {system: ["You are"]};
      for (const each of copies) await each["experimental.chat.system.transform"]({sessionID: "s"}, output);
      seen.push(output.system.length - 1, existsSync(trace));
    }
    """
    assert run_plugin(host, tmp_path, code) == [1, False, 1, False]


def send_start(host: Host, **more: object) -> dict[str, str]:
    payload = {"event": "start", "sessionID": "s", "directory": str(host.project), "database": "", "pid": 1, "at": 1}
    host.command[-1] = "opencode"
    code, out, _ = host.hook({**payload, **more})
    host.settle()
    assert code == 0
    answer = json.loads(out)
    assert isinstance(answer, dict)
    return answer


def test_an_older_plugin_file_receives_the_offer_without_a_delivery_marker(host: Host) -> None:
    candidate = host.stage()
    answer = send_start(host)
    assert (set(answer), candidate.id in answer["inject"], list_delivery_markers(host)) == ({"inject"}, True, [])


def test_a_plugin_file_that_removes_delivery_markers_receives_the_name_of_the_marker(host: Host) -> None:
    candidate = host.stage()
    answer = send_start(host, removes=True)
    assert (candidate.id in answer["inject"], [answer["trace"]]) == (
        True,
        [Path(p).name for p in list_delivery_markers(host)],
    )


def test_a_start_without_an_offer_removes_the_delivery_marker_of_its_session(host: Host) -> None:
    host.command[-1] = "opencode"
    payload = {"event": "start", "sessionID": "s", "directory": str(host.project), "database": "", "pid": 1, "at": 1}
    host.stage()
    SessionMarkers(str(host.state), "s").delivering.write()
    host.hook({**payload, "removes": True, "sessionID": "t"})
    assert host.hook({**payload, "removes": True})[1] == b""
    host.settle()
    assert [Path(path).name for path in list_delivery_markers(host)] == [digest_text("t")]


@pytest.mark.parametrize("source", ["startup", "resume", "compact"])
def test_a_silent_hook_leaves_the_delivery_marker_of_a_hook_that_has_not_answered_yet(host: Host, source: str) -> None:
    host.stage()
    call = HookCall("claude-code", "s", str(host.project), "", 1, pid=os.getpid())
    assert starting.handle_session_start(
        str(host.state), call, caller_removes_marker=True
    )  # that hook is about to answer, or was killed
    link = host.project.with_name("link")
    link.symlink_to(host.project)
    host.environment |= {"CLAUDE_PID": str(os.getpid()), "CLAUDE_PROJECT_DIR": str(link)}
    assert host.hook(host.payload("SessionStart", source=source)) == (0, b"", b"")
    host.settle()
    assert [Path(path).name for path in list_delivery_markers(host)] == [digest_text("s")]


def send_gemini_event(host: Host, session: str, event: str) -> bytes:
    host.command[-1] = "gemini"
    given = host.payload(event, session, prompt="x", source="startup", timestamp="2026-11-22T00:00:00Z")
    out = host.hook(given)[1]
    host.settle()
    return out


def test_a_deferred_offer_has_a_delivery_marker_from_its_prompt_until_the_host_has_it(host: Host) -> None:
    candidate = host.stage()
    assert send_gemini_event(host, "s", "SessionStart") == b""
    assert list_delivery_markers(host) == []
    assert candidate.id.encode() in send_gemini_event(host, "s", "BeforeAgent")
    assert list_delivery_markers(host) == []
    assert send_gemini_event(host, "s", "BeforeAgent") == b""
    defer_offer(str(host.state), HookCall("gemini", "t", str(host.project), "", 1), "an offer")
    assert take_deferred_offer(str(host.state), HookCall("gemini", "t", str(host.project), "", 1)) == "an offer"
    assert [Path(path).name for path in list_delivery_markers(host)] == [
        digest_text("t")
    ]  # a hook that is killed here leaves it
    assert take_deferred_offer(str(host.state), HookCall("gemini", "t", str(host.project), "", 1)) is None
