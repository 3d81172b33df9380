"""What a text is about, by the lexicon of concepts."""

from pathlib import Path

from mind_skills.memory.concepts import concepts
from mind_skills.memory.concepts.build import build, document
from mind_skills.memory.concepts.lexicon import MADE


def test_a_symptom_and_its_remedy_touch_the_same_concept_without_a_word_in_common() -> None:
    symptom = concepts("my program eats all the RAM")
    remedy = concepts("an unbounded cache grows the heap; bound it with an LRU")
    assert sorted(symptom.keys() & remedy.keys())[:2] == ["cache_unbounded", "gpu_memory"]


def test_the_stored_lexicon_is_what_the_words_say() -> None:
    assert Path(MADE).read_text(encoding="utf-8") == document(build())
