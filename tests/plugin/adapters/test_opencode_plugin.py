"""The file that OpenCode loads, run by Node: into which requests it puts an offer, and that nothing makes it throw."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from mind_skills.plugin.opencode import SOURCE_PATH, SPOOL_FOLDER, render_plugin_file
from mind_skills.store.home import get_state_folder
from tests.plugin.adapters.hook_host import Host
from tests.plugin.adapters.node_host import HARNESS, node

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")


def test_the_installed_file_names_interpreter_and_entry() -> None:
    text = render_plugin_file('/a "b"/python', "/c/entry.py")
    assert 'const PYTHON = "/a \\"b\\"/python";' in text
    assert 'const ENTRY = "/c/entry.py";' in text
    assert len(text.splitlines()) == len(Path(SOURCE_PATH).read_text().splitlines())


def test_the_plugin_file_imports_node_built_ins_and_nothing_else() -> None:
    modules = re.findall(r"""(?:from|import|require)\s*\(?\s*["']([^"']+)""", Path(SOURCE_PATH).read_text())
    assert modules
    assert [name for name in modules if not name.startswith("node:")] == []


@needs_node
@pytest.mark.parametrize(
    "environment",
    [{}, {"MIND_SKILLS_HOME": "~/mine"}, {"XDG_STATE_HOME": "relative"}, {"XDG_STATE_HOME": "{}/xdg"}],
    ids=["default", "named", "relative", "XDG"],
)
def test_the_plugin_file_finds_the_state_folder_where_python_does(
    tmp_path: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    given = {name: value.replace("{}", str(tmp_path)) for name, value in environment.items()}
    given |= {"HOME": str(tmp_path)}
    node(tmp_path, HARNESS, **given)
    (found,) = Path(get_state_folder(given), SPOOL_FOLDER).glob("*.jsonl")
    assert (found.stat().st_mode & 0o777, found.parent.stat().st_mode & 0o777) == (0o600, 0o700)


@pytest.mark.process
@needs_node
def test_an_offer_goes_once_into_each_main_request_of_its_own_session(host: Host, tmp_path: Path) -> None:
    candidate = host.stage()
    code = """
    import plugin from "./plugin.mjs";
    const client = {session: {get: async ({path}) => ({data: {id: path.id, parentID: path.id === "sub" ? "s" : undefined}})}};
    const hooks = await plugin.server({client, directory: process.env.PROJECT});
    for (const sessionID of ["sub", "s", "later", "s"]) await hooks["chat.message"]({sessionID}, {});
    const seen = {};
    for (const [name, sessionID, first] of [["main", "s", "You are"], ["again", "s", "You are"], ["sub", "sub", "You are"],
        ["later", "later", "You are"], ["none", undefined, ""], ["title", "s", "You are a title generator. "]]) {
      const output = {system: [first]};
      await hooks["experimental.chat.system.transform"]({sessionID}, output);
      await hooks["experimental.chat.system.transform"]({sessionID}, output);
      seen[name] = output.system.slice(1);
    }
    await hooks.dispose();
    console.log(JSON.stringify(seen));
    """
    state = str(host.state)
    seen = json.loads(node(tmp_path, code, MIND_SKILLS_HOME=state, PROJECT=str(host.project)))
    host.settle()
    assert {name: len(texts) for name, texts in seen.items()} == {
        "main": 1,
        "again": 1,
        "sub": 0,
        "later": 0,
        "none": 0,
        "title": 0,
    }
    assert seen["main"] == seen["again"]
    assert candidate.id in seen["main"][0]
    assert (host.log(), list((host.state / SPOOL_FOLDER).iterdir())) == ("", [])


@needs_node
def test_the_start_of_a_forked_session_is_marked_as_a_fork(tmp_path: Path) -> None:
    code = """
    import plugin from "./plugin.mjs";
    const info = {id: "f", title: "Prices (fork #1)"};
    const client = {session: {get: async ({path}) => ({data: {id: path.id, title: path.id === "later" ? "P (fork #12)" : "fork #1"}})}};
    const hooks = await plugin.server({client, directory: "/d"});
    await hooks.event({event: {type: "session.created", properties: {info}}});
    for (const sessionID of ["f", "later", "s"]) await hooks["chat.message"]({sessionID}, {});
    """
    node(tmp_path, code, "/bin/false", MIND_SKILLS_HOME=str(tmp_path / "state"))
    (path,) = (tmp_path / "state" / SPOOL_FOLDER).glob("*.jsonl")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [(line["event"], line["sessionID"], line.get("fork")) for line in lines] == [
        ("start", "f", True),
        ("start", "later", True),
        ("start", "s", None),
    ]


BROKEN = {
    "endless": "exec yes",
    "slow": "exec sleep 600",
    "failing": """echo '{"inject": "x"}'; exit 1""",
    "of another shape": """echo '{"inject": ["x"]}'""",
    "null": "echo null",
    "empty": """echo '{"inject": ""}'""",
    "silent": "exit 0",
    "deaf": "exec <&-; echo '<html>'",
    "killed": "kill -9 $$",
}


@needs_node
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.process if name == "slow" else ()) for name in BROKEN]
)
def test_an_invalid_answer_of_the_interpreter_is_ignored(tmp_path: Path, name: str) -> None:
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\n{BROKEN[name]}\n")
    python.chmod(0o755)
    code = (
        HARNESS
        + """
    const output = {system: ["You are"]};
    await hooks["experimental.chat.system.transform"]({sessionID: "s"}, output);
    console.log(output.system.length);
    """
    )
    state = tmp_path / "state"
    assert node(tmp_path, code, str(python), MIND_SKILLS_HOME=str(state)) == "1\n"
    (line,) = [json.loads(line) for path in (state / SPOOL_FOLDER).iterdir() for line in path.read_text().splitlines()]
    assert (line["event"], line["sessionID"]) == ("start", "s")


@needs_node
def test_three_claims_without_an_answer_suspend_further_claims_for_a_while(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\necho asked >>{tmp_path}/asked; exit 1\n")
    python.chmod(0o755)
    code = (
        HARNESS
        + """
    import { readFileSync } from "node:fs";
    const asked = async () => {
      for (let n = 0; n < 9; n++) await hooks["chat.message"]({sessionID: "s"}, {});
      return readFileSync("asked", "utf8").split("asked").length - 1;
    };
    const now = Date.now, seen = [await asked()];
    Date.now = () => now() + 11 * 60_000;
    console.log([...seen, await asked()].join());
    """
    )
    assert node(tmp_path, code, str(python), MIND_SKILLS_HOME=str(tmp_path / "state")) == "3,4\n"


@needs_node
def test_an_answer_resets_the_count_of_claims_without_an_answer(tmp_path: Path) -> None:
    python = tmp_path / "python"
    every_third = f"[ $(($(wc -l <{tmp_path}/asked) % 3)) = 0 ]"
    python.write_text(f"#!/bin/sh\necho asked >>{tmp_path}/asked; {every_third}\n")
    python.chmod(0o755)
    code = """
    import plugin from "./plugin.mjs";
    const client = {session: {get: async ({path}) => ({data: {id: path.id}})}};
    const hooks = await plugin.server({client, directory: process.cwd()});
    for (const sessionID of "stuv") for (const _ of "1234") await hooks["chat.message"]({sessionID}, {});
    """
    node(tmp_path, code, str(python), MIND_SKILLS_HOME=str(tmp_path / "state"))
    assert (tmp_path / "asked").read_text().count("asked") == 12
