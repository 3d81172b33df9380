"""The records of the shop."""
