"""The tables of staging: their schema and most of their statements; staging/claim.py has those for a session start."""
