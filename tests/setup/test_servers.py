"""The MCP server in the settings of the four hosts: added, run, and removed byte for byte."""

from __future__ import annotations

import json
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as how
from hypothesis import strategies as st

from mind_skills.hosts import HOST_NAMES as HOSTS
from mind_skills.plugin import command
from mind_skills.setup.install import json_edit, toml_edit
from mind_skills.setup.install.json_edit import parse
from tests.setup.settings_documents import texts
from tests.testkit.examples import examples

FILES = {
    "claude-code": ".claude.json",
    "opencode": ".config/opencode/opencode.json",
    "codex": ".codex/config.toml",
    "gemini": ".gemini/settings.json",
    "antigravity": ".gemini/config/mcp_config.json",
}
KEYS = {
    "claude-code": "mcpServers",
    "opencode": "mcp",
    "codex": "mcp_servers",
    "gemini": "mcpServers",
    "antigravity": "mcpServers",
}
THEIRS = """{
  // mine
  "theme": "dark",
  "KEY": {
    "other": {"command": "other", "args": []} // somebody else's
  }
}"""
TOML = """# mine
model = "o"

[mcp_servers.other] # somebody else's
command = "other"
args = ["-x"]

[hooks.state."/x:stop:0:0"]
trusted_hash = "1"
"""
BEFORE = ["nothing", "an empty file", "other settings", "no newline at the end", "Windows line ends"]


def prepare(home: Path, host: str, before: str) -> Path:
    file = home / FILES[host]
    if before == "nothing":
        return file
    file.parent.mkdir(parents=True, exist_ok=True)
    text = TOML if host == "codex" else THEIRS.replace("KEY", KEYS[host]) + "\n"
    text = {"an empty file": "", "no newline at the end": text.rstrip("\n")}.get(before, text)
    file.write_bytes((text.replace("\n", "\r\n") if before == "Windows line ends" else text).encode())
    file.chmod(0o640)
    return file


def read_servers(file: Path, host: str) -> dict[str, Any]:
    text = file.read_bytes().decode()
    return toml_edit.read_table(text, KEYS[host]) if host == "codex" else json_edit.read_object(text, KEYS[host])


def read_command_line(entry: dict[str, Any]) -> list[str]:
    """The command line that the host runs."""
    command_ = entry["command"]
    return command_ if isinstance(command_, list) else [command_, *entry["args"]]


def list_settings(report: dict[str, Any]) -> list[dict[str, Any]]:
    """The files of a host without those of its slash commands."""
    return [one for one in report["files"] if not Path(one["path"]).name.startswith("mind-skills-")]


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("host", HOSTS)
def test_uninstalling_the_server_restores_the_home_byte_for_byte(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any], host: str, before: str
) -> None:
    file = prepare(home, host, before)
    untouched = tree(home)
    said = mind_skills("install", host, "--mcp", "--json").json["hosts"][0]
    assert [one["path"] for one in list_settings(said)][1:] == [str(file)]
    known = read_servers(file, host)
    assert set(known) == {"mind-skills", *(["other"] if before not in ("nothing", "an empty file") else [])}
    words = [*command.list_isolation_options(), "-m", "mind_skills.plugin.mcp", *command.list_location_arguments()]
    assert read_command_line(known["mind-skills"]) == [command.find_interpreter(), *words]
    again = list_settings(mind_skills("install", host, "--json").json["hosts"][0])
    assert [one["action"] for one in again] == ["none", "none"]
    done = mind_skills("uninstall", host, "--verify", "--json")
    assert (done.code, done.json["residue"]) == (0, [])
    assert tree(home) == untouched


