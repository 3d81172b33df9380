"""Measurement and fit of the detector on hand-labelled sessions."""
