"""The text of an observation is cleaned of control characters and secrets, and truncated."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mind_skills.redaction.text import CUT_MARKER, clean_text, strip_controls, truncate_middle

ESC = "\x1b"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{ESC}[31mred{ESC}[0m", "red"),
        (f"{ESC}[33;21mwarn{ESC}[0m{ESC}[K", "warn"),
        (f"{ESC}]0;title\x07body", "body"),
        (f"{ESC}]8;;http://example.test{ESC}\\link{ESC}]8;;{ESC}\\", "link"),
        (f"{ESC}(Bplain{ESC}=", "plain"),
        ("a\x00b\x07c\x08d", "abcd"),
        ("tab\there\nnew", "tab\there\nnew"),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("one\u2028two\u2029three\u0085four", "one\ntwo\nthree\nfour"),
        ("ig\u200bnore\u200d \ufeffthis\u00ad", "ignore this"),
        ("abc\u202edcba\u202c \u2066x\u2069 \u200f", "abcdcba x "),
        ("hi\U000e0069\U000e0067\U000e006e", "hi"),
        ("half \ud83d pair", "half  pair"),
        ("emoji \U0001f600 ok é", "emoji \U0001f600 ok é"),
    ],
)
def test_escape_sequences_and_invisible_characters_are_removed(text: str, expected: str) -> None:
    assert strip_controls(text) == expected


SIGNS = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
"""Signs of scripts that count as format characters but are visible."""


def test_no_invisible_character_but_tab_and_newline_is_left() -> None:
    unseen = {"Cc", "Cf", "Cs", "Co"}
    codes = (code for code in range(0x110000) if unicodedata.category(chr(code)) in unseen)
    assert {code for code in codes if chr(code) in strip_controls(f"a{chr(code)}b")} == {ord("\t"), ord("\n")} | SIGNS


@given(st.text())
def test_stripping_control_characters_twice_changes_nothing_more(text: str) -> None:
    once = strip_controls(text)
    assert strip_controls(once) == once


@given(st.text(alphabet=st.characters()), st.integers(0, 300))
def test_a_cleaned_text_is_never_longer_than_its_limit_and_can_be_encoded(text: str, limit: int) -> None:
    cleaned = clean_text(text, limit)
    assert len(cleaned) <= limit
    cleaned.encode("utf-8")


def test_a_short_text_is_not_cut() -> None:
    assert truncate_middle("x" * 100, 100) == "x" * 100


def test_a_long_text_is_cut_in_its_middle() -> None:
    cut = truncate_middle("head " + "x" * 1000 + " tail", 107)
    assert cut == "head " + "x" * 35 + CUT_MARKER + "x" * 55 + " tail"
    assert len(cut) == 107


@given(
    st.lists(st.sampled_from(["a", "bc ", "é_1-", "\n", "instead ", "u" * 20 + " "]), max_size=60), st.integers(9, 80)
)
def test_truncating_a_text_leaves_out_words_instead_of_cutting_them(parts: list[str], limit: int) -> None:
    text = "".join(parts)
    words = set(re.findall(r"\w+", text))
    assume(all(len(word) <= 40 for word in words))
    cut = truncate_middle(text, limit)
    assert len(cut) <= limit
    assert set(re.findall(r"\w+", cut)) <= words


@pytest.mark.parametrize("length", [40, 41])
def test_a_run_of_more_than_forty_letters_is_cut_anywhere(length: int) -> None:
    one = "." * 39 + "x" * length + "." * 200
    assert truncate_middle(one, 107) == "." * 39 + ("x" if length > 40 else "") + CUT_MARKER + "." * 60


def test_a_secret_across_the_cut_is_redacted_before_the_cut() -> None:
    secret = "gh" + "p_" + "a1B2c3D4" * 5
    for shift in range(60):
        cleaned = clean_text("." * (200 + shift) + " " + secret + " " + "." * 300, 500)
        assert "a1B2c3D4" not in cleaned


def test_a_private_key_at_the_edge_of_the_scanned_part_is_not_shown() -> None:
    body = "\n".join("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj" for _ in range(50))
    key = "-----BEGIN " + "PRIVATE KEY-----\n" + body + "\n-----END " + "PRIVATE KEY-----\n"
    for count in (1, 3, 6):
        for shift in (0, 1000, 5000):
            cleaned = clean_text("." * shift + "\n" + key * count + ("x " * 20_000) + key * count + "." * shift, 2_000)
            assert "MIIE" not in cleaned, (count, shift)
            assert len(cleaned) <= 2_000


def test_a_text_of_ten_megabytes_is_reduced_to_its_cleaned_ends() -> None:
    cleaned = clean_text("start " + "password=hunter22 " * 600_000 + " end", 1_000)
    assert cleaned.startswith("start ")
    assert cleaned.endswith(" end")
    assert "hunter22" not in cleaned


LINES = [f"{number}: " + "word " * (number % 40) for number in range(1_000)]


@pytest.mark.parametrize("limit", [0, 5, 100, 2_000])
@pytest.mark.parametrize("between", ["\n", " "])
@pytest.mark.parametrize("count", [1, 20, 50, 100, 300, 1_000])
def test_cleaning_a_long_text_without_secrets_equals_cutting_it_in_its_middle(
    limit: int, between: str, count: int
) -> None:
    text = between.join(LINES[:count])
    assert clean_text(text, limit) == truncate_middle(text, limit)


@pytest.mark.parametrize("between", ["\n", " "])
def test_a_secret_anywhere_near_the_edges_of_the_scanned_part_is_not_shown(between: str) -> None:
    token = "ey" + "J" + "a1B2c3D4" * 6 + "." + "e5F6" * 400 + "." + "g7H8" * 300
    cookie = "Set-Cookie: " + "; ".join(f"part{n}={'e5F6' * 20}" for n in range(20))
    for secret in (token, cookie):
        for shift in range(0, 12_000, 397):
            filler = between.join(LINES)
            text = f"{filler[:shift]}{between}{secret}{between}{filler[: 14_000 - shift]}"
            assert "e5F6e5F6" not in clean_text(text, 2_000), shift
            assert "g7H8g7H8" not in clean_text(text, 2_000), shift
