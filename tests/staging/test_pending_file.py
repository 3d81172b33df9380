from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.staging.model import candidate_to_json, parse_bodies, serialise_candidate
from mind_skills.staging.pending_file import (
    MAX_BYTES,
    MAX_DEPTH,
    PendingFile,
    UnreadablePendingError,
    has_our_form,
    is_pending_file_name,
    parse_pending_file,
    serialise_pending_file,
)
from tests.staging.workbench import candidate

ONE: dict[str, Any] = {"id": "sc_12345678_0", "title": "t"}


def test_the_revision_of_an_older_version_is_dropped_and_fields_of_others_stay() -> None:
    document = {"version": 1, "revision": 7, "mine": [1], "candidates": [ONE]}
    assert parse_pending_file(json.dumps(document).encode()) == PendingFile([ONE], 1, "", {"mine": [1]})


def test_only_names_that_we_give_are_those_of_pending_files() -> None:
    ours = ("", ".corrupt-1", ".newer-12", ".0123456789ab.tmp")
    others = (
        ".bak",
        ".corrupt",
        ".corrupt-",
        ".corrupt-x",
        ".older-1",
        ".tmp",
        ".0123456789a.tmp",
        ".my-own-notes.tmp",
    )
    names = [f"{start}mind-skills-pending.json{end}" for start in ("", "my-") for end in (*ours, *others)]
    assert list(filter(is_pending_file_name, names)) == [f"mind-skills-pending.json{end}" for end in ours]


def test_only_a_candidate_with_an_id_and_a_fingerprint_of_hex_digits_has_our_form() -> None:
    found = candidate("a")
    forms: list[tuple[object, object]] = [
        (found.id, found.fingerprint),
        (found.id.upper(), found.fingerprint),
        (found.id[:-1], found.fingerprint),
        (found.id[:-1] + "g", found.fingerprint),
        (found.id, found.fingerprint[:-1] + "g"),
        (found.id, found.fingerprint + "0"),
        ("xx_12345678", found.fingerprint),
        (found.id, None),
        (7, found.fingerprint),
    ]
    assert [has_our_form({"id": id_, "fingerprint": digest}) for id_, digest in forms] == [True, *[False] * 8]
    assert not has_our_form({})


def test_a_written_file_has_the_published_keys_and_our_own() -> None:
    made = candidate("a", at=5, session="S9", files=("f.py",), taint=("web",))
    assert json.loads(serialise_pending_file(PendingFile([candidate_to_json(made)], token="4"))) == {
        "version": 1,
        "token": "4",
        "candidates": [
            {
                "id": made.id,
                "title": "make: failed once, passes later",
                "reason": "red to green",
                "confidence": "high",
                "probability": 0.0,
                "evidence": [
                    {
                        "type": "problem",
                        "role": "symptom",
                        "summary": "run make: failed",
                        "content": "run make: failed\na",
                        "line": 3,
                    },
                    {
                        "type": "success",
                        "role": "verification",
                        "summary": "run make: ok",
                        "content": "run make: ok",
                        "line": 9,
                    },
                ],
                "detectedAt": 5,
                "sessionId": "S9",
                "kind": "error_fix",
                "fingerprint": made.fingerprint,
                "files": ["f.py"],
                "host": "claude-code",
                "outcome": "unknown",
                "sessions": ["S9"],
                "taint": ["web"],
            }
        ],
    }


def test_parsing_a_serialised_candidate_returns_an_equal_one() -> None:
    made = candidate("a", files=("f",), taint=("mcp",))
    assert parse_bodies([serialise_candidate(made)]) == [made]


def test_a_file_of_the_older_tool_gives_its_time_to_each_candidate_that_has_none() -> None:
    old = {"candidates": [ONE, {**ONE, "id": "b", "injectedAt": 3}], "injectedAt": 7}
    read = parse_pending_file(json.dumps(old).encode())
    assert read == PendingFile([{**ONE, "injectedAt": 7}, {**ONE, "id": "b", "injectedAt": 3}], version=0)
    assert json.loads(serialise_pending_file(read))["injectedAt"] == 7


def test_a_file_counts_as_injected_once_every_candidate_is() -> None:
    times: list[list[int | None]] = [[], [None], [1, None], [1, 2]]
    files = [PendingFile([{**ONE, **({"injectedAt": t} if t else {})} for t in row]) for row in times]
    assert [file.injected_at for file in files] == [None, None, None, 2]


