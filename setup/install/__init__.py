"""Edits to a host's settings that add or remove our entries and leave everything else unchanged."""
