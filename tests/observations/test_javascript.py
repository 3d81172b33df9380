"""The calls of a JavaScript script are parsed without running it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.observations.readers.javascript import find_calls

RUN = "exec_command"
SCRIPTS: list[tuple[str, list[tuple[str, Any]]]] = [
    (
        'const r = await tools.exec_command({cmd:"make \\"all\\"", workdir: \'/p\'}); text(r.output)',
        [(RUN, {"cmd": 'make "all"', "workdir": "/p"})],
    ),
    ('const patch = "a\\nb"\ntext(await tools.apply_patch(patch))', [("apply_patch", "a\nb")]),
    ("await tools.apply_patch(`a\n\\`b\\` ${'$'}`)", [("apply_patch", "a\n`b` ${'$'}")]),
    ("await tools.apply_patch(String.raw`a\\n`)", [("apply_patch", "a\\n")]),
    ("const dir = '/p'; tools.exec_command({cmd: `ls ${dir}/${name}`})", [(RUN, {"cmd": "ls /p/${name}"})]),
    ("const cmd = 'make'; tools.exec_command({cmd, timeout: 5})", [(RUN, {"cmd": "make", "timeout": 5})]),
    ("tools.write_stdin({session_id: 7, chars: ''})", [("write_stdin", {"session_id": 7, "chars": ""})]),
    ("tools.write_stdin({session_id: r.session_id})", [("write_stdin", {})]),
    (
        "const all = [['a', 'make a'], ['b', 'make b']]; for (const [name, cmd] of all) tools.exec_command({cmd, tty: true})",
        [(RUN, {"cmd": "make a", "tty": True}), (RUN, {"cmd": "make b", "tty": True})],
    ),
    (
        "const all = [1, 2]; await Promise.all(all.map(async (n) => tools.exec_command({cmd: `make ${n}`})))",
        [(RUN, {"cmd": "make 1"}), (RUN, {"cmd": "make 2"})],
    ),
    (
        "const all = [1, 2]; all.map((n, at) => tools.a(n)); find().map(n => tools.a(n)); all.forEach(([n]) => tools.a({n}))",
        [("a", 1), ("a", 2), ("a", None), ("a", {}), ("a", {})],
    ),
    ("[1, 2].map((n) => tools.exec_command({cmd: `make ${n}`}))", [(RUN, {"cmd": "make ${n}"})]),
    ("tools.exec_command({cmd: 'a' + b, list: [1, c(2), 'd'], last: null})", [(RUN, {"list": [1, "d"]})]),
    ("const cmd = 'make'; let cmd = find(); tools.exec_command({cmd})", [(RUN, {})]),
    ("const given = {cmd: 'make'}\ntools.exec_command(given)", [(RUN, {"cmd": "make"})]),
    ("// it's tools.exec_command({cmd: 'no'})\n/* tools.a() */ const quote = /['\"]/; tools.b()", [("b", None)]),
    ("text('tools.exec_command({})'); tools.name; nottools.x()", []),
    ("tools.exec_command(given)", [(RUN, None)]),
]


@pytest.mark.parametrize(("script", "expected"), SCRIPTS, ids=[script[:40] for script, _ in SCRIPTS])
def test_a_call_is_found_with_the_arguments_that_the_script_states(
    script: str, expected: list[tuple[str, Any]]
) -> None:
    assert [tuple(call) for call in find_calls(script)] == expected


WORDS = [
    "tools.",
    "exec_command(",
    "{cmd:",
    "`",
    "${",
    "}",
    "'",
    '"',
    "\\",
    ")",
    "(",
    "[",
    "]",
    "const a = ",
    "a",
    "=>",
    "/",
    "\n",
    ".map(",
    "for (const x of ",
    ";",
    "+",
    ",",
]


@given(st.lists(st.sampled_from(WORDS), max_size=80).map("".join) | st.text(max_size=200))
def test_no_script_makes_the_parser_raise(script: str) -> None:
    assert len(find_calls(script)) <= 200


@pytest.mark.parametrize(
    "part",
    ["const a=()=>{", "[1].map(", "tools.a(", "/[", "`${", "\\'", "const x=[", "{a:", "a[", '"\\', "for(const x of ["],
)
def test_a_hostile_script_is_parsed_in_linear_time(part: str) -> None:
    assert len(find_calls(part * 20_000)) <= 200
