"""Readers of session logs, one module per format (see ``read.FORMATS``), and modules that the readers use."""
