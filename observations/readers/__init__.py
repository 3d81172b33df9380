"""Readers, one per format, each with ``FORMAT``, ``HOST``, ``sniff(head)`` and ``read(path, session)``."""
