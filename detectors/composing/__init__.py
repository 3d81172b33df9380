"""Text of an episode: symptom, cause, remedy, proof, scope, title and evidence.

``compose`` reads each text of an episode once, within the limits ``scene.MAX_ENTRIES`` and ``sentences.MAX_STATEMENT_LENGTH``.
Tool output and statements stay separate: a cause is a quotation, a symptom and a proof are not. staging/entry_text.py relies on
the difference.
"""

from mind_skills.detectors.composing.compose import compose

__all__ = ["compose"]
