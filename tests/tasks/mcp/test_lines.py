"""Lines that are not messages: a client that waits for an answer gets one, and the server goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.tasks.mcp.server import MAX_LINE_BYTES, find_line_error
from tests.tasks.mcp.mcp_place import Place
from tests.tasks.mcp.test_the_process import (
    HELLO,
    PATIENCE,
    build_plan_request,
    initialise,
    read_reply,
    run_server,
    send,
)

pytestmark = pytest.mark.process

PARSE, INVALID = -32700, -32600


def build_request(**more: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 2, "method": "ping"} | more).encode()


REFUSED = {
    "no JSON": (b"nonsense", None, PARSE),
    "no text": (b"\xff\xfe\x00", None, PARSE),
    "nested too deeply": (b"[" * 100_000, None, PARSE),
    "two on one line": (build_request() + b" " + build_request(), None, PARSE),
    "a number of 5,000 digits": (b'{"jsonrpc":"2.0","method":"ping","id":' + b"9" * 5_000 + b"}", None, PARSE),
    "a lone surrogate": (build_request(params={"task": "\ud800"}), 2, PARSE),
    "a lone surrogate as an id": (build_request(id="\ud800"), None, PARSE),
    "an empty object": (b"{}", None, INVALID),
    "an empty batch": (b"[]", None, INVALID),
    "a batch": (b"[" + build_request() + b"]", None, INVALID),
    "params as a list": (build_request(params=[]), 2, INVALID),
    "params as a text": (build_request(id="two", params="x"), "two", INVALID),
    "no method": (b'{"jsonrpc": "2.0", "id": 2}', 2, INVALID),
    "a method that is no name": (build_request(method=5), 2, INVALID),
    "another version": (build_request(jsonrpc="1.0"), 2, INVALID),
    "null as an id": (build_request(id=None), None, INVALID),
    "a truth value as an id": (build_request(id=True), None, INVALID),
    "a fraction as an id": (build_request(id=1.5), None, INVALID),
    "neither a name nor an id": (b'{"jsonrpc": "2.0", "method": 1, "params": "bar"}', None, INVALID),
}
UNANSWERED = {
    "an empty line": b"  ",
    "a notification": b'{"jsonrpc": "2.0", "method": "notifications/nobody/knows"}',
    "a request without an id": b'{"jsonrpc": "2.0", "method": "tools/list"}',
    "a notification with params as a list": b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": []}',
    "an answer": b'{"jsonrpc": "2.0", "id": 2, "result": {}}',
    "an invalid answer": b'{"jsonrpc": "2.0", "id": 2, "result": []}',
    "an invalid error": b'{"jsonrpc": "2.0", "id": 2, "error": 3}',
}


def read_answers(process: subprocess.Popen[bytes], line: bytes) -> list[dict[str, Any]]:
    """Return what the server answers to ``line`` before it answers the request that follows."""
    send(process, line, build_request(id="behind"))
    assert process.stdout is not None
    found: list[dict[str, Any]] = []
    while True:
        message: dict[str, Any] = json.loads(process.stdout.readline())
        if message["id"] == "behind":
            return found
        found.append(message)


def test_an_invalid_line_is_answered_by_an_error_and_the_server_goes_on(place: Place) -> None:
    with run_server(place) as process:
        initialise(process)
        answers = {name: read_answers(process, line) for name, (line, _, _) in REFUSED.items()}
        quiet = {name: read_answers(process, line) for name, line in UNANSWERED.items()}
        send(process, build_plan_request(7, task="x", bead_id="b"))
        assert read_reply(process, 7)["result"]["structuredContent"]["bead_id"] == "b"
    found = {name: [(each["id"], each["error"]["code"]) for each in answer] for name, answer in answers.items()}
    assert found == {name: [(id_, code)] for name, (_, id_, code) in REFUSED.items()}
    assert quiet == {name: [] for name in UNANSWERED}


def test_an_invalid_line_before_the_first_request_is_answered_without_its_content(place: Place) -> None:
    with run_server(place) as process:
        secret = "ghp_" + "a1B2" * 9
        send(process, build_request(params=[secret]))
        answer = read_reply(process, 2)
        initialise(process)
    assert (answer["error"]["code"], secret in str(answer)) == (INVALID, False)


def test_a_line_over_the_limit_is_refused_and_the_next_one_is_answered(place: Place) -> None:
    with run_server(place) as process:
        initialise(process)
        answers = [
            read_answers(process, b'{"x": "' + b"x" * size + b'"}') for size in (MAX_LINE_BYTES, 5 * MAX_LINE_BYTES)
        ]
        fits = read_answers(process, build_request(params={"x": "x" * (MAX_LINE_BYTES - 200)}))
    assert [[(each["id"], each["error"]["code"]) for each in answer] for answer in answers] == [[(None, PARSE)]] * 2
    assert [each["id"] for each in fits] == [2]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | JSON,
        "id": st.integers() | st.text(st.characters(), max_size=5) | JSON,
        "method": st.just("ping") | JSON,
        "params": st.just({}) | JSON,
        "result": JSON,
        "error": JSON,
    },
)


@given(st.builds(json.dumps, MESSAGES | JSON) | st.text(max_size=30))
def test_an_error_for_any_line_is_valid_and_has_the_id_of_the_request_or_none(line: str) -> None:
    answer = find_line_error(line)
    if answer is None:
        return
    sent = json.loads(answer.model_dump_json(by_alias=True, exclude_unset=True))
    assert (sent["jsonrpc"], sent["error"]["code"] in (PARSE, INVALID)) == ("2.0", True)
    if sent["id"] is not None:
        assert json.loads(line)["id"] == sent["id"]


HOST = """
import json, subprocess, sys
subprocess.Popen(json.loads(sys.argv[1]), stdin=int(sys.argv[2]))
sys.stdin.read()
"""


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a process keeps the parent that it had")
def test_the_server_ends_with_its_parent_even_if_another_process_holds_its_stdin_open(place: Place) -> None:
    reading, writing = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-c", HOST, json.dumps(place.line()), str(reading)],
        cwd=place.project,
        env={**os.environ, **place.environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        pass_fds=[reading],
    ) as host:
        os.close(reading)
        # It ends a server that has not ended by itself, and the test fails.
        watchdog = threading.Timer(PATIENCE, os.close, [writing])
        watchdog.start()
        assert host.stdout is not None
        os.write(writing, json.dumps(HELLO).encode() + b"\n")
        assert json.loads(host.stdout.readline())["id"] == 1
        host.kill()
        assert host.stdout.read() == b""  # to the end: nobody is left who could write there
        assert watchdog.is_alive()
        watchdog.cancel()
    os.close(writing)
