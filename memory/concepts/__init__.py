"""The default encoder's idea of meaning: what a text is about, by a hand-written lexicon of software work, without a model.

A person says "my program eats all the RAM", an engineer writes "unbounded cache grows the heap": no word in common, and
yet both touch the concept `memory_growth`. ``concepts`` names the concepts that a text touches, ``stem`` is the stemmer
behind it. The lexicon stands in ``words/``, one area a file; it is read when the first text comes.
"""

from mind_skills.memory.concepts.stemming import stem
from mind_skills.memory.concepts.touch import concepts

__all__ = ["concepts", "stem"]
