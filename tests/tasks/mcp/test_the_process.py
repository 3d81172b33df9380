"""The server as a process: what goes over its pipes, what it survives, and every way in which it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import pytest

from tests.tasks.mcp.mcp_place import Place

pytestmark = pytest.mark.process
PATIENCE = 120.0
"""Seconds; only reached where something hangs."""


@contextmanager
def running(place: Place) -> Iterator[subprocess.Popen[bytes]]:
    pipe = subprocess.PIPE
    environment = {**os.environ, **place.environment}
    with subprocess.Popen(
        place.line(), cwd=place.project, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
    ) as process:
        watchdog = threading.Timer(PATIENCE, process.kill)
        watchdog.start()
        try:
            yield process
        finally:
            watchdog.cancel()
            process.kill()


HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}


def stdin(process: subprocess.Popen[bytes]) -> IO[bytes]:
    assert process.stdin is not None
    return process.stdin


def say(process: subprocess.Popen[bytes], *lines: bytes | dict[str, Any]) -> None:
    for line in lines:
        stdin(process).write((json.dumps(line).encode() if isinstance(line, dict) else line) + b"\n")
    stdin(process).flush()


def heard(process: subprocess.Popen[bytes], id_: int) -> dict[str, Any]:
    """The reply of that id; every line before it has to be of the protocol as well."""
    assert process.stdout is not None
    while line := process.stdout.readline():
        message: dict[str, Any] = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        if message.get("id") == id_:
            return message
    raise AssertionError("the server left")


def begun(process: subprocess.Popen[bytes]) -> None:
    say(process, HELLO)
    heard(process, 1)
    say(process, {"jsonrpc": "2.0", "method": "notifications/initialized"})


def plan(id_: int, **arguments: Any) -> dict[str, Any]:
    params = {"name": "plan", "arguments": arguments}
    return {"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": params}


def test_it_ends_when_its_client_closes_stdin(place: Place) -> None:
    with running(place) as process:
        begun(process)
        stdin(process).close()
        assert process.wait(PATIENCE) == 0


def test_a_client_that_never_says_a_word_may_leave(place: Place) -> None:
    with running(place) as process:
        stdin(process).close()
        assert process.wait(PATIENCE) == 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_it_ends_when_it_is_told_to(place: Place, number: signal.Signals, code: int) -> None:
    with running(place) as process:
        begun(process)
        say(process, plan(2, task="x"))
        heard(process, 2)
        process.send_signal(number)
        assert process.wait(PATIENCE) == code


def test_it_leaves_nobody_behind_when_its_client_is_gone(place: Place) -> None:
    with running(place) as process:
        begun(process)
        stdin(process).close()
        assert process.stdout is not None
        process.stdout.close()
        process.wait(PATIENCE)
        with pytest.raises(ProcessLookupError):
            os.killpg(process.pid, 0)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"nonsense",
        b"{}",
        b"[]",
        b'{"jsonrpc": "2.0", "id": 2}',
        b'{"jsonrpc": "2.0", "id": 2, "method": "tools/call"}',
        b'{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": 1}}',
        b'{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "plan", "arguments": "task"}}',
        b'{"jsonrpc": "2.0", "id": 2, "method": "no/such/method", "params": {}}',
        b'{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "plan", "arguments": {"task": "\\ud800"}}}',
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b'{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "plan", "arguments": {"task": '
        + b'{"a":' * 5_000
        + b"1"
        + b"}" * 5_000
        + b"}}}",
    ],
    ids=range(13),
)
def test_no_line_ends_it(place: Place, line: bytes) -> None:
    with running(place) as process:
        begun(process)
        say(process, line, plan(7, task="x", bead_id="b"))
        assert heard(process, 7)["result"]["structuredContent"]["bead_id"] == "b"