@pytest.mark.process
@pytest.mark.parametrize("host", HOSTS)
def test_the_installed_server_answers_an_initialize_request(
    home: Path, mind_skills: Callable[..., Any], host: str
) -> None:
    mind_skills("install", host)
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    said = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})
    done = subprocess.run(
        read_command_line(read_servers(home / FILES[host], host)["mind-skills"]),
        input=f"{said}\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert json.loads(done.stdout)["result"]["serverInfo"]["name"] == "mind-skills"


def test_each_hosts_server_entry_has_the_form_of_that_host(home: Path, mind_skills: Callable[..., Any]) -> None:
    mind_skills("install", *HOSTS)
    words = [
        command.find_interpreter(),
        *command.list_isolation_options(),
        "-m",
        "mind_skills.plugin.mcp",
        *command.list_location_arguments(),
    ]
    assert {host: read_servers(home / FILES[host], host)["mind-skills"] for host in HOSTS} == {
        "claude-code": {"type": "stdio", "command": words[0], "args": words[1:]},
        "opencode": {"type": "local", "command": words, "enabled": True},
        "codex": {
            "command": words[0],
            "args": words[1:],
            "env_vars": ["MIND_SKILLS_HOME", "MIND_SKILLS_CONFIG", "XDG_STATE_HOME", "XDG_CONFIG_HOME"],
        },
        "gemini": {"command": words[0], "args": words[1:]},
        "antigravity": {"command": words[0], "args": words[1:]},
    }


@pytest.mark.parametrize("host", HOSTS)
def test_reinstalling_with_no_mcp_removes_the_server_and_preserves_the_hooks(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any], host: str
) -> None:
    file = prepare(home, host, "other settings")
    mind_skills("install", host, "--no-mcp")
    hooks_alone = tree(home)
    mind_skills("install", host)
    assert "mind-skills" in read_servers(file, host)
    said = list_settings(mind_skills("install", host, "--no-mcp", "--json").json["hosts"][0])
    assert (len(said), said[-1]["path"], said[-1]["action"]) == (2, str(file), "edit")
    left = tree(home)
    for files in (left, hooks_alone):
        del files[".local/state/mind-skills/install/journal.json"]  # it contains times
    assert left == hooks_alone


@pytest.mark.parametrize("host", HOSTS)
def test_without_the_mcp_extra_only_the_hooks_are_installed(
    home: Path, mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setattr("mind_skills.tasks.mcp.find_spec", lambda _: None)
    said = mind_skills("install", host, "--json").json["hosts"][0]
    assert (len(list_settings(said)), said["error"]) == (1, None)
    asked = mind_skills("install", host, "--mcp", "--json")
    assert (asked.code, asked.json["error"]["code"]) == (1, "extra_missing")


@pytest.mark.parametrize("host", HOSTS)
def test_reinstalling_replaces_the_interpreter_and_uninstalling_restores_the_first_settings(
    home: Path,
    mind_skills: Callable[..., Any],
    tree: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    host: str,
) -> None:
    file = prepare(home, host, "other settings")
    untouched = tree(home)
    with monkeypatch.context() as patch:
        patch.setattr(command, "find_interpreter", lambda: str(tmp_path / "old/python"))
        mind_skills("install", host)
        assert read_command_line(read_servers(file, host)["mind-skills"])[0] == str(tmp_path / "old/python")
    mind_skills("install", host)
    assert read_command_line(read_servers(file, host)["mind-skills"])[0] == command.find_interpreter()
    assert mind_skills("uninstall", host, "--verify").code == 0
    assert tree(home) == untouched


@pytest.mark.parametrize("host", HOSTS)
def test_only_our_entries_are_removed_from_a_file_that_the_host_rewrote(
    home: Path, mind_skills: Callable[..., Any], host: str
) -> None:
    file = prepare(home, host, "other settings")
    mind_skills("install", host)
    if host == "codex":
        text = file.read_text().replace("[mcp_servers.mind-skills]", '[mcp_servers."mind-skills"]  ')
        file.write_text(
            f'{text}startup_timeout_sec = 9\n\n[mcp_servers."mind-skills".env]\nA = "b"\n\n[projects."/x"]\nt = 1\n'
        )
        before = tomllib.loads(file.read_text())
        mind_skills("uninstall", host)
        left = tomllib.loads(file.read_text())
        del before["mcp_servers"]["mind-skills"]
    else:
        before = parse(file.read_text()).value  # type: ignore[union-attr]
        file.write_text(json.dumps(before | {"later": [1]}, indent=4, sort_keys=True))
        before = json.loads(file.read_text())
        mind_skills("uninstall", host)
        left = json.loads(file.read_text())
        del before[KEYS[host]]["mind-skills"]
        before.pop("hooks", None)
    assert left == before


@pytest.mark.parametrize("host", HOSTS)
def test_a_foreign_server_of_our_name_is_never_changed(home: Path, mind_skills: Callable[..., Any], host: str) -> None:
    file = home / FILES[host]
    file.parent.mkdir(parents=True, exist_ok=True)
    mine = {"command": "my-own", "args": ["mind-skills"]}
    before = toml_edit.add_table("", KEYS[host], "mind-skills", mine).text
    file.write_text(before if host == "codex" else json.dumps({KEYS[host]: {"mind-skills": mine}}))
    said = mind_skills("install", host, "--json").json["hosts"][0]
    assert (said["error"], "that mind-skills did not install" in said["next"][-1]) == (None, True)
    assert read_servers(file, host)["mind-skills"] == mine
    mind_skills("uninstall", host)
    assert read_servers(file, host)["mind-skills"] == mine
    whole = {path: path.read_bytes() for path in home.rglob("*.*") if path.is_file() and ".db" not in path.name}
    asked = mind_skills("install", host, "--mcp", "--json")
    assert asked.json["error"]["code"] == "foreign_server"
    assert {path: path.read_bytes() for path in whole} == whole  # the install fails before it writes anything
    assert mind_skills("uninstall", host, "--verify").code == 0


UNFIT = {
    "claude-code": ['{"mcpServers": []}', "{", "[]", '{"a": "\xe9"}'],
    "opencode": ['{"mcp": "x"}', "{", "3", "\xff"],
    "codex": ["mcp_servers = {}", "mcp_servers = 3", "= ", "# \xe9"],
}


@pytest.mark.parametrize(("host", "text"), [(host, text) for host, found in UNFIT.items() for text in found])
def test_a_file_that_cannot_be_edited_is_unchanged_and_the_hooks_are_installed(
    home: Path, mind_skills: Callable[..., Any], host: str, text: str
) -> None:
    file = home / FILES[host]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode("latin-1"))
    said = mind_skills("install", host, "--json").json["hosts"][0]
    assert (said["error"], len(list_settings(said)), said["next"][-1].split(":")[0]) == (
        None,
        1,
        "The MCP server was not installed" if host != "codex" else said["next"][-1].split(":")[0],
    )
    assert any(one.startswith("The MCP server was not installed: ") for one in said["next"])
    assert file.read_bytes() == text.encode("latin-1")
    asked = mind_skills("install", host, "--mcp", "--json")
    assert asked.json["error"]["code"] in ("settings_shape", "settings_syntax")
    assert mind_skills("uninstall", host, "--verify").code == 0
    assert file.read_bytes() == text.encode("latin-1")


