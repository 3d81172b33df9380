"""Patterns that propose episodes, one per file; registry.py lists them."""
