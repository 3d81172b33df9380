"""The records of the depot."""
