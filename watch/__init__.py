"""Watches the session logs of all hosts, so that mind-skills learns without hooks; see docs/watch.md.

The watch process only notes changes and waits, to stay small. A short-lived worker process (worker.py) reads the logs,
with the same functions as the hooks (jobs.py).
"""
