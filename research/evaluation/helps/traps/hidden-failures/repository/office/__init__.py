"""The records of the office."""