def test_unknown_keys_are_preserved() -> None:
    whole = {"version": 1, "token": "2", "note": {"x": [1]}, "candidates": [{**ONE, "mine": 1.5}]}
    assert json.loads(serialise_pending_file(parse_pending_file(json.dumps(whole).encode()))) == whole


def test_a_file_with_a_byte_order_mark_and_a_lone_surrogate_can_be_read_and_written() -> None:
    data = b'\xef\xbb\xbf{"version": 1, "candidates": [{"id": "a", "title": "\\ud800"}]}'
    assert parse_pending_file(serialise_pending_file(parse_pending_file(data))).candidates == [
        {"id": "a", "title": "\ud800"}
    ]


def with_candidate(**more: Any) -> bytes:
    return json.dumps({"version": 1, "candidates": [{**ONE, **more}]}).encode()


BROKEN = {
    "empty": b"",
    "cut": b'{"version": 1, "candidates": [',
    "binary": bytes(range(256)),
    "utf-16": '{"candidates": []}'.encode("utf-16"),
    "deep": b"[" * 200_000,
    "deep inside": b'{"candidates": [], "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "a list": b"[]",
    "no candidates": b"{}",
    "null candidates": b'{"candidates": null}',
    "a number for a candidate": b'{"candidates": [1]}',
    "no id": b'{"candidates": [{"title": "t"}]}',
    "empty id": b'{"candidates": [{"id": "", "title": "t"}]}',
    "number for a title": with_candidate(title=1),
    "text for a time": with_candidate(detectedAt="now"),
    "boolean for a time": with_candidate(injectedAt=True),
    "evidence that is no list": with_candidate(evidence={}),
    "evidence of text": with_candidate(evidence=["x"]),
    "evidence with a wrong line": with_candidate(evidence=[{"line": "1"}]),
    "files of numbers": with_candidate(files=[1]),
    "version of text": b'{"version": "1", "candidates": []}',
    "version of minus one": b'{"version": -1, "candidates": []}',
    "version true": b'{"version": true, "candidates": []}',
    "a number for a token": b'{"version": 1, "token": 5, "candidates": []}',
    "token too long": b'{"version": 1, "token": "' + b"0" * 33 + b'", "candidates": []}',
    "not a number": b'{"version": 1, "candidates": [], "x": NaN}',
    "infinite": b'{"version": 1, "candidates": [], "x": 1e999}',
    "endless number": b'{"version": 1, "candidates": [], "x": ' + b"9" * 9999 + b"}",
    "too large": b" " * (MAX_BYTES + 1),
    "deep in lists": b'{"version": 1, "candidates": [], "x": ' + b"[" * MAX_DEPTH + b"]" * MAX_DEPTH + b"}",
    "deep in objects": b'{"version": 1, "candidates": [], "x": ' + b'{"y":' * MAX_DEPTH + b"1" + b"}" * (MAX_DEPTH + 1),
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN.keys())
def test_a_malformed_pending_file_is_reported_as_corrupt(data: bytes) -> None:
    with pytest.raises(UnreadablePendingError) as caught:
        parse_pending_file(data)
    assert caught.value.kind == "corrupt"


def test_a_file_nested_to_the_maximum_depth_can_be_read_and_written() -> None:
    levels = MAX_DEPTH - 1
    whole = parse_pending_file(b'{"version": 1, "candidates": [], "x": ' + b"[" * levels + b"]" * levels + b"}")
    assert parse_pending_file(serialise_pending_file(whole)) == whole


def test_a_file_of_a_newer_version_is_reported_as_newer() -> None:
    with pytest.raises(UnreadablePendingError) as caught:
        parse_pending_file(b'{"version": 2, "whatever": 1}')
    assert (caught.value.kind, caught.value.reason) == (
        "newer",
        "its version is 2, but this mind-skills supports only version 1",
    )


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
known = ["id", "title", "evidence", "detectedAt", "injectedAt", "files", "x"]
forms = st.dictionaries(st.sampled_from(known), json_values, max_size=7)


@given(
    st.binary(max_size=60)
    | st.fixed_dictionaries({"candidates": st.lists(forms | st.just(ONE), max_size=3)}).map(
        lambda w: json.dumps(w).encode()
    )
)
def test_any_content_is_reported_as_unreadable_or_survives_a_round_trip(data: bytes) -> None:
    try:
        read = parse_pending_file(data)
    except UnreadablePendingError:
        return
    again = parse_pending_file(serialise_pending_file(read))
    assert (again.candidates, again.extra) == (read.candidates, read.extra)
