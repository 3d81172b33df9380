"""Sharing of votes, decisions and recurrences in a team, through its own PostgreSQL server (server.sql): only keyed
hashes, numbers and typed words are sent (contributions.py), the newest event of each contribution (outbox.py), and
sums come back (sync.py) once a quorum of people contributed.
"""
