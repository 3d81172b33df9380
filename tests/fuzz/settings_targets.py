"""Settings of a host, as anybody may have written them: what is not ours stays to the byte, and goes back to it."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Iterator
from typing import Any

from mind_skills.errors import MindSkillsError
from mind_skills.hosts import HOST_NAMES, load_all_specs, load_spec
from mind_skills.setup.install import codex_trust, targets
from mind_skills.setup.install.journal import Entry, Journal, compute_digest
from mind_skills.setup.install.json_edit import parse
from mind_skills.setup.install.servers import ServerTarget
from mind_skills.setup.install.targets import SettingsTarget
from mind_skills.setup.install.targets import Target as File
from tests.fuzz.target import Target, chosen, promise, room

AT = 1_781_748_890_278
WAYS = 8
"""Only one input of so many goes through the journal and the disk as well."""


def _files() -> tuple[File, ...]:
    place = str(room() / "home/settings")
    return (
        *(SettingsTarget(known, place) for known in load_all_specs() if known.protocol == "hooks"),
        *(ServerTarget(host, place) for host in HOST_NAMES),
    )


def _settings(data: bytes) -> None:
    """Any bytes in a host's file: installed and taken out they are the same, or they are refused and left alone."""
    every = _files()
    file = every[chosen(data, len(every))]
    before = data or None
    try:
        if file.describe_entries(before):
            _taken_out(file, data)
            return
        change = file.add(before)
        content = change.text.encode()
    except MindSkillsError as error:
        promise(error.code and error.message and error.hint, "what is refused has a reason")
        _refused(file, data)
        return
    entry = Entry(
        file.host,
        compute_digest(before),
        compute_digest(content),
        0o600,
        AT,
        list(change.pieces),
        list(change.created_paths),
    )
    promise(file.is_current(content) and file.describe_entries(content), "what was installed is there")
    promise(file.remove(content, entry) == before, "taken out it is to the byte what it was")
    _changed_since(file, data, content, entry)
    blind = file.remove(content, None)
    promise(blind is None or not file.describe_entries(blind), "without a journal nothing of us is left either")
    if chosen(data, WAYS) == 0:
        _on_disk(file, data)
    if isinstance(file, ServerTarget) and file.host == "codex":
        _trusted(data)


def _changed_since(file: File, data: bytes, installed: bytes, entry: Entry) -> None:
    """Somebody wrote a line behind what we wrote: that line stays, and nothing of us does."""
    remark = b"\n# mine\n" if _is_toml(file) else b"\n// mine\n"
    try:
        left = file.remove(installed + remark, entry)
    except MindSkillsError as error:
        raise AssertionError("a line behind the end keeps nobody from taking us out") from error
    promise(
        left is not None and left.endswith(remark) and not file.describe_entries(left), "what others wrote since stays"
    )
    promise(_said(file, left or b"") == _said(file, data), "and so does what all of it says")


def _said(file: File, content: bytes) -> Any:
    text = content.decode()
    if _is_toml(file):
        return _load_toml(text)
    root = parse(text)
    return root.value if root is not None and root.value != {} else {}


def _load_toml(text: str) -> dict[str, Any]:
    return tomllib.loads(text.removeprefix("\ufeff"))


def _is_toml(file: File) -> bool:
    return isinstance(file, ServerTarget) and load_spec(file.host).server_files[0].endswith(".toml")


def _taken_out(file: File, data: bytes) -> None:
    """A file in which we stand already, however we got there."""
    left = file.remove(data, None)
    promise(left is None or not file.describe_entries(left), "nothing of us is left")


def _refused(file: File, data: bytes) -> None:
    try:
        file.remove(data, None)
        file.is_current(data)
    except MindSkillsError as error:
        promise(error.code and error.message and error.hint, "what is refused has a reason")


def _on_disk(file: File, data: bytes) -> None:
    path = room() / "home/settings"
    shutil.rmtree(room() / "state/install", ignore_errors=True)
    path.unlink(missing_ok=True)
    if data:
        path.write_bytes(data)
    with Journal(str(room() / "state")) as journal:
        targets.install_target(journal, file, AT)
        promise(targets.install_target(journal, file, AT).action == "none", "installed twice is installed once")
    with Journal(str(room() / "state")) as journal:
        targets.uninstall_target(journal, file)
    promise((path.read_bytes() if path.exists() else b"") == data, "on the disk as well")
    promise(targets.find_residue(file) == [], "and nothing of us is left there")


def _trusted(data: bytes) -> None:
    """What Codex says of the hooks that its user trusts: each table goes alone, or nothing does."""
    text = data.decode()
    known = _load_toml(text).get("hooks", {})
    state: Any = known.get("state") if isinstance(known, dict) else None
    if not isinstance(state, dict):
        return
    for key in list(state)[:2]:
        left = codex_trust.remove_tables(text, [key])
        if left is not None:
            rest = _load_toml(left).get("hooks", {}).get("state", {})
            promise(rest == {name: value for name, value in state.items() if name != key}, "the others stay")


def _written() -> Iterator[bytes]:
    yield b""
    yield b'{\n  "a": 1, // one\n  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]},\n}\n'
    yield b'{"hooks": {"SessionStart": [], "Stop": [ /* none */ ]}, "mcpServers": {}}'
    yield b'\xef\xbb\xbf{\r\n\t"mcpServers": {\r\n\t\t"a": {"command": "b"}, // c\r\n\t}\r\n}\r\n'
    yield b"// nothing but a remark\n"
    yield b'{"mcp": {"x": {"type": "local", "command": ["y"]}}, "hooks": {}}\n'
    yield b'model = "m"\n\n[mcp_servers.a]\ncommand = "b"\n\n[hooks.state."/h/hooks.json:stop:0:0"]\ntrusted = true\n'
    yield b'mcp_servers.a = { command = "b" }\r\n# end'
    yield b'[[x]]\ny = """\n[mcp_servers]\n"""\n[hooks.state]\n\n[hooks.state."/h:session_start:0:0"]\ntrusted_hash = "a"\n'
    for file in _files():
        content = file.add(None).text.encode()
        yield content
        yield content.replace(b"\n", b"\r\n")
        if not _is_toml(file):
            yield json.dumps(json.loads(content)).encode()


TARGETS = (
    Target(
        "host_settings",
        _settings,
        _written,
        (
            *(f"setup/install/{name}.py" for name in ("json_edit", "toml_edit")),
            *(f"setup/install/{name}.py" for name in ("codex_trust", "servers", "targets")),
        ),
        (
            *(
                '"hooks": {',
                '"SessionStart": [',
                '"mcpServers": {',
                '"mind-skills": {',
                "// x\n",
                "/* y */",
                ",",
                "]",
                "}",
            ),
            *("[mcp_servers]\n", "[mcp_servers.mind-skills]\n", "mcp_servers = {}\n", '"""', "'''", "[hooks.state]\n"),
            *("mind_skills.plugin.mcp", "mind-skills hook codex start", "\r\n", "\ufeff", "[[", "#"),
        ),
    ),
)
