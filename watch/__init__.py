"""Watching the session logs of all hosts, so that a machine without hooks learns too; see docs/watch.md.

The watching process stays small: it notes changes and waits. What reads a log is a process of its own that ends when it
is done (worker.py), and runs the same functions as the hooks do (jobs.py).
"""
