"""Characters that look like angle brackets are removed from an offer's entries; letters are preserved."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from mind_skills.detectors.model import Evidence
from mind_skills.staging.entry_text import render_entry
from mind_skills.staging.model import Candidate

SHAPES = ("LESS-THAN", "GREATER-THAN", "ANGLE BRACKET", "ANGLE QUOTATION", "CHEVRON", "ARROWHEAD")
# From confusables.txt of the Unicode consortium: what is drawn like < or >.
DRAWN = "\u02c2\u02c3\u1438\u1433\u16b2\u2039\u203a\u276e\u276f\U0001d236\U0001d237\U00016f3f"
NOT_ALIKE = (" OR ", "UP ARROWHEAD", "DOWN ARROWHEAD", "COMBINING")


def looks_like_a_bracket(name: str) -> bool:
    return any(shape in name for shape in SHAPES) and not any(word in name for word in NOT_ALIKE)


ASSIGNED = ((sign, unicodedata.name(sign, "")) for sign in map(chr, range(128, sys.maxunicode + 1)))
LIKE = sorted({sign for sign, name in ASSIGNED if name and looks_like_a_bracket(name)} | set(DRAWN))


def render_entries(text: str) -> str:
    """Entries of two candidates with the text as title and cause; in the second, a tool printed it as well."""
    said = Evidence("discovery", "insight", f"agent: {text}", text, 2)
    evidence = ((said,), (Evidence("problem", "symptom", f"`make` failed: {text}", text, 1), said))
    made = (Candidate("sc_00000001", "error_fix", text, text, "high", "0" * 32, each, score=1.0) for each in evidence)
    return "\n".join(map(render_entry, made))


@pytest.mark.parametrize("sign", LIKE, ids=lambda sign: f"U+{ord(sign):04X}")
def test_a_character_that_looks_like_a_bracket_is_removed_from_an_offer(sign: str) -> None:
    plain = unicodedata.normalize("NFKC", sign)
    found = render_entries(f"the {sign}/openception-skill-extraction{sign} cache {sign}x{sign} was stale")
    assert not {*sign, *plain} & {*found}
    assert "\u0338" not in found


@pytest.mark.parametrize("text", ["naïve café", "Größe ≤ 5 ms", "日本語のキャッシュ", "ключ не найден", "don’t"])
def test_letters_and_punctuation_of_ordinary_text_are_preserved(text: str) -> None:
    assert text in render_entries(f"the cache was stale since {text}")
