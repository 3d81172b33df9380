"""The records of the web office."""
