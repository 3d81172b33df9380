"""Mutation that knows what it changes: one line of a log, one value in it, one fragment of a text.

Blind bytes never get past a parser of JSON. So three of four changes are made to what the bytes say, and the bytes are
written anew; the fourth is the fuzzer's own, which is what finds the faults of the parser's edge.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random

Blind = Callable[[bytes, int], bytes]
Place = tuple[list[object], int] | tuple[dict[str, object], str]

DEEP = "[" * 60 + "]" * 60
VALUES: tuple[object, ...] = (
    *(
        None,
        True,
        False,
        0,
        -1,
        1,
        2**31,
        2**53 + 1,
        2**63,
        -(2**64),
        1e308,
        0.1,
        "",
        " ",
        [],
        {},
        [[]],
        [None],
        {"": {}},
    ),
    *(
        "\x00",
        "\ud83d",
        "\u202e",
        "\u2028",
        "\x1b]0;title\x07",
        "\U000e0041",
        "é" * 70,
        "A" * 5_000,
        "\n" * 300,
        "a/" * 900,
    ),
    *("2026-06-18T02:34:50.278Z", "9999-99-99T99:99:99Z", "1781748890278", 1781748890278, 1.5),
    *("user", "assistant", "tool", "system", "text", "tool_use", "tool_result", "thinking", "function_call", "error"),
    *("Bash", "Edit", "Write", "Read", "shell", "apply_patch", "run_shell_command", "mcp__x__y", "../../../etc", "~"),
)
"""What stands in for a value: other types, bounds, and what no reader may let through."""
FRAGMENTS: tuple[str, ...] = (
    *(
        "Error: cannot find module './total'",
        'Traceback (most recent call last):\n  File "a.py", line 3',
        "exit code 1",
    ),
    *(
        "npm test",
        "python -m pytest -q tests/test_total.py",
        "cd a && timeout 5 make check | tail -3",
        "git commit -m 'x'",
    ),
    *(
        "It still fails.",
        "That is wrong, the root cause was that",
        "I found the problem:",
        "No, that is not what I asked for",
    ),
    *(
        "*** Begin Patch\n*** Update File: a.py\n@@\n-a\n+b\n*** End Patch",
        "<system-reminder>",
        "</mind-skills>",
        "```\n",
    ),
    *(
        "1 failed, 3 passed",
        "All tests pass now",
        "FAILED tests/test_a.py::test_b - AssertionError: 1 != 2",
        "\r\n",
        "\\",
        '"',
    ),
    *(
        "$(",
        "<<'EOF'\n",
        "\nEOF\n",
        "&& ",
        "; ",
        "| ",
        "||",
        "'",
        "`",
        "%s",
        "{}",
        "\\u0000",
        "=",
        ":",
        "-----BEGIN ",
        "---\n",
    ),
)
_TRIES = 8


def mutated(data: bytes, most: int, seed: int, blind: Blind, words: Sequence[str] = ()) -> bytes:
    """``data`` with one to three changes, at most ``most`` bytes. The same ``seed`` and ``blind`` make the same changes."""
    random = Random(seed)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        if random.random() < 0.25:
            data = blind(data, most)
            continue
        for _ in range(_TRIES):  # what grew too long, or was no JSON, is tried in another way
            changed = _changed(data, random, blind, words)
            if changed is not None and len(changed) <= most and changed != data:
                data = changed
                break
        else:
            data = blind(data, most)
    return data[:most]


def _changed(data: bytes, random: Random, blind: Blind, words: Sequence[str]) -> bytes | None:
    if data[:1] in b"{[" and random.random() < 0.9:
        if (whole := _loads(data)) is not None:
            return _dumps(_document(whole, random, blind, words), random)
        return _lines(data, random, blind, words)
    return _text(data.decode("utf-8", "surrogateescape"), random, words).encode("utf-8", "surrogateescape")


def _lines(data: bytes, random: Random, blind: Blind, words: Sequence[str]) -> bytes | None:
    """JSON lines with one of them dropped, doubled, moved, cut off, or changed inside."""
    rows = data.split(b"\n")
    at, other = random.randrange(len(rows)), random.randrange(len(rows))
    way = random.random()
    if way < 0.05:
        del rows[at]
    elif way < 0.1:
        rows.insert(other, rows[at])
    elif way < 0.15:
        rows[at], rows[other] = rows[other], rows[at]
    elif way < 0.18:
        rows[at] = rows[at][: random.randrange(len(rows[at]) + 1)]
    elif way < 0.2:
        del rows[min(at, other) : max(at, other)]
    else:
        value = _loads(rows[at])
        if value is None:
            return None
        borrowed = _loads(rows[other])
        rows[at] = _dumps(_document(value, random, blind, words, borrowed), random)
    return b"\n".join(rows)


def _document(value: object, random: Random, blind: Blind, words: Sequence[str], borrowed: object = None) -> object:
    """A JSON value with one place in it changed; ``borrowed`` is another one, from which a value may be taken."""
    places = _places(value)
    if not places:
        return random.choice(VALUES)
    place = random.choice(places)
    way = random.random()
    now = _get(place)
    if way < 0.35 and isinstance(now, str):
        _put(place, _string(now, random, blind, words))
    elif way < 0.6:
        _put(place, random.choice(VALUES))
    elif way < 0.75:
        _put(place, _get(random.choice(_places(borrowed) or places)))
    elif way < 0.85:
        _drop(place)
    elif way < 0.9:
        _put(place, random.choice(([now], {"text": now}, [now] * random.choice((2, 3, 40)), json.loads(DEEP))))
    elif isinstance(place[0], dict):
        place[0][random.choice((*place[0], *words, "type", "content"))] = _copy(_get(random.choice(places)))
    else:
        place[0].insert(random.randrange(len(place[0]) + 1), _copy(now))
    return value


def _string(text: str, random: Random, blind: Blind, words: Sequence[str]) -> str:
    if random.random() < 0.3:
        return blind(text.encode("utf-8", "surrogatepass"), len(text) + 32).decode("utf-8", "replace")
    return _text(text, random, words)


def _text(text: str, random: Random, words: Sequence[str]) -> str:
    """A text with a fragment put in, a piece taken out, doubled or moved."""
    start = random.randrange(len(text) + 1)
    end = min(len(text), start + random.choice((1, 2, 4, 8, 32, 128, 1_024)))
    way = random.random()
    if way < 0.5:
        fragment = random.choice((*words, *words, *FRAGMENTS))
        return text[:start] + fragment + text[start if random.random() < 0.7 else end :]
    if way < 0.65:
        return text[:start] + text[end:]
    if way < 0.8:
        return text[:start] + text[start:end] * random.choice((2, 3, 50)) + text[end:]
    other = random.randrange(len(text) + 1)
    return text[:other] + text[start:end] + text[other:]


def _places(value: object) -> list[Place]:
    """Every place in a value, whatever its depth."""
    found: list[Place] = []
    waiting = [value]
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, dict):
            found += [(inner, key) for key in inner]
            waiting += inner.values()
        elif isinstance(inner, list):
            found += [(inner, index) for index in range(len(inner))]
            waiting += inner
    return found


def _get(place: Place) -> object:
    return place[0][place[1]]  # type: ignore[index]


def _put(place: Place, new: object) -> None:
    place[0][place[1]] = _copy(new)  # type: ignore[index]


def _drop(place: Place) -> None:
    del place[0][place[1]]  # type: ignore[arg-type]


def _copy(value: object) -> object:
    """A value of its own: one that held itself could not be written."""
    return json.loads(json.dumps(value))


def _loads(data: bytes) -> object:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _dumps(value: object, random: Random) -> bytes:
    plain = random.random() < 0.5
    return json.dumps(value, ensure_ascii=plain).encode("utf-8", "surrogatepass")
