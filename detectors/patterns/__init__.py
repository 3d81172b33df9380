"""Patterns that propose episodes by structure alone, one a file; registry.py names them."""
