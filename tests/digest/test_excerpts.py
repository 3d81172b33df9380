"""Excerpts keep what tells most, and never cut inside a word."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mind_skills.digest.excerpts import (
    MAX_WORD,
    OMITTED,
    cut_words,
    excerpt_change,
    excerpt_command,
    excerpt_end,
    excerpt_failure,
    excerpt_message,
)
from tests.testkit.examples import examples

FILLER = "This sentence is of no use to anybody who reads it."
LOG = "\n".join(f"compiled module {number} of the service" for number in range(200))


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (cut_words("one two", 7), "one two"),
        (cut_words("one two three", 9), f"one two{OMITTED}"),
        (cut_words("x" * 100, 20), "x" * 19 + OMITTED),
        (excerpt_message("  all\nof  it ", 40), "all of it"),
        (
            excerpt_message(
                f"The build fails. {FILLER} {FILLER} The root cause is that `mkdir` ran twice. {FILLER} All good now.",
                90,
            ),
            f"The build fails. {OMITTED} The root cause is that `mkdir` ran twice. {OMITTED} All good now.",
        ),
        (
            excerpt_failure(f"{LOG}\nsrc/rows.py:3: ValueError: bad cell 9\n{LOG}", "", 60),
            ["src/rows.py:3: ValueError: bad cell 9"],
        ),
        (excerpt_failure("one\ntwo\nnot a word of an error", "two", 8), ["two"]),
        (excerpt_failure("out\nput", "reported apart", 20), ["reported apart"]),
        (excerpt_failure("one\ntwo", "", 30), ["one", "two"]),
        (excerpt_end("first\n12 passed in 0.3s\nbye", 18), ["12 passed in 0.3s"]),
        (excerpt_end("", 40), []),
        (
            excerpt_change("-import a\n-total = round(x)\n+import b\n+total = quantize(x)", 50),
            ["-total = round(x)", "+total = quantize(x)"],
        ),
        (excerpt_change("+import b", 40), ["+import b"]),
        (excerpt_command("cd ~/a && \\\n\n  make 'b c'", 60), ["cd ~/a && \\", "  make 'b c'"]),
        (excerpt_command("make one\nmake two\nmake three", 20), ["make one", f"make two {OMITTED}"]),
        (excerpt_command("", 20), []),
    ],
)
def test_an_excerpt_holds_what_tells_most(shown: object, expected: object) -> None:
    assert shown == expected


WORDS = st.text("abcXYZ019._/:-=`'\"", min_size=1, max_size=30)
TEXTS = st.lists(st.sampled_from(["\n", " ", ". ", "Error: ", "-", "+"]) | WORDS, max_size=80).map(" ".join)


@settings(max_examples=examples(200))
@given(TEXTS, st.integers(MAX_WORD, 400))
def test_no_excerpt_of_any_text_is_longer_than_allowed_or_cuts_inside_a_word(text: str, limit: int) -> None:
    whole = set(text.split())
    for shown in (
        cut_words(text, limit),
        excerpt_message(text, limit),
        "\n".join(excerpt_failure(text, "", limit)),
        "\n".join(excerpt_end(text, limit)),
        "\n".join(excerpt_change(text, limit)),
        "\n".join(excerpt_command(text, limit)),
    ):
        assert len(shown) <= limit + 3 * shown.count(OMITTED)
        assert {word.strip(OMITTED) for word in shown.split()} - {""} <= whole
