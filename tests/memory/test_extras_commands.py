"""Commands with the extras: output, files list_untracked in the project, and libraries that must not be imported at start."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mind_skills.memory.model import Record
from mind_skills.memory.store import open_memory
from tests.testkit.command import confirm

pytestmark = pytest.mark.extras

SCRIPT = str(Path(sys.executable).with_name("mind-skills"))
LIBRARIES = re.compile(r"\| +(lancedb|pyarrow|numpy|torch|transformers|sentence_transformers)\b")
TEXTS = [f"{word} of the {thing}" for word in ("loss", "gain", "order") for thing in ("queue", "cache", "index", "log")]


class Place:
    """A user with a repository."""

    def __init__(self, folder: Path, model: Path) -> None:
        self.project = folder / "shop"
        self.state = folder / "state"
        subprocess.run(["git", "init", "-q", str(self.project)], check=True)
        settings = folder / "settings.toml"
        settings.write_text(f'[memory]\nmodel = "{model}"\n')
        self.environment = {
            "HOME": str(folder), "PATH": os.environ["PATH"], "HF_HOME": str(folder / "hub"),
            "MIND_SKILLS_HOME": str(self.state), "MIND_SKILLS_CONFIG": str(settings),
        }  # fmt: skip

    def run(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [SCRIPT, *confirm([*arguments])],
            cwd=self.project,
            env=self.environment | more,
            capture_output=True,
            text=True,
            check=False,
        )

    def json(self, *arguments: str) -> Any:
        done = self.run(*arguments, "--json")
        assert (done.returncode, done.stderr) == (0, ""), done
        return json.loads(done.stdout)

    def list_untracked(self) -> str:
        git = ["git", "-C", str(self.project), "status", "--porcelain", "--ignored"]
        return subprocess.run(git, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def place(tmp_path: Path, tiny_model: Path) -> Place:
    return Place(tmp_path, tiny_model)


def test_a_record_is_found_through_the_model_and_the_index_and_a_purge_removes_both(
    place: Place, tiny_model: Path
) -> None:
    for text in TEXTS:
        place.json("memory", "add", text)
    assert not (place.project / ".hive").exists()  # nothing is encoded before the first query
    found = place.json("memory", "search", TEXTS[5], "--limit", "2")
    assert found["results"][0]["content"] == TEXTS[5]
    assert (found["memory_queried"], found["patterns_found"]) == (True, 2)
    health = place.json("memory", "health")
    index = place.project / ".hive/vectors/patterns.lance"
    assert (health["healthy"], health["count"], health["location"]) == (True, 12, str(index))
    assert health["encoder"].startswith("tiny@")
    assert health["reason"] == f"the model is {tiny_model}; LanceDB is installed"
    assert place.list_untracked() == "!! .hive/\n"
    assert place.json("memory", "rebuild")["records"] == 12
    everywhere = place.json("memory", "search", TEXTS[5], "--limit", "1", "--all-projects")
    assert everywhere["results"][0]["content"] == TEXTS[5]
    removed = place.json("uninstall", "--all", "--purge", "--verify")
    assert str(index) in removed["purged"]
    assert (removed["residue"], place.list_untracked()) == ([], "")
    assert not (place.project / ".hive").exists()


def test_an_interrupted_rebuild_exits_with_130_and_the_next_one_completes_it(place: Place) -> None:
    with open_memory(str(place.state)) as store:
        store.store_all(Record(f"r{n}", "learning", f"{TEXTS[n % 12]} {n}") for n in range(1_000))
    rebuilding = subprocess.Popen(
        [SCRIPT, "memory", "rebuild"], cwd=place.project, env=place.environment, stderr=subprocess.PIPE, text=True
    )
    vectors = ["sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM memory_vectors').fetchone()[0]"]
    count = [sys.executable, "-c", f"import sqlite3, sys; print({vectors[0]})", str(place.state / "mind-skills.db")]
    while rebuilding.poll() is None:
        stored = subprocess.run(count, capture_output=True, text=True, check=False).stdout.strip()
        if stored.isdigit() and int(stored) > 100:
            break
    rebuilding.send_signal(signal.SIGINT)
    assert (rebuilding.communicate()[1].strip(), rebuilding.returncode) == ("Interrupted.", 130)
    assert 100 < int(subprocess.run(count, capture_output=True, text=True, check=True).stdout) < 1_000
    assert place.json("memory", "rebuild")["records"] == 1_000
    assert place.json("memory", "search", f"{TEXTS[5]} 77", "--limit", "1")["results"][0]["content"] == f"{TEXTS[5]} 77"


def test_a_failed_download_of_a_model_is_an_error(place: Place) -> None:
    Path(place.environment["MIND_SKILLS_CONFIG"]).write_text('[memory]\nmodel = "no-such/model"\n')
    done = place.run("memory", "rebuild", "--download", "--json", HF_HUB_OFFLINE="1")
    assert done.returncode == 1
    error = json.loads(done.stdout)["error"]
    assert (error["code"], error["message"].partition(":")[0]) == (
        "memory_model",
        "the model no-such/model cannot be used",
    )


@pytest.mark.parametrize(
    "words",
    [["--version"], ["--help"], ["status"], ["memory", "--help"], ["memory", "add", "x"], ["hook", "claude-code", "start"],
     ["hook", "claude-code", "idle"], ["hook", "claude-code", "end"]],
    ids=" ".join,
)  # fmt: skip
def test_commands_and_hooks_do_not_import_the_libraries_of_the_extras(place: Place, words: list[str]) -> None:
    place.json("memory", "add", TEXTS[0])
    place.json("memory", "search", TEXTS[0])
    payload = {"session_id": "s", "cwd": str(place.project), "hook_event_name": "SessionStart", "source": "startup"}
    done = subprocess.run(
        [sys.executable, "-X", "importtime", SCRIPT, *words], cwd=place.project, env=place.environment,
        input=json.dumps(payload), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2_000:]
    assert "mind_skills" in done.stderr
    assert sorted(set(LIBRARIES.findall(done.stderr))) == []
