"""The records of the house."""
