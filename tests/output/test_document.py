"""Documents are written without pydantic, and equal what pydantic would write."""

from __future__ import annotations

import json
import math
import types
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docs.json_documents import DOCUMENTS
from mind_skills.cli.replay import Totals
from mind_skills.output.document import (
    Document,
    Report,
    escape_unprintable,
    get_members,
    make_type_adapter,
    replace_surrogates,
    to_json,
    to_json_types,
)
from mind_skills.report.document import PageReport
from mind_skills.tasks.mcp.tools import TOOLS
from tests.testkit.examples import examples

KINDS = DOCUMENTS | {tool.output_type.__name__: tool.output_type for tool in TOOLS} | {"report": PageReport}
PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    str: st.text(max_size=6),
    int: st.integers(-(2**53), 2**53),
    # bounded and rounded, because pydantic writes very large and very small numbers differently: 1e-7, not 1e-07
    float: st.integers(-5, 5) | st.floats(-1e9, 1e9).map(lambda number: round(number, 3)),
    bool: st.booleans(),
    type(None): st.none(),
    Any: st.none() | st.booleans() | st.text(max_size=6),
}


def values(kind: Any) -> st.SearchStrategy[Any]:
    """A strategy for the values of the type of a document's member."""
    if isinstance(kind, type) and issubclass(kind, Document):
        hints = get_type_hints(kind)
        return st.fixed_dictionaries({name: values(hints[name]) for name in get_members(kind)}).map(kind.from_values)
    if get_origin(kind) is Literal:
        return st.sampled_from(get_args(kind))
    if get_origin(kind) in (Union, types.UnionType):
        return st.one_of(*map(values, get_args(kind)))
    if get_origin(kind) is list:
        return st.lists(values(get_args(kind)[0]), max_size=2)
    if get_origin(kind) is dict:
        return st.dictionaries(st.text(max_size=6), values(get_args(kind)[1]), max_size=2)
    return PLAIN[kind]


@pytest.mark.parametrize("name", KINDS)
def test_every_document_is_written_as_pydantic_would_write_it(name: str) -> None:
    form = make_type_adapter(KINDS[name])

    @given(values(KINDS[name]), st.sampled_from([None, 2]))
    @settings(max_examples=examples(20), deadline=None, database=None, suppress_health_check=list(HealthCheck))
    def compare(document: Document, indent: int | None) -> None:
        written = to_json(document, indent)
        read = form.validate_json(written)
        assert escape_unprintable(form.dump_json(read, by_alias=True, indent=indent).decode()) == written
        assert to_json_types(read) == to_json_types(document)

    compare()


def test_a_document_with_a_missing_or_unknown_member_is_refused() -> None:
    with pytest.raises(TypeError, match="Totals is missing the member candidates"):
        Totals.from_values({"sessions": 1, "observations": 1})
    with pytest.raises(TypeError, match="Totals has no member named more, other"):
        Totals.from_values({"sessions": 1, "observations": 1, "candidates": 1, "failed": 0, "more": 1, "other": 2})


def test_documents_are_compared_by_value_and_replace_returns_a_changed_copy() -> None:
    one = Totals(sessions=1, observations=2, candidates=3, failed=0)
    assert one == Totals.from_values({"sessions": 1, "observations": 2, "candidates": 3, "failed": 0})
    assert one != one.replace(failed=1)
    assert repr(one.replace(failed=1)) == "Totals({'sessions': 1, 'observations': 2, 'candidates': 3, 'failed': 1})"
    assert one != "Totals"


class ExampleReport(Report):
    """A document of no command."""

    said_by: str
    share: float | None
    more: dict[str, float]


def test_lone_surrogates_and_non_finite_numbers_are_replaced_in_json() -> None:
    document = ExampleReport(said_by="a\udcff\ud83d\ude00b", share=math.nan, more={"x": math.inf, "y": 1})
    assert to_json(document) == '{"saidBy":"a\ufffd\U0001f600b","share":null,"more":{"x":null,"y":1.0}}'
    assert json.loads(to_json(document).encode())["saidBy"] == "a\ufffd\U0001f600b"
    assert replace_surrogates("plain") == "plain"
