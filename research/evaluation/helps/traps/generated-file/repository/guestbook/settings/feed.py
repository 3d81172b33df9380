"""The feed of new entries."""

ITEMS_ENTRIES = 30
AGE_SECONDS = 1800
TITLE_CHARACTERS = 80
