"""What is compared is the same by the short way and by the long one."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from mind_skills.observations.spelling import folded, letters, narrowed

WORD = re.compile(r"[^\W_]+")
SIGNS = "ab c-\n\u2010\u00ac>|*`~_1240\t\u200b\u0301éЖ中ﬁ→✓│\x1b\x08\x1f\u2028\u00a0İß①𝐀"


@given(st.text(st.sampled_from(SIGNS)) | st.text())
@example("céß\x1b│c_\x1f\u2028>a\u2010b4*é\u00ac\n\n\u2010bc")
def test_a_narrowed_text_has_the_words_and_letters_of_the_text_itself(text: str) -> None:
    whole, narrow = folded(text), folded(narrowed(text))
    assert (WORD.findall(narrow), letters(narrow)) == (WORD.findall(whole), letters(whole))
