"""The default encoder's idea of meaning: what a text is about, by a hand-written lexicon of software work, without a model.

A person says "my program eats all the RAM", an engineer writes "unbounded cache grows the heap": no word in common, and
yet both touch the concept `memory_growth`. ``concepts`` names the concepts that a text touches, ``stem`` is the stemmer
behind it. The lexicon stands in ``words/``: an area of software work a file, how people complain in ``symptoms.txt``, how
engineers write down what helped in ``remedies.txt``; it is read when the first text comes.

Two texts are as alike as the cosine of their concepts says, better still with each weighed by how rare it is among the
texts at hand. ``word_...`` are no concepts but classes of everyday words (``word_delete``: remove, erase), faint ones.
"""

from mind_skills.memory.concepts.lexicon import concepts, stem

__all__ = ["concepts", "stem"]
