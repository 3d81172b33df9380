"""Readings of meters, and reports on them."""
