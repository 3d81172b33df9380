"""Installed skills: discovery, coverage of learnings, standing and lint."""
