"""Removal of secrets, personal data and invisible characters before text is stored, shown or matched."""
