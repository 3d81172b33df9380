"""Sharing of votes, decisions and recurrences in a team, through a PostgreSQL server that the team runs.

Only keyed hashes, numbers and typed words are sent (team/contributions.py). The local database stores the newest event of
each contribution of this device, with its sequence number (team/outbox.py). A sync sends the events that the server has not
confirmed, and stores the sums that the server publishes; it publishes a sum once a quorum of people has contributed to it
(team/sync.py). server.sql creates the tables, policies, functions and views of the server.
"""
