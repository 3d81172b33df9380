"""The lines with which README and docs/install.md install, in a fresh environment and home, with nothing of ours on the PATH."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.testkit.paths import ROOT

NAMES = {"Claude Code": "claude-code", "OpenCode": "opencode", "Codex": "codex", "Gemini CLI": "gemini"}
SETTINGS = {
    "claude-code": ".claude/settings.json",
    "opencode": ".config/opencode/plugin/mind-skills.js",
    "codex": ".codex/hooks.json",
    "gemini": ".gemini/settings.json",
}
THEIRS = '{\n    "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "notify-send done"}]}]}\n}'
PAYLOADS = {
    "claude-code": "claude_code/payloads/00-SessionStart-startup.json",
    "opencode": "opencode/payloads/01-start.json",
    "codex": "codex/payloads/00-SessionStart-startup.json",
    "gemini": "gemini/payloads/00-SessionStart-startup.json",
}
WAITED = 30.0
"""Seconds until something counts as never happening; nothing here is measured."""


def lines() -> dict[str, list[str]]:
    """By host, what the table of docs/install.md says to type."""
    found: dict[str, list[str]] = {}
    for row in (ROOT / "docs/install.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in row.split("|")]
        if len(cells) == 4 and cells[1] in NAMES:
            typed = re.findall(r"`((?:uv tool|mind-skills) install[^`]*)`", cells[2])
            found.setdefault(NAMES[cells[1]], typed)
    return found


def test_every_host_is_installed_in_at_most_two_lines() -> None:
    assert lines() == {host: ["uv tool install .", f"mind-skills install {host}"] for host in NAMES.values()}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "```sh\nuv tool install .\nmind-skills install\n```" in readme


class Tool(NamedTuple):
    """An installation: the environment of a shell that has it on its PATH."""

    environment: dict[str, str]

    def run(self, line: str, home: Path, cwd: Path, given: str = "") -> str:
        done = subprocess.run(
            ["/bin/sh", "-c", line],
            input=given,
            env={**self.environment, "HOME": str(home)},
            cwd=cwd,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        return done.stdout


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a new user has before them: the sources as they are shipped, and not this repository."""
    folder = tmp_path_factory.mktemp("checkout")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(folder / "sdist")]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (archive,) = (folder / "sdist").iterdir()
    with tarfile.open(archive) as opened:
        opened.extractall(folder, filter="data")
    (unpacked,) = (path for path in folder.iterdir() if path.name != "sdist")
    return unpacked


@pytest.fixture(scope="module", params=["uv", "pip"])
def tool(request: pytest.FixtureRequest, checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Tool:
    """Installed by the first line, or by pip from the wheel into a virtual environment, as the README says one may."""
    place = tmp_path_factory.mktemp(request.param)
    known = {name: os.environ[name] for name in ("SSL_CERT_FILE", "SSL_CERT_DIR", "LANG") if name in os.environ}
    (place / "uv").mkdir()
    (place / "uv/uv").symlink_to(Path(sys.executable).with_name("uv"))
    known |= {f"UV_{name}_DIR": str(place / name.lower()) for name in ("TOOL", "TOOL_BIN", "CACHE")}
    known |= {"UV_PYTHON": sys.executable, "PIP_CACHE_DIR": str(place / "cache"), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    if request.param == "uv":
        path, line = f"{place}/tool_bin:{place}/uv", lines()["codex"][0]
    else:
        build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place / "dist")]
        subprocess.run(build, cwd=checkout, check=True, capture_output=True)
        path, line = f"{place}/venv/bin", f"{sys.executable} -m venv {place}/venv && pip install {place}/dist/*.whl"
    made = Tool({**known, "PATH": f"{path}:/usr/bin:/bin"})
    (place / "home").mkdir()
    made.run(line, place / "home", checkout)
    return made


def tree(top: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(path.relative_to(top)): (path.lstat().st_mode, path.read_bytes() if path.is_file() else b"")
        for path in sorted(top.rglob("*"))
    }


def start(tool: Tool, host: str, home: Path, project: Path) -> None:
    """The hook that the host would run as a session begins, with what the host sends."""
    text = (ROOT / "fixtures" / PAYLOADS[host]).read_text().replace("/home/user/project", str(project))
    settings = (home / SETTINGS[host]).read_text()
    if host == "opencode":
        python, script = (
            json.loads(found) for found in re.findall(r'^const (?:PYTHON|ENTRY) = (".*?");', settings, re.MULTILINE)
        )
        line = f"'{python}' -I -S '{script}' opencode"
    else:
        data: Any = json.loads(settings)
        (group,) = data["hooks"]["SessionStart"]
        line = group["hooks"][0]["command"]
    assert tool._replace(environment={"PATH": "/usr/bin:/bin"}).run(line, home, project, text) == ""


@pytest.mark.installs
@pytest.mark.parametrize("host", NAMES.values())
def test_a_new_user_can_install_start_a_session_and_uninstall_without_leftovers(
    tool: Tool, host: str, tmp_path: Path
) -> None:
    home, project = tmp_path / "home", tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (home / SETTINGS[host]).parent.mkdir(parents=True)
    if host != "opencode":
        (home / SETTINGS[host]).write_text(THEIRS)
    before, projects = tree(home), tree(project)
    tool.run(f"{lines()[host][1]} --yes --no-history", home, project)
    start(tool, host, home, project)
    end = time.monotonic() + WAITED
    while True:
        told = json.loads(tool.run("mind-skills status --json", home, project))
        (loop,) = [loop for loop in told["loops"] if loop["host"] == host]
        if loop["observed"]["count"]:
            break
        assert time.monotonic() < end, told
        time.sleep(0.05)
    assert (loop["installed"], loop["observed"]["count"], told["hookErrors"]) == (True, 1, [])
    tool.run(f"mind-skills uninstall {host} --purge --verify --yes", home, project)
    assert (tree(home), tree(project)) == (before, projects)
