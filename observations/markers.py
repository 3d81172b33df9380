"""Marks in our own output by which a reader of a log recognises records that rest on text from strangers."""

UNVERIFIED_PREFIX = "unverified: rests on "
"""Commands and tools print this text, followed by the source, with records that others may have written."""
