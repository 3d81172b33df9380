"""A host that keeps stdin open behind its payload, or sends none: a hook waits for it no longer than it says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mind_skills.hooks import hotpath
from mind_skills.hosts import load_all_specs
from tests.plugin.adapters.hook_host import WAITED, Host
from tests.testkit.paths import ROOT

pytestmark = pytest.mark.process

SHORT = """if True:
    import sys
    package = type(sys)("mind_skills")
    package.__path__ = [sys.argv[1]]
    sys.modules["mind_skills"] = package
    from mind_skills.hooks import hotpath
    hotpath.PAYLOAD_TIMEOUT_SECONDS = 1
    from mind_skills.{module} import main
    main(sys.argv[2:]{leave})
"""
DOORS = {
    "at once": SHORT.format(module="plugin.fast_path", leave=""),
    "as a command": SHORT.format(module="plugin.hook", leave=", leave=True"),
    "capture": SHORT.format(module="hooks.spool", leave=""),
}


def said(host: Host, door: str, payload: bytes) -> tuple[int, bytes]:
    """What a hook says and ends with, while its stdin stays open."""
    line = [sys.executable, "-I", "-S", "-c", DOORS[door], str(ROOT), "claude-code"]
    reading, writing = os.pipe()
    try:
        os.write(writing, payload)
        done = subprocess.run(
            line, stdin=reading, capture_output=True, env=host.environment, timeout=WAITED, check=False
        )
    finally:
        os.close(reading)
        os.close(writing)
    return done.returncode, done.stdout


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(("payload", "why"), [(b"", "no payload arrived within 1 seconds"), (b'{"session_id"', "JSON")])
def test_without_a_whole_payload_it_ends_in_silence_and_the_log_says_why(
    host: Host, door: str, payload: bytes, why: str
) -> None:
    host.state.mkdir(mode=0o700)
    assert said(host, door, payload) == (0, b"")
    assert why in host.log()


@pytest.mark.parametrize("door", ["at once", "as a command"])
def test_a_whole_payload_is_answered_and_nothing_is_lost(host: Host, door: str) -> None:
    candidate = host.stage()
    code, reply = said(host, door, json.dumps(host.payload("SessionStart", source="startup")).encode())
    host.settle()
    told = json.loads(reply)["hookSpecificOutput"]["additionalContext"]
    assert (code, candidate.id in told, host.log()) == (0, True, "")


def test_a_captured_event_is_put_down(host: Host) -> None:
    payload = json.dumps(host.payload("Stop")).encode()
    assert said(host, "capture", payload) == (0, b"")
    (spooled,) = Path(host.state).glob("spool/capture/*.jsonl")
    assert json.loads(spooled.read_bytes())["event"] == json.loads(payload)


def test_the_wait_is_shorter_than_what_any_host_gives_a_hook() -> None:
    given = [timeout for spec in load_all_specs() for timeout in spec.timeouts.values()]
    assert min(each / 1000 if each >= 1000 else each for each in given) > hotpath.PAYLOAD_TIMEOUT_SECONDS
