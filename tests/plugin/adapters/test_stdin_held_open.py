"""A host that keeps stdin open after its payload is answered at once; if the payload is cut, or missing, after the timeout."""

from __future__ import annotations

import json
import os
import subprocess
import sys

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
ENTRIES = {
    "at once": SHORT.format(module="plugin.fast_path", leave=""),
    "as a command": SHORT.format(module="plugin.hook", leave=", leave=True"),
}


def run_hook(host: Host, entry: str, payload: bytes, *, timeout: int = 1) -> tuple[int, bytes]:
    """Exit code and output of a hook whose stdin stays open. Without a ``timeout``, it waits for ever."""
    code = ENTRIES[entry].replace("SECONDS = 1", f"SECONDS = {timeout}")  # alarm(0) sets no alarm
    line = [sys.executable, "-I", "-S", "-c", code, str(ROOT), "claude-code"]
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


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize(("payload", "why"), [(b"", "no payload arrived within 1 seconds"), (b'{"session_id"', "JSON")])
def test_an_incomplete_payload_ends_the_hook_in_silence_and_the_log_says_why(
    host: Host, entry: str, payload: bytes, why: str
) -> None:
    host.state.mkdir(mode=0o700)
    assert run_hook(host, entry, payload) == (0, b"")
    assert why in host.log()


@pytest.mark.parametrize("entry", ["at once", "as a command"])
def test_a_complete_payload_is_answered_although_stdin_stays_open(host: Host, entry: str) -> None:
    candidate = host.stage()
    payload = host.payload("SessionStart", source="startup", extra={"text": 'a "}" and \\\\', "none": {}})
    code, reply = run_hook(host, entry, json.dumps(payload).encode() + b"\n", timeout=0)
    host.settle()
    offer = json.loads(reply)["hookSpecificOutput"]["additionalContext"]
    assert (code, candidate.id in offer, host.log()) == (0, True, "")


@pytest.mark.parametrize(
    ("parts", "read"),
    [
        (['{"a": 1}', " later"], 1),
        (['\n{"a": 1}\n', "{}"], 1),
        (['{"a": {}', ', "b": "}', '"}', "later"], 3),
        ([r'{"a": "\"}', r"\\}", '"}', "later"], 3),
        ([r'{"a": "}\\"}', "later"], 1),
        ([" ", "\ufeff{}", "later"], 2),
        (["{}{}", "later"], 1),
        (['{"a": {"b": "}', ' {"}', "}", "later"], 3),
        (["[{}", "]", "later"], 1),
    ],
)
def test_reading_ends_with_the_part_that_completes_an_object(
    parts: list[str], read: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rest = [part.encode() for part in parts]
    monkeypatch.setattr("mind_skills.hooks.hotpath.system.read", lambda *_: rest.pop(0) if rest else b"")
    monkeypatch.setattr("mind_skills.hooks.hotpath.system.isatty", lambda _: False)
    assert hotpath.read_payload() == "".join(parts[:read]).encode()


def test_the_payload_timeout_is_shorter_than_the_hook_timeout_of_every_host() -> None:
    given = [timeout for spec in load_all_specs() for timeout in spec.timeouts.values()]
    assert min(each / 1000 if each >= 1000 else each for each in given) > hotpath.PAYLOAD_TIMEOUT_SECONDS
