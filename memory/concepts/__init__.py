"""Concepts: what a text is about, from a hand-written lexicon of software work, without a model. Used by the default encoder.

A user says "my program eats all the RAM", an engineer writes "unbounded cache grows the heap": no common word, but both
contain the concept `memory_growth`. ``concepts`` returns the concepts of a text; ``stem`` is the stemmer it uses. The
lexicon is in ``words/``, one file per area of software work, with users' complaints in ``symptoms.txt`` and engineers'
remedies in ``remedies.txt``. It is loaded with the first text.

The similarity of two texts is the cosine of their concepts, preferably weighted by rarity among the texts at hand.
``word_...`` are not concepts but classes of everyday words (``word_delete``: remove, erase) with a low weight.
"""

from mind_skills.memory.concepts.lexicon import concepts, stem

__all__ = ["concepts", "stem"]
