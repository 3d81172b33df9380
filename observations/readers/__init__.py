"""Readers of session logs, one module per format (see ``read.Reader``), and modules that the readers use."""
