"""Sharing of votes, decisions and recurrences in a team, by way of a PostgreSQL server that the team runs.

What leaves consists of keyed hashes, numbers and typed words (team/words.py). The local database stores the newest word of this
device on each subject, with its sequence number (team/outbox.py); a sync sends what the server has not confirmed, and stores the
sums that the server publishes from a quorum of people on (team/sync.py). server.sql is the server: tables, policies, views.
"""
