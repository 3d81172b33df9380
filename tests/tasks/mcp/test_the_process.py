"""The server as a process: its pipes, the lines that it survives, and every way in which it ends."""

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
"""Seconds; only reached if something hangs."""


@contextmanager
def run_server(place: Place) -> Iterator[subprocess.Popen[bytes]]:
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


def get_stdin(process: subprocess.Popen[bytes]) -> IO[bytes]:
    assert process.stdin is not None
    return process.stdin


def send(process: subprocess.Popen[bytes], *lines: bytes | dict[str, Any]) -> None:
    for line in lines:
        get_stdin(process).write((json.dumps(line).encode() if isinstance(line, dict) else line) + b"\n")
    get_stdin(process).flush()


def read_reply(process: subprocess.Popen[bytes], id_: int) -> dict[str, Any]:
    """Return the reply with that id; every line before it must be a message of the protocol."""
    assert process.stdout is not None
    while line := process.stdout.readline():
        message: dict[str, Any] = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        if message.get("id") == id_:
            return message
    raise AssertionError("the server left")


def initialise(process: subprocess.Popen[bytes]) -> None:
    send(process, HELLO)
    read_reply(process, 1)
    send(process, {"jsonrpc": "2.0", "method": "notifications/initialized"})


def build_plan_request(id_: int, **arguments: Any) -> dict[str, Any]:
    params = {"name": "plan", "arguments": arguments}
    return {"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": params}


def test_the_server_ends_when_its_client_closes_stdin(place: Place) -> None:
    with run_server(place) as process:
        initialise(process)
        get_stdin(process).close()
        assert process.wait(PATIENCE) == 0


def test_the_server_ends_when_stdin_is_closed_before_the_first_message(place: Place) -> None:
    with run_server(place) as process:
        get_stdin(process).close()
        assert process.wait(PATIENCE) == 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_the_server_ends_on_a_signal_with_its_exit_code(place: Place, number: signal.Signals, code: int) -> None:
    with run_server(place) as process:
        initialise(process)
        send(process, build_plan_request(2, task="x"))
        read_reply(process, 2)
        process.send_signal(number)
        assert process.wait(PATIENCE) == code


def test_the_server_leaves_no_process_behind_when_its_client_is_gone(place: Place) -> None:
    with run_server(place) as process:
        initialise(process)
        get_stdin(process).close()
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
def test_no_line_ends_the_server(place: Place, line: bytes) -> None:
    with run_server(place) as process:
        initialise(process)
        send(process, line, build_plan_request(7, task="x", bead_id="b"))
        assert read_reply(process, 7)["result"]["structuredContent"]["bead_id"] == "b"
