"""Scoring: what helped, what faded, what failed."""
