"""Removes secrets, personal data and invisible characters from text before it is stored, shown or matched."""
