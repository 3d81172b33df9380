"""Readers of session logs, one per format (``FORMAT``, ``HOST``, ``sniff``, ``read``), and modules that they use."""
