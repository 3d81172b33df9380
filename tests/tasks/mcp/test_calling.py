"""Whatever a client sends to a tool, the answer is of the type that the tool declares."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mind_skills.tasks import tools
from mind_skills.tasks.mcp import calling
from mind_skills.tasks.mcp.calling import Connection, call
from mind_skills.tasks.tools import TOOLS, Tool
from tests.tasks.mcp.mcp_place import Place
from tests.testkit.examples import examples

HERE = Connection("", "connection")
VALIDATORS = {tool.name: Draft202012Validator(calling.make_output_schema(tool.answers)) for tool in TOOLS}
TAKES = {tool.name: Draft202012Validator(calling.make_input_schema(tool.takes)) for tool in TOOLS}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
NASTY = st.sampled_from(
    [
        "",
        " ",
        "\x00",
        "\x1b[31m",
        "a\nb",
        "-1",
        '" OR 1=1 --',
        "'; DROP TABLE patterns; --",
        "../../etc/passwd",
        "x" * 70_000,
    ]
)


def arguments(tool: Tool) -> st.SearchStrategy[dict[str, Any]]:
    """Known and unknown names, fitting and unfitting values."""
    names = list(tool.takes.model_fields)
    fitting = {name: st.one_of(st.text(max_size=60), NASTY, JSON, st.integers(0, 5), st.booleans()) for name in names}
    del fitting[next(iter(fitting))]
    first = st.text(min_size=1, max_size=60)
    known = st.fixed_dictionaries({names[0]: st.one_of(first, first, NASTY, JSON)}, optional=fitting)
    return st.one_of(known, known, st.dictionaries(st.text(max_size=8), JSON, max_size=3))


@contextlib.contextmanager
def apart() -> Iterator[None]:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        for name, value in Place(Path(folder)).environment.items():
            patch.setenv(name, value)
        patch.chdir(Path(folder) / "project")
        yield


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_any_arguments_give_a_typed_answer(tool: Tool) -> None:
    @settings(max_examples=examples(40), suppress_health_check=list(HealthCheck))
    @given(arguments(tool))
    def any_arguments(values: dict[str, Any]) -> None:
        found = call(tool.name, values, HERE)
        VALIDATORS[tool.name].validate(found.document)
        assert found.failed == ("error" in found.document)
        assert not found.failed or found.document["error"]["code"] != "bug", found.document

    with apart():
        any_arguments()


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_what_a_schema_allows_is_taken_and_what_it_forbids_is_refused(place: Place, tool: Tool) -> None:
    names = [name for name, field in tool.takes.model_fields.items() if field.is_required()]
    least: dict[str, Any] = {name: True if name == "success" else "x" for name in names}
    TAKES[tool.name].validate(least)
    code = call(tool.name, least, HERE).document.get("error", {}).get("code")
    assert code in (None, "unknown_id", "skill_missing")
    for wrong in (*({key: least[key] for key in least if key != name} for name in names), least | {"more": 1}):
        assert not TAKES[tool.name].is_valid(wrong)
        assert call(tool.name, wrong, HERE).document["error"]["code"] == "invalid_arguments"


def test_an_error_names_the_argument_and_never_repeats_it(place: Place) -> None:
    secret = "ghp_" + "a1B2" * 9
    said = [
        call("plan", {"task": {secret: secret}}, HERE),
        call("recall", {"query": "x", "limit": secret}, HERE),
        call("complete", {"bead_id": "x", "summary": "y", "files_touched": [{"path": secret}]}, HERE),
        call("plan", {"task": "x", secret: 1}, HERE),
        call(secret, {}, HERE),
    ]
    assert [each.document["error"]["code"] for each in said] == [*["invalid_arguments"] * 4, "unknown_tool"]
    assert said[2].document["error"]["message"] == "files_touched.0: should be a valid string"
    assert secret not in str(said)


def test_a_bug_is_an_answer_with_a_report_and_without_what_was_said(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> Any:
        raise ZeroDivisionError("a secret in a message")

    tool = next(tool for tool in TOOLS if tool.name == "plan")
    mended = tools.Tool(tool.name, tool.description, tool.takes, tool.answers, broken)
    monkeypatch.setitem(call.__globals__["TOOLS_BY_NAME"], "plan", mended)
    error = call("plan", {"task": "x"}, HERE).document["error"]
    assert (error["code"], error["message"]) == ("bug", "ZeroDivisionError in mind-skills")
    assert ("command: mcp plan" in error["hint"], "a secret" in str(error)) == (True, False)


def test_where_it_is_switched_off_or_paused_nothing_is_told_or_kept(place: Place) -> None:
    from mind_skills.plugin.cli import run

    config = place.project / ".claude/mind-skills.toml"
    config.parent.mkdir()
    config.write_text("enabled = false\n", encoding="utf-8")
    off = [call(tool.name, fitting(tool), HERE).document["error"]["code"] for tool in TOOLS]
    assert off == ["switched_off"] * len(TOOLS)
    config.unlink()
    assert run(["pause", "--project", "."]) == 0
    assert call("plan", {"task": "x"}, HERE).document["error"]["code"] == "paused"
    assert run(["resume", "--project", "."]) == 0
    assert not call("plan", {"task": "x"}, HERE).failed


def fitting(tool: Tool) -> dict[str, Any]:
    required = [name for name, field in tool.takes.model_fields.items() if field.is_required()]
    return {name: True if name == "success" else "x" for name in required}


def test_the_project_is_the_argument_then_what_the_server_was_told_then_where_it_runs(place: Place) -> None:
    told, named = place.root / "told", place.root / "named"
    for folder in (told, named):
        (folder / ".git").mkdir(parents=True)
    connection = Connection(str(told), "c", everywhere=True)
    found = [
        call("plan", {"task": "x"}, HERE),
        call("plan", {"task": "x"}, connection),
        call("plan", {"task": "x", "project_key": str(named)}, connection),
    ]
    assert [each.document["project"] for each in found] == [str(place.project), str(told), str(named)]
    missing = call("plan", {"task": "x", "project_key": "/nowhere"}, HERE)
    assert missing.document["error"]["code"] == "project_missing"


def test_what_one_connection_plans_another_does_not_finish(place: Place) -> None:
    call("plan", {"task": "Add a discount"}, Connection("", "one"))
    other = call("complete", {"bead_id": "b", "summary": "s"}, Connection("", "two")).document
    own = call("complete", {"bead_id": "a", "summary": "s"}, Connection("", "one")).document
    assert (other["outcome"]["duration_ms"], own["outcome"]["duration_ms"] > 0) == (0, True)


def test_what_an_agent_says_is_an_agents_word(place: Place) -> None:
    said = call("complete", {"bead_id": "b", "summary": "Prices are Decimals"}, HERE).document
    (recalled,) = call("recall", {"query": "prices decimals"}, HERE).document["results"]
    assert (said["outcome"]["said_by"], recalled["source"]) == ("agent", "mcp")


def test_the_tools_cost_a_session_little_context() -> None:
    told = [(tool.name, tool.description, calling.make_input_schema(tool.takes)) for tool in TOOLS]
    assert len(str(told)) < 6_500  # about 1,500 tokens at four characters each


def test_errors_belong_to_the_project_that_is_named(tmp_path: Path) -> None:
    with apart():
        other = tmp_path / "other"
        (other / ".git").mkdir(parents=True)
        there = {"bead_id": "b", "project_key": str(other)}
        both = Connection("", "connection", everywhere=True)
        call("record_error", there | {"message": "it broke"}, both)
        counts = [call("error_context", said, both).document for said in ({"bead_id": "b"}, there)]
        planned = call("plan", there | {"task": "mend it"}, both).document
        assert ([each["total"] for each in counts], planned["open_errors"]) == ([0, 1], 1)


def test_a_path_that_no_file_can_have_is_answered_like_one_that_is_not_there(place: Place) -> None:
    said = [
        call("accept", {"id": "x", "skill": path}, Connection(str(place.project), "c")) for path in ("\ud83d", "a\0b")
    ]
    assert [(answer.failed, answer.document["error"]["code"]) for answer in said] == [(True, "skill_missing")] * 2
    assert [answer.document["error"]["message"].isprintable() for answer in said] == [True, True]
