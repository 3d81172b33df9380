"""Measure the detector on hand-labelled sessions, and fit its weights to them."""
