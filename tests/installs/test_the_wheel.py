"""What is shipped: sdist, the wheel built from it, and the tool installed from that."""

import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.testkit.paths import ROOT

PACKAGES = sorted(found.parent.name for found in ROOT.glob("*/__init__.py"))
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
WHEEL = SETTINGS["hatch"]["build"]["targets"]["wheel"]


def built(kind: str, source: Path, into: Path) -> Path:
    """Build one distribution with the build backend itself, in this environment."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(into)],
        cwd=source,
        check=True,
        capture_output=True,
    )
    (found,) = into.iterdir()
    return found


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that comes out of the sdist, as an installer without the repository would build it."""
    folder = tmp_path_factory.mktemp("dist")
    with tarfile.open(built("sdist", ROOT, folder / "sdist")) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    return built("wheel", unpacked, folder / "wheel")


def sources(names: Iterable[str]) -> dict[str, bytes]:
    """Every file of every shipped folder, and the manual page, under the name that each has in the wheel."""
    (data,) = {name.split("/")[0] for name in names if ".data/" in name}
    manual = {f"{data}/data/{place}": (ROOT / path).read_bytes() for path, place in WHEEL["shared-data"].items()}
    return manual | {
        f"{target}/{path.relative_to(ROOT / folder).as_posix()}": path.read_bytes()
        for folder, target in WHEEL["sources"].items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.mark.process
def test_a_wheel_built_from_the_sdist_contains_exactly_the_packages_files(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        shipped = {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}
    assert shipped == sources(shipped)


@pytest.mark.process
def test_the_wheel_declares_the_command_and_contains_the_licence(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (points,) = [name for name in archive.namelist() if name.endswith("entry_points.txt")]
        assert archive.read(points).decode().split() == [
            "[console_scripts]",
            "mind-skills",
            "=",
            "mind_skills.plugin.cli:main",
        ]
        assert [name for name in archive.namelist() if name.endswith("licenses/LICENSE")]


def test_every_list_of_packages_is_complete() -> None:
    layers = SETTINGS["importlinter"]["contracts"][0]["layers"]
    links = [path.name for path in (ROOT / ".dev/mind_skills").iterdir() if path.is_dir()]
    assert {
        "only-include": sorted(WHEEL["only-include"]),
        "sources": [target for folder, target in sorted(WHEEL["sources"].items()) if folder in PACKAGES],
        "pyright": sorted(SETTINGS["pyright"]["include"]),
        "coverage": sorted(SETTINGS["coverage"]["run"]["source"]),
        "layers": sorted(name for name in layers if not name.startswith("(")),
        "links": sorted(name for name in links if name != "__pycache__"),
    } == {
        "only-include": sorted(WHEEL["sources"]),
        "sources": [f"mind_skills/{name}" for name in PACKAGES],
        "pyright": sorted([*PACKAGES, "research/evaluation"]),
        "coverage": sorted([*PACKAGES, "research/evaluation"]),
        "layers": PACKAGES,
        "links": PACKAGES,
    }


@pytest.mark.installs
def test_the_demo_runs_when_installed_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    known = ("PATH", "SSL_CERT_FILE", "SSL_CERT_DIR", "LANG")
    scrubbed = {name: os.environ[name] for name in known if name in os.environ}
    scrubbed |= {"HOME": str(tmp_path / "home"), "MIND_SKILLS_HOME": str(tmp_path / "state")}
    scrubbed |= {f"UV_{name}_DIR": str(tmp_path / name.lower()) for name in ("TOOL", "TOOL_BIN", "CACHE")}
    uv = Path(sys.executable).with_name("uv")
    subprocess.run([uv, "tool", "install", "--python", sys.executable, wheel], env=scrubbed, check=True, cwd=tmp_path)
    tool = tmp_path / "tool_bin" / "mind-skills"
    # Folders of these names in the working directory belong to the user; they must never be imported.
    for name in PACKAGES:
        (tmp_path / "project" / name).mkdir(parents=True)
        (tmp_path / "project" / name / "__init__.py").write_text("raise SystemExit('the project was imported')\n")
    shown = subprocess.run(
        [tool, "demo"],
        env=scrubbed | {"PYTHONPATH": "."},
        cwd=tmp_path / "project",
        check=True,
        capture_output=True,
        text=True,
    )
    assert "<openception-skill-extraction>" in shown.stdout
