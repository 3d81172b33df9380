"""The tables of staging: their schema and most of their SQL; staging/offer.py has the statements for the start of a session."""
