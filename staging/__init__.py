"""Candidates and their states, the offers made to sessions, and the text of an offer."""
