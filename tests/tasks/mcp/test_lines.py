"""Lines that are no messages: whoever waits for an answer gets one, and the server goes on."""

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
from tests.tasks.mcp.test_the_process import HELLO, PATIENCE, begun, heard, plan, running, say

pytestmark = pytest.mark.process

PARSE, INVALID = -32700, -32600


def call(**more: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 2, "method": "ping"} | more).encode()


REFUSED = {
    "no JSON": (b"nonsense", None, PARSE),
    "no text": (b"\xff\xfe\x00", None, PARSE),
    "nested too deeply": (b"[" * 100_000, None, PARSE),
    "two on one line": (call() + b" " + call(), None, PARSE),
    "a number of 5,000 digits": (b'{"jsonrpc":"2.0","method":"ping","id":' + b"9" * 5_000 + b"}", None, PARSE),
    "a lone surrogate": (call(params={"task": "\ud800"}), 2, PARSE),
    "a lone surrogate as an id": (call(id="\ud800"), None, PARSE),
    "an empty object": (b"{}", None, INVALID),
    "an empty batch": (b"[]", None, INVALID),
    "a batch": (b"[" + call() + b"]", None, INVALID),
    "params as a list": (call(params=[]), 2, INVALID),
    "params as a text": (call(id="two", params="x"), "two", INVALID),
    "no method": (b'{"jsonrpc": "2.0", "id": 2}', 2, INVALID),
    "a method that is no name": (call(method=5), 2, INVALID),
    "another version": (call(jsonrpc="1.0"), 2, INVALID),
    "null as an id": (call(id=None), None, INVALID),
    "a truth value as an id": (call(id=True), None, INVALID),
    "a fraction as an id": (call(id=1.5), None, INVALID),
    "neither a name nor an id": (b'{"jsonrpc": "2.0", "method": 1, "params": "bar"}', None, INVALID),
}
UNANSWERED = {
    "an empty line": b"  ",
    "a notification": b'{"jsonrpc": "2.0", "method": "notifications/nobody/knows"}',
    "a request without an id": b'{"jsonrpc": "2.0", "method": "tools/list"}',
    "a notification with params as a list": b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": []}',
    "an answer": b'{"jsonrpc": "2.0", "id": 2, "result": {}}',
    "an answer that is none": b'{"jsonrpc": "2.0", "id": 2, "result": []}',
    "an error that is none": b'{"jsonrpc": "2.0", "id": 2, "error": 3}',
}


def said_between(process: subprocess.Popen[bytes], line: bytes) -> list[dict[str, Any]]:
    """What the server says to ``line`` before it answers the request behind it."""
    say(process, line, call(id="behind"))
    assert process.stdout is not None
    found: list[dict[str, Any]] = []
    while True:
        message: dict[str, Any] = json.loads(process.stdout.readline())
        if message["id"] == "behind":
            return found
        found.append(message)


def test_what_is_no_message_is_answered_by_an_error_and_the_server_goes_on(place: Place) -> None:
    with running(place) as process:
        begun(process)
        answers = {name: said_between(process, line) for name, (line, _, _) in REFUSED.items()}
        quiet = {name: said_between(process, line) for name, line in UNANSWERED.items()}
        say(process, plan(7, task="x", bead_id="b"))
        assert heard(process, 7)["result"]["structuredContent"]["bead_id"] == "b"
    found = {name: [(each["id"], each["error"]["code"]) for each in said] for name, said in answers.items()}
    assert found == {name: [(id_, code)] for name, (_, id_, code) in REFUSED.items()}
    assert quiet == {name: [] for name in UNANSWERED}


def test_an_error_comes_before_the_first_request_as_well_and_repeats_nothing(place: Place) -> None:
    with running(place) as process:
        secret = "ghp_" + "a1B2" * 9
        say(process, call(params=[secret]))
        said = heard(process, 2)
        begun(process)
    assert (said["error"]["code"], secret in str(said)) == (INVALID, False)


def test_a_line_without_end_is_not_held_and_what_follows_it_is_answered(place: Place) -> None:
    with running(place) as process:
        begun(process)
        answers = [
            said_between(process, b'{"x": "' + b"x" * size + b'"}') for size in (MAX_LINE_BYTES, 5 * MAX_LINE_BYTES)
        ]
        fits = said_between(process, call(params={"x": "x" * (MAX_LINE_BYTES - 200)}))
    assert [[(each["id"], each["error"]["code"]) for each in said] for said in answers] == [[(None, PARSE)]] * 2
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
def test_an_answer_can_always_be_sent_and_names_the_id_of_what_it_answers(line: str) -> None:
    said = find_line_error(line)
    if said is None:
        return
    sent = json.loads(said.model_dump_json(by_alias=True, exclude_unset=True))
    assert (sent["jsonrpc"], sent["error"]["code"] in (PARSE, INVALID)) == ("2.0", True)
    if sent["id"] is not None:
        assert json.loads(line)["id"] == sent["id"]


HOST = """
import json, subprocess, sys
subprocess.Popen(json.loads(sys.argv[1]), stdin=int(sys.argv[2]))
sys.stdin.read()
"""


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a process keeps the parent that it had")
def test_it_ends_with_its_parent_though_another_process_holds_its_stdin_open(place: Place) -> None:
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
        waits = threading.Timer(PATIENCE, os.close, [writing])  # a server that stays ends by this, and the test fails
        waits.start()
        assert host.stdout is not None
        os.write(writing, json.dumps(HELLO).encode() + b"\n")
        assert json.loads(host.stdout.readline())["id"] == 1
        host.kill()
        assert host.stdout.read() == b""  # to the end: nobody is left who could write there
        assert waits.is_alive()
        waits.cancel()
    os.close(writing)
