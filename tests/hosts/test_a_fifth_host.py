"""A new host takes one file in hosts/: everything else follows from its spec."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hosts import HOST_NAMES, HostSpec, load_all_specs
from tests.testkit.command import confirm
from tests.testkit.paths import DEMO, ROOT
from tests.testkit.processes import wait_for_processes

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the hooks are run by a shell")
WAITED = 30.0
SPEC = '''"""Acme, which there is not."""

from mind_skills.hosts import HostSpec, HookOffSwitch

SPEC = HostSpec(
    "acme",
    title="Acme",
    binary="acme",
    settings_folder=".acme",
    settings_folder_env_var="ACME_HOME",
    hook_file="acme.json",
    events={"Began": "start", "Rested": "idle", "Left": "end"},
    timeouts={"Began": 7, "Rested": 8, "Left": 9},
    trust_instructions="Start acme, and say yes.",
    off_switches=(HookOffSwitch(("quiet",), True, "Take `quiet` out of it"),),
    project_env_var="ACME_PROJECT",
    pid_env_var="ACME_PID",
    offer_event="Began",
    server_files=("servers.json",),
    server_key="servers",
    server_entry_format="command_and_args",
    project_skill_folders=(".acme/skills",),
    home_skill_folders=(".acme/skills",),
    log_folders=("logs",),
    log_pattern=("*.jsonl",),
    tools={},
)
'''
COMMAND = """if True:
    import sys
    package = type(sys)("mind_skills")
    package.__path__ = [sys.argv.pop(1)]
    sys.modules["mind_skills"] = package
    from mind_skills.plugin.cli import main
    main()
"""


class Machine:
    """A checkout with one more file in hosts/, and a home in which Acme has written the log of the demo."""

    def __init__(self, root: Path) -> None:
        self.checkout, self.home, self.project = root / "checkout", root / "home", root / "home/project"
        self.checkout.mkdir()
        for folder in ROOT.iterdir():
            if folder.is_dir() and folder.name[0] != "." and folder.name not in ("hosts", "tests"):
                (self.checkout / folder.name).symlink_to(folder)
        shutil.copytree(ROOT / "hosts", self.checkout / "hosts", ignore=shutil.ignore_patterns("__pycache__"))
        (self.checkout / "hosts/acme.py").write_text(SPEC)
        names = self.checkout / "hosts/__init__.py"
        names.write_text(names.read_text().replace('NAMES = ("claude-code", ', 'NAMES = ("acme", "claude-code", '))
        (self.project / ".git/info").mkdir(parents=True)
        self.log = self.home / ".acme/logs/one.jsonl"
        self.log.parent.mkdir(parents=True)
        shutil.copy(DEMO, self.log)
        self.settings, self.state = self.home / ".acme/acme.json", self.home / ".local/state/mind-skills"
        self.environment = {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "ACME_PROJECT": str(self.project)}
        self.environment |= {"ACME_PID": str(os.getpid()), "MIND_SKILLS_HOME": str(self.state)}

    def command(self, *words: str) -> dict[str, Any]:
        """What `mind-skills WORDS --json` prints."""
        line = [sys.executable, "-c", COMMAND, str(self.checkout), *confirm([*words]), "--json"]
        done = subprocess.run(
            line, capture_output=True, env=self.environment, cwd=self.project, timeout=120, check=False
        )
        assert done.stderr == b"", done.stderr
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    def hook(self, event: str, session: str, **more: str) -> str:
        """The answer of the hook that the settings contain for this event."""
        (handler,) = json.loads(self.settings.read_text())["hooks"][event][0]["hooks"]
        form = {"hook_event_name": event, "session_id": session, "transcript_path": str(self.log), "cwd": "/", **more}
        line = ["/bin/sh", "-c", handler["command"]]
        data = json.dumps(form).encode()
        done = subprocess.run(line, input=data, capture_output=True, env=self.environment, timeout=WAITED, check=True)
        wait_for_processes(self.state, WAITED)
        assert done.stderr == b""
        return done.stdout.decode()


@pytest.mark.process
def test_a_host_defined_by_one_spec_works_from_install_to_uninstall(tmp_path: Path) -> None:
    machine = Machine(tmp_path.resolve())
    (installed,) = machine.command("install", "acme")["hosts"]
    assert (installed["error"], installed["next"]) == (None, ["Start acme, and say yes."])
    hooks = json.loads(machine.settings.read_text())["hooks"]
    assert {event: groups[0]["hooks"][0]["timeout"] for event, groups in hooks.items()} == {
        "Began": 7,
        "Rested": 8,
        "Left": 9,
    }

    assert [machine.hook(event, "one") for event in ("Began", "Rested", "Left")] == ["", "", ""]
    (candidate,) = machine.command("pending")["candidates"]
    assert candidate["host"] == "acme"
    offer = json.loads(machine.hook("Began", "two", source="startup"))["hookSpecificOutput"]
    assert offer["hookEventName"] == "Began"
    assert candidate["id"] in offer["additionalContext"]

    line = [sys.executable, "-I", "-S", str(machine.checkout / "hooks/capture.py"), "acme"]
    data = json.dumps({"session_id": "three", "hook_event_name": "Tool", "cwd": "/"}).encode()
    subprocess.run(line, input=data, env=machine.environment, check=True, timeout=WAITED)
    (spool,) = (machine.state / "spool/capture").glob("acme-*.jsonl")
    assert json.loads(spool.read_text())["project"] == str(machine.project)

    replayed = machine.command("replay", str(machine.log.parent))
    assert [found["id"] for session in replayed["sessions"] for found in session["candidates"]] == [candidate["id"]]

    report = machine.command("doctor")
    ours = [(check["name"], check["state"]) for check in report["checks"] if check["host"] == "acme"]
    assert ours == [("hooks", "ok"), ("mcp", "ok")]
    assert [loop["verdict"] for loop in report["loops"] if loop["host"] == "acme"] == ["working"]
    assert {one["moment"] for one in report["latencies"] if one["host"] == "acme"} == {"start", "idle", "end"}
    machine.settings.write_text(json.dumps({**json.loads(machine.settings.read_text()), "quiet": True}))
    failures = [check["text"] for check in machine.command("doctor")["checks"] if check["state"] == "failed"]
    assert failures == [f"{machine.settings} disables all hooks"]

    taken = machine.command("uninstall", "acme", "--verify")
    assert (taken["residue"], json.loads(machine.settings.read_text())) == ([], {"quiet": True})


def test_every_hooked_event_has_a_timeout_and_every_event_is_one_of_our_moments() -> None:
    hooks = [spec for spec in load_all_specs() if spec.protocol == "hooks"]
    assert [tuple(spec.timeouts) for spec in hooks] == [tuple(spec.events) for spec in hooks]
    moments = {moment for spec in load_all_specs() for moment in spec.events.values()}
    assert moments == {"start", "late", "prompt", "idle", "end", "recover", "failure"}


def test_every_spec_has_the_name_under_which_it_is_registered() -> None:
    assert tuple(spec.name for spec in load_all_specs()) == HOST_NAMES
    assert all(isinstance(spec, HostSpec) for spec in load_all_specs())
