"""The MCP server in the settings of the four hosts: in, run, and out again to the byte, with the hooks and without them."""

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
from mind_skills.setup.install.jsonc import parse
from mind_skills.tasks.mcp import extra
from tests.setup.settings_documents import texts
from tests.testkit.examples import examples

FILES = {
    "claude-code": ".claude.json",
    "opencode": ".config/opencode/opencode.json",
    "codex": ".codex/config.toml",
    "gemini": ".gemini/settings.json",
}
KEYS = {"claude-code": "mcpServers", "opencode": "mcp", "codex": "mcp_servers", "gemini": "mcpServers"}
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


def servers(file: Path, host: str) -> dict[str, Any]:
    text = file.read_bytes().decode()
    return toml_edit.read_table(text, KEYS[host]) if host == "codex" else json_edit.read_object(text, KEYS[host])


def line(entry: dict[str, Any]) -> list[str]:
    """What the host starts."""
    command_ = entry["command"]
    return command_ if isinstance(command_, list) else [command_, *entry["args"]]


def settings(report: dict[str, Any]) -> list[dict[str, Any]]:
    """The files of a host without those of its slash commands."""
    return [one for one in report["files"] if not Path(one["path"]).name.startswith("mind-skills-")]


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("host", HOSTS)
def test_what_was_installed_is_uninstalled_to_the_byte(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any], host: str, before: str
) -> None:
    file = prepare(home, host, before)
    untouched = tree(home)
    said = mind_skills("install", host, "--mcp", "--json").json["hosts"][0]
    assert [one["path"] for one in settings(said)][1:] == [str(file)]
    known = servers(file, host)
    assert set(known) == {"mind-skills", *(["other"] if before not in ("nothing", "an empty file") else [])}
    words = [*command.list_isolation_options(), "-m", "mind_skills.plugin.mcp", *command.list_location_arguments()]
    assert line(known["mind-skills"]) == [command.find_interpreter(), *words]
    again = settings(mind_skills("install", host, "--json").json["hosts"][0])
    assert [one["action"] for one in again] == ["none", "none"]
    done = mind_skills("uninstall", host, "--verify", "--json")
    assert (done.code, done.json["residue"]) == (0, [])
    assert tree(home) == untouched


@pytest.mark.process
@pytest.mark.parametrize("host", HOSTS)
def test_what_a_host_starts_speaks_the_protocol(home: Path, mind_skills: Callable[..., Any], host: str) -> None:
    mind_skills("install", host)
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    said = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})
    done = subprocess.run(
        line(servers(home / FILES[host], host)["mind-skills"]),
        input=f"{said}\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert json.loads(done.stdout)["result"]["serverInfo"]["name"] == "mind-skills"


def test_each_host_has_the_entry_in_its_own_form(home: Path, mind_skills: Callable[..., Any]) -> None:
    mind_skills("install", *HOSTS)
    words = [
        command.find_interpreter(),
        *command.list_isolation_options(),
        "-m",
        "mind_skills.plugin.mcp",
        *command.list_location_arguments(),
    ]
    assert {host: servers(home / FILES[host], host)["mind-skills"] for host in HOSTS} == {
        "claude-code": {"type": "stdio", "command": words[0], "args": words[1:]},
        "opencode": {"type": "local", "command": words, "enabled": True},
        "codex": {
            "command": words[0],
            "args": words[1:],
            "env_vars": ["MIND_SKILLS_HOME", "MIND_SKILLS_CONFIG", "XDG_STATE_HOME", "XDG_CONFIG_HOME"],
        },
        "gemini": {"command": words[0], "args": words[1:]},
    }


@pytest.mark.parametrize("host", HOSTS)
def test_without_it_the_hooks_stay_and_the_server_goes(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any], host: str
) -> None:
    file = prepare(home, host, "other settings")
    mind_skills("install", host, "--no-mcp")
    hooks_alone = tree(home)
    mind_skills("install", host)
    assert "mind-skills" in servers(file, host)
    said = settings(mind_skills("install", host, "--no-mcp", "--json").json["hosts"][0])
    assert (len(said), said[-1]["path"], said[-1]["action"]) == (2, str(file), "edit")
    left = tree(home)
    for files in (left, hooks_alone):
        del files[".local/state/mind-skills/install/journal.json"]  # which has times in it
    assert left == hooks_alone


