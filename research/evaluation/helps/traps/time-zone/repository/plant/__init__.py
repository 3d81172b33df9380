"""The records of the plant office."""
