"""The tables of staging: their schema, and every statement that reads or writes them, but for a session's start (staging/claim.py)."""
