"""Readers of session logs, one per format (with ``FORMAT``, ``HOST``, ``sniff``, ``read``), and modules that they use."""
