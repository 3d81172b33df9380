"""The records of the guest book."""
