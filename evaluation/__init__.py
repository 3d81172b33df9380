"""Measure the detector against sessions that were labelled by hand."""
