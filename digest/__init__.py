"""Condense a session to a text that a reader can judge."""
