"""The tests that a change takes away: deleted with their file, cut out of it, or commented out.

A check that passes after that has not been mended. Source of the forms: how the common test frameworks define a test.
"""

from __future__ import annotations

from mind_skills.observations.model import Observation
from mind_skills.observations.shell import segments
from mind_skills.redaction.lazy_pattern import compile_later

_DEFINED = tuple(
    compile_later(pattern)
    for pattern in (
        r"\s*(?:async )?def (test\w*)\(",  # Python
        r"\s*class (Test\w+)\b",
        r"func ((?:Test|Benchmark|Fuzz|Example)\w*)\(",  # Go
        r"\s*(?:it|test|describe|specify|context|scenario)(?:\.\w+)*(?:\(| )\s*['\"`]([^'\"`]{1,120})",  # JavaScript, RSpec, Elixir
        r"\s*(?:pub )?(?:async )?fn (test_\w+|\w+_test)\(",  # Rust
        r"\s*(?:public )?(?:final )?(?:function|void|fun|func) (test\w*)\(",  # PHP, JUnit, Kotlin, Swift
        r"\s*@(test) \S",  # bats
        r"\s*TEST(?:_F|_P)?\((\w+, ?\w+)\)",  # GoogleTest
    )
)
_FILE = compile_later(
    r"(?:^|/)(?:tests?|specs?|__tests__|e2e)/|(?:^|/)test_[^/]*\.\w+$|[_.-](?:test|tests|spec|e2e)\.\w+$|Tests?\.\w+$|\.bats$"
)
_DELETED = "-*** Delete File: "


def removed_tests(observation: Observation) -> tuple[str, ...]:
    """Names of the tests that a successful change takes away, and of the files of tests that it deletes, in their order.

    A test that stands in both sides of the change was moved or rewritten. Names are as the change shows them, which is bounded.
    """
    if observation.outcome not in ("ok", "unknown"):
        return ()
    gone: dict[str, None] = {}
    kept: set[str] = set()
    for row in observation.change.split("\n"):
        if row.startswith(_DELETED) and _FILE.search(row):
            gone[row.removeprefix(_DELETED).strip()] = None
            continue
        name = _test(row[1:])
        if name and row[:1] == "-":
            gone[name] = None
        elif name:
            kept.add(name)
    if observation.command and "rm " in f"{observation.signature} ":
        gone.update(dict.fromkeys(_deleted(observation.command)))
    return tuple(name for name in gone if name not in kept)


def _test(row: str) -> str:
    return next((found[1] for form in _DEFINED if (found := form.match(row))), "")


def _deleted(command: str) -> list[str]:
    found: list[str] = []
    for words, *_ in segments(command):
        if words[:1] == ["rm"] or words[:2] == ["git", "rm"]:
            found += [word for word in words if word[:1] != "-" and _FILE.search(word)]
    return found
