"""Measuring the detector on hand-labelled sessions, and fitting its weights to them."""
