"""Names of tools and files in a log may have any length, and long ones are not cached."""

from __future__ import annotations

import tracemalloc

from mind_skills.observations import builders
from mind_skills.observations.model import Observation


def make_call(tool: str, file: str) -> Observation:
    return builders.build_tool_call(tool, "read", line=1, files=(file,), output="ok")


def test_a_name_of_any_length_is_truncated() -> None:
    found = [make_call("t" * length, "f" * length) for length in (999, 1_000, 1_001, 100_000)]
    assert {(len(each.tool), *map(len, each.files)) for each in found} == {(80, 300)}
    assert len({(each.tool[:20], each.files[0][:20]) for each in found}) == 1


def test_long_names_are_not_cached() -> None:
    make_call("Read", "a.py")
    tracemalloc.start()
    try:
        for number in range(20):
            make_call(f"{number}" + "t" * 500_000, f"{number}/" + "f" * 500_000)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 1_000_000
