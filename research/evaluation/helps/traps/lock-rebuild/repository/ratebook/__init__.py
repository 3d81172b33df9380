"""Prices of parcels."""
