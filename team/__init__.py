"""Sharing of votes, decisions and recurrences in a team, through a PostgreSQL server that the team runs.

Only keyed hashes, numbers and typed words are sent (team/words.py). The local database stores the newest word of this
device on each subject, with its sequence number (team/outbox.py); a sync sends what the server has not confirmed, and stores the
sums, which the server publishes once a quorum of people has contributed (team/sync.py). server.sql is the server: tables,
policies, views.
"""
