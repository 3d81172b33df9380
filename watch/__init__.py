"""Watches the session logs of all hosts, so that mind-skills learns without hooks; see docs/watch.md.

The watch process only waits and records changes, so that it needs little memory. A short-lived worker process
(worker.py) reads the logs, with the same functions as the hooks (jobs.py).
"""
