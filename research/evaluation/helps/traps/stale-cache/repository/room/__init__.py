"""The records of the reading room."""
