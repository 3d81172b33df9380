"""One module a command; its click command is called ``command``. cli/group.py lists them."""
