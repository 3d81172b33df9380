"""Codex's records of hooks that its user trusts: an uninstall reports ours, and a purge removes them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.setup.install import codex_trust
from mind_skills.setup.install.codex_trust import remove_tables

OURS = ("session_start:0:0", "stop:0:0", "session_end:0:0")
MINE = """# how I like it
model = "gpt-5.5"   # the good one

[tui]
theme = 'dark'
notes = \"\"\"
[hooks.state."not a table"]
\"\"\"
"""


def add_trust(hooks: Path, places: Iterable[str], before: str = MINE) -> str:
    """The settings after the user trusted these hooks, as Codex 0.169.0 writes them."""
    hashes = codex_trust.compute_hashes(str(hooks), hooks.read_bytes()) if hooks.exists() else {}
    tables = [
        f'\n[hooks.state."{key}"]\ntrusted_hash = "{hashes.get(key, "sha256:0")}"\n'
        for key in (f"{hooks}:{place}" for place in places)
    ]
    return f"{before}\n[hooks.state]\n{''.join(tables)}"


@pytest.fixture
def config(home: Path) -> Path:
    path = home / ".codex/config.toml"
    path.parent.mkdir()
    path.write_text(MINE)
    return path


def test_a_purge_removes_codexs_trust_in_our_hooks_and_no_other_byte(
    home: Path, config: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any]
) -> None:
    before = tree(home)
    mind_skills("install", "codex")
    config.write_text(add_trust(home / ".codex/hooks.json", OURS))
    dry = mind_skills("uninstall", "codex", "--purge", "--dry-run")
    assert ("trusted_hash" in dry.out, "trusted_hash" in config.read_text()) == (True, True)
    done = mind_skills("uninstall", "codex", "--purge", "--verify", "--json")
    assert (done.code, done.json["residue"]) == (0, [])
    assert [file["action"] for file in done.json["hosts"][0]["files"]] == ["remove", "edit"]
    assert tree(home) == before


def test_an_uninstall_reports_codexs_trust_records_and_a_later_purge_removes_them(
    home: Path, config: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any]
) -> None:
    before = tree(home)
    mind_skills("install", "codex")
    config.write_text(add_trust(home / ".codex/hooks.json", OURS))
    done = mind_skills("uninstall", "codex", "--verify")
    assert done.code == 0
    assert f"Codex records in {config} that you trust these hooks (3 entries)" in done.out
    assert "trusted_hash" in config.read_text()
    assert mind_skills("uninstall", "codex", "--purge", "--verify").code == 0
    assert tree(home) == before


def test_a_purge_preserves_codexs_trust_in_hooks_of_others(
    home: Path, config: Path, mind_skills: Callable[..., Any]
) -> None:
    hooks = home / ".codex/hooks.json"
    theirs = [{"hooks": [{"type": "command", "command": "notify-send done"}]}]
    hooks.write_text(json.dumps({"hooks": {"Stop": theirs, "PreToolUse": theirs}}))
    mind_skills("install", "codex")
    foreign = ["stop:0:0", "pre_tool_use:0:0", "pre_tool_use:7:0"]
    config.write_text(add_trust(hooks, ["session_start:0:0", "stop:0:0", "stop:1:0", "session_end:0:0", *foreign[1:]]))
    assert mind_skills("uninstall", "codex", "--purge", "--verify").code == 0
    assert config.read_text() == add_trust(hooks, foreign)


def test_a_purge_preserves_codexs_trust_in_hooks_of_another_settings_folder(
    config: Path, tmp_path: Path, mind_skills: Callable[..., Any]
) -> None:
    text = add_trust(tmp_path / "elsewhere/hooks.json", OURS)
    config.write_text(text)
    mind_skills("install", "codex")
    assert mind_skills("uninstall", "codex", "--purge", "--verify").code == 0
    assert config.read_text() == text


ODD = {
    "inline": 'hooks = {{ state = {{ "{key}" = {{ trusted_hash = "x" }} }} }}\n',
    "dotted": '[hooks]\nstate."{key}".trusted_hash = "x"\n',
    "with more in it": '[hooks.state."{key}"]\ntrusted_hash = "x"\nnumbers = [\n  1,\n]\n',
}


@pytest.mark.parametrize("how", ODD)
def test_a_trust_record_in_an_unexpected_form_is_an_error_and_unchanged(
    home: Path, config: Path, mind_skills: Callable[..., Any], how: str
) -> None:
    mind_skills("install", "codex")
    text = ODD[how].format(key=f"{home}/.codex/hooks.json:stop:0:0")
    config.write_text(text)
    done = mind_skills("uninstall", "codex", "--purge", "--json")
    assert (done.code, done.json["hosts"][0]["error"]["code"]) == (1, "settings_shape")
    assert config.read_text() == text


def test_codex_settings_with_a_byte_order_mark_are_read_and_restored(
    home: Path, config: Path, mind_skills: Callable[..., Any]
) -> None:
    before = f"\ufeff{MINE}"
    config.write_text(before, encoding="utf-8")
    assert mind_skills("install", "codex", "--mcp").code == 0
    config.write_text(add_trust(home / ".codex/hooks.json", OURS, config.read_text(encoding="utf-8")), encoding="utf-8")
    checks = mind_skills("doctor", "--json").json["checks"]
    assert [each["state"] for each in checks if (each["host"], each["name"]) == ("codex", "trust")] == ["ok"]
    assert mind_skills("uninstall", "codex", "--purge", "--verify").code == 0
    assert config.read_text(encoding="utf-8") == before


@pytest.mark.parametrize("text", [f"a = {'[' * 3000}{']' * 3000}\n", f"a{'.a' * 3000} = 1\n"])
def test_codex_settings_that_are_nested_too_deeply_are_left_or_restored(
    config: Path, mind_skills: Callable[..., Any], text: str
) -> None:
    config.write_text(text)
    result = mind_skills("install", "codex")
    # Since 3.13, tomllib reads keys of any number of parts, and the server can be added.
    assert result.code != 3
    assert ("MCP server was not installed" in result.out) == (config.read_text() == text)
    assert mind_skills("uninstall", "codex", "--purge", "--verify").code == 0
    assert config.read_text() == text


def test_codex_settings_that_are_not_valid_toml_are_left_unchanged(
    config: Path, mind_skills: Callable[..., Any]
) -> None:
    config.write_text("model = [")
    mind_skills("install", "codex")
    assert mind_skills("uninstall", "codex", "--purge", "--verify").code == 0
    assert config.read_text() == "model = ["


lines = st.sampled_from(["# a remark", "", "   ", "[tui]", 'a = "b"', "[[list]]", "x.y = 1", "[hooks.other]"])
places = st.lists(
    st.tuples(st.sampled_from(["stop", "pre_tool_use"]), st.integers(0, 3)).map("{0[0]}:{0[1]}:0".format), unique=True
)


@given(st.lists(lines, unique=True, max_size=6), places, places, st.booleans(), st.sampled_from(["\n", "\r\n"]))
def test_removing_trust_tables_preserves_every_other_byte(
    around: list[str], stay: list[str], go: list[str], end: bool, newline: str
) -> None:
    before = "\n".join(around) + ("\n" if around and end else "")
    go = [place for place in go if place not in stay]
    if not go or (before and not before.endswith("\n")):
        return
    hooks = Path("/h/hooks.json")
    whole, left = add_trust(hooks, [*stay, *go], before), add_trust(hooks, stay, before) if stay else before
    keys = [f"{hooks}:{place}" for place in go]
    assert remove_tables(whole.replace("\n", newline), keys) == left.replace("\n", newline)
