"""Folding only the non-ASCII characters gives the same words and letters as folding all."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from mind_skills.observations.repetition import extract_letters, fold, fold_non_ascii

WORD = re.compile(r"[^\W_]+")
SIGNS = "ab c-\n\u2010\u00ac>|*`~_1240\t\u200b\u0301éЖ中ﬁ→✓│\x1b\x08\x1f\u2028\u00a0İß①𝐀"


@given(st.text(st.sampled_from(SIGNS)) | st.text())
@example("céß\x1b│c_\x1f\u2028>a\u2010b4*é\u00ac\n\n\u2010bc")
def test_folding_only_non_ascii_characters_preserves_words_and_letters(text: str) -> None:
    whole, narrow = fold(text), fold(fold_non_ascii(text))
    assert (WORD.findall(narrow), extract_letters(narrow)) == (WORD.findall(whole), extract_letters(whole))
