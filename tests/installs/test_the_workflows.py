"""What GitHub runs and asks for is what this repository has: its Pythons, the README's test command, commands that exist."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from mind_skills.cli.group import COMMANDS

ROOT = Path(__file__).parents[2]
GITHUB = ROOT / ".github"
TEMPLATES = sorted([*(GITHUB / "ISSUE_TEMPLATE").iterdir(), GITHUB / "PULL_REQUEST_TEMPLATE.md", ROOT / "SECURITY.md"])


def job(workflow: str) -> dict[str, Any]:
    """The only job of a workflow."""
    (found,) = yaml.safe_load((GITHUB / "workflows" / workflow).read_text(encoding="utf-8"))["jobs"].values()
    return dict(found)


def runs(workflow: str) -> list[str]:
    return [step["run"] for step in job(workflow)["steps"] if "run" in step]


def supported() -> set[str]:
    """The Pythons that the package's classifiers name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return set(re.findall(r"Python :: (\d\.\d+)", " ".join(project["classifiers"])))


def test_the_workflow_requires_exactly_the_supported_pythons_on_linux() -> None:
    rows = job("tests.yml")["strategy"]["matrix"]["include"]
    assert {row["python"] for row in rows if row["os"] == "ubuntu-latest" and not row["untested"]} == supported()


def test_the_full_check_runs_on_every_supported_python() -> None:
    (given,) = [step["with"]["python-version"] for step in job("check.yml")["steps"] if "setup-python" in str(step)]
    assert set(given.split()) == supported()
    assert runs("check.yml")[-1] == ".ci/run"


def test_the_workflow_runs_the_test_command_of_the_readme() -> None:
    (line,) = re.findall(
        r"^python3 -m venv .venv && (.* && .venv/bin/pytest)$", (ROOT / "README.md").read_text(), re.MULTILINE
    )
    steps = line.replace(".venv/bin/", "python -m ").split(" && ")
    assert runs("tests.yml") == steps


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_paths_and_commands_in_templates_exist(template: Path) -> None:
    text = template.read_text(encoding="utf-8")
    commands = re.findall(r"`mind-skills (\w[\w-]*)", text)
    pages = re.findall(r"\b(?:docs/)?[\w-]+\.md\b", text)
    assert [name for name in commands if name not in COMMANDS] + [
        page for page in pages if not (ROOT / page).exists()
    ] == []
