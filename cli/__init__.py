"""The command line: one module per command, with a click command called ``command``; cli/group.py lists them."""
