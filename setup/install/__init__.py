"""Edits to files that add or remove our entries and leave everything else unchanged, and the removal of all data."""
