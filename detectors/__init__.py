"""Heuristics that find learnings in a session; pure functions of its observations."""
