"""The records of the association."""
