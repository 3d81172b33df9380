"""A guest book."""
