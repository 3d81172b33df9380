"""Disk: state folder, project identity, atomic write, lock, database connection."""
