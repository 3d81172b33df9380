"""Patterns that propose episodes by structure alone, one per file; registered in registry.py."""
