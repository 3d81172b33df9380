"""The records of the pantry."""
