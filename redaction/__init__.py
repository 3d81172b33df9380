"""Removal of secrets, personal data and invisible characters before a text is stored, shown or matched."""
