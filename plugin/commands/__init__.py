"""One module a command; its click command is called ``command``. plugin/group.py lists them."""