@pytest.mark.parametrize("host", HOSTS)
def test_where_the_extra_is_missing_the_hooks_are_installed_alone(
    home: Path, mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setattr(extra, "is_importable", lambda: False)
    said = mind_skills("install", host, "--json").json["hosts"][0]
    assert (len(settings(said)), said["error"]) == (1, None)
    asked = mind_skills("install", host, "--mcp", "--json")
    assert (asked.code, asked.json["error"]["code"]) == (1, "extra_missing")


@pytest.mark.parametrize("host", HOSTS)
def test_an_upgrade_puts_the_new_interpreter_in_and_the_way_back_stays(
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
        assert line(servers(file, host)["mind-skills"])[0] == str(tmp_path / "old/python")
    mind_skills("install", host)
    assert line(servers(file, host)["mind-skills"])[0] == command.find_interpreter()
    assert mind_skills("uninstall", host, "--verify").code == 0
    assert tree(home) == untouched


@pytest.mark.parametrize("host", HOSTS)
def test_a_file_that_its_host_has_written_anew_loses_what_is_ours_and_nothing_else(
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
def test_a_server_of_that_name_that_somebody_put_there_is_left_alone(
    home: Path, mind_skills: Callable[..., Any], host: str
) -> None:
    file = home / FILES[host]
    file.parent.mkdir(parents=True, exist_ok=True)
    mine = {"command": "my-own", "args": ["mind-skills"]}
    before = toml_edit.add_table("", KEYS[host], "mind-skills", mine).text
    file.write_text(before if host == "codex" else json.dumps({KEYS[host]: {"mind-skills": mine}}))
    said = mind_skills("install", host, "--json").json["hosts"][0]
    assert (said["error"], "that mind-skills did not install" in said["next"][-1]) == (None, True)
    assert servers(file, host)["mind-skills"] == mine
    mind_skills("uninstall", host)
    assert servers(file, host)["mind-skills"] == mine
    whole = {path: path.read_bytes() for path in home.rglob("*.*") if path.is_file() and ".db" not in path.name}
    asked = mind_skills("install", host, "--mcp", "--json")
    assert asked.json["error"]["code"] == "foreign_server"
    assert {path: path.read_bytes() for path in whole} == whole  # it fails before anything is written
    assert mind_skills("uninstall", host, "--verify").code == 0


UNFIT = {
    "claude-code": ['{"mcpServers": []}', "{", "[]", '{"a": "\xe9"}'],
    "opencode": ['{"mcp": "x"}', "{", "3", "\xff"],
    "codex": ["mcp_servers = {}", "mcp_servers = 3", "= ", "# \xe9"],
}


@pytest.mark.parametrize(("host", "text"), [(host, text) for host, found in UNFIT.items() for text in found])
def test_what_cannot_be_edited_keeps_its_bytes_and_the_hooks_are_installed(
    home: Path, mind_skills: Callable[..., Any], host: str, text: str
) -> None:
    file = home / FILES[host]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode("latin-1"))
    said = mind_skills("install", host, "--json").json["hosts"][0]
    assert (said["error"], len(settings(said)), said["next"][-1].split(":")[0]) == (
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


def test_of_two_files_of_opencode_the_one_that_is_there_is_used(home: Path, mind_skills: Callable[..., Any]) -> None:
    file = home / ".config/opencode/opencode.jsonc"
    file.parent.mkdir(parents=True)
    file.write_text('{\n  // mine\n  "theme": "x",\n}\n')
    mind_skills("install", "opencode")
    assert "mind-skills" in json_edit.read_object(file.read_text(), "mcp")
    assert "// mine" in file.read_text()
    assert not (home / FILES["opencode"]).exists()
    mind_skills("uninstall", "opencode")
    assert file.read_text() == '{\n  // mine\n  "theme": "x",\n}\n'


def test_claude_codes_file_follows_the_folder_that_its_variable_names(
    home: Path, mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "elsewhere"))
    mind_skills("install", "claude-code")
    assert "mind-skills" in json_edit.read_object((tmp_path / "elsewhere/.claude.json").read_text(), "mcpServers")
    assert not (home / ".claude.json").exists()


@how(max_examples=examples(80), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=texts, newline=st.sampled_from(["\n", "\r\n"]), key=st.sampled_from(["mcpServers", "hooks", "x"]))
def test_any_document_is_the_same_afterwards(text: str, newline: str, key: str) -> None:
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
def test_any_toml_is_the_same_afterwards(text: str) -> None:
    done = toml_edit.add_table(text, "mcp_servers", "mind-skills", {"command": "c", "args": ["a b", '"']})
    assert toml_edit.read_table(done.text, "mcp_servers")["mind-skills"] == {"command": "c", "args": ["a b", '"']}
    assert toml_edit.remove_table(done.text, "mcp_servers", "mind-skills", done.pieces) == text
    assert tomllib.loads(toml_edit.remove_table(done.text, "mcp_servers", "mind-skills")) == tomllib.loads(text)
