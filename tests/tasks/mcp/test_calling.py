"""Whatever a client sends to a tool, the answer has the type that the tool declares."""

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

from mind_skills.tasks.mcp import tools
from mind_skills.tasks.mcp.tools import TOOLS, Connection, Tool, call
from tests.tasks.mcp.mcp_place import Place
from tests.testkit.examples import examples

HERE = Connection("", "connection")
OUTPUT_VALIDATORS = {tool.name: Draft202012Validator(tools.make_output_schema(tool.output_type)) for tool in TOOLS}
INPUT_VALIDATORS = {tool.name: Draft202012Validator(tools.make_input_schema(tool.input_type)) for tool in TOOLS}
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


FITTING: dict[str, Any] = {"success": True, "ids": ["x"]}
"""Values of the required arguments that are no texts."""


def generate_arguments(tool: Tool) -> st.SearchStrategy[dict[str, Any]]:
    """Known and unknown names, fitting and unfitting values."""
    names = list(tool.input_type.model_fields)
    fitting = {name: st.one_of(st.text(max_size=60), NASTY, JSON, st.integers(0, 5), st.booleans()) for name in names}
    del fitting[next(iter(fitting))]
    first = st.text(min_size=1, max_size=60)
    known = st.fixed_dictionaries({names[0]: st.one_of(first, first, NASTY, JSON)}, optional=fitting)
    return st.one_of(known, known, st.dictionaries(st.text(max_size=8), JSON, max_size=3))


@contextlib.contextmanager
def isolate() -> Iterator[None]:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        for name, value in Place(Path(folder)).environment.items():
            patch.setenv(name, value)
        patch.chdir(Path(folder) / "project")
        yield


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_any_arguments_give_a_typed_answer(tool: Tool) -> None:
    @settings(max_examples=examples(40), suppress_health_check=list(HealthCheck))
    @given(generate_arguments(tool))
    def any_arguments(values: dict[str, Any]) -> None:
        found = call(tool.name, values, HERE)
        OUTPUT_VALIDATORS[tool.name].validate(found.document)
        assert found.failed == ("error" in found.document)
        assert not found.failed or found.document["error"]["code"] != "bug", found.document

    with isolate():
        any_arguments()


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_tool_accepts_what_its_schema_allows_and_refuses_what_it_forbids(place: Place, tool: Tool) -> None:
    names = [name for name, field in tool.input_type.model_fields.items() if field.is_required()]
    least: dict[str, Any] = {name: FITTING.get(name, "x") for name in names}
    least |= {"query": "x"} if tool.name == "recall" else {}  # this or `error`, which its schema does not say
    INPUT_VALIDATORS[tool.name].validate(least)
    code = call(tool.name, least, HERE).document.get("error", {}).get("code")
    assert code in (None, "unknown_id", "skill_missing")
    for wrong in (*({key: least[key] for key in least if key != name} for name in names), least | {"more": 1}):
        assert not INPUT_VALIDATORS[tool.name].is_valid(wrong)
        assert call(tool.name, wrong, HERE).document["error"]["code"] == "invalid_arguments"


def test_an_error_names_the_argument_and_never_repeats_its_value(place: Place) -> None:
    secret = "ghp_" + "a1B2" * 9
    answers = [
        call("plan", {"task": {secret: secret}}, HERE),
        call("recall", {"query": "x", "limit": secret}, HERE),
        call("complete", {"bead_id": "x", "summary": "y", "files_touched": [{"path": secret}]}, HERE),
        call("plan", {"task": "x", secret: 1}, HERE),
        call(secret, {}, HERE),
    ]
    assert [each.document["error"]["code"] for each in answers] == [*["invalid_arguments"] * 4, "unknown_tool"]
    assert answers[2].document["error"]["message"] == "files_touched.0: should be a valid string"
    assert secret not in str(answers)


@pytest.mark.parametrize("arguments", [{}, {"query": " "}, {"error": ""}, {"limit": 3}], ids=str)
def test_recalling_nothing_is_an_error(place: Place, arguments: dict[str, Any]) -> None:
    answer = call("recall", arguments, HERE)
    assert (answer.failed, answer.document["error"]["code"]) == (True, "invalid_arguments")
    assert not call("recall", {"error": "it broke"}, HERE).failed


