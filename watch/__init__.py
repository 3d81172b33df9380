"""Watching the session logs of all hosts, so that a machine without hooks learns too; see docs/watch.md.

The watching process stays small: it notices and waits. What reads a log is a process of its own that ends when it is
done (looking.py), and runs the same functions as the hooks do.
"""
