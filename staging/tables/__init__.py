"""The tables of staging: their schema and all their statements, except those for a session start (staging/claim.py)."""