def test_the_server_is_added_to_an_existing_jsonc_file_of_opencode(home: Path, mind_skills: Callable[..., Any]) -> None:
    file = home / ".config/opencode/opencode.jsonc"
    file.parent.mkdir(parents=True)
    file.write_text('{\n  // mine\n  "theme": "x",\n}\n')
    mind_skills("install", "opencode")
    assert "mind-skills" in json_edit.read_object(file.read_text(), "mcp")
    assert "// mine" in file.read_text()
    assert not (home / FILES["opencode"]).exists()
    mind_skills("uninstall", "opencode")
    assert file.read_text() == '{\n  // mine\n  "theme": "x",\n}\n'


def test_the_server_of_claude_code_is_added_in_the_folder_that_its_variable_names(
    home: Path, mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "elsewhere"))
    mind_skills("install", "claude-code")
    assert "mind-skills" in json_edit.read_object((tmp_path / "elsewhere/.claude.json").read_text(), "mcpServers")
    assert not (home / ".claude.json").exists()


@how(max_examples=examples(80), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=texts, newline=st.sampled_from(["\n", "\r\n"]), key=st.sampled_from(["mcpServers", "hooks", "x"]))
def test_merging_and_pruning_restores_the_value_of_any_jsonc_document(text: str, newline: str, key: str) -> None:
    text = text.replace("\r\n", "\n").replace("\n", newline)
    try:
        done = json_edit.merge(text, {key: {"mind-skills": {"command": "c", "args": ["-m"]}}})
    except ValueError:
        return
    assert json_edit.read_object(done.text, key)["mind-skills"] == {"command": "c", "args": ["-m"]}
    back = json_edit.prune(done.text, lambda path, _: path == (key, "mind-skills"), done.pieces, done.created_paths)
    assert (parse(back), back.strip() in (text.strip(), "")) == (parse(text), True)
    without_notes = json_edit.prune(done.text, lambda path, _: path == (key, "mind-skills"))
    assert "mind-skills" not in json_edit.read_object(without_notes, key)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a = 1",
        "a = 1\n",
        "[mcp_servers]\n",
        "[mcp_servers.x]\ncommand = 'y'\n",
        "# only this",
        "[a]\nb = 1\n\n\n",
        "[[a]]\n",
    ],
)
def test_adding_and_removing_a_table_restores_the_toml_text(text: str) -> None:
    done = toml_edit.add_table(text, "mcp_servers", "mind-skills", {"command": "c", "args": ["a b", '"']})
    assert toml_edit.read_table(done.text, "mcp_servers")["mind-skills"] == {"command": "c", "args": ["a b", '"']}
    assert toml_edit.remove_table(done.text, "mcp_servers", "mind-skills", done.pieces) == text
    assert tomllib.loads(toml_edit.remove_table(done.text, "mcp_servers", "mind-skills")) == tomllib.loads(text)
