"""Records of operations."""
