"""One reader a format. Each has ``FORMAT``, ``HOST``, ``sniff(head)`` and ``read(path, session)``."""
