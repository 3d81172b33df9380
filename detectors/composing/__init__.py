"""Text of an episode: symptom, cause, remedy, proof, scope, title and evidence.

``compose`` reads at most ``context.MAX_ENTRIES`` observations of each kind, and at most ``sentences.MAX_STATEMENT_LENGTH``
characters of a statement. Tool output and statements are not mixed in one part: a cause is always quoted from statements, whereas
a symptom or a proof may come from tool output. staging/entry_text.py relies on the difference.
"""

from mind_skills.detectors.composing.compose import compose

__all__ = ["compose"]