def test_a_bug_is_answered_with_a_report_without_the_message_of_the_exception(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> Any:
        raise ZeroDivisionError("a secret in a message")

    tool = next(tool for tool in TOOLS if tool.name == "plan")
    mended = tools.Tool(tool.name, tool.description, tool.input_type, tool.output_type, broken)
    monkeypatch.setitem(call.__globals__["TOOLS_BY_NAME"], "plan", mended)
    error = call("plan", {"task": "x"}, HERE).document["error"]
    assert (error["code"], error["message"]) == ("bug", "ZeroDivisionError in mind-skills")
    assert ("command: mcp plan" in error["hint"], "a secret" in str(error)) == (True, False)


def test_tools_are_refused_while_mind_skills_is_switched_off_or_paused(place: Place) -> None:
    from mind_skills.plugin.cli import run

    config = place.project / ".claude/mind-skills.toml"
    config.parent.mkdir()
    config.write_text("enabled = false\n", encoding="utf-8")
    off = [call(tool.name, build_required_arguments(tool), HERE).document["error"]["code"] for tool in TOOLS]
    assert off == ["switched_off"] * len(TOOLS)
    config.unlink()
    assert run(["pause", "--project", "."]) == 0
    assert call("plan", {"task": "x"}, HERE).document["error"]["code"] == "paused"
    assert [run([name]) for name in ("learn", "distil")] == [1, 1]
    assert run(["resume", "--project", "."]) == 0
    assert not call("plan", {"task": "x"}, HERE).failed


def build_required_arguments(tool: Tool) -> dict[str, Any]:
    required = [name for name, field in tool.input_type.model_fields.items() if field.is_required()]
    return {name: FITTING.get(name, "x") for name in required}


def test_the_project_is_that_of_the_argument_else_of_the_server_else_of_the_working_folder(place: Place) -> None:
    configured, named = place.root / "told", place.root / "named"
    for folder in (configured, named):
        (folder / ".git").mkdir(parents=True)
    connection = Connection(str(configured), "c", everywhere=True)
    found = [
        call("plan", {"task": "x"}, HERE),
        call("plan", {"task": "x"}, connection),
        call("plan", {"task": "x", "project_key": str(named)}, connection),
    ]
    assert [each.document["project"] for each in found] == [str(place.project), str(configured), str(named)]
    missing = call("plan", {"task": "x", "project_key": "/nowhere"}, HERE)
    assert missing.document["error"]["code"] == "project_missing"


def test_a_connection_does_not_complete_the_plan_of_another(place: Place) -> None:
    call("plan", {"task": "Add a discount"}, Connection("", "one"))
    other = call("complete", {"bead_id": "b", "summary": "s"}, Connection("", "two")).document
    own = call("complete", {"bead_id": "a", "summary": "s"}, Connection("", "one")).document
    assert (other["outcome"]["duration_ms"], own["outcome"]["duration_ms"] > 0) == (0, True)


@pytest.mark.parametrize(
    ("summary", "has_words"),
    [("Changed the colour of the login button", False), ("Moved the DB to PG 17", True), ("Billing is done", True)],
)
def test_work_under_another_id_has_the_words_of_the_open_plan_only_if_it_is_about_it(
    place: Place, summary: str, has_words: bool
) -> None:
    task = "Migrate the billing database to Postgres 17"
    call("plan", {"task": task}, HERE)
    call("complete", {"bead_id": "ui-42", "summary": summary}, HERE)
    call("complete", {"bead_id": "ui-42", "summary": summary, "retry_count": 1}, HERE)
    found = call("recall", {"query": "billing database migration"}, HERE).document["results"]
    assert [(each["content"], each["task"]) for each in found] == ([(summary, task)] if has_words else [])


def test_a_completion_through_the_server_is_recorded_as_one_by_an_agent(place: Place) -> None:
    completed = call("complete", {"bead_id": "b", "summary": "Prices are Decimals"}, HERE).document
    (recalled,) = call("recall", {"query": "prices decimals"}, HERE).document["results"]
    assert (completed["outcome"]["said_by"], recalled["source"]) == ("agent", "mcp")


def test_the_descriptions_of_all_tools_stay_below_7000_characters() -> None:
    listed = [(tool.name, tool.description, tools.make_input_schema(tool.input_type)) for tool in TOOLS]
    assert len(str(listed)) < 7_000  # about 1,750 tokens at four characters each


def test_errors_are_recorded_for_the_project_that_is_named(tmp_path: Path) -> None:
    with isolate():
        other = tmp_path / "other"
        (other / ".git").mkdir(parents=True)
        there = {"bead_id": "b", "project_key": str(other)}
        both = Connection("", "connection", everywhere=True)
        call("record_error", there | {"message": "it broke"}, both)
        counts = [call("error_context", arguments, both).document for arguments in ({"bead_id": "b"}, there)]
        planned = call("plan", there | {"task": "mend it"}, both).document
        assert ([each["total"] for each in counts], planned["open_errors"]) == ([0, 1], 1)


def test_an_impossible_path_is_answered_like_a_missing_one(place: Place) -> None:
    answers = [
        call("accept", {"id": "x", "skill": path}, Connection(str(place.project), "c")) for path in ("\ud83d", "a\0b")
    ]
    assert [(answer.failed, answer.document["error"]["code"]) for answer in answers] == [(True, "skill_missing")] * 2
    assert [answer.document["error"]["message"].isprintable() for answer in answers] == [True, True]
