"""Whatever a host's settings contain: after an install, accepted or refused, and an uninstall, the home is unchanged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as how
from hypothesis import strategies as st

from mind_skills.hosts import HOST_NAMES as HOSTS
from mind_skills.setup.install.targets import find_handlers, make_target
from tests.setup.settings_documents import texts
from tests.testkit.examples import examples

encodings = st.tuples(
    st.sampled_from(["", "\ufeff"]), st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", "\n", "\n\n"])
)

MODES = st.sampled_from([0o600, 0o644, 0o640, 0o664])


def find_settings(home: Path, host: str) -> Path:
    path = Path(make_target(host).path)
    assert home in path.parents
    return path


@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini"])
@how(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=texts, encoding=encodings, mode=MODES)
def test_installing_and_uninstalling_restores_any_settings_document(
    home: Path,
    mind_skills: Callable[..., Any],
    tree: Callable[..., Any],
    host: str,
    text: str,
    encoding: Any,
    mode: int,
) -> None:
    mark, newline, end = encoding
    path = find_settings(home, host)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes((mark + text.rstrip("\n").replace("\r\n", "\n").replace("\n", newline) + end).encode())
    path.chmod(mode)
    before = tree(home)
    dry = mind_skills("install", host, "--dry-run", "--json")
    assert tree(home) == before
    done = mind_skills("install", host, "--json")
    assert done.code == dry.code
    if done.code == 0:
        would, did = dry.json["hosts"][0]["files"], done.json["hosts"][0]["files"]
        # A dry run shows the second change of one file as if the first were not made.
        shown = 1 if host == "gemini" else 2
        assert [(one["action"], one["diff"]) for one in would[:shown]] == [
            (one["action"], one["diff"]) for one in did[:shown]
        ]
        assert len(find_handlers(path.read_bytes())) == (3 if host == "codex" else 4)
        installed = tree(home)
        assert mind_skills("install", host, "--json").json["hosts"][0]["files"][0]["action"] == "none"
        assert tree(home) == installed
    assert mind_skills("uninstall", host, "--verify").code == done.code
    assert tree(home) == before


INDENTS = {
    "three blanks": '{\n   "a": 1,\n   "b": {\n      "c": []\n   }\n}\n',
    "tabs": '{\n\t"a": 1,\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}',
    "none": '{\n"a": 1,\n"hooks": {\n"SessionEnd": [\n{"hooks": []}\n]\n}\n}\n',
    "every line another": '{\n "a": 1,\n      "b": 2,\n\t"hooks": {\n  "PreToolUse": [ ] }}\n\n\n',
    "braces on lines of their own": '{\n  "hooks":\n  {\n    "Stop":\n    [\n    ]\n  }\n}\n',
}


@pytest.mark.parametrize("indent", INDENTS)
@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini"])
def test_installing_and_uninstalling_restores_odd_indentation(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any], host: str, indent: str
) -> None:
    path = find_settings(home, host)
    path.parent.mkdir()
    path.write_text(INDENTS[indent])
    before = tree(home)
    assert mind_skills("install", host).code == 0
    assert path.read_text() != INDENTS[indent]
    assert mind_skills("uninstall", host, "--verify").code == 0
    assert tree(home) == before


LINKS = [(host, what) for host in HOSTS for what in ("file", "folder") if (host, what) != ("opencode", "file")]
"""Not OpenCode's file: a plugin file of our name that exists already is foreign, whether a link or not."""


@pytest.mark.parametrize(("host", "what"), LINKS)
def test_installing_and_uninstalling_preserves_a_symbolic_link_and_its_target(
    home: Path, tmp_path: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any], host: str, what: str
) -> None:
    path, dotfiles = find_settings(home, host), tmp_path / "dotfiles"
    dotfiles.mkdir()
    link = path if what == "file" else path.parent
    link.parent.mkdir(parents=True, exist_ok=True)
    if what == "folder":
        link.symlink_to(dotfiles)
    else:
        (dotfiles / "settings").write_text('{"a": {}}')
        link.symlink_to(dotfiles / "settings")
    before = tree(home), tree(dotfiles)
    assert mind_skills("install", host).code == 0
    assert link.is_symlink()
    assert mind_skills("uninstall", host, "--verify").code == 0
    assert (tree(home), tree(dotfiles)) == before


@pytest.mark.parametrize("host", HOSTS)
def test_a_read_only_file_is_refused_and_unchanged(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any], host: str
) -> None:
    path = find_settings(home, host)
    path.parent.mkdir(parents=True)
    if host == "opencode":
        mind_skills("install", host)
    else:
        path.write_text('{"a": {}}')
    path.chmod(0o444)
    before = tree(home)
    done = mind_skills("uninstall" if host == "opencode" else "install", host, "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "read_only")
    assert tree(home) == before


@pytest.mark.parametrize("host", HOSTS)
def test_uninstalling_from_a_read_only_file_fails_until_it_is_writable(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any], host: str
) -> None:
    before = tree(home)
    assert mind_skills("install", host).code == 0
    path = find_settings(home, host)
    path.chmod(0o444)
    done = mind_skills("uninstall", host, "--verify", "--json")
    assert (done.code, done.json["hosts"][0]["error"]["code"]) == (1, "read_only")
    path.chmod(0o644)
    assert mind_skills("uninstall", host, "--verify").code == 0
    assert tree(home) == before
