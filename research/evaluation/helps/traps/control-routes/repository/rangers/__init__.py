"""The records of the rangers."""
