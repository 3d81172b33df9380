"""Measures the detector on hand-labelled sessions, and fits its weights to them."""
