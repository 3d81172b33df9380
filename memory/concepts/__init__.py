"""Finds the concepts of a text (what it is about) with a hand-written lexicon of software work; needs no model.

A user says "my program eats all the RAM", an engineer writes "unbounded cache grows the heap": the sentences share no
distinctive word, but both contain the concept `memory_growth`. The sources of the lexicon are in ``words/``: one file per area
of software work, users' complaints in ``symptoms.txt``, engineers' remedies in ``remedies.txt``. The lexicon is loaded when the
first text is examined.

The similarity of two texts is the cosine of their concepts, preferably weighted by the rarity of each concept in the
collection that is searched. Concepts named ``word_...`` are classes of everyday words (``word_delete``: remove, erase),
with a low weight.
"""

from mind_skills.memory.concepts.lexicon import extract_concepts, stem

__all__ = ["extract_concepts", "stem"]
