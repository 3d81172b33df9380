"""Memory: semantic search over what was learned. Counters and states are in learning/; this package only finds records."""
