"""The limits of the guest book, in seconds, bytes and numbers."""

# visitors
IDLE_SECONDS = 1800
NAME_CHARACTERS = 40

# entries
ENTRY_BYTES = 4096
PAUSE_SECONDS = 20

# pages
PAGE_ENTRIES = 15
