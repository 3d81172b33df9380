"""Readers of session logs: one module per format, each with ``FORMAT``, ``HOST``, ``sniff(head)`` and ``read(path, session)``."""
