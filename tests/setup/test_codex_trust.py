"""What Codex writes down about hooks that its user trusts: told of, and taken out with a purge."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def trusted(hooks: Path, places: Iterable[str], before: str = MINE) -> str:
    """The settings after the user's answer, as Codex 0.169.0 writes them."""
    tables = [f'\n[hooks.state."{hooks}:{place}"]\ntrusted_hash = "sha256:{place}"\n' for place in places]
    return f"{before}\n[hooks.state]\n{''.join(tables)}"


@pytest.fixture
def config(home: Path) -> Path:
    path = home / ".codex/config.toml"
    path.parent.mkdir()
    path.write_text(MINE)
    return path


def test_a_purge_takes_out_what_codex_noted_about_our_hooks_and_every_other_byte_stays(
    home: Path, config: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any]
) -> None:
    before = tree(home)
    mind_skills("install", "codex")
    config.write_text(trusted(home / ".codex/hooks.json", OURS))
    dry = mind_skills("uninstall", "codex", "--purge", "--dry-run")
    assert ("trusted_hash" in dry.out, "trusted_hash" in config.read_text()) == (True, True)
    done = mind_skills("uninstall", "codex", "--purge", "--verify", "--json")
    assert (done.code, done.json["residue"]) == (0, [])
    assert [file["action"] for file in done.json["hosts"][0]["files"]] == ["remove", "edit"]
    assert tree(home) == before


def test_without_a_purge_it_is_told_and_a_later_purge_takes_it_out(
    home: Path, config: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any]
) -> None:
    before = tree(home)
    mind_skills("install", "codex")
    config.write_text(trusted(home / ".codex/hooks.json", OURS))
    done = mind_skills("uninstall", "codex", "--verify")
    assert done.code == 0
    assert f"Codex records in {config} that you trust these hooks (3 entries)" in done.out
    assert "trusted_hash" in config.read_text()
    assert mind_skills("uninstall", "codex", "--purge", "--verify").code == 0
    assert tree(home) == before


def test_what_codex_noted_about_the_hooks_of_others_stays(
    home: Path, config: Path, mind_skills: Callable[..., Any]
) -> None:
    hooks = home / ".codex/hooks.json"
    theirs = [{"hooks": [{"type": "command", "command": "notify-send done"}]}]
    hooks.write_text(json.dumps({"hooks": {"Stop": theirs, "PreToolUse": theirs}}))
    mind_skills("install", "codex")
    foreign = ["stop:0:0", "pre_tool_use:0:0", "pre_tool_use:7:0"]
    config.write_text(trusted(hooks, ["session_start:0:0", "stop:0:0", "stop:1:0", "session_end:0:0", *foreign[1:]]))
    assert mind_skills("uninstall", "codex", "--purge", "--verify").code == 0
    assert config.read_text() == trusted(hooks, foreign)


def test_hooks_of_another_place_of_settings_keep_their_trust(
    config: Path, tmp_path: Path, mind_skills: Callable[..., Any]
) -> None:
    text = trusted(tmp_path / "elsewhere/hooks.json", OURS)
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
def test_where_it_is_written_in_another_way_it_is_left_and_said(
    home: Path, config: Path, mind_skills: Callable[..., Any], how: str
) -> None:
    mind_skills("install", "codex")
    text = ODD[how].format(key=f"{home}/.codex/hooks.json:stop:0:0")
    config.write_text(text)
    done = mind_skills("uninstall", "codex", "--purge", "--json")
    assert (done.code, done.json["hosts"][0]["error"]["code"]) == (1, "settings_shape")
    assert config.read_text() == text


def test_settings_that_are_no_toml_are_for_codex_to_complain_about(
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
def test_whatever_stands_around_it_what_codex_added_is_taken_out_to_the_byte(
    around: list[str], stay: list[str], go: list[str], end: bool, newline: str
) -> None:
    before = "\n".join(around) + ("\n" if around and end else "")
    go = [place for place in go if place not in stay]
    if not go or (before and not before.endswith("\n")):
        return
    hooks = Path("/h/hooks.json")
    whole, left = trusted(hooks, [*stay, *go], before), trusted(hooks, stay, before) if stay else before
    keys = [f"{hooks}:{place}" for place in go]
    assert remove_tables(whole.replace("\n", newline), keys) == left.replace("\n", newline)
