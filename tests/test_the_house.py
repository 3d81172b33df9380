"""The rules of the house that no linter knows."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.testkit.paths import ROOT

PACKAGES = sorted(found.parent.name for found in ROOT.glob("*/__init__.py"))
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
WRITTEN = sorted(
    path for folder in (*PACKAGES, "tests", "research", "docs", ".ci") for path in (ROOT / folder).rglob("*.py")
)
FACES = ("cli", "fleet", "team", "setup", "watch", "report", "tasks", "output", "plugin")
"""The rooms that people, services and hosts meet: with packages installed, and the clock at hand."""
FOLDERS = tuple(f"{name}/" for name in FACES)
CLOCKS = {
    ("time", "time"),
    ("time", "time_ns"),
    ("time", "localtime"),
    ("time", "gmtime"),
    ("datetime", "now"),
    ("datetime", "utcnow"),
    ("datetime", "today"),
    ("date", "today"),
}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=name_of(path))


OPTIONAL = {
    "observations/codec.py": {"orjson"},
    "learning/skills/flaws.py": {"yaml"},
    "settings/edit.py": {"tomlkit"},
}
"""Where orjson is not installed, json is taken; without PyYAML, hooks do not check the form of a skill. Hooks edit no settings."""


def imported(path: Path) -> set[str]:
    """The top-level names that a module imports."""
    found: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
    return found


def test_no_module_is_a_drawer_for_odds_and_ends() -> None:
    drawers = {"utils", "util", "helpers", "helper", "common", "misc"}
    assert [name_of(path) for path in WRITTEN if path.stem in drawers] == []


def test_only_the_faces_import_third_party_packages() -> None:
    ours = {*sys.stdlib_module_names, "mind_skills", "__future__"}
    foreign = {name_of(path): imported(path) - ours for path in MODULES if not name_of(path).startswith(FOLDERS)}
    assert {name: found for name, found in foreign.items() if found} == OPTIONAL


def test_what_is_installed_does_not_import_what_stays_in_the_checkout() -> None:
    assert [name_of(path) for path in MODULES if imported(path) & {"research", "tests", "docs"}] == []


def reached(first: str) -> set[Path]:
    """Every module of ours that a module imports, at its top or later, and theirs in turn."""
    found: set[Path] = set()
    waiting = [first]
    while waiting:
        name = waiting.pop()
        path = next((known for known in (ROOT / f"{name}.py", ROOT / name / "__init__.py") if known.exists()), None)
        if path is None or path in found:
            continue
        found.add(path)
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mind_skills."):
                module = (node.module or "").removeprefix("mind_skills.").replace(".", "/")
                waiting += [module, *(f"{module}/{alias.name}" for alias in node.names)]
    return found


def test_nothing_that_a_hook_can_reach_needs_an_installed_package() -> None:
    ours = {*sys.stdlib_module_names, "mind_skills", "__future__"}
    foreign = {name_of(path): imported(path) - ours for path in reached("plugin/hook")}
    assert {name: found for name, found in foreign.items() if found}.items() <= OPTIONAL.items()


def test_only_the_faces_and_the_hook_scripts_read_the_clock() -> None:
    readings = []
    for path in MODULES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Attribute):
                owner = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
                if (owner, node.attr) in CLOCKS and not name_of(path).startswith(FOLDERS):
                    readings.append(f"{name_of(path)}:{node.lineno} {owner}.{node.attr}")
    assert readings == []


@pytest.mark.process
@pytest.mark.parametrize("package", [package for package in PACKAGES if package not in FACES])
def test_a_package_below_the_faces_imports_where_nothing_is_installed(package: str) -> None:
    names = [
        name_of(path)[:-3].replace("/", ".").removesuffix(".__init__")
        for path in MODULES
        if path.parts[len(ROOT.parts)] == package
    ]
    script = "\n".join(
        ["import importlib, sys", f"sys.path.insert(0, {str(ROOT / '.dev')!r})"]
        + [f"importlib.import_module({'mind_skills.' + name!r})" for name in names if not name.endswith("__main__")]
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
