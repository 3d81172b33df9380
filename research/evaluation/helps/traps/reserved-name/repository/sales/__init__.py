"""The records of sales."""
