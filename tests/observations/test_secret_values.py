"""A value that any record of a log gives away is shown in no text of its session, whether the record becomes an observation or not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mind_skills.observations.builders import build_tool_call
from mind_skills.observations.model import Observation
from mind_skills.observations.read import read_session
from mind_skills.observations.secret_values import note_secrets
from mind_skills.redaction.session import SessionSecrets

SECRET = "7f3k9Qz2Lm8Xw4Rt6Yb1"
NAMED = f"the api key is {SECRET}"


def _user(text: str, **fields: object) -> dict[str, object]:
    return {"type": "user", "message": {"role": "user", "content": text}, **fields}


def _call(tool: str, **inputs: object) -> dict[str, object]:
    block = {"type": "tool_use", "id": "c1", "name": tool, "input": inputs}
    return {"type": "assistant", "message": {"role": "assistant", "content": [block]}}


PLACED = f"PORT=8080\nSHOP_LIVE={SECRET}\n"
"""Nothing but the name of the file tells that this contains a secret."""

RECORDS: dict[str, dict[str, Any] | list[dict[str, Any]]] = {
    "summary of a conversation": _user(NAMED, isCompactSummary=True),
    "text of the client": _user(NAMED, isMeta=True),
    "reminder": _user(f"go on <system-reminder>{NAMED}</system-reminder>"),
    "element of the host": _user(f"<task-notification>{NAMED}</task-notification>"),
    "attachment": {"type": "attachment", "attachment": {"type": "nested_memory", "content": {"content": NAMED}}},
    "queued text": {"type": "queue-operation", "operation": "enqueue", "content": NAMED},
    "unknown kind": {"type": "new-kind", "data": [{"text": NAMED}]},
    "field of a call": _call("mcp__shop__connect", apiKey=SECRET),
    "two fields of a call": _call("mcp__shop__set", name="API_TOKEN", value=SECRET),
    "prompt of an agent": _call("Agent", description="look", prompt=NAMED),
    "arguments of a skill": _call("Skill", skill="deploy", args=f"--token {SECRET}"),
    "message to an agent": _call("SendMessage", to="a", message=NAMED),
    "description of a command": _call("Bash", command="./run", description=f"Run with token {SECRET}"),
    "file of secrets": _call("Write", file_path="/srv/shop/.env", content=PLACED),
    "change of such a file": _call("Edit", file_path="/srv/shop/.env", old_string="PORT=8080\n", new_string=PLACED),
    "such a file, by a command": _call("Bash", command=f"cat > .env <<'END'\n{PLACED}END"),
    "header of a table": _user(f"name,login_token\nbob,{SECRET}\n", isMeta=True),
    "table of a database": _user(f" id | api_key \n----+---------\n  1 | {SECRET}\n", isMeta=True),
    "table in Markdown": _user(f"| user | token |\n|---|---|\n| bob | {SECRET} |\n", isMeta=True),
    "arguments of a program": _call("mcp__shop__run", argv=["tool", "--token", SECRET]),
    "list under a name": _call("mcp__shop__connect", api_keys=["none", SECRET]),
    "list of passwords": _call("mcp__shop__connect", passwords=["kestrel-Tr0ub4", SECRET]),
    "output with a frame in it": [
        _user("<bash-input>op read op://shop/live</bash-input>"),
        _user(f"<bash-stdout>{SECRET}\nOutput:\nend</bash-stdout><bash-stderr></bash-stderr>"),
    ],
    "after many printed settings": [
        _user("<bash-input>cat .env</bash-input>"),
        _user("<bash-stdout>" + "NAME=a value of words here\n" * 600 + f"OTHER={SECRET}</bash-stdout>"),
    ],
    "field of a form": _call("mcp__browser__type", element="Password field", ref="e3", text=SECRET),
    "command of the user": [
        _user("<bash-input>op read op://shop/live</bash-input>"),
        _user(f"<bash-stdout>{SECRET}</bash-stdout><bash-stderr></bash-stderr>"),
    ],
    "answer to a prompt": [_user("[sudo] password for bob: ", isMeta=True), _call("write_stdin", chars=f"{SECRET}\n")],
    "answer to a question": [
        {"type": "assistant", "message": {"role": "assistant", "content": "What is the API token?"}},
        _user(SECRET),
    ],
    "long answer to a question": [
        {"type": "assistant", "message": {"role": "assistant", "content": "Could you paste the API token?"}},
        _user(f"sure, here it is: {SECRET}, and please put it in the config for me"),
    ],
    "answer to a request": [
        {"type": "assistant", "message": {"role": "assistant", "content": "Done. Please paste your access token."}},
        _user(SECRET),
    ],
    "answer to a question in another language": [
        {"type": "assistant", "message": {"role": "assistant", "content": "トークンを教えてください。"}},
        _user(SECRET),
    ],
    "value of a variable in upper case": _user(f"my settings: PORT=80 SHOP_LIVE={SECRET}"),
    "field of a login's answer": _user(f'{{"jwt":"{SECRET}","user":{{"id":3}}}}', isMeta=True),
    "rows of a dump": _user(f"COPY public.tokens (id, token) FROM stdin;\n1\t{SECRET}\n", isMeta=True),
    "arguments as text": _call("mcp__shop__call", arguments=json.dumps({"client_secret": SECRET})),
}


@pytest.mark.parametrize("is_first", [True, False], ids=["earlier", "later"])
@pytest.mark.parametrize("kind", RECORDS)
def test_a_value_that_a_record_gives_away_is_shown_in_no_text(kind: str, is_first: bool, tmp_path: Path) -> None:
    head = {"sessionId": "s1", "cwd": "/srv/shop"}
    reply = {
        "type": "assistant",
        "message": {"role": "assistant", "content": [{"type": "text", "text": f"I send {SECRET} now."}]},
    }
    given = RECORDS[kind]
    group = given if isinstance(given, list) else [given]
    records: list[dict[str, Any]] = [*group, reply] if is_first else [reply, *group]
    log = tmp_path / "s1.jsonl"
    log.write_text("".join(json.dumps({**head, **record, "uuid": f"u{n}"}) + "\n" for n, record in enumerate(records)))
    session = read_session(log, "claude-code")
    shown = [session.secrets.clean(each.text) for each in session.observations if each.text.startswith("I send")]
    assert shown == ["I send [redacted:secret] now."]


ASKED = {"host": "web1", "request": {"script": "op read op://shop/live"}}
OF_SERVERS: dict[str, list[dict[str, Any]]] = {
    "claude-code": [
        _call("mcp__remote__execute", **ASKED),
        _user("", message={"content": [{"type": "tool_result", "tool_use_id": "c1", "content": SECRET}]}),
    ],
    "codex-rollout": [
        {
            "type": "response_item",
            "payload": {"type": "function_call", "name": "mcp__x__run", "arguments": json.dumps(ASKED), "call_id": "c"},
        },
        {"type": "response_item", "payload": {"type": "function_call_output", "call_id": "c", "output": SECRET}},
    ],
    "gemini": [
        {
            "id": "m1",
            "type": "gemini",
            "content": "",
            "toolCalls": [
                {
                    "id": "c",
                    "name": "x_run",
                    "args": ASKED,
                    "status": "success",
                    "result": [{"functionResponse": {"response": {"output": SECRET}}}],
                }
            ],
        }
    ],
    "opencode-export": [
        {"type": "tool", "tool": "x_run", "state": {"status": "completed", "input": ASKED, "output": SECRET}}
    ],
    "antigravity": [
        {
            "type": "PLANNER_RESPONSE",
            "tool_calls": [
                {"name": "call_mcp_tool", "args": {"ServerName": "x", "ToolName": "run", "Arguments": ASKED}}
            ],
        },
        {"type": "MCP_TOOL", "content": SECRET},
    ],
}
"""A tool of a server that ran a command, and its answer."""


@pytest.mark.parametrize("answer", [SECRET, json.dumps({"stdout": f"{SECRET}\n"})], ids=["text", "fields"])
@pytest.mark.parametrize("name", OF_SERVERS)
def test_a_value_that_a_tool_of_a_server_printed_is_shown_in_no_text(name: str, answer: str, tmp_path: Path) -> None:
    records = json.loads(json.dumps(OF_SERVERS[name]).replace(json.dumps(SECRET), json.dumps(answer)))
    path = tmp_path / "session.json"
    if name == "opencode-export":
        message = {"info": {"id": "msg_1", "role": "assistant"}, "parts": records}
        path.write_text(json.dumps({"info": {"id": "ses_1", "directory": "/srv/shop"}, "messages": [message]}))
    else:
        head = {"sessionId": "s1", "projectHash": "0", "source": "MODEL", "status": "DONE"}
        rows = [{**head, "step_index": number, **record} for number, record in enumerate(records)]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    session = read_session(path, name)
    assert [each.action for each in session.observations] == ["mcp"]
    assert session.secrets.clean(f"I send {SECRET} now.") == "I send [redacted:secret] now."


COMMIT = "5bd065af08f6d3281ff57932d4730f6ae667d561"


@pytest.mark.parametrize("answer", [{"sha": COMMIT, "files": "2"}, {"commit": {"id": COMMIT}, "message": "token\nx"}])
def test_what_a_tool_of_a_server_was_told_of_a_secret_hides_no_commit(answer: object, tmp_path: Path) -> None:
    rows = [
        _call("mcp__forge__create_commit", message="Rotate the token of the deployment"),
        _user("", message={"content": [{"type": "tool_result", "tool_use_id": "c1", "content": json.dumps(answer)}]}),
    ]
    path = tmp_path / "s1.jsonl"
    path.write_text(
        "".join(json.dumps({"sessionId": "s1", **row, "uuid": f"u{n}"}) + "\n" for n, row in enumerate(rows))
    )
    assert read_session(path, "claude-code").secrets.clean(f"It is {COMMIT}.") == f"It is {COMMIT}."


@pytest.mark.parametrize(
    ("called", "answer"),
    [
        ({"command": "op read op://shop/live"}, SECRET),
        ({"files": ("/srv/shop/.env",)}, PLACED),
        ({"arguments": {"script": "op read op://shop/live"}}, SECRET),
    ],
    ids=["command", "file", "argument"],
)
def test_what_is_known_of_an_unknown_call_tells_what_it_printed(called: dict[str, Any], answer: str) -> None:
    secrets = SessionSecrets()

    def call() -> Iterator[Observation]:
        yield build_tool_call("x_read_file", "mcp", line=1, output=answer, **called)

    list(note_secrets(call(), secrets))
    assert secrets.clean(f"I send {SECRET} now.") == "I send [redacted:secret] now."
