"""One heuristic a file; pure functions of a session."""
