"""Compose the text of an episode: symptom, cause, remedy, proof, scope, title and evidence.

``compose`` quotes from at most ``context.MAX_ENTRIES`` of the episode's observations of a kind, and from the first
``sentences.MAX_STATEMENT_LENGTH`` characters of a statement. Only the title mixes tool output and statements: a cause
is always quoted from statements, whereas a symptom or a proof may be tool output. staging/entry_text.py relies on this.
"""
