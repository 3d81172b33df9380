"""What is said of an episode: symptom, cause, remedy, proof, scope, a title and the evidence for them.

``compose`` looks at each text of an episode once, and at no more than the parts of it that ``scene.MOST`` and
``sentences.SAID`` bound. What tools printed and what somebody said stay apart: a cause is a quote, a symptom and a proof are
not, and staging/block.py treats them so.
"""

from mind_skills.detectors.composing.compose import compose

__all__ = ["compose"]
